//! What was revealed on the way through a procedure, and to whom: zones as a whole, the cards that a local is, and what an
//! expression names. Who is shown one card of a zone knows that card, and not the others. What ends it is in `ends.rs`.

use super::Watch;
use super::flow::{Flow, Revealed, Source, Who};
use crate::base::Span;
use crate::model::rules::{
    BinaryOp, Builtin, CompareOp, Destination, Expr, ExprKind, KindId, LocalId, ProcBody, Qty, Rules, StmtKind, Ty,
    Zone, ZoneId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What was revealed.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Shown<'r> {
    pub cards: BTreeSet<Revealed>,
    /// Where cards have come from that lie open now.
    pub laid: BTreeSet<Source>,
    /// Where cards have come from that lie open now if they are of these kinds.
    pub laid_of: BTreeMap<Source, BTreeSet<KindId>>,
    /// Where cards have come from that were laid on the first of two ways which meet here, and not on the other.
    pub one_way: BTreeSet<Source>,
    /// Locals of what has become another card since they were bound: nothing is done to it by that name.
    pub stale: BTreeSet<LocalId>,
    /// Of these, those that have become another one on every way.
    pub gone: BTreeSet<LocalId>,
    /// Locals that stand for cards which have left their zone: what is shown of it does not show them.
    pub past: BTreeSet<LocalId>,
    /// Zones into which cards have come here that not all know.
    pub stirred: BTreeSet<(ZoneId, Who)>,
    /// Locals that are never `me`.
    pub not_me: BTreeSet<LocalId>,
    /// Whether nothing that follows is reached this way.
    pub over: bool,
    /// What was revealed by an expression that names only some of the cards there, and the local that stands for them:
    /// it names the same until something is done.
    named: Vec<(Named<'r>, LocalId)>,
    /// Words that name a player, or players of whom zones were revealed, and who each is known to be: they name the same until something
    /// is done.
    pub(super) players: Vec<(Named<'r>, Who)>,
    /// Under which conditions an expression was revealed that stands in a branch of another one: of a zone whose key is worked
    /// out, for each key what lies there. By the local that stands for it.
    branches: BTreeMap<LocalId, Vec<(Named<'r>, bool)>>,
    /// Zones that were revealed of each of some players in such a branch, and the local that stands for what lies there.
    of_each: Vec<(ZoneId, Who, LocalId)>,
    /// By local: the locals that its cards were picked from.
    picked: BTreeMap<LocalId, BTreeSet<LocalId>>,
}

impl<'r> Shown<'r> {
    /// Where this alone was revealed.
    pub fn of(revealed: Revealed) -> Shown<'r> {
        Shown { cards: BTreeSet::from([revealed]), ..Shown::default() }
    }

    /// Where nothing that follows is reached.
    pub fn nowhere() -> Shown<'r> {
        Shown { over: true, ..Shown::default() }
    }

    /// Leaves what was revealed here and in another branch as well.
    pub fn both(&mut self, other: &Shown<'r>) {
        if self.over && !other.over {
            other.clone_into(self);
        }
        self.one_way.clear();
        if self.over || other.over || self == other {
            return;
        }
        // What one way lays and the other one reveals is as good as laid.
        let known = |shown: &Shown, source: &Source| shown.laid.contains(source) || shown.covers(*source, None);
        let both = |source: &&Source| known(self, source) && known(other, source);
        let laid_on_both: BTreeSet<Source> = self.laid.union(&other.laid).filter(both).copied().collect();
        self.one_way = other.laid.difference(&laid_on_both).copied().collect();
        let (mut laid_of, laid) = (std::mem::take(&mut self.laid_of), std::mem::take(&mut self.laid));
        laid_of.retain(|source, kinds| {
            let also = other.laid_of.get(source);
            kinds.retain(|kind| also.is_none_or(|also| also.contains(kind)));
            also.is_some() || other.laid.contains(source)
        });
        let of_some = other.laid_of.iter().filter(|(source, _)| laid.contains(source));
        laid_of.extend(of_some.map(|(source, kinds)| (*source, kinds.clone())));
        self.laid_of = laid_of;
        self.laid = laid_on_both;
        self.past.extend(&other.past);
        self.stale.extend(&other.stale);
        self.gone.retain(|local| other.gone.contains(local));
        self.stirred.extend(&other.stirred);
        self.cards.retain(|card| other.cards.contains(card));
        self.named.retain(|(named, local)| other.named.iter().any(|(also, at)| at == local && also.0.same(named.0)));
        self.of_each.retain(|each| other.of_each.contains(each));
        self.players.retain(|known| other.players.contains(known));
        for (local, from) in &other.picked {
            self.picked.entry(*local).or_default().extend(from);
        }
    }

    /// Whether what comes from there was revealed to a reader: to all, if there is none.
    pub fn covers(&self, source: Source, reader: Option<Who>) -> bool {
        self.is_covered(source, |to| match (to, reader) {
            (None, _) => true,
            (Some(_), None) => false,
            // Somebody who is worked out is not taken for the player whose turn it is.
            (Some(Who::Me), Some(Who::Unknown)) | (Some(Who::Unknown), Some(Who::Me)) => false,
            (Some(to), Some(reader)) => {
                to == reader || to == Who::Unknown || reader == Who::Unknown || to.may_be(reader)
            }
        })
    }

    /// Whether what comes from there was revealed to anybody.
    pub fn covers_for_some(&self, source: Source) -> bool {
        self.is_covered(source, |_| true)
    }

    fn is_covered(&self, source: Source, reads: impl Fn(Option<Who>) -> bool) -> bool {
        let seen: BTreeSet<Source> = self.cards.iter().filter(|(_, to)| reads(*to)).map(|(cards, _)| *cards).collect();
        self.is_among(&seen, source)
    }

    /// The readers to whom what comes from there was revealed.
    pub fn readers(&self, source: Source) -> BTreeSet<Option<Who>> {
        let readers: BTreeSet<Option<Who>> = self.cards.iter().map(|(_, reader)| *reader).collect();
        readers.into_iter().filter(|reader| self.is_covered(source, |to| to == *reader)).collect()
    }

    /// Whether what comes from there is part of what comes from one of these.
    pub fn is_among(&self, all: &BTreeSet<Source>, source: Source) -> bool {
        let from = match source {
            Source::Picked(_, _, local) => self.picked_from(local),
            _ => BTreeSet::new(),
        };
        all.iter().any(|found| match (*found, source) {
            (Source::Zone(all, whose), Source::Zone(zone, who)) => all == zone && self.includes(whose, who),
            (Source::Zone(all, whose), Source::Picked(zone, who, local)) => {
                all == zone && self.includes(whose, who) && !self.past.contains(&local)
            }
            (Source::Picked(all, whose, picked), Source::Picked(zone, who, _)) => {
                all == zone && (whose == who || self.includes(whose, who)) && from.contains(&picked)
            }
            (Source::Cards(shown) | Source::Facts(shown), Source::Cards(arg) | Source::Facts(arg)) => shown == arg,
            _ => false,
        })
    }

    /// Whether what is said of these players holds of another one.
    fn includes(&self, whose: Who, who: Who) -> bool {
        let other = matches!(who, Who::Local(local) if self.not_me.contains(&local));
        whose.includes(who) || whose == Who::Others && other
    }

    /// The locals whose cards include those of a local, itself among them.
    fn picked_from(&self, local: LocalId) -> BTreeSet<LocalId> {
        let (mut found, mut open) = (BTreeSet::new(), vec![local]);
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(self.picked.get(&next).into_iter().flatten());
            }
        }
        found
    }

    /// What was revealed is no longer named by what named it, after a statement that may change what that reads. `names` says whether
    /// words name the same as before.
    pub fn done(&mut self, stmt: &StmtKind, names: impl Fn(&Expr) -> bool) {
        if let StmtKind::Local { local, .. } = stmt {
            let branches = &self.branches;
            let about = |of: &LocalId| {
                branches.get(of).is_some_and(|path| path.iter().any(|(cond, _)| cond.0.mentions(*local)))
            };
            self.named.retain(|(named, of)| !named.0.mentions(*local) && !about(of));
            self.of_each.retain(|(.., of)| !about(of));
        } else if acts(stmt) {
            let branches = &self.branches;
            let path = |of: &LocalId| branches.get(of).into_iter().flatten();
            let holds = |of: &LocalId| path(of).all(|(cond, _)| names(cond.0));
            self.named.retain(|(named, of)| {
                (named.whole().is_some_and(|_| named.names_a_player(&names)) || names(named.0)) && holds(of)
            });
            self.of_each.retain(|(.., of)| holds(of));
            if acts_within(stmt) {
                self.players.retain(|(named, _)| names(named.0));
            }
        }
    }

    /// Cards come to a zone of which it is not known that they were revealed.
    pub(super) fn comes(&mut self, zone: ZoneId) {
        self.named.retain(|(named, _)| named.whole() != Some(zone));
        self.of_each.retain(|(of, ..)| *of != zone);
    }

    /// The local that stands for exactly what an expression names, if that was revealed to anybody; under conditions that hold or
    /// do not hold where it stands.
    pub fn named(&self, expr: &Expr, under: &[(Expr, bool)]) -> Option<LocalId> {
        let stands = |(named, local): &&(Named<'r>, LocalId)| named.0.same(expr) && self.is_here(*local, under);
        self.named.iter().find(stands).map(|(_, local)| *local)
    }

    /// Whether what a local stands for was revealed under no more than these conditions.
    fn is_here(&self, local: LocalId, under: &[(Expr, bool)]) -> bool {
        let holds =
            |(cond, holds): &(Named<'r>, bool)| under.iter().any(|(known, does)| does == holds && cond.0.same(known));
        self.branches.get(&local).is_none_or(|path| path.iter().all(holds))
    }

    /// The same of what lies in a zone of a player, if it was revealed of each of some players.
    pub fn named_of(&self, zone: ZoneId, who: Who, under: &[(Expr, bool)]) -> Option<LocalId> {
        let stands = |(of, whose, local): &&(ZoneId, Who, LocalId)| {
            *of == zone && whose.includes(who) && self.is_here(*local, under)
        };
        self.of_each.iter().find(stands).map(|(.., local)| *local)
    }

    /// What each member of a loop over players has revealed of its own zones in branches: zone, reader, and the local that stands for it.
    pub fn branches_of(&self, member: LocalId) -> Vec<(ZoneId, Option<Who>, LocalId)> {
        let own = |(source, reader): &Revealed| match source {
            Source::Picked(zone, Who::Local(who), local) if *who == member => {
                let (named, _) = self.named.iter().find(|(_, of)| of == local)?;
                let free = self.branches.get(local)?.iter().all(|(cond, _)| !cond.0.mentions(member));
                (free && named.whole() == Some(*zone)).then_some((*zone, *reader, *local))
            }
            _ => None,
        };
        self.cards.iter().filter_map(own).collect()
    }

    /// Zones that a loop over keys has revealed, each where the key is its own.
    pub fn revealed_by_key(&self, key: LocalId, keys: &[i64]) -> Vec<Revealed> {
        let holds = |cond: &Expr, of: i64| match &cond.kind {
            ExprKind::Compare(CompareOp::Eq, one, other) if one.is_local(key) => match other.kind {
                ExprKind::Word(value) => Some(value == of),
                _ => None,
            },
            _ => None,
        };
        let own = |(source, reader): &Revealed| {
            let Source::Picked(zone, who, local) = source else { return None };
            let (named, _) = self.named.iter().find(|(_, of)| of == local)?;
            let path = self.branches.get(local)?;
            let leads = |of: &i64| path.iter().all(|(cond, does)| holds(cond.0, *of) == Some(*does));
            (named.whole() == Some(*zone) && keys.iter().any(leads)).then_some((Source::Zone(*zone, *who), *reader))
        };
        self.cards.iter().filter_map(own).collect()
    }

    /// Takes that up for all the players of the loop.
    pub fn reveal_of_each(&mut self, end: &Shown<'r>, who: Who, own: Vec<(ZoneId, Option<Who>, LocalId)>) {
        for (zone, reader, local) in own {
            self.branches.extend(end.branches.get(&local).map(|path| (local, path.clone())));
            self.of_each.push((zone, who, local));
            self.cards.insert((Source::Picked(zone, who, local), reader));
        }
    }

    /// Whether something was revealed in the branch of an expression.
    pub fn has_branches(&self) -> bool {
        !self.branches.is_empty()
    }
}

/// An expression that names what was revealed: it is the same one where it stands at the same place.
#[derive(Clone, Copy)]
pub(super) struct Named<'r>(pub(super) &'r Expr);

