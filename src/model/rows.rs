//! Rows, columns and piles whose cards are taken out by a filter or a loop: what comes so is in the order in which it was made.

use super::check::Checker;
use super::rules::walk::each_in;
use super::rules::{
    BinaryOp, Builtin, BuiltinProp, CompareOp, Destination, Expr, ExprKind, LocalId, Proc, PropClass, Stmt, StmtKind,
    Ty, ZoneId, ZoneOrder,
};
use crate::base::{Code, Diagnostic};
use crate::syntax::ast::Place;
use std::collections::{BTreeMap, BTreeSet};

/// What a local is called.
type Names<'n> = &'n dyn Fn(LocalId) -> Option<String>;

impl Checker<'_> {
    /// `each m in pieces(s) { move m to t }`, `move (row where n > 2) to pile`: what lies on a site or in a row comes in the order in
    /// which it was made, so that it does not lie there as it lay here.
    pub(super) fn columns_turned(&self, proc: &Proc, stmts: &[Stmt], found: &mut Vec<Diagnostic>) {
        let (mut shuffled, mut lets) = (BTreeSet::new(), BTreeMap::<LocalId, Vec<&Expr>>::new());
        each_in(stmts, &mut |stmt| match &stmt.kind {
            StmtKind::Shuffle { zone, .. } => _ = shuffled.insert(*zone),
            StmtKind::Local { local, value } => lets.entry(*local).or_default().push(value),
            _ => {}
        });
        // What a name means that is given once.
        let meant = |set: &'_ Expr| match set.bare().kind {
            ExprKind::Local(local) => match lets.get(&local).map(Vec::as_slice) {
                Some([value]) => (*value).clone(),
                _ => set.clone(),
            },
            _ => set.clone(),
        };
        let name = |local: LocalId| proc.locals.get(local.index()).map(|local| local.name.clone());
        let is_new = |word: &&str| proc.locals.iter().all(|local| local.name != **word);
        let new = ["c", "x", "y", "z"].into_iter().find(is_new).unwrap_or("card");
        // An open row, or what is left of it, on its way to where the order counts; and how it comes there as it lies.
        let open_row = |set: &Expr, to: &Destination, whole: bool| {
            let set = meant(set);
            let pile = self.of_pile(&set).filter(|pile| whole || !std::ptr::eq(*pile, set.bare()))?;
            let &Destination::Zone { zone: to, place, .. } = to else { return None };
            let order = |zone: ZoneId| self.rules.zones.get(zone.index()).map(|zone| zone.order);
            let seen = self.rules.zones.get(zone_of(pile)?.index())?.seen;
            let counts = !seen.is_closed() && order(to)? != ZoneOrder::None && !shuffled.contains(&to);
            let below = place == Some(Place::Bottom) || place.is_none() && order(to)? == ZoneOrder::Queue;
            counts.then(|| (self.said_pile(pile, &name), if below { "top" } else { "bottom" }))
        };
        each_in(stmts, &mut |stmt| {
            let (mut site, mut row, mut at, mut each) = (false, None, stmt.span, new.to_owned());
            match &stmt.kind {
                StmtKind::Each { local, domain, body, .. } => each_in(body, &mut |inner| {
                    let StmtKind::Move { what, to, .. } = &inner.kind else { return };
                    if what.bare().is_local(*local) {
                        at = domain.span;
                        each = name(*local).unwrap_or_default();
                        site |= matches!(to, Destination::Site { .. }) && lies_on_one_site(domain);
                        row = row.take().or_else(|| open_row(domain, to, true));
                    }
                }),
                StmtKind::Move { what, to, .. } => (row, at) = (open_row(what, to, false), what.span),
                _ => {}
            }
            let (message, help) = match row {
                Some(((row, written), from)) => (
                    format!("these come in the order in which they were made, and not as they lie in `{row}`"),
                    format!("as they lie it is `each {each} in {from}({written}, count {written}) where ... {{ move {each} to ... }}`"),
                ),
                None if site => (
                    "these come in the order in which they were made, whatever lies on what".to_owned(),
                    "from the bottom to the top it is `each m in stack(s)`; a column that moves as it lies is `move pieces(s) to t`".to_owned(),
                ),
                None => return,
            };
            let twice = found.iter().any(|found| found.code == Code::PileForgotten && found.span == at);
            if !twice {
                found.push(Diagnostic::new(Code::PileForgotten, at, message).help(help));
            }
        });
    }

    /// The pile that a set was filtered out of.
    pub(super) fn filtered_pile<'e>(&self, set: &'e Expr) -> Option<&'e Expr> {
        self.of_pile(set).filter(|pile| !std::ptr::eq(*pile, set) && matches!(set.ty, Ty::Set(_)))
    }

    /// The ordered zone of which a set is what lies there, or what a filter leaves of it that may differ; one for each key, if play
    /// decides that.
    fn of_pile<'e>(&self, set: &'e Expr) -> Option<&'e Expr> {
        let mut inner = set.bare();
        while let ExprKind::Where { over, .. } | ExprKind::Binary(BinaryOp::Difference | BinaryOp::Both, over, _) =
            &inner.kind
        {
            // Those of one definition are alike.
            let alike = match &inner.kind {
                ExprKind::Binary(BinaryOp::Both, _, alike) => matches!(alike.kind, ExprKind::EntitiesOf(_)),
                ExprKind::Where { binder, cond, .. } => self.of_one_definition(*binder, cond),
                _ => false,
            };
            if alike {
                return None;
            }
            inner = over.bare();
        }
        let zone = self.rules.zones.get(zone_of(inner)?.index())?;
        (zone.order != ZoneOrder::None).then_some(inner)
    }

    /// Whether a condition holds only of cards of one definition.
    fn of_one_definition(&self, card: LocalId, cond: &Expr) -> bool {
        match &cond.kind {
            ExprKind::And(one, other) => self.of_one_definition(card, one) || self.of_one_definition(card, other),
            ExprKind::In(of, all) => of.bare().is_local(card) && matches!(all.kind, ExprKind::EntitiesOf(_)),
            ExprKind::Is(of, kind) => {
                let of_kind = self.rules.entries.iter().filter(|entry| self.rules.is_below(entry.kind, *kind));
                of.bare().is_local(card) && of_kind.count() == 1
            }
            ExprKind::Compare(CompareOp::Eq, one, other) => {
                let named = |of: &Expr, name: &Expr| {
                    let ExprKind::Prop(of, prop) = &of.kind else { return false };
                    let class = self.rules.props.get(prop.index()).map(|prop| &prop.class);
                    matches!(class, Some(PropClass::Builtin(BuiltinProp::Name)))
                        && of.bare().is_local(card)
                        && matches!(name.kind, ExprKind::Text(_))
                };
                named(one, other) || named(other, one)
            }
            _ => false,
        }
    }

    /// What a pile is called, and how it is written there, as far as it is written shortly.
    pub(super) fn said_pile(&self, pile: &Expr, name: Names) -> (String, String) {
        let Some(zone) = zone_of(pile) else { return Default::default() };
        let own = self.rules.zones.get(zone.index()).map_or("", |zone| zone.name.as_str());
        // One of several is called by its key, too.
        let keyed = own.rsplit_once(' ').filter(|_| self.zones_with(zone).len() > 1);
        let (mut one, mut key) = (pile, keyed.map(|(_, key)| key.to_owned()));
        let declared = keyed.map_or(own, |(declared, _)| declared);
        if let ExprKind::If(cond, then, _) = &pile.kind {
            one = then.bare();
            key = match &cond.kind {
                ExprKind::Compare(_, key, _) => Some(self.said(key, name).unwrap_or_else(|| "...".to_owned())),
                _ => None,
            };
        }
        let key = key.map_or(String::new(), |key| format!("[{key}]"));
        let whose = match &one.kind {
            ExprKind::Contents(_, Some(of)) => self.said(of, name).unwrap_or_else(|| "...".to_owned()) + ".",
            _ => String::new(),
        };
        (format!("{declared}{key}"), format!("{whose}{declared}{key}"))
    }

    /// How a short expression is written.
    fn said(&self, expr: &Expr, name: Names) -> Option<String> {
        match &expr.bare().kind {
            ExprKind::Local(local) => name(*local),
            ExprKind::Word(number) if *expr.ty.bare() == Ty::Number => Some(number.to_string()),
            ExprKind::Me => Some("me".to_owned()),
            ExprKind::This => Some("this".to_owned()),
            ExprKind::Seat(number) => Some(format!("seat({})", self.said(number, name)?)),
            ExprKind::Prop(of, prop) => {
                Some(format!("{}.{}", self.said(of, name)?, self.rules.props.get(prop.index())?.name))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let sign = if *op == BinaryOp::Add { '+' } else { '-' };
                Some(format!("{} {sign} {}", self.said(left, name)?, self.said(right, name)?))
            }
            _ => None,
        }
    }
}

/// The zone of which an expression is what lies there: the first, if there is one for each key.
fn zone_of(expr: &Expr) -> Option<ZoneId> {
    match &expr.bare().kind {
        ExprKind::Contents(zone, _) => Some(*zone),
        ExprKind::If(_, then, or_else) => {
            let first = zone_of(then)?;
            (matches!(or_else.bare().kind, ExprKind::Empty) || zone_of(or_else).is_some()).then_some(first)
        }
        _ => None,
    }
}

/// Whether it is a set of what lies on one site.
fn lies_on_one_site(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Where { over, .. } => lies_on_one_site(over),
        ExprKind::Builtin(Builtin::PiecesOn, args) => {
            matches!(args.first().map(|of| &of.kind), Some(ExprKind::ToSet(site)) if !site.ty.is_many())
        }
        _ => false,
    }
}
