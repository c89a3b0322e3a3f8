//! What moves and is linked, and whether what a statement does is sure to happen: what goes nowhere, lacks an argument or was taken away before shows nothing.

use super::flow::{Call, Called, Facts, Flow, Source, Who};
use super::shown::{one_local, taken};
use super::{NUMBER, Watch};
use crate::base::Span;
use crate::model::rules::{BuiltinProp, Destination, Expr, ExprKind, LinkId, LocalId, ProcId, PropClass, Seen, Ty};
use std::collections::BTreeSet;

impl<'r> Watch<'r> {
    /// Whether a move to where all see it is sure to happen.
    pub(super) fn happens(&self, what: &Expr, to: &Destination) -> bool {
        let room = match to {
            Destination::Zone { zone, of, .. } => {
                let limited = self.rules.zones.get(zone.index()).is_some_and(|zone| !zone.limits.is_empty());
                !limited && !of.as_ref().is_some_and(|of| self.may_be_missing(of))
            }
            Destination::Site { .. } | Destination::Nowhere => true,
        };
        let stays = |local: LocalId| !self.shown.gone.contains(&local) && !self.is_partly_gone(what, local);
        room && one_local(what).is_none_or(stays)
    }

    /// Whether an expression may name nobody and nothing. Whose something is that was chosen is somebody, as a rule.
    fn may_be_missing(&self, of: &Expr) -> bool {
        let whose = match of.kind {
            ExprKind::Prop(_, prop) => self.rules.props.get(prop.index()).map(|prop| &prop.class),
            _ => None,
        };
        matches!(of.ty, Ty::Maybe(_))
            && !matches!(whose, Some(PropClass::Builtin(BuiltinProp::Holder | BuiltinProp::Owner)))
    }

    /// Whether some of the cards that a local names may have gone to where not all see them: they are others since.
    pub(super) fn is_partly_gone(&self, what: &Expr, local: LocalId) -> bool {
        what.ty.is_many() && self.shown.past.contains(&local)
    }

    /// What the body of a verb lays openly or reveals, but for what was taken away before.
    pub(super) fn body_of_verb(
        &mut self,
        body: ProcId,
        args: &[Option<Expr>],
        flows: &mut [Flow],
        (taken, span): (&BTreeSet<Source>, Span),
    ) {
        let Some(summary) = self.summaries.get(body.index()).cloned() else { return };
        // Without one of the others it does not happen.
        let missing: Vec<bool> =
            args.iter().map(|arg| arg.as_ref().is_some_and(|arg| self.may_be_missing(arg))).collect();
        let sure =
            |of: Option<usize>| !missing.iter().enumerate().any(|(index, missing)| Some(index) != of && *missing);
        for index in summary.lays.iter().copied().filter(|index| sure(Some(*index))) {
            let Some(arg) = args.get(index).and_then(Option::as_ref) else { continue };
            if taken.contains(&Source::Cards(index))
                || one_local(arg).is_some_and(|local| self.shown.gone.contains(&local))
            {
                continue;
            }
            let laid = flows.get_mut(index).map(std::mem::take).unwrap_or_default();
            let cards = if one_local(arg).is_some() { laid.cards } else { self.wholes(arg) };
            self.shown.laid.extend(cards);
            if let Some(local) = one_local(arg) {
                self.bind(local, Flow::default());
            }
        }
        if sure(None) {
            self.reveals(body, &Call { args: flows, card: None, me: Who::Me, this: Who::Unknown, span });
        }
        for (source, to) in summary.reveals {
            let Source::Cards(index) = source else { continue };
            if !sure(Some(index)) {
                continue;
            }
            let Some(arg) = args.get(index).and_then(Option::as_ref) else { continue };
            let call = Call { args: flows, card: None, me: Who::Me, this: Who::Unknown, span };
            let to = to.map(|to| call.whom(to));
            let cards = match one_local(arg) {
                Some(local) => {
                    if to.is_none() {
                        self.reveal_local(local);
                    }
                    flows.get(index).map(|flow| flow.cards.clone()).unwrap_or_default()
                }
                None => self.wholes(arg),
            };
            self.shown.cards.extend(cards.into_iter().map(|card| (card, to)));
        }
    }