impl PartialEq for Named<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.span == other.0.span
    }
}

impl Named<'_> {
    /// The zone of which it names all that lies there.
    fn whole(&self) -> Option<ZoneId> {
        match self.0.kind {
            ExprKind::Contents(zone, _) => Some(zone),
            _ => None,
        }
    }

    /// Whether it names what lies in the zone of the same player as before.
    fn names_a_player(&self, names: impl Fn(&Expr) -> bool) -> bool {
        match &self.0.kind {
            ExprKind::Contents(_, of) => of.as_deref().is_none_or(names),
            _ => false,
        }
    }
}

impl<'r> Watch<'r> {
    /// Binds a local to cards that are picked from others: which ones, only the local says.
    pub(super) fn pick(&mut self, local: LocalId, flow: Flow) {
        let mut cards = BTreeSet::new();
        for source in &flow.cards {
            cards.insert(picked(*source, local));
            if let Source::Picked(_, _, from) = source {
                self.shown.picked.entry(local).or_default().insert(*from);
            }
        }
        // What it was before may have been revealed; this was not.
        if !flow.cards.iter().any(|source| cards.contains(source)) {
            self.shown.cards.retain(|(source, _)| !cards.contains(source));
            self.shown.laid.retain(|source| !cards.contains(source));
            self.shown.laid_of.retain(|source, _| !cards.contains(source));
            self.shown.past.remove(&local);
        }
        self.bind(local, Flow { cards, ..flow });
    }

