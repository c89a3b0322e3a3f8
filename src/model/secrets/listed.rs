//! What all are shown at any time: stats that are listed, and pictures.

use super::flow::Who;
use super::hidden;
use super::{PICTURE, STAT, Watch};
use crate::base::Span;
use crate::model::rules::{ProcBody, PropClass, PropId, PropOwner, Tint, WordingPart};
use std::collections::BTreeSet;

impl Watch<'_> {
    /// A stat of a player, of the game or of what lies where it is seen is shown, unless its look leaves it out.
    pub(super) fn shown_stats(&mut self) {
        let rules = self.rules;
        let shown: BTreeSet<Span> = self.kept_on_cards().collect();
        for (index, prop) in rules.props.iter().enumerate() {
            let id = PropId(index as u32);
            if (self.is_listed(id) || self.is_on_cards(id, prop.owner)) && matches!(prop.class, PropClass::Stat { .. })
            {
                let mut flow = self.stat(id, Some(Who::Unknown), prop.span).unwrap_or_default();
                // The marks of a card are shown with it, so that a stat tells no more than they do.
                flow.facts.retain(|_, origin| origin.kept.is_none_or(|kept| !shown.contains(&kept)));
                self.refuse(&flow, None, STAT);
            }
        }
    }

    /// Where something was kept in properties of cards and pieces.
    fn kept_on_cards(&self) -> impl Iterator<Item = Span> {
        let on_card = |prop: &PropId| {
            matches!(self.rules.props.get(prop.index()).map(|prop| prop.owner), Some(PropOwner::Kind(_)))
        };
        self.kept.iter().filter(move |(prop, _)| on_card(prop)).flat_map(|(_, kept)| kept.values().map(|(set, _)| *set))
    }

    /// All are shown the same picture.
    pub(super) fn pictures(&mut self) {
        let rules = self.rules;
        for look in &rules.looks {
            let lines =
                [&look.glyph, &look.label, &look.title, &look.text, &look.art, &look.line].into_iter().flatten();
            let parts = lines.flat_map(|case| &case.value).filter_map(|part| match part {
                WordingPart::Value(proc) => Some(*proc),
                WordingPart::Text(_) | WordingPart::Field(_) => None,
            });
            let sizes = look.size.iter().chain(&look.sides).map(|case| case.value);
            let tints = look.colour.iter().filter_map(|case| match &case.value {
                Tint::Of(proc) => Some(*proc),
                Tint::Fixed(_) => None,
            });
            for proc in parts.chain(sizes).chain(tints).collect::<BTreeSet<_>>() {
                let Some(found) = rules.procs.get(proc.index()) else { continue };
                // What it tells by itself was reported where it was checked.
                if matches!(&found.body, ProcBody::Expr(body) if hidden::told(rules, body).is_some()) {
                    continue;
                }
                let span = found.span;
                let flow = self.called(proc, (&[], None), (Who::Unknown, None), span);
                self.refuse(&flow, None, PICTURE);
            }
        }
    }
}