    /// What is linked is read through the link, and may go to where its host lies.
    pub(super) fn linked(&mut self, what: &Expr, to: &Expr, link: LinkId, span: Span) {
        let (moved, host) = (self.expr(what), self.expr(to));
        let Some(link) = self.rules.links.get(link.index()) else { return };
        self.keep_cards(link.many, &moved, host.who, span);
        self.keep_cards(link.one, &host, moved.who, span);
        let declared = |source: &Source| {
            let zone = source.zone().and_then(|(zone, _)| self.rules.zones.get(zone.index()));
            zone.map(|zone| zone.span)
        };
        let comes =
            |source: &Source| moved.cards.iter().any(|from| from != source && declared(from) == declared(source));
        let zones: Vec<_> =
            host.cards.iter().filter(|source| comes(source)).filter_map(|source| source.zone()).collect();
        for (zone, who) in zones {
            self.comes(zone, who, Some(&moved.cards), span);
        }
    }

    /// What was moved is as well seen as where it lies now.
    pub(super) fn moved(&mut self, what: &'r Expr, to: &'r Destination, local: Option<LocalId>, span: Span) {
        self.placed(to);
        let count = taken(what).or_else(|| self.counted.get(&one_local(what)?).copied());
        self.seen(count, NUMBER);
        let there = match to {
            Destination::Zone { zone, of, .. } => self.contents(*zone, of.as_ref()),
            Destination::Site { .. } => self.lies_as(&what.ty),
            Destination::Nowhere => Flow::default(),
        };
        let moved = self.expr(what);
        let named = one_local(what);
        // One card that is laid openly shows itself, and not what lay beside it.
        let whole = if named.is_some() { moved.cards.clone() } else { self.wholes(what) };
        // What was revealed is known where it goes, too.
        let forgets = matches!(to, Destination::Zone { zone, .. } if self.rules.zones.get(zone.index()).is_some_and(|zone| !zone.memory));
        let known =
            !forgets && !moved.cards.is_empty() && moved.cards.iter().all(|source| self.shown.covers(*source, None));
        // Who holds it sees it.
        if let (Destination::Zone { zone, of: Some(of), .. }, Some(_)) = (to, named)
            && self.rules.zones.get(zone.index()).is_some_and(|zone| zone.seen == Seen::Holder)
            && self.happens(what, to)
        {
            let holder = self.expr(of).who;
            let picked = moved.cards.iter().filter(|source| !matches!(source, Source::Zone(..)));
            self.shown.cards.extend(picked.filter_map(|source| Some((*source, Some(holder?)))));
        }
        self.leave_zones(&moved, named, there.cards.is_empty() && !matches!(to, Destination::Nowhere), span);
        match to {
            Destination::Zone { zone, of, .. } => {
                let who = of.as_ref().and_then(|of| self.expr(of).who).unwrap_or(Who::Unknown);
                self.comes(*zone, who, (!forgets).then_some(&moved.cards), span);
            }
            Destination::Site { .. } => self.come_to_lie(&there, &moved, span),
            Destination::Nowhere => {}
        }
        if there.cards.is_empty() && !matches!(to, Destination::Nowhere) && self.happens(what, to) {
            self.shown.laid.extend(whole);
            self.carried(&what.ty, None, true, what.span);
        }
        let named = named.filter(|_| !matches!(to, Destination::Nowhere) && self.happens(what, to));
        // An old name goes on meaning what lay there before: where nobody sees what has come, who knows it is who knew it then.
        let as_before = moved.called == Called::Place
            && match to {
                Destination::Zone { zone, .. } => {
                    let given = |source: &Source| matches!(source, Source::Cards(_));
                    let unseen = self.rules.zones.get(zone.index()).is_some_and(|zone| zone.seen == Seen::None);
                    moved.cards.is_empty() || unseen && moved.cards.iter().all(given)
                }
                Destination::Site { .. } | Destination::Nowhere => false,
            };
        for local in named.filter(|_| !as_before).into_iter().chain(local) {
            match known {
                true => self.bind(local, Flow { who: None, facts: Facts::new(), ..moved.clone() }),
                false => self.pick(local, Flow { who: None, ..there.clone() }),
            }
        }
        let another = named.filter(|_| !self.stays_itself(&moved, to));
        self.shown.stale.extend(another);
        self.shown.gone.extend(another);
    }

    /// What becomes of zones that cards leave: they may be filled anew, and what is shown of them later no longer shows
    /// cards that went where not all see them.
    fn leave_zones(&mut self, moved: &Flow, named: Option<LocalId>, openly: bool, span: Span) {
        self.takes.extend(moved.cards.iter().filter(|source| !openly && source.zone().is_none()));
        for (zone, who) in moved.cards.iter().filter_map(|source| source.zone()).collect::<BTreeSet<_>>() {
            if !openly {
                self.goes(zone, who, named, span);
            }
            if self.rules.zones.get(zone.index()).is_some_and(|zone| zone.refill.is_some()) {
                self.comes(zone, who, None, span);
            }
        }
    }
}
