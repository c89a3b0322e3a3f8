//! What all are shown at any time: stats that are listed, and pictures.

use super::flow::{Sink, Who};
use super::hidden;
use super::{CARRIED, PICTURE, STAT, Watch};
use crate::base::Span;
use crate::model::rules::{
    Case, Destination, Expr, Look, ProcBody, ProcId, Prop, PropClass, PropId, PropOwner, Seen, Tint, Ty, WordingPart,
};
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

    /// What cards of a type carry, whose properties may have been given what was worked out from hidden cards: whoever sees them, or all,
    /// reads it. What is moved to another zone has only its fields still.
    pub(super) fn carried(&mut self, ty: &Ty, reader: Option<Who>, moved: bool, at: Span) {
        let Ty::Entity(kind) = *ty.element().bare() else { return };
        let carries = |(index, prop): (usize, &Prop)| {
            let PropOwner::Kind(owner) = prop.owner else { return None };
            let stays = match prop.class {
                PropClass::Field { .. } => true,
                PropClass::Counter { .. } | PropClass::Mark { .. } => !moved,
                _ => false,
            };
            let related = self.rules.is_below(kind, owner) || self.rules.is_below(owner, kind);
            let id = PropId(index as u32);
            (stays && related && self.kept.contains_key(&id) && self.is_on_cards(id, prop.owner)).then_some(id)
        };
        let carried: Vec<PropId> = self.rules.props.iter().enumerate().filter_map(carries).collect();
        for prop in carried {
            let flow = self.stored(prop, None, at);
            self.at = at;
            self.refuse(&flow, reader, CARRIED);
        }
    }

    /// What is made in a zone that only its holder sees, this player reads.
    pub(super) fn read_by_holder(&mut self, prop: PropId, value: &Expr, to: &Destination) {
        let Destination::Zone { zone, of: Some(of), .. } = to else { return };
        let held = self.rules.zones.get(zone.index()).is_some_and(|zone| zone.seen == Seen::Holder);
        if !held || !self.is_shown_on_cards(prop) || matches!(value.ty.element().bare(), Ty::Entity(_)) {
            return;
        }
        let holder = self.expr(of).who.unwrap_or(Who::Unknown);
        let flow = self.expr(value);
        let facts = self.untold(flow).facts.into_iter();
        self.keeps.extend(facts.map(|from| (from, Sink::Told(Some(holder), CARRIED), Some(value.span))));
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
            for proc in parts.chain(sizes).chain(tints).chain(conditions(look)).collect::<BTreeSet<_>>() {
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

/// What says when the cases of a look count.
fn conditions(look: &Look) -> Vec<ProcId> {
    fn of<T>(cases: &[Case<T>]) -> impl Iterator<Item = ProcId> {
        cases.iter().flat_map(|case| [case.when, case.sites]).flatten()
    }
    let words = [&look.glyph, &look.label, &look.title, &look.text, &look.art, &look.line];
    let words = words.into_iter().flat_map(|cases| of(cases));
    words.chain(of(&look.colour)).chain(of(&look.size)).chain(of(&look.shape)).chain(of(&look.mark)).collect()
}
