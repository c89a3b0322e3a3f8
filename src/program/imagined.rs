//! Pieces that an action will have laid and moved: what looks ahead imagines them, and reads the sets of sites that there
//! would then be. A check that would end the game is asked of them, too.

use super::ahead::Unknown;
use super::code::{Builder, Env, Label};
use super::layout::is_builtin;
use super::op::{Op, Slot};
use super::reads::touch;
use super::sites::BoardSite;
use crate::core::asks_whether_some;
use crate::model::rules::walk::{each_block, each_stmt};
use crate::model::rules::{
    Builtin, BuiltinProp, ClauseHome, ClauseId, ClauseKind, CreateValue, Created, Destination, Expr, ExprKind, KindId,
    LocalId, Proc, ProcBody, ProcId, ProcRole, PropClass, PropOwner, Stmt, StmtKind, Ty,
};

/// Definitions within definitions that are looked into: no deeper than their code is copied.
pub(super) const MAX_CALLS: usize = 5;

/// What an action will have changed on the board.
#[derive(Clone, Copy, Debug)]
pub(super) enum Imagined {
    /// A piece that is not there yet: its kind, whose it will be and where.
    Laid { kind: KindId, owner: Slot, site: Slot },
    /// All that lies on a site goes to another, or off the board.
    Moved { from: Slot, to: Option<Slot> },
}

impl<'r> Builder<'r> {
    /// All of a site that a statement moves to another that is known, or off the board.
    pub(super) fn moved(&mut self, stmt: &'r Stmt) -> Option<Imagined> {
        let StmtKind::Move { what, riders: None, to, local: None } = &stmt.kind else { return None };
        let from = self.left_site(what)?;
        let to = match to {
            Destination::Nowhere => None,
            Destination::Site { site, turned: None } => Some(self.settled_word(site)?),
            _ => return None,
        };
        self.apart().then_some(Imagined::Moved { from, to })
    }

    /// The site that all leaves which lies there, if something does.
    pub(super) fn left_site(&mut self, what: &Expr) -> Option<Slot> {
        let site = self.all_on(what)?;
        let there = super::stacking::is_occupied(self.rules, self.proc, site);
        let from = self.settled_word(site).filter(|_| there)?;
        let again = |imagined: &Imagined| matches!(imagined, Imagined::Moved { from: left, .. } if *left == from);
        (!self.laid.iter().any(again)).then_some(from)
    }

