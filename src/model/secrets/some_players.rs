//! Players who are named by more than a local: `reveal alive.hand`, `choose by game.caller`, `if me = game.dealer`. Until something is
//! done the same words name the same players, so that it is known what was shown of each of them, and whose zones are the chooser's.

use super::Watch;
use super::ends::is_hidden;
use super::flow::{Source, Who};
use super::leads::alike;
use super::shown::{Named, Shown, acts_within};
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

    /// Takes up what a condition says of `me`.
    pub(super) fn holds_of_me(&mut self, cond: &'r Expr) {
        match &cond.kind {
            ExprKind::And(a, b) => [a, b].into_iter().for_each(|part| self.holds_of_me(part)),
            ExprKind::Compare(CompareOp::Eq, a, b) => {
                let of_me = [(a, b), (b, a)].into_iter().find(|(me, _)| matches!(me.bare().kind, ExprKind::Me));
                self.shown.players.extend(of_me.map(|(_, named)| (Named(named.bare()), Who::Me)));
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
        // Behind what is done the same words may name others.
        let branches = end.branches_of(local);
        if own.is_empty() && branches.is_empty() || !everybody && body.iter().any(|stmt| acts_within(&stmt.kind)) {
            return;
        }
        let who = self.some_players(over);
        self.shown.cards.extend(own.into_iter().map(|(zone, reader)| (Source::Zone(zone, who), reader)));
        self.shown.reveal_of_each(end, who, branches);
    }
}