    /// Cards are revealed: to all, if nobody is named.
    pub(super) fn reveal(&mut self, what: &'r Expr, to: Option<&'r Expr>) {
        if one_local(what).is_some_and(|local| self.shown.stale.contains(&local) || self.is_partly_gone(what, local)) {
            return;
        }
        let (flow, to) = (self.expr(what), to.and_then(|to| self.one_reader(to)));
        let cards = match one_local(what) {
            Some(local) => {
                self.reveal_local(local);
                flow.cards
            }
            None => match self.wholes(what) {
                whole if whole.is_empty() => self.of_some_players(what).unwrap_or_else(|| {
                    let mut named = self.name(what, &flow, &[]);
                    named.extend(self.name_branches(what.bare(), &mut Vec::new()));
                    named
                }),
                whole => whole,
            },
        };
        self.revealed.extend(cards.iter().map(|source| ((*source, to), what.span)));
        self.shown.cards.extend(cards.into_iter().map(|source| (source, to)));
        self.carried(&what.ty, to, false, what.span);
    }

    /// Whether what moves stays what it is: between zones of one declaration.
    pub(super) fn stays_itself(&self, moved: &Flow, to: &Destination) -> bool {
        let span = |zone: ZoneId| self.rules.zones.get(zone.index()).map(|zone| zone.span);
        let Destination::Zone { zone, .. } = to else { return false };
        let mut from = moved.cards.iter().filter_map(|source| source.zone());
        !moved.cards.is_empty() && from.all(|(other, _)| span(other) == span(*zone))
    }