    /// The site of which something is all that lies there.
    pub(super) fn all_on<'e>(&self, what: &'e Expr) -> Option<&'e Expr> {
        match &what.kind {
            ExprKind::ToSet(inner) => self.all_on(inner),
            ExprKind::Builtin(Builtin::TopOn, args) if self.is_flat => args.first(),
            ExprKind::Builtin(Builtin::PiecesOn, args) => match &args.first()?.kind {
                ExprKind::ToSet(site) => Some(site),
                _ => None,
            },
            _ => None,
        }
    }

    /// A piece that a statement creates on a site that was chosen.
    pub(super) fn laid_piece(&mut self, stmt: &'r Stmt) -> Option<Imagined> {
        let StmtKind::Create { what, to: Destination::Site { site, turned: None }, fields, local: None } = &stmt.kind
        else {
            return None;
        };
        let Created::Kind { kind, count: None } = what else { return None };
        let site = self.local(local_of(site)?);
        if !self.apart() {
            return None;
        }
        let mut owner = self.word(super::NIL);
        for (prop, value) in fields {
            let CreateValue::Value(value) = value else { return None };
            if is_builtin(self.rules, *prop, BuiltinProp::Owner) {
                owner = match &value.kind {
                    ExprKind::Me => self.env.me,
                    _ => return None,
                };
            }
        }
        Some(Imagined::Laid { kind: *kind, owner, site })
    }

    /// Code that jumps to a label if the game ends by what is imagined last.
    pub(super) fn ended(&mut self, label: Label) -> Result<(), Unknown> {
        for cond in self.endings() {
            let ProcBody::Expr(expr) = &self.rules.procs[cond.index()].body else { continue };
            if !self.told(expr) {
                return Err(Unknown);
            }
            let locals = self.rules.procs[cond.index()].locals.iter();
            let locals = locals.map(|local| self.temp(self.layout.words(&local.ty))).collect();
            let env = Env::new(locals, Slot(self.layout.mover), self.word(super::NIL));
            let outer = std::mem::replace(&mut self.env, env);
            self.jump(expr, true, label);
            self.env = outer;
        }
        Ok(())
    }

    /// What checks that ask of pieces ask, where all that each does is to end the game.
    pub(super) fn endings(&self) -> Vec<ProcId> {
        let checks = (0..self.rules.clauses.len()).filter(|clause| self.asks_of_pieces(*clause));
        checks.filter_map(|clause| self.ending(clause)).collect()
    }

    pub(super) fn asks_of_pieces(&self, clause: usize) -> bool {
        matches!(self.rules.clauses[clause].kind, ClauseKind::Check { .. })
            && super::reads::condition_reads(self.rules, &self.has_modifiers, ClauseId(clause as u32)) & touch::PIECES
                != 0
    }

    /// The condition of a check of which all is known: it stands always, and ends the game.
    pub(super) fn ending(&self, clause: usize) -> Option<ProcId> {
        let rules = self.rules;
        let clause = &rules.clauses[clause];
        let (ClauseKind::Check { cond, body }, ClauseHome::Rule(group)) = (&clause.kind, clause.home) else {
            return None;
        };
        let (ProcBody::Expr(asked), ProcBody::Block(stmts)) =
            (&rules.procs[cond.index()].body, &rules.procs[body.index()].body)
        else {
            return None;
        };
        let ends = self.surely_ends(stmts, asked);
        // An action within an event passes by its checkpoints.
        let within = |proc: &Proc| {
            let mut found = false;
            each_stmt(proc, &mut |stmt| found |= matches!(stmt.kind, StmtKind::ChooseAction { .. }));
            found && proc.role != ProcRole::Flow
        };
        (ends && rules.groups[group.index()].when.is_none() && !rules.procs.iter().any(within)).then_some(*cond)
    }

    /// Whether statements end the game, where something is so.
    fn surely_ends(&self, stmts: &[Stmt], asked: &Expr) -> bool {
        let one = |players: &Expr| match &players.kind {
            ExprKind::ToSet(player) if self.is_somebody(player) => true,
            ExprKind::ToSet(player) => match &player.kind {
                ExprKind::Builtin(Builtin::First, args) => args.iter().all(|set| asks_whether_some(asked, set)),
                _ => false,
            },
            _ => asks_whether_some(asked, players),
        };
        let first = stmts.iter().map(|stmt| &stmt.kind).find(|kind| !matches!(kind, StmtKind::Note(_)));
        first.is_some_and(|kind| match kind {
            StmtKind::DrawGame | StmtKind::EndGame => true,
            StmtKind::Win(players) => one(players),
            StmtKind::Lose(players) => one(players) && self.rules.players.1 <= 2,
            StmtKind::Each { domain, body, .. } => asks_whether_some(asked, domain) && self.surely_ends(body, asked),
            _ => false,
        })
    }

    /// Whether a player is somebody, in what acts while an action is done: who is on turn is nobody outside of `turns`.
    fn is_somebody(&self, player: &Expr) -> bool {
        player.ty == Ty::Player
            && match &player.kind {
                ExprKind::Mover | ExprKind::Me => self.rules.procs.iter().all(|proc| match &proc.body {
                    ProcBody::Block(stmts) => only_in_turns(stmts),
                    ProcBody::Expr(_) => true,
                }),
                // Only parameters and the members of an `each` are asked for.
                ExprKind::Seat(_) | ExprKind::Local(_) => true,
                ExprKind::If(_, one, other) => self.is_somebody(one) && self.is_somebody(other),
                ExprKind::Call(proc, args) => match &self.rules.procs[proc.index()].body {
                    ProcBody::Expr(body) => {
                        self.is_somebody(body) && args.iter().all(|arg| arg.ty != Ty::Player || self.is_somebody(arg))
                    }
                    ProcBody::Block(_) => false,
                },
                _ => false,
            }
    }

    /// The sites of the pieces of a kind, or of a player's, with those that are imagined.
    pub(super) fn owned_now(&mut self, d: Slot, kind: KindId, player: Option<Slot>) {
        match player {
            Some(player) => self.owned_by(0, kind, player, d),
            None => self.all_of(kind, 0, d),
        }
        for index in 0..self.laid.len() {
            let skip = self.label();
            match self.laid[index] {
                Imagined::Laid { kind: laid, owner, site } => {
                    if !self.rules.is_below(laid, kind) {
                        continue;
                    }
                    if let Some(player) = player.filter(|player| *player != owner) {
                        let to = self.to(skip);
                        self.emit(Op::JumpEq { on: false, a: player, b: owner, to });
                    }
                    self.emit(Op::InsertBit { set: d, a: site });
                }
                Imagined::Moved { from, to } => {
                    self.unless_in(d, from, skip);
                    self.emit(Op::RemoveBit { set: d, a: from });
                    if let Some(a) = to {
                        self.emit(Op::InsertBit { set: d, a });
                    }
                }
            }
            self.bind(skip);
        }
    }

    /// Jumps if a site is not in a set.
    fn unless_in(&mut self, set: Slot, a: Slot, label: Label) {
        let (d, one, to) = (self.temp(1), self.word(1), self.to(label));
        self.emit(Op::HasBit { d, set, a });
        self.emit(Op::JumpEq { on: false, a: d, b: one, to });
    }

    /// Takes what is imagined into account in a set of empty sites, of those of another.
    pub(super) fn take_laid(&mut self, all: Slot, d: Slot) {
        for index in 0..self.laid.len() {
            match self.laid[index] {
                Imagined::Laid { site, .. } => self.emit(Op::RemoveBit { set: d, a: site }),
                Imagined::Moved { from, to } => {
                    let skip = self.label();
                    self.unless_in(all, from, skip);
                    self.emit(Op::InsertBit { set: d, a: from });
                    self.bind(skip);
                    if let Some(a) = to {
                        self.emit(Op::RemoveBit { set: d, a });
                    }
                }
            }
        }
    }

    /// Whose the topmost piece of a site is, once the first so many of what is imagined have happened. Of what is moved, no
    /// more than one piece lies on a site.
    pub(super) fn owner_on_top(&mut self, board: u16, site: Slot, happened: usize, d: Slot) {
        let e = self.temp(1);
        self.sites.boards.push(BoardSite { what: Builtin::TopOn, board, args: vec![site] });
        let top = self.long(self.sites.boards.len() - 1);
        self.emit(Op::OnBoard { d: e, site: top });
        self.emit(Op::Owner { d, e });
        for index in 0..happened {
            let skip = self.label();
            match self.laid[index] {
                Imagined::Laid { owner, site: there, .. } => {
                    let to = self.to(skip);
                    self.emit(Op::JumpEq { on: false, a: site, b: there, to });
                    self.emit(Op::Copy { d, a: owner });
                }
                Imagined::Moved { from, to: there } => {
                    let nobody = self.word(super::NIL);
                    if let Some(there) = there {
                        let other = self.label();
                        let to = self.to(other);
                        self.emit(Op::JumpEq { on: false, a: site, b: there, to });
                        self.owner_on_top(board, from, index, d);
                        let to = self.to(skip);
                        self.emit(Op::Jump { to });
                        self.bind(other);
                    }
                    let to = self.to(skip);
                    self.emit(Op::JumpEq { on: false, a: site, b: from, to });
                    self.emit(Op::Copy { d, a: nobody });
                }
            }
            self.bind(skip);
        }
    }

    /// Where it stands whose the topmost piece of a site is, if that is the piece that was imagined last.
    pub(super) fn laid_owner(&mut self, of: &Expr) -> Option<Slot> {
        let site = self.place(top_site(of)?)?;
        match self.laid.last()? {
            Imagined::Laid { owner, site: there, .. } if *there == site => Some(*owner),
            _ => None,
        }
    }

    /// `some KIND where owner = P`: whose one of the pieces of a kind must be.
    pub(super) fn owner_of_any<'e>(&self, over: &Expr, binder: LocalId, cond: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::InPlay(kind) = over.kind else { return None };
        self.owner_test(binder, cond).filter(|player| self.lies_on_board(kind) && !player.mentions(binder))
    }

    /// Whether an expression can be told with the pieces that are imagined.
    pub(super) fn told(&self, expr: &Expr) -> bool {
        self.laid.is_empty() || self.told_within(expr, 0)
    }

    fn told_within(&self, expr: &Expr, calls: usize) -> bool {
        let all = |parts: &[&Expr]| parts.iter().all(|part| self.told_within(part, calls));
        match &expr.kind {
            ExprKind::Word(_)
            | ExprKind::Text(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Local(_)
            | ExprKind::Me
            | ExprKind::Mover
            | ExprKind::Players
            | ExprKind::Opponents
            | ExprKind::Round
            | ExprKind::Option(_)
            | ExprKind::GameProp(_) => true,
            ExprKind::Some(lying) if let ExprKind::Builtin(Builtin::TopOn | Builtin::PiecesOn, args) = &lying.kind => {
                args.first().is_some_and(|sites| all(&[sites]))
            }
            // As many lie there as there are sites where one does.
            ExprKind::Count(of) if let Some((_, by_owner)) = self.told_pieces(of).filter(|_| self.is_flat) => {
                by_owner.is_none_or(|(_, player)| all(&[player]))
            }
            ExprKind::Seat(a) | ExprKind::ToSet(a) | ExprKind::Not(a) | ExprKind::Count(a) | ExprKind::Some(a) => {
                all(&[a])
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::In(a, b) => all(&[a, b]),
            ExprKind::If(a, b, c) => all(&[a, b, c]),
            ExprKind::Any { over, binder, cond } if let Some(player) = self.owner_of_any(over, *binder, cond) => {
                all(&[player])
            }
            ExprKind::Where { over, cond: body, .. }
            | ExprKind::Any { over, cond: body, .. }
            | ExprKind::All { over, cond: body, .. }
            | ExprKind::Fold { over, body, .. }
            | ExprKind::Collect { over, body, .. }
            | ExprKind::Having { over, body, .. } => all(&[over, body]),
            ExprKind::Prop(of, prop) => {
                let info = &self.rules.props[prop.index()];
                if is_builtin(self.rules, *prop, BuiltinProp::Owner) {
                    let mut moves = self.laid.iter().filter(|imagined| matches!(imagined, Imagined::Moved { .. }));
                    let few = moves.next().is_none() || self.is_flat && moves.next().is_none();
                    return few && top_site(of).is_some_and(|site| all(&[site]));
                }
                let of_player = info.owner == PropOwner::Player && of.ty == Ty::Player;
                let kept = matches!(info.class, PropClass::Counter { .. } | PropClass::Mark { .. });
                let is_fixed = is_builtin(self.rules, *prop, BuiltinProp::Seat);
                (is_fixed || of_player && kept) && all(&[of])
            }
            ExprKind::Builtin(Builtin::SitesOf, args) => args
                .first()
                .and_then(|arg| self.owned_of(arg))
                .is_some_and(|(_, player)| self.told_within(player, calls)),
            ExprKind::Builtin(builtin, args) => {
                told_function(*builtin) && args.iter().all(|arg| self.told_within(arg, calls))
            }
            ExprKind::Call(proc, args) => match &self.rules.procs[proc.index()].body {
                ProcBody::Expr(body) if calls < MAX_CALLS && self.rules.opens(*proc) => {
                    args.iter().all(|arg| self.told_within(arg, calls)) && self.told_within(body, calls + 1)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// The site of `top(SITE)`.
pub(super) fn top_site(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Builtin(Builtin::TopOn, args) => args.first(),
        _ => None,
    }
}

pub(super) fn local_of(expr: &Expr) -> Option<LocalId> {
    match expr.kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

/// Functions that read nothing of the position but their arguments, and those whose code knows of imagined pieces.
fn told_function(builtin: Builtin) -> bool {
    builtin.is_geometry()
        || matches!(
            builtin,
            Builtin::Smaller
                | Builtin::Larger
                | Builtin::Abs
                | Builtin::First
                | Builtin::Empty
                | Builtin::EmptyOf
                | Builtin::Step
                | Builtin::Directions
                | Builtin::Column
                | Builtin::Row
                | Builtin::Origin
                | Builtin::Distance
                | Builtin::DistanceIn
                | Builtin::Opposite
                | Builtin::Rotate
        )
}

/// Whether actions are offered in `turns` alone.
fn only_in_turns(stmts: &[Stmt]) -> bool {
    stmts.iter().all(|stmt| match &stmt.kind {
        StmtKind::Turns { .. } => true,
        StmtKind::ChooseAction { .. } => false,
        _ => {
            let mut fine = true;
            each_block(stmt, &mut |inner| fine &= only_in_turns(inner));
            fine
        }
    })
}
