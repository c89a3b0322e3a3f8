//! What ends a reveal: cards that come to where others were revealed, a way that does not lead past the reveal, another
//! player who is `me`. What was worked out before stays known: the locals that hold it are then about what lay there.

use super::Watch;
use super::flow::{Call, Called, Facts, Flow, Origin, Sink, Source, Who, fill};
use super::shown::{Shown, one_local};
use crate::base::Span;
use crate::model::rules::{Expr, ExprKind, LocalId, OptionArm, ProcId, PropId, Rules, SpanId, ZoneId};
use std::collections::BTreeSet;

impl<'r> Watch<'r> {
    /// One of two ways.
    pub(super) fn either(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let (before, kept) = (self.shown.clone(), self.keeps.len());
        let mut first = None;
        self.branches(
            |watch| {
                one(watch);
                watch.settle_keeps(kept);
            },
            |watch| {
                first = Some(std::mem::replace(&mut watch.shown, before));
                other(watch);
                watch.settle_keeps(kept);
            },
        );
        // Only what both reveal has been revealed behind them.
        if let Some(first) = first {
            self.shown.both(&first);
        }
    }

    /// One of some answers; where each has a condition, it may be none of them.
    pub(super) fn one_of(&mut self, arms: &'r [OptionArm], sure: bool) {
        match arms {
            [last] if sure => self.block(&last.body),
            [first, rest @ ..] => self.either(|watch| watch.block(&first.body), |watch| watch.one_of(rest, sure)),
            [] => {}
        }
    }

    /// What was laid where a condition holds, and not where it does not, lies open behind it if it is of the kind for which that asks; and at
    /// all if others like it have asked for every kind there is.
    pub(super) fn laid_where(&mut self, cond: &Expr) {
        let one_way = std::mem::take(&mut self.shown.one_way);
        // What is not there tells nothing.
        let (of, kind) = match &cond.kind {
            ExprKind::Is(of, kind) => (of, Some(*kind)),
            ExprKind::Some(of) => (of, None),
            _ => return,
        };
        let named = |source: &Source| match (source, one_local(of)) {
            (Source::Picked(.., local), Some(asked)) => *local == asked,
            (Source::Cards(index), Some(asked)) => *index == asked.index(),
            _ => false,
        };
        for source in one_way.into_iter().filter(named) {
            let kinds = self.shown.laid_of.entry(source).or_default();
            kinds.extend(kind);
            if kind.is_none() || self.about.are_all(self.rules, kinds, &of.ty) {
                self.shown.laid_of.remove(&source);
                self.shown.laid.insert(source);
            }
        }
    }

    /// The same, but for what they reveal.
    fn branches(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.locals.clone();
        one(self);
        let first = std::mem::replace(&mut self.locals, before);
        other(self);
        self.locals = first.into_iter().zip(&self.locals).map(|(first, other)| first.or(other)).collect();
    }

