//! Tables, broken down into their values, and the properties of the game.

use super::eval::{Answer, Env, Val};
use super::why::{Breakdown, Join, Teller};
use crate::model::rules::{Expr, ExprKind, PropClass, PropId, Ty};

/// How the name of a property is compared with what somebody wrote: `stock ink`, `stock[ink]` and `stock_ink` are one.
pub(super) fn spelt(name: &str) -> String {
    name.replace([' ', '['], "_").replace(']', "").to_lowercase()
}

impl Teller<'_> {
    /// A table with those of its values that say something, each worked out by `item`.
    pub(super) fn table(
        &mut self,
        what: String,
        table: PropId,
        items: &[PropId],
        mut item: impl FnMut(&mut Self, PropId) -> Answer<Breakdown>,
    ) -> Answer<Breakdown> {
        let rules = self.rules();
        let info = &rules.props[table.index()];
        let mut parts = items.iter().map(|prop| item(self, *prop)).collect::<Answer<Vec<Breakdown>>>()?;
        let mut node = self.leaf(Some(what), &Val::Word(None), &Ty::Nothing, info.span);
        if let Ty::Table(key, inner) = &info.ty {
            let values = parts.iter().enumerate().map(|(index, part)| (index, part.value.clone()));
            node.value = self.run().table_words(*key, inner, values);
        }
        parts.retain(|part| part.number != Some(0));
        (node.join, node.parts) = (Join::Uses, parts);
        Ok(node)
    }

    /// A property of the game.
    pub(super) fn game_prop(&mut self, prop: PropId) -> Answer<Breakdown> {
        let rules = self.rules();
        let info = &rules.props[prop.index()];
        if let PropClass::Table(items) = &info.class {
            return self.table(rules.label(&info.name), prop, items, Self::game_prop);
        }
        let expr = Expr { kind: ExprKind::GameProp(prop), ty: info.ty.clone(), span: info.span };
        self.node(&expr, &mut Env { locals: Vec::new(), me: None, this: None, event: None }, None, 0)
    }
}