    /// A copy comes to where others may have been revealed.
    pub(super) fn copied(&mut self, of: &Expr, to: &Destination, span: Span) {
        let Destination::Zone { zone, of: holder, .. } = to else { return };
        let who = holder.as_ref().and_then(|holder| self.expr(holder).who).unwrap_or(Who::Unknown);
        let copied = self.expr(of);
        self.comes(*zone, who, Some(&copied.cards), span);
    }

    /// What was revealed is so no longer.
    pub(super) fn hidden_again(&mut self, what: &Expr) {
        let cards = self.expr(what).cards;
        self.shown.cards.retain(|(source, _)| !cards.contains(source));
    }

    /// Takes up what was revealed in the branches of an expression, each where its conditions hold.
    fn name_branches(&mut self, what: &'r Expr, path: &mut Vec<(Named<'r>, bool)>) -> BTreeSet<Source> {
        let ExprKind::If(cond, yes, no) = &what.kind else { return BTreeSet::new() };
        let mut found = BTreeSet::new();
        for (branch, holds) in [(yes, true), (no, false)] {
            path.push((Named(cond), holds));
            match &branch.bare().kind {
                ExprKind::If(..) => found.extend(self.name_branches(branch.bare(), path)),
                ExprKind::Empty | ExprKind::Nothing => {}
                _ => {
                    let flow = self.expr(branch);
                    found.extend(self.name(branch, &flow, path));
                }
            }
            path.pop();
        }
        found
    }

    /// Takes up that what an expression names was revealed, in the branch to which some conditions lead: where that comes from.
    fn name(&mut self, what: &'r Expr, flow: &Flow, path: &[(Named<'r>, bool)]) -> BTreeSet<Source> {
        let what = what.bare();
        let known = self.shown.named(what, &[]).filter(|_| path.is_empty());
        let local = match known {
            Some(local) => local,
            None => {
                // The same words stand for the same cards in all branches of statements, and for others in each branch of an expression.
                let path = path.to_vec();
                let known = self.naming.iter().position(|(named, of)| named.same(what) && *of == path);
                let index = known.unwrap_or(self.naming.len());
                if known.is_none() {
                    self.naming.push((what, path.clone()));
                }
                let local = LocalId(u32::MAX - index as u32);
                self.shown.cards.retain(|(source, _)| !matches!(source, Source::Picked(_, _, of) if *of == local));
                self.shown.named.push((Named(what), local));
                if !path.is_empty() {
                    self.shown.branches.insert(local, path);
                }
                local
            }
        };
        let facts = flow.facts.keys().filter(|source| source.zone().is_some());
        flow.cards.iter().chain(facts).map(|source| picked(*source, local)).collect()
    }

    /// Who is shown something: none if all are, somebody if that is not said by one name.
    fn one_reader(&mut self, to: &'r Expr) -> Option<Who> {
        match to.bare().kind {
            ExprKind::Players => None,
            _ if to.bare().ty.is_many() => Some(Who::Unknown),
            _ => Some(self.expr(to).who.unwrap_or(Who::Unknown)),
        }
    }

    /// The cards that a local is are revealed, and with them how they were picked; or the value that it is.
    pub(super) fn reveal_local(&mut self, local: LocalId) {
        let flow = Flow { facts: Default::default(), order: Default::default(), ..self.local(local) };
        self.bind(local, flow);
    }

    /// Where the cards lie of which an expression names all that lie there.
    pub(super) fn wholes(&mut self, what: &Expr) -> BTreeSet<Source> {
        match &what.bare().kind {
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                let mut found = self.wholes(a);
                found.extend(self.wholes(b));
                found
            }
            ExprKind::Collect { over, .. } if is_whole(self.rules, what) => {
                let whose = match over.bare().kind {
                    ExprKind::Players => Who::All,
                    ExprKind::Opponents => Who::Others,
                    _ => return BTreeSet::new(),
                };
                let cards = self.expr(what).cards;
                let all = |source: Source| source.zone().map_or(source, |(zone, _)| Source::Zone(zone, whose));
                cards.into_iter().map(all).collect()
            }
            ExprKind::This | ExprKind::Local(_) => self.expr(what).cards,
            // All of a kind that are in play, and all that lies on the only board.
            _ if self.is_all_in_play(what) => {
                let cards = self.expr(what).cards.into_iter().filter_map(|source| source.zone());
                let all = cards.filter(|(zone, _)| self.holds_only(*zone, what));
                all.map(|(zone, _)| Source::Zone(zone, Who::All)).collect()
            }
            // Whose they are by a mark or by whose turn it is holds as long as the same words name them.
            _ if is_whole(self.rules, what) => {
                let cards = self.expr(what).cards;
                let known =
                    |source: &Source| source.zone().is_none_or(|(_, who)| !matches!(who, Who::Other | Who::Unknown));
                if cards.iter().all(known) { cards } else { BTreeSet::new() }
            }
            _ => BTreeSet::new(),
        }
    }
}