    /// What is done any number of times, or at least once, until it makes no difference to do it once more. Gives what is
    /// revealed where it ends.
    pub(super) fn again(&mut self, once: bool, run: &mut dyn FnMut(&mut Self)) -> Shown<'r> {
        let outer = std::mem::take(&mut self.left);
        let (kept, mut end, mut last) = (self.keeps.len(), Shown::default(), false);
        for _ in 0..6 {
            let before = (self.locals.clone(), self.shown.clone());
            self.branches(&mut *run, |_| {});
            self.settle_keeps(kept);
            end.clone_from(&self.shown);
            self.shown.both(&before.1);
            // What is asked in the next turn comes behind what was kept in this one.
            if self.locals == before.0 && self.shown == before.1 && (last || self.keeps.len() == kept) {
                break;
            }
            last = self.locals == before.0 && self.shown == before.1;
        }
        if once {
            self.shown.clone_from(&end);
        }
        let left = std::mem::replace(&mut self.left, outer);
        for (span, shown) in left {
            match span {
                None => {
                    self.shown.both(&shown);
                    end.both(&shown);
                }
                Some(_) => self.left.push((span, shown)),
            }
        }
        end
    }

    /// From here another statement goes on: what stands behind the loop, or behind a turn or phase.
    pub(super) fn leaves(&mut self, span: Option<SpanId>) {
        let left = std::mem::replace(&mut self.shown, Shown::nowhere());
        if !left.over {
            self.left.push((span, left));
        }
    }

    /// From here the caller goes on.
    pub(super) fn stops(&mut self) {
        let stopped = std::mem::replace(&mut self.shown, Shown::nowhere());
        self.stopped.push(stopped);
    }

    /// Where what was left ends.
    pub(super) fn arrive(&mut self, span: SpanId) {
        for (of, shown) in std::mem::take(&mut self.left) {
            match of == Some(span) {
                true => self.shown.both(&shown),
                false => self.left.push((of, shown)),
            }
        }
    }

    /// What a player was shown, or of a player, says nothing where another one is meant.
    pub(super) fn forget_player(&mut self, who: Who) {
        let about = |source: &Source| source.zone().is_some_and(|(_, whose)| whose == who);
        self.shown.cards.retain(|(source, reader)| *reader != Some(who) && !about(source));
        self.shown.laid.retain(|source| !about(source));
        self.shown.laid_of.retain(|source, _| !about(source));
    }

    /// Cards come to a zone: those from these places, or any.
    pub(super) fn comes(&mut self, zone: ZoneId, who: Who, from: Option<&BTreeSet<Source>>, span: Span) {
        if !is_hidden(self.rules, zone) {
            return;
        }
        let unknown: BTreeSet<Source> =
            from.into_iter().flatten().filter(|source| !self.shown.covers(**source, None)).copied().collect();
        if from.is_some() && unknown.is_empty() {
            return;
        }
        if from.is_none() {
            self.mixed(zone, who);
        }
        let argument = |source: &Source| match source {
            Source::Cards(index) => Some(Some(*index)),
            _ => None,
        };
        let arguments: Option<Vec<Option<usize>>> = from.and_then(|_| unknown.iter().map(argument).collect());
        for argument in arguments.unwrap_or_else(|| vec![None]) {
            self.stirs.insert((zone, who, argument));
        }
        // Who knows all that comes, and knew what lay there, still does.
        let readers: BTreeSet<Option<Who>> = self.shown.cards.iter().map(|(_, reader)| *reader).collect();
        let informed = readers.into_iter().filter(|reader| {
            let knows = |source: &Source| {
                self.shown.covers(*source, *reader) || (reader.is_some() && self.knows(*source, *reader) == Some(true))
            };
            from.is_some() && unknown.iter().all(knows)
        });
        let informed: BTreeSet<Option<Who>> = informed.collect();
        self.set_apart(zone, who, None, span);
        let here = |source: &Source| matches!(source, Source::Zone(found, whose) if *found == zone && whose.meets(who));
        self.shown.cards.retain(|(source, reader)| !here(source) || informed.contains(reader));
        self.shown.laid.retain(|source| !here(source));
        self.shown.laid_of.retain(|source, _| !here(source));
        self.shown.comes(zone);
        self.shown.stirred.insert((zone, who));
    }

    /// A zone may have been shuffled: which of its cards a local is says more from here on than where it lies.
    fn mixed(&mut self, zone: ZoneId, who: Who) {
        let here = |source: &Source| source.zone().is_some_and(|(of, whose)| of == zone && whose.meets(who));
        for flow in self.locals.iter_mut().filter(|flow| flow.cards.iter().any(here)) {
            flow.called = flow.called.max(Called::Mark);
        }
    }

    /// What another procedure puts into zones, or shuffles.
    pub(super) fn stir(&mut self, proc: ProcId, call: &Call) {
        let Some(summary) = self.summaries.get(proc.index()) else { return };
        let (stirs, takes) = (summary.stirs.clone(), summary.takes.clone());
        for source in takes {
            for (source, _) in call.sources(source, call.span.into()) {
                let local = match source {
                    Source::Picked(.., local) => Some(local),
                    _ => None,
                };
                if let Some((zone, who)) = source.zone() {
                    self.goes(zone, who, local, call.span);
                }
            }
        }
        for (zone, who, argument) in stirs {
            let from = argument.and_then(|index| call.arg(index)).map(|arg| arg.cards.clone());
            self.comes(zone, call.whom(who), from.as_ref(), call.span);
        }
    }

    /// Cards leave a zone for where not all see them: those of a local, or any.
    pub(super) fn goes(&mut self, zone: ZoneId, who: Who, local: Option<LocalId>, span: Span) {
        if is_hidden(self.rules, zone) {
            self.takes.insert(Source::Zone(zone, who));
            self.set_apart(zone, who, Some(local), span);
        }
    }

    /// From here on what was worked out from a zone is about what lay there until now; with `gone`, also what of it was a
    /// local, and nothing that is shown of the zone later shows it.
    fn set_apart(&mut self, zone: ZoneId, who: Who, gone: Option<Option<LocalId>>, span: Span) {
        self.settle_keeps(0);
        let site = (span, zone, gone.is_some());
        let index = self.versions.iter().position(|version| *version == site).unwrap_or(self.versions.len());
        if index == self.versions.len() {
            self.versions.push(site);
        }
        let then = LocalId(u32::MAX / 2 + index as u32);
        let mut met: BTreeSet<(Source, Source)> = BTreeSet::new();
        let entry = !self.shown.stirred.iter().any(|(stirred, whose)| *stirred == zone && whose.meets(who));
        let mut renamed = |source: Source| -> Source {
            let (whose, is) = match source {
                Source::Zone(found, whose) => (whose, found == zone),
                Source::Picked(found, whose, local) => (whose, found == zone && gone == Some(Some(local))),
                Source::Cards(_) | Source::Facts(_) => return source,
            };
            if !is || !whose.meets(who) {
                return source;
            }
            let apart = Source::Picked(zone, whose, then);
            met.insert((source, apart));
            apart
        };
        for flow in &mut self.locals {
            flow.cards = flow.cards.iter().map(|source| renamed(*source)).collect();
            rename(&mut flow.facts, &mut renamed);
        }
        rename(&mut self.under, &mut renamed);
        rename(&mut self.passed, &mut renamed);
        self.changes.values_mut().for_each(|facts| rename(facts, &mut renamed));
        for ((source, _), ..) in &mut self.keeps {
            *source = renamed(*source);
        }
        self.mark_apart(&met, then, entry);
        if gone.is_some() {
            self.may_be_past(zone, who);
        }
    }

    /// Cards have left a zone: what was picked of it may be among them, and what is shown of the zone later need not show it.
    fn may_be_past(&mut self, zone: ZoneId, who: Who) {
        let cards = self.locals.iter().flat_map(|flow| flow.cards.iter().chain(flow.facts.keys()));
        let picked = |source: &Source| matches!(source, Source::Picked(of, whose, local) if *of == zone && whose.meets(who) && !self.shown.past.contains(local));
        let picked: BTreeSet<Source> = cards.copied().filter(picked).collect();
        for source in picked {
            let Source::Picked(.., local) = source else { continue };
            let readers = self.shown.readers(source);
            self.shown.cards.extend(readers.into_iter().map(|reader| (source, reader)));
            self.shown.past.insert(local);
        }
    }

    /// What was set apart is known to those who knew it.
    fn mark_apart(&mut self, met: &BTreeSet<(Source, Source)>, then: LocalId, entry: bool) {
        let apart: BTreeSet<Source> = met.iter().map(|(_, apart)| *apart).collect();
        let known: Vec<_> = met
            .iter()
            .flat_map(|(source, apart)| self.shown.readers(*source).into_iter().map(|reader| (*apart, reader)))
            .collect();
        self.shown.cards.retain(|(source, _)| !apart.contains(source));
        self.shown.cards.extend(known);
        self.shown.past.insert(then);
        match entry {
            true => self.entry.insert(then),
            false => self.entry.remove(&then),
        };
    }

    /// What was put into properties since then, and lies open here, tells nothing.
    pub(super) fn settle_keeps(&mut self, since: usize) {
        let shown = &self.shown;
        let open = |(source, _): &(Source, Origin), sink: &Sink| {
            let covered = match sink {
                Sink::Told(reader, _) | Sink::Data(_, reader) => shown.covers(*source, *reader),
                Sink::Kept(..) | Sink::KeptCards(..) | Sink::KeptOn(..) => shown.covers_for_some(*source),
                Sink::Captured(..) => shown.covers(*source, None),
            };
            covered || shown.is_among(&shown.laid, *source)
        };
        let mut index = 0;
        self.keeps.retain(|(from, sink, _)| {
            index += 1;
            index <= since || !open(from, sink)
        });
    }

    /// What was put into properties and does not lie open at the end, or where somebody decides.
    pub(super) fn keep_all(&mut self) {
        self.settle_keeps(0);
        for (from, sink, there) in std::mem::take(&mut self.keeps) {
            self.sink(from, sink, there);
        }
    }

    /// Which cards a property of somebody names.
    pub(super) fn keep_cards(&mut self, prop: PropId, cards: &Flow, owner: Option<Who>, span: Span) {
        let cards = cards.cards.iter().map(|source| (*source, span.into()));
        self.keeps.extend(cards.map(|from| (from, Sink::KeptCards(prop, owner), Some(span))));
    }

    /// What a player has put into properties of his own from his own cards: in the next turn the same words name another.
    pub(super) fn keep_own(&mut self, who: Who) {
        let own = |(source, _): &(Source, Origin), sink: &Sink| {
            let owner = match sink {
                Sink::Kept(_, owner) | Sink::KeptCards(_, owner) => *owner,
                _ => None,
            };
            owner == Some(who) && source.zone().is_some_and(|(_, whose)| whose == who)
        };
        let (own, others) = std::mem::take(&mut self.keeps).into_iter().partition(|(from, sink, _)| own(from, sink));
        self.keeps = own;
        self.keep_all();
        self.keeps = others;
    }

    /// What a value tells here, without what all know by now.
    pub(super) fn untold(&self, mut flow: Flow) -> Flow {
        flow.facts.retain(|source, _| !self.shown.covers(*source, None));
        flow
    }
}

pub(super) fn rename(facts: &mut Facts, renamed: &mut impl FnMut(Source) -> Source) {
    let before = std::mem::take(facts);
    fill(facts, before.into_iter().map(|(source, origin)| (renamed(source), origin)));
}

/// Whether not everybody sees what lies in a zone.
pub(super) fn is_hidden(rules: &Rules, zone: ZoneId) -> bool {
    rules.zones.get(zone.index()).is_some_and(|zone| zone.seen.is_closed())
}
