//! Pieces that not everybody sees for what they are, wherever on a board they lie. For what is derived from them, all those of one
//! `seen:` lie as if in a zone of their own, of which each player has one: a lair. No other part of the rules knows of it.

use super::Watch;
use super::about::played;
use super::borne::hidden_in_play;
use super::flow::{Called, Flow, Source, Who};
use crate::base::Span;
use crate::model::homes::made;
use crate::model::rules::walk::each_stmt;
use crate::model::rules::{
    BuiltinProp, ClauseHome, CompareOp, Created, Destination, Expr, ExprKind, KindId, LocalId, Place, ProcId,
    PropClass, Rules, Seen, StmtKind, Ty, Zone, ZoneId, ZoneOrder,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The rules, with a zone behind the others for each kind that says who sees its pieces; and the zones of which no more than the top is seen,
/// as if nobody saw them.
pub(super) fn with_lairs<'r>(rules: &'r Rules, staged: &BTreeSet<ProcId>) -> (Cow<'r, Rules>, BTreeSet<ZoneId>) {
    let declares = |(index, kind): (usize, &crate::model::rules::Kind)| {
        let back = kind.back.filter(|back| back.kind.index() == index)?;
        Some(Zone {
            name: kind.name.clone(),
            per_player: true,
            holds: vec![back.kind],
            order: ZoneOrder::None,
            seen: back.seen,
            in_play: true,
            limits: Vec::new(),
            refill: None,
            refills_late: false,
            starts: Vec::new(),
            memory: true,
            span: kind.span,
        })
    };
    let lairs: Vec<Zone> = rules.kinds.iter().enumerate().filter_map(declares).collect();
    let tops = dark_beneath(rules, staged);
    if lairs.is_empty() && tops.is_empty() {
        return (Cow::Borrowed(rules), tops);
    }
    let mut rules = rules.clone();
    rules.zones.extend(lairs);
    tops.iter().for_each(|zone| rules.zones[zone.index()].seen = Seen::None);
    (Cow::Owned(rules), tops)
}

/// Zones of which all see the top, and which are filled otherwise than from the top: what lies beneath it nobody knows.
fn dark_beneath(rules: &Rules, staged: &BTreeSet<ProcId>) -> BTreeSet<ZoneId> {
    let tops = || (0u32..).map(ZoneId).zip(&rules.zones).filter(|(_, zone)| zone.seen == Seen::Top);
    let mut beneath = BTreeSet::new();
    for proc in played(rules, staged).filter(|_| tops().next().is_some()) {
        each_stmt(proc, &mut |stmt| match &stmt.kind {
            StmtKind::Shuffle { zone, .. } => _ = beneath.insert(*zone),
            StmtKind::Move { to: Destination::Zone { zone, place: Some(Place::Bottom), .. }, .. }
            | StmtKind::Create { to: Destination::Zone { zone, place: Some(Place::Bottom), .. }, .. } => {
                _ = beneath.insert(*zone);
            }
            _ => {}
        });
    }
    let dark = |id: ZoneId, zone: &Zone| {
        let filled = !zone.starts.is_empty() || zone.refill.is_some() || zone.order == ZoneOrder::Queue;
        filled || beneath.contains(&id)
    };
    tops().filter(|(id, zone)| dark(*id, zone)).map(|(id, _)| id).collect()
}

impl<'r> Watch<'r> {
    /// Whether a zone is a lair.
    fn is_lair_zone(&self, zone: ZoneId) -> bool {
        let found = self.rules.zones.get(zone.index());
        found.is_some_and(|found| {
            found.in_play && found.holds.first().is_some_and(|kind| self.lair_of(*kind) == Some(zone))
        })
    }

    /// Whether something comes from pieces on boards.
    pub(super) fn is_lair(&self, source: Source) -> bool {
        source.zone().is_some_and(|(zone, _)| self.is_lair_zone(zone))
    }

    /// The lair of the pieces of a kind.
    fn lair_of(&self, kind: KindId) -> Option<ZoneId> {
        let back = self.rules.kinds.get(kind.index())?.back?;
        let lair = self
            .rules
            .zones
            .iter()
            .rposition(|zone| zone.holds == [back.kind] && zone.span == self.rules.kinds[back.kind.index()].span)?;
        Some(ZoneId(lair as u32))
    }

    /// The lairs in which pieces of a kind may lie.
    pub(super) fn lairs(&self, kind: KindId) -> Vec<ZoneId> {
        if let Some(lair) = self.lair_of(kind) {
            return vec![lair];
        }
        let below = (0..self.rules.kinds.len() as u32).map(KindId).filter(|below| {
            let found = self.rules.kinds.get(below.index()).and_then(|found| found.back);
            found.is_some_and(|back| back.kind == *below) && self.rules.is_below(*below, kind)
        });
        below.filter_map(|below| self.lair_of(below)).collect()
    }