impl Watch<'_> {
    /// Whether an expression names all things of its kind that are in play.
    fn is_all_in_play(&self, what: &Expr) -> bool {
        match &what.bare().kind {
            ExprKind::InPlay(_) => true,
            ExprKind::Builtin(Builtin::PiecesOn, args) => {
                let whole = |sites: &Expr| matches!(sites.bare().kind, ExprKind::Builtin(Builtin::AllSites, _));
                self.rules.boards.len() == 1 && args.first().is_some_and(whole)
            }
            ExprKind::Call(proc, _) => match self.rules.procs.get(proc.index()).map(|proc| &proc.body) {
                Some(ProcBody::Expr(body)) => {
                    !matches!(body.bare().kind, ExprKind::Call(..)) && self.is_all_in_play(body)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether all that can lie in a zone is of the kind of an expression.
    fn holds_only(&self, zone: ZoneId, what: &Expr) -> bool {
        let Ty::Entity(kind) = *what.ty.element().bare() else { return false };
        let zone = self.rules.zones.get(zone.index());
        let all = |zone: &Zone| zone.holds.iter().all(|held| self.rules.is_below(*held, kind));
        zone.is_some_and(|zone| zone.in_play && !zone.holds.is_empty() && all(zone))
    }
}

/// Whether an expression names all cards of zones.
pub(super) fn is_whole(rules: &Rules, what: &Expr) -> bool {
    match &what.bare().kind {
        ExprKind::Contents(..) => true,
        ExprKind::Binary(BinaryOp::Union, a, b) => is_whole(rules, a) && is_whole(rules, b),
        ExprKind::Collect { body, .. } => is_whole(rules, body),
        // A definition that calls itself is reported elsewhere: no definition follows another one here.
        ExprKind::Call(proc, _) => match rules.procs.get(proc.index()).map(|proc| &proc.body) {
            Some(ProcBody::Expr(body)) => matches!(body.bare().kind, ExprKind::Contents(..)),
            _ => false,
        },
        _ => false,
    }
}

/// What a local is of what comes from there.
pub(super) fn picked(source: Source, local: LocalId) -> Source {
    match source.zone() {
        Some((zone, who)) => Source::Picked(zone, who, local),
        None => source,
    }
}

/// The local that an expression is.
pub(super) fn one_local(expr: &Expr) -> Option<LocalId> {
    match expr.bare().kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

/// How many a choice takes at least and at most, where that is said.
pub(super) fn bounds(qty: &Qty) -> (Option<&Expr>, Option<&Expr>) {
    match qty {
        Qty::Between(low, high) => (Some(low), high.as_ref()),
        Qty::One => (None, None),
    }
}

/// How many cards of a pile are taken, where that is said.
pub(super) fn taken(what: &Expr) -> Option<&Expr> {
    match &what.bare().kind {
        ExprKind::Builtin(Builtin::Top | Builtin::Bottom, args) => args.get(1),
        _ => None,
    }
}

/// Whether something may have happened when a statement is over.
pub(super) fn acts(stmt: &StmtKind) -> bool {
    !matches!(
        stmt,
        StmtKind::Local { .. }
            | StmtKind::Choose(_)
            | StmtKind::ChooseOrder { .. }
            | StmtKind::ChooseSplit { .. }
            | StmtKind::If { .. }
            | StmtKind::Note(_)
            | StmtKind::Reveal { .. }
            | StmtKind::Requires { .. }
            | StmtKind::Ensure { .. }
    )
}

/// The same of a loop, and of what is in it.
pub(super) fn acts_within(stmt: &StmtKind) -> bool {
    match stmt {
        StmtKind::Each { body, .. } => body.iter().any(|stmt| acts_within(&stmt.kind)),
        StmtKind::If { body, or_else, .. } => body.iter().chain(or_else).any(|stmt| acts_within(&stmt.kind)),
        _ => acts(stmt),
    }
}
