//! Players who are named by more than a local: `reveal alive.hand`, `choose by game.caller`, `if me = game.dealer`. Until something is
//! done the same words name the same players, so that it is known what was shown of each of them, and whose zones are the chooser's.

use super::Watch;
use super::ends::is_hidden;
use super::ends::rename;
use super::flow::{Flow, Revealed, Source, Who};
use super::leads::alike;
use super::shown::{Named, Shown, acts_within, is_whole, one_local, picked};
use super::steady::Effects;
use crate::model::rules::{Builtin, CollectOp, CompareOp, Expr, ExprKind, LocalId, PropId, Stmt};
use std::collections::BTreeSet;

impl Shown<'_> {
    /// The player whom these words are known to name, or each member of the set.
    pub fn player(&self, named: &Expr) -> Option<Who> {
        self.players.iter().find(|(known, _)| alike(known.0, named)).map(|(_, who)| *who)
    }

    /// The player whom a mark of the game is known to name.
    pub fn player_in(&self, mark: PropId) -> Option<Who> {
        let of_mark = |named: &Named| matches!(named.0.bare().kind, ExprKind::GameProp(prop) if prop == mark);
        self.players.iter().find(|(named, _)| of_mark(named)).map(|(_, who)| *who)
    }

    /// The player that each member of a set stands for, if zones of all of them were revealed.
    pub fn member_of(&self, over: &Expr) -> Option<Who> {
        let over = over.bare();
        self.player(over).or_else(|| match &over.kind {
            ExprKind::Where { over, .. } | ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => {
                self.member_of(over)
            }
            ExprKind::Builtin(Builtin::First, args) => args.first().and_then(|of| self.member_of(of)),
            _ => None,
        })
    }

    /// A local is one of those for whom a member of a set stands: what was revealed of each was revealed of it.
    pub fn is_one_of(&mut self, local: LocalId, member: Who) {
        let own = |(source, reader): &Revealed| match source {
            Source::Zone(zone, who) if *who == member => Some((Source::Zone(*zone, Who::Local(local)), *reader)),
            _ => None,
        };
        let own: Vec<Revealed> = self.cards.iter().filter_map(own).collect();
        self.cards.extend(own);
    }
}

impl<'r> Watch<'r> {
    /// Where the cards lie of which an expression names all in a zone of some players.
    pub(super) fn of_some_players(&mut self, what: &'r Expr) -> Option<BTreeSet<Source>> {
        let ExprKind::Collect { op: CollectOp::Union, over, binder, body } = &what.bare().kind else { return None };
        let ExprKind::Contents(zone, Some(of)) = &body.bare().kind else { return None };
        if !of.is_local(*binder) || !is_hidden(self.rules, *zone) {
            return None;
        }
        let who = self.some_players(over);
        Some(BTreeSet::from([Source::Zone(*zone, who)]))
    }

    /// The player that each member of a set stands for.
    pub(super) fn some_players(&mut self, over: &'r Expr) -> Who {
        let over = over.bare();
        match over.kind {
            ExprKind::Players | ExprKind::Builtin(Builtin::Clockwise, _) => return Who::All,
            ExprKind::Opponents => return Who::Others,
            _ => {}
        }
        self.named_player(over)
    }

    /// The player whom these words name from now on, or each member of the set.
    pub(super) fn named_player(&mut self, over: &'r Expr) -> Who {
        if let Some(who) = self.shown.player(over) {
            return who;
        }
        let known = self.naming.iter().position(|(named, path)| path.is_empty() && alike(named, over));
        let index = known.unwrap_or(self.naming.len());
        if known.is_none() {
            self.naming.push((over, Vec::new()));
        }
        let who = Who::Local(LocalId(u32::MAX - index as u32));
        // What these words named before may be others.
        self.next_player(who);
        self.shown.players.push((Named(over), who));
        who
    }

    /// Members of a set, one after the other.
    pub(super) fn for_each(&mut self, local: LocalId, over: &'r Expr, body: &'r [Stmt]) {
        let domain = self.expr(over);
        let mut each = Flow { who: None, ..domain.clone() }.by_place();
        // What the members fulfil is asked openly, as by an `if` in the block.
        let mut from = over.bare();
        while let ExprKind::Where { over: inner, .. } = &from.kind {
            from = inner.bare();
            each.facts = self.expr(from).by_place().facts;
        }
        // One after the other they are all that there are.
        let all = one_local(over).is_some() || is_whole(self.rules, over);
        let mut end = Shown::default();
        self.under(&domain, |watch| {
            end = watch.again(false, &mut |watch| {
                watch.next_player(Who::Local(local));
                watch.pick(local, each.clone());
                watch.block(body);
            });
        });
        if all {
            let others = self.names_others(over, body);
            let whole: Vec<(Source, Source)> = match self.of_some_players(over) {
                Some(all)
                    if others && !all.iter().all(|source| source.zone().is_some_and(|(_, who)| is_fixed(who))) =>
                {
                    Vec::new()
                }
                Some(all) => {
                    let of = |source: &Source| all.iter().map(|all| (*all, picked(*source, local))).collect::<Vec<_>>();
                    domain.cards.iter().flat_map(of).collect()
                }
                None => domain.cards.iter().map(|source| (*source, picked(*source, local))).collect(),
            };
            let shown = whole.iter().flat_map(|(source, one)| {
                end.readers(*one).into_iter().map(move |reader| (*source, reader)).collect::<Vec<_>>()
            });
            self.shown.cards.extend(shown);
            let laid = whole.iter().filter(|(_, one)| end.is_among(&end.laid, *one));
            self.shown.laid.extend(laid.map(|(source, _)| *source).collect::<Vec<_>>());
        }
        if let Some(keys) = members(over).filter(|_| !body.iter().any(|stmt| acts_within(&stmt.kind))) {
            self.shown.cards.extend(end.revealed_by_key(local, &keys));
        }
        self.shown_of_each(local, over, body, &end);
    }