    /// What is in play of a kind, as far as it is a secret: that something is of a kind below what all see, is one.
    pub(super) fn in_play(&mut self, kind: KindId, span: Span) -> Flow {
        let lies: Vec<(Source, bool)> = hidden_in_play(self.rules, ClauseHome::Kind(kind))
            .into_iter()
            .map(|(zone, tells)| (Source::Zone(zone, Who::Unknown), tells))
            .collect();
        let facts = lies.iter().filter(|(_, tells)| *tells).map(|(source, _)| (*source, span.into())).collect();
        Flow { cards: lies.into_iter().map(|(source, _)| source).collect(), facts, ..Flow::default() }
    }

    /// The pieces on sites: of whom they are, the sites may say.
    pub(super) fn on_sites(&mut self, ty: &Ty, args: &[Expr]) -> Flow {
        let Ty::Entity(kind) = ty.element().bare() else { return Flow::default() };
        let flows = self.all(args);
        let mut flow = Flow::derived(&flows);
        for lair in self.lairs(*kind) {
            let whose = flows.iter().flat_map(|flow| &flow.cards).filter_map(|source| source.zone());
            let mut found: Vec<Who> = whose.filter(|(zone, _)| *zone == lair).map(|(_, who)| who).collect();
            if found.is_empty() {
                found.push(Who::Unknown);
            }
            flow.cards.extend(found.into_iter().map(|who| Source::Zone(lair, who)));
        }
        flow
    }

    /// The sites of pieces: which ones they are tells where those lie that are named.
    pub(super) fn of_pieces(&mut self, args: &[Expr], span: Span) -> Flow {
        let flows = self.all(args);
        let mut flow = flows.iter().fold(Flow::derived(&flows), Flow::like);
        if flow.called == Called::Name {
            let kinds = args
                .iter()
                .filter_map(|arg| if let Ty::Entity(kind) = arg.ty.element().bare() { Some(*kind) } else { None });
            let lairs: Vec<ZoneId> = kinds.flat_map(|kind| self.lairs(kind)).collect();
            flow.facts.extend(lairs.into_iter().map(|lair| (Source::Zone(lair, Who::Unknown), span.into())));
        }
        flow.cards.retain(|source| self.is_lair(*source) || source.zone().is_none());
        flow
    }

    /// Pieces that come to lie on a board.
    pub(super) fn lies_as(&self, ty: &Ty) -> Flow {
        let Ty::Entity(kind) = ty.element().bare() else { return Flow::default() };
        let lairs = self.lairs(*kind).into_iter();
        Flow { cards: lairs.map(|lair| Source::Zone(lair, Who::Unknown)).collect(), ..Flow::default() }
    }

    /// Pieces come to a board from elsewhere: what lay there was revealed, and they were not.
    pub(super) fn come_to_lie(&mut self, there: &Flow, moved: &Flow, span: Span) {
        for (lair, who) in there.cards.iter().filter_map(|source| source.zone()) {
            let elsewhere = |source: &&Source| source.zone().is_none_or(|(zone, _)| zone != lair);
            let from: BTreeSet<Source> = moved.cards.iter().filter(elsewhere).copied().collect();
            if !from.is_empty() {
                self.comes(lair, who, Some(&from), span);
            }
        }
    }

    /// Whether all see of what is put on a board which piece it is.
    pub(super) fn made_openly(&self, what: &Created) -> bool {
        made(self.rules, what).is_none_or(|kind| self.lairs(kind).is_empty())
    }

    /// Members of a set of which a condition says whose they are: `man where owner = me and ...`.
    pub(super) fn owned(&mut self, over: Flow, binder: LocalId, cond: &Expr) -> Flow {
        let Some((owner, holds)) = self.owner_said(binder, cond) else { return over };
        let mine = |source: &Source| match *source {
            Source::Zone(zone, Who::Unknown) if holds || self.is_lair_zone(zone) => Source::Zone(zone, owner),
            source => source,
        };
        Flow { cards: over.cards.iter().map(mine).collect(), ..over }
    }

    /// The player of whom a condition says that this is who owns each member, and whether it says who holds it.
    fn owner_said(&mut self, binder: LocalId, cond: &Expr) -> Option<(Who, bool)> {
        match &cond.kind {
            ExprKind::And(one, other) => self.owner_said(binder, one).or_else(|| self.owner_said(binder, other)),
            ExprKind::Compare(CompareOp::Eq, one, other) => {
                let mut ways = [(one, other), (other, one)].into_iter();
                let (holds, whose) =
                    ways.find_map(|(of, whose)| Some((self.is_holder_or_owner(binder, of)?, whose)))?;
                self.expr(whose).who.filter(|who| *who != Who::Unknown).map(|who| (who, holds))
            }
            _ => None,
        }
    }

    /// Whether what is asked is who holds a member (true), or who owns it.
    fn is_holder_or_owner(&self, binder: LocalId, of: &Expr) -> Option<bool> {
        let ExprKind::Prop(of, prop) = &of.bare().kind else { return None };
        let class = self.rules.props.get(prop.index()).map(|prop| &prop.class);
        match class {
            _ if !matches!(of.bare().kind, ExprKind::Local(local) if local == binder) => None,
            Some(PropClass::Builtin(BuiltinProp::Holder)) => Some(true),
            Some(PropClass::Builtin(BuiltinProp::Owner)) => Some(false),
            _ => None,
        }
    }
}