    /// The local of a loop becomes the next one.
    pub(super) fn next_player(&mut self, who: Who) {
        self.forget_player(who);
        self.shown.players.retain(|(_, known)| *known != who);
        self.locals_of_another(who);
        self.keep_own(who);
        for ((source, _), ..) in &mut self.keeps {
            *source = source.of_another(who);
        }
        self.changes.values_mut().for_each(|facts| rename(facts, &mut |source| source.of_another(who)));
    }

    pub(super) fn locals_of_another(&mut self, who: Who) {
        for (local, flow) in self.locals.iter_mut().enumerate() {
            *flow = std::mem::take(flow).of_another(local, who);
        }
    }

    /// Takes up what a condition says of `me`.
    pub(super) fn holds_of_me(&mut self, cond: &'r Expr) {
        match &cond.kind {
            ExprKind::And(a, b) => [a, b].into_iter().for_each(|part| self.holds_of_me(part)),
            ExprKind::Compare(CompareOp::Eq, a, b) => {
                let of_me = [(a, b), (b, a)].into_iter().find(|(me, _)| matches!(me.bare().kind, ExprKind::Me));
                if let Some((_, named)) = of_me {
                    self.shown.players.retain(|(known, _)| !alike(known.0, named));
                    self.shown.players.push((Named(named.bare()), Who::Me));
                }
            }
            _ => {}
        }
    }

    /// Whether a condition says of `me` what is known.
    pub(super) fn says_of_me(&self, cond: &Expr) -> bool {
        match &cond.kind {
            ExprKind::And(a, b) => self.says_of_me(a) && self.says_of_me(b),
            ExprKind::Compare(CompareOp::Eq, a, b) => [(a, b), (b, a)].into_iter().any(|(me, named)| {
                matches!(me.bare().kind, ExprKind::Me) && self.shown.player(named.bare()) == Some(Who::Me)
            }),
            _ => false,
        }
    }

    /// Whether words may name others behind what is done.
    fn names_others(&self, words: &Expr, done: &[Stmt]) -> bool {
        done.iter().any(|stmt| acts_within(&stmt.kind))
            && !Effects::of(self.rules, self.about, done).leave(self.rules, self.about, words)
    }

    /// What was revealed of each player of a loop when a turn of it ends was revealed of all of them.
    pub(super) fn shown_of_each(&mut self, local: LocalId, over: &'r Expr, body: &[Stmt], end: &Shown<'r>) {
        let own = end.cards.iter().filter_map(|(source, reader)| match source {
            Source::Zone(zone, Who::Local(whose)) if *whose == local => Some((*zone, *reader)),
            _ => None,
        });
        let own: Vec<_> = own.collect();
        let everybody = matches!(
            over.bare().kind,
            ExprKind::Players | ExprKind::Opponents | ExprKind::Builtin(Builtin::Clockwise, _)
        );
        let branches = end.branches_of(local);
        if own.is_empty() && branches.is_empty() || !everybody && self.names_others(over, body) {
            return;
        }
        let who = self.some_players(over);
        self.shown.cards.extend(own.into_iter().map(|(zone, reader)| (Source::Zone(zone, who), reader)));
        self.shown.reveal_of_each(end, who, branches);
    }
}

/// The numbers or values of an enum of which a set consists, if the text says them.
fn members(over: &Expr) -> Option<Vec<i64>> {
    match &over.bare().kind {
        ExprKind::List(items) => items.iter().map(as_word).collect(),
        ExprKind::Range(low, high) => Some((as_word(low)?..=as_word(high)?).take(MOST_KEYS).collect()),
        _ => None,
    }
}

fn as_word(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Word(value) => Some(value),
        _ => None,
    }
}

/// Keys of a loop that are looked at.
const MOST_KEYS: usize = 64;

/// Whether the same words always name the same players.
fn is_fixed(who: Who) -> bool {
    matches!(who, Who::All | Who::Others)
}
