//! What a choice of an action knows of what follows: code that says, for a candidate, whether the action can still be
//! completed, without doing any of it. Where that cannot be said, the engine tries it out on a copy of the state.
//!
//! The code runs in the position of the choice. What the action creates and moves before a later choice is imagined: the
//! sets of sites that are read are those that there would be, and a check that then ends the game is asked, too. The last choice before an `ensure` is looked at for all
//! sites at once.

use super::ProcCode;
use super::actions::restricts;
use super::code::{Builder, Label};
use super::exprs::board_of;
use super::folds::{any_neighbour_test, conjuncts};
use super::imagined::{Imagined, MAX_CALLS, local_of};
use super::later::Asking;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::reads::touch;
use super::sites::{AfterSite, AfterTest, Ahead, LeadingSite, When};
use crate::model::reads::Reads;
use crate::model::rules::{
    Action, BinaryOp, Builtin, Choose, ClauseKind, CompareOp, Destination, Expr, ExprKind, FoldOp, KindId, LocalId,
    ProcBody, ProcId, ProcRole, PropClass, PropId, Qty, Stmt, StmtKind, Ty,
};

/// The sites of a player's pieces of a kind, with so many that are imagined, and where the set lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    kind: KindId,
    player: Slot,
    laid: usize,
    set: Slot,
}

/// What follows cannot be told.
pub(super) struct Unknown;

/// What a choice moves or lays onto the site that is chosen.
#[derive(Clone, Copy)]
enum Put {
    /// The pieces of a site.
    From(Slot),
    /// A new piece: kind and owner.
    New(KindId, Slot),
}

impl Put {
    fn imagined(self, to: Slot) -> Imagined {
        match self {
            Put::From(from) => Imagined::Moved { from, to: Some(to) },
            Put::New(kind, owner) => Imagined::Laid { kind, owner, site: to },
        }
    }
}

impl<'r> Builder<'r> {
    /// Gives the choices of an action that must be tried out code that looks ahead, as far as that can be. Says whether
    /// its first choice has some, and when.
    pub(super) fn look_ahead(&mut self, action: &Action, procs: &mut Vec<ProcCode>) -> Option<When> {
        let rules = self.rules;
        let ProcBody::Block(stmts) = &rules.procs[action.body.index()].body else { return None };
        let (mut first, mut plain) = (None, true);
        for (index, stmt) in stmts.iter().enumerate() {
            let StmtKind::Choose(choose) = &stmt.kind else {
                plain &= matches!(stmt.kind, StmtKind::Local { .. } | StmtKind::Requires { .. });
                continue;
            };
            let leads = std::mem::replace(&mut plain, false);
            let mut sites =
                self.choices.iter().filter(|asked| (asked.proc, asked.local) == (action.body, choose.local));
            let (Some(&Asking { site, .. }), None) = (sites.next(), sites.next()) else { continue };
            if self.sites.chooses[site].is_whole()
                && let Some(code) = self.bound_code(action, choose, &stmts[index + 1..])
            {
                procs.push(code);
                self.sites.chooses[site].bound = Some(ProcId(procs.len() as u32 - 1));
            }
            let whole = self.sites.chooses[site].is_whole() || matches!(choose.qty, Qty::One);
            if !whole || !restricts(&stmts[index + 1..]) {
                continue;
            }
            let found = match self.choice_ahead(action, choose, &stmts[index + 1..]) {
                Some(found) => Some((found, When::Always)),
                None => self.choice_ahead_flat(action, index).map(|found| (found, When::Flat)),
            };
            if let Some(((code, ahead), when)) = found {
                procs.push(code);
                self.sites.chooses[site].ahead = Some((ahead, ProcId(procs.len() as u32 - 1), when));
                // Who is asked once the action is begun has no first choice to offer.
                if leads && choose.by.is_none() {
                    first = Some(when);
                }
            }
        }
        first
    }

    /// The code for one choice of an action where no piece lies on another, nor does by what the action does.
    fn choice_ahead_flat(&mut self, action: &Action, index: usize) -> Option<(ProcCode, Ahead)> {
        let flat = self.flat;
        let ProcBody::Block(stmts) = &flat.procs[action.body.index()].body else { return None };
        let StmtKind::Choose(choose) = &stmts.get(index)?.kind else { return None };
        if !super::stacking::stays_flat(flat, action.body, stmts) {
            return None;
        }
        let rules = std::mem::replace(&mut self.rules, flat);
        self.is_flat = true;
        let found = self.choice_ahead(action, choose, &stmts[index + 1..]);
        self.is_flat = false;
        self.rules = rules;
        found
    }

    /// The code for one choice. Its window begins like the action's, with all its locals.
    fn choice_ahead(&mut self, action: &Action, choose: &'r Choose, rest: &'r [Stmt]) -> Option<(ProcCode, Ahead)> {
        // What nothing has to hold behind is not looked at.
        let restricting = rest.iter().rposition(|stmt| restricts(std::slice::from_ref(stmt)))?;
        if self.ask_for_tops(&rest[..=restricting]) {
            return None;
        }
        let rules = self.rules;
        let proc = &rules.procs[action.body.index()];
        let counted = self.predicates.clone();
        self.begin(ProcRole::Pure, None, choose.span);
        self.declare(&proc.locals, 0);
        let words = self.top - 2;
        self.proc = action.body;
        let result = self.choice_code(choose, rest);
        self.predicates = counted;
        self.laid.clear();
        self.standing.clear();
        let (ahead, result) = result.ok()?;
        Some((self.finish(words, result), ahead))
    }

    /// The code that says of what is picked, and of what is within reach, whether more can still do.
    fn bound_code(&mut self, action: &Action, choose: &'r Choose, rest: &'r [Stmt]) -> Option<ProcCode> {
        let proc = &self.rules.procs[action.body.index()];
        let counted = self.predicates.clone();
        self.begin(ProcRole::Pure, None, choose.span);
        self.declare(&proc.locals, 0);
        let words = self.top - 2;
        let (bound, fresh) = self.bound_of(choose.local, &proc.locals[choose.local.index()].ty, rest)?;
        // What is within reach lies behind the words that are taken.
        self.take_fresh(&fresh);
        let a = self.expr(&bound);
        self.emit(Op::Return { n: 1, a });
        self.predicates = counted;
        Some(self.finish(words, 1))
    }

    fn choice_code(&mut self, choose: &'r Choose, rest: &'r [Stmt]) -> Result<(Ahead, u16), Unknown> {
        if !matches!(choose.qty, Qty::One) {
            if let Ok(sum) = self.sum_code(choose, rest) {
                return Ok(sum);
            }
        } else {
            let mut set = self.lasting(choose, rest)?;
            if set.is_none() {
                set = self.leading(choose, rest, false)?;
            }
            if let Some(set) = set {
                let n = self.layout.site_set as u8;
                self.emit(Op::Return { n, a: set });
                return Ok((Ahead::Sites, u16::from(n)));
            }
        }
        let (success, one, zero) = (self.label(), self.word(1), self.word(0));
        self.rest(rest, success)?;
        self.emit(Op::Return { n: 1, a: zero });
        self.bind(success);
        self.emit(Op::Return { n: 1, a: one });
        Ok((Ahead::Flag, 1))
    }

    /// Of a choice of several of which a sum must come to something: what one of them adds, and what is needed.
    fn sum_code(&mut self, choose: &'r Choose, rest: &'r [Stmt]) -> Result<(Ahead, u16), Unknown> {
        let [Stmt { kind: StmtKind::Ensure { cond, .. }, .. }, left @ ..] = rest else { return Err(Unknown) };
        let ExprKind::Compare(op, a, b) = &cond.kind else { return Err(Unknown) };
        let (op, sum, need) = match a.kind {
            ExprKind::Fold { .. } => (*op, a, b),
            _ => (op.turned(), b, a),
        };
        let ExprKind::Fold { op: FoldOp::Sum, over, binder, body } = &sum.kind else { return Err(Unknown) };
        let reads = |expr: &Expr| {
            let mut found = false;
            expr.walk(&mut |part| found |= local_of(part) == Some(choose.local));
            found
        };
        let more = match op {
            CompareOp::Ge => false,
            CompareOp::Gt => true,
            _ => return Err(Unknown),
        };
        if local_of(over) != Some(choose.local) || reads(body) || reads(need) || restricts(left) {
            return Err(Unknown);
        }
        let (item, d) = (self.local(*binder), self.temp(2));
        self.into(body, d);
        self.into(need, d.offset(1));
        self.emit(Op::Return { n: 2, a: d });
        Ok((Ahead::Sum { item, more }, 2))
    }

    /// Code for the rest of an action: jumps to a label if it can be completed, and goes on if not.
    fn rest(&mut self, stmts: &'r [Stmt], success: Label) -> Result<(), Unknown> {
        let (fail, laid) = (self.label(), self.laid.len());
        let result = self.steps(stmts, success, fail);
        self.bind(fail);
        self.laid.truncate(laid);
        result
    }

    fn steps(&mut self, stmts: &'r [Stmt], success: Label, fail: Label) -> Result<(), Unknown> {
        for (index, stmt) in stmts.iter().enumerate() {
            let left = &stmts[index + 1..];
            match &stmt.kind {
                StmtKind::Local { local, value } if self.told(value) => {
                    let d = self.local(*local);
                    self.into(value, d);
                }
                StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond, .. } if self.told(cond) => {
                    self.jump(cond, false, fail);
                }
                StmtKind::Choose(choose) if choose.by.is_none() && self.told(&choose.domain) => {
                    return self.next_choice(choose, left, success);
                }
                StmtKind::Choose(choose)
                    if matches!(choose.qty, Qty::One) && choose.by.is_none() && !restricts(left) =>
                {
                    let a = self.pieces_now(&choose.domain).ok_or(Unknown)?;
                    let to = self.to(success);
                    self.emit(Op::JumpAny { w: self.layout.site_set as u8, a, to });
                    return Ok(());
                }
                StmtKind::If { cond, body, or_else }
                    if restricts(&stmts[index..=index]) && !restricts(left) && self.told(cond) =>
                {
                    let other = self.label();
                    self.jump(cond, false, other);
                    self.rest(body, success)?;
                    let to = self.to(fail);
                    self.emit(Op::Jump { to });
                    self.bind(other);
                    self.rest(or_else, success)?;
                    let to = self.to(fail);
                    self.emit(Op::Jump { to });
                    return Ok(());
                }
                StmtKind::SetProp { prop, .. } | StmtKind::SetGameProp { prop, .. } if self.is_unread(*prop, left) => {}
                StmtKind::Create { .. } if restricts(left) => {
                    let laid = self.laid_piece(stmt).ok_or(Unknown)?;
                    self.laid.push(laid);
                    self.ended(success)?;
                }
                StmtKind::Move { .. } if restricts(left) => {
                    let moved = self.moved(stmt).ok_or(Unknown)?;
                    self.laid.push(moved);
                    self.ended(success)?;
                }
                _ if restricts(&stmts[index..]) => return Err(Unknown),
                _ => break,
            }
        }
        let to = self.to(success);
        self.emit(Op::Jump { to });
        Ok(())
    }

    /// Whether it is a number or a value that neither what follows asks for nor what acts by itself.
    fn is_unread(&self, prop: PropId, left: &[Stmt]) -> bool {
        let mut reads = Reads::of_waiting(self.rules);
        super::walk::each_in(left, &mut |stmt| {
            super::walk::stmt_exprs(stmt, &mut |expr| expr.walk(&mut |part| reads.part(self.rules, part)));
        });
        let class = &self.rules.props[prop.index()].class;
        matches!(class, PropClass::Counter { .. } | PropClass::Mark { .. }) && !reads.may_read(prop)
    }

    /// A later choice: some candidate must do.
    fn next_choice(&mut self, choose: &'r Choose, rest: &'r [Stmt], success: Label) -> Result<(), Unknown> {
        let to = self.to(success);
        if let Qty::Between(low, _) = &choose.qty {
            // Fewer than asked for will do, but not none at all.
            if restricts(rest) || !self.told(low) {
                return Err(Unknown);
            }
            let (a, one) = (self.expr(low), self.word(1));
            self.emit(Op::JumpLe { on: false, a: one, b: a, to });
        } else if let ExprKind::Range(low, high) = &choose.domain.kind {
            if restricts(rest) {
                return Err(Unknown);
            }
            let (a, b) = (self.expr(low), self.expr(high));
            self.emit(Op::JumpLe { on: true, a, b, to });
            return Ok(());
        }
        let mut set = self.lasting(choose, rest)?;
        if set.is_none() {
            set = self.leading(choose, rest, true)?;
        }
        if let Some(a) = set {
            self.emit(Op::JumpAny { w: self.layout.site_set as u8, a, to });
            return Ok(());
        }
        if !restricts(rest) {
            let kind = repr(&choose.domain.ty);
            let a = self.expr(&choose.domain);
            let w = self.layout.set_words(kind);
            self.emit(if kind == Repr::Word { Op::JumpSome { a, to } } else { Op::JumpAny { w, a, to } });
            return Ok(());
        }
        let subject = self.local(choose.local);
        let mut result = Ok(());
        self.each(&choose.domain, subject, |builder| {
            if result.is_ok() {
                result = builder.rest(rest, success);
            }
        });
        result
    }

    /// The sites of a choice from which what lies there can be moved to a neighbour so that the `ensure` behind it will
    /// hold, or one of them, if that is all that follows and is of a form that is looked at for all sites at once.
    fn leading(&mut self, choose: &'r Choose, rest: &'r [Stmt], one: bool) -> Result<Option<Slot>, Unknown> {
        let [
            Stmt { kind: StmtKind::Choose(next), .. },
            put,
            Stmt { kind: StmtKind::Ensure { cond, .. }, .. },
            left @ ..,
        ] = rest
        else {
            return Ok(None);
        };
        let sites = |choose: &Choose| matches!(choose.qty, Qty::One) && repr(&choose.domain.ty) == Repr::Sites;
        let told = self.told(&choose.domain) && self.told(&next.domain);
        if !sites(choose) || !sites(next) || !told || !self.apart() || !self.endings().is_empty() || restricts(left) {
            return Ok(None);
        }
        let from = self.local(choose.local);
        if !matches!(self.put(put, next.local), Some(Put::From(site)) if site == from) {
            return Ok(None);
        }
        let Some(step) = Step::to_neighbours(&next.domain, choose.local) else { return Ok(None) };
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        if parts.len() > LeadingSite::MOST {
            return Ok(None);
        }
        let board = board_of(&next.domain.ty);
        let (w, mark) = (self.layout.site_set, self.standing.len());
        let d = self.temp(w);
        self.into(&choose.domain, d);
        let (among, all) = (self.temp(w), self.all_sites(board));
        if step.empty {
            self.empty_of(board, all, among);
        } else {
            self.copy(w, among, all);
        }
        for set in step.among {
            let b = self.expr(set);
            self.emit(Op::And { w: w as u8, d: among, a: among, b });
        }
        let mut tests = Vec::new();
        for part in parts {
            let Some((kind, player, test)) = self.after_test(part) else {
                // Each site is looked at by itself.
                self.standing.truncate(mark);
                return Ok(None);
            };
            tests.push((self.standing(kind, player), test));
        }
        self.standing.truncate(mark);
        self.sites.leadings.push(LeadingSite { board, beside: step.beside, among, tests, one });
        let site = self.long(self.sites.leadings.len() - 1);
        self.emit(Op::Leading { d, site });
        Ok(Some(d))
    }

    /// The sites of a player's pieces of a kind, with those that are imagined, worked out once.
    fn standing(&mut self, kind: KindId, player: Slot) -> Slot {
        let laid = self.laid.len();
        let known = |found: &&Standing| (found.kind, found.player, found.laid) == (kind, player, laid);
        if let Some(found) = self.standing.iter().find(known) {
            return found.set;
        }
        let set = self.temp(self.layout.site_set);
        self.owned_now(set, kind, Some(player));
        self.standing.push(Standing { kind, player, laid, set });
        set
    }

    /// The sites of a last choice for which the `ensure` behind it will hold, if it is of a form that is looked at for
    /// all sites at once.
    fn lasting(&mut self, choose: &'r Choose, rest: &'r [Stmt]) -> Result<Option<Slot>, Unknown> {
        let [put, Stmt { kind: StmtKind::Ensure { cond, .. }, .. }, left @ ..] = rest else { return Ok(None) };
        if repr(&choose.domain.ty) != Repr::Sites || !self.told(&choose.domain) || !self.apart() {
            return Ok(None);
        }
        let Some(put) = self.put(put, choose.local) else { return Ok(None) };
        if restricts(left) {
            return Err(Unknown);
        }
        let board = board_of(&choose.domain.ty);
        let d = self.temp(self.layout.site_set);
        self.into(&choose.domain, d);
        let (mut parts, mut others, mark) = (Vec::new(), Vec::new(), self.standing.len());
        conjuncts(cond, &mut parts);
        for part in parts {
            let found = self.after_test(part).and_then(|(kind, player, test)| match put {
                Put::From(site) => Some((kind, player, test, site)),
                Put::New(new, owner) if owner == player && self.rules.is_below(new, kind) => {
                    Some((kind, player, test, Slot::NONE))
                }
                Put::New(..) => None,
            });
            let Some((kind, player, test, from)) = found else {
                others.push(part);
                continue;
            };
            let set = self.standing(kind, player);
            self.sites.afters.push(AfterSite { board, set, from, test });
            let site = self.long(self.sites.afters.len() - 1);
            self.emit(Op::After { d, site });
        }
        self.standing.truncate(mark);
        if !others.is_empty() {
            self.leave_lasting(choose, put, &others, d)?;
        }
        if !self.endings().is_empty() {
            self.or_ended(choose, put, d)?;
        }
        Ok(Some(d))
    }

    /// Leaves the sites of a last choice for which some conditions hold, each looked at by itself.
    fn leave_lasting(&mut self, choose: &'r Choose, put: Put, conds: &[&'r Expr], d: Slot) -> Result<(), Unknown> {
        let (set, to) = (self.temp(self.layout.site_set), self.local(choose.local));
        self.copy(self.layout.site_set, set, d);
        self.env.locals.push(set);
        let sites = ExprKind::Local(LocalId(self.env.locals.len() as u32 - 1));
        let sites = Expr { kind: sites, ty: choose.domain.ty.element().clone().set(), span: choose.span };
        let imagined = put.imagined(to);
        let mut result = Ok(());
        self.each(&sites, to, |builder| {
            let (fails, next) = (builder.label(), builder.label());
            builder.laid.push(imagined);
            for cond in conds {
                if builder.told(cond) {
                    builder.jump(cond, false, fails);
                } else {
                    result = Err(Unknown);
                }
            }
            builder.laid.pop();
            let over = builder.to(next);
            builder.emit(Op::Jump { to: over });
            builder.bind(fails);
            builder.emit(Op::RemoveBit { set: d, a: to });
            builder.bind(next);
        });
        self.env.locals.pop();
        result
    }

    /// Adds to the sites of a last choice for which the `ensure` behind it will hold those with which the game ends before.
    fn or_ended(&mut self, choose: &'r Choose, put: Put, d: Slot) -> Result<(), Unknown> {
        let to = self.local(choose.local);
        let imagined = put.imagined(to);
        let mut result = Ok(());
        self.each(&choose.domain, to, |builder| {
            let (ends, next) = (builder.label(), builder.label());
            builder.laid.push(imagined);
            result = builder.ended(ends);
            builder.laid.pop();
            let over = builder.to(next);
            builder.emit(Op::Jump { to: over });
            builder.bind(ends);
            builder.emit(Op::InsertBit { set: d, a: to });
            builder.bind(next);
        });
        result
    }

    /// Whether nothing but the action itself changes anything unless the game ends, and all that lies on boards lies on one.
    pub(super) fn apart(&self) -> bool {
        let idle = |clause: usize| match self.rules.clauses[clause].kind {
            // What hooks a verb or a turn does nothing while pieces are laid and moved.
            ClauseKind::Hook { .. } | ClauseKind::Modify { .. } => true,
            ClauseKind::Check { .. } => !self.asks_of_pieces(clause) || self.ending(clause).is_some(),
            ClauseKind::Becomes { .. } => false,
        };
        (0..self.rules.clauses.len()).all(idle) && self.rules.boards.len() == 1 && !self.rules.boards[0].endless()
    }

    /// What a statement puts on the site that was chosen.
    fn put(&mut self, stmt: &'r Stmt, chosen: LocalId) -> Option<Put> {
        match &stmt.kind {
            StmtKind::Move { what, riders: None, to: Destination::Site { site, turned: None }, local: None } => {
                let from = local_of(self.all_on(what)?)?;
                let onto = local_of(site)? == chosen && from != chosen;
                self.left_site(what).filter(|_| onto).map(Put::From)
            }
            StmtKind::Create { to: Destination::Site { site, .. }, .. } if local_of(site)? == chosen => {
                match self.laid_piece(stmt)? {
                    Imagined::Laid { kind, owner, .. } => Some(Put::New(kind, owner)),
                    Imagined::Moved { .. } => None,
                }
            }
            _ => None,
        }
    }

    /// `no SET where count (around(it) & SET) OP N`, or `count groups(SET) OP N`, of the sites of a player's pieces.
    fn after_test(&mut self, cond: &'r Expr) -> Option<(KindId, Slot, AfterTest)> {
        if let ExprKind::Not(inner) = &cond.kind {
            return match &inner.kind {
                ExprKind::Any { over, binder, cond } => self.neighbours_after(over, *binder, cond),
                ExprKind::Some(set) => self.unfold(set, 0, &mut |builder, set| {
                    let ExprKind::Where { over, binder, cond } = &set.kind else { return None };
                    builder.neighbours_after(over, *binder, cond)
                }),
                _ => None,
            };
        }
        let ExprKind::Compare(op, a, b) = &cond.kind else { return None };
        let (groups, op, n) = match (&a.kind, &b.kind) {
            (ExprKind::Count(set), _) => (set, *op, b),
            (_, ExprKind::Count(set)) => (set, op.turned(), a),
            _ => return None,
        };
        let n = self.number_apart(n)?;
        self.unfold(groups, 0, &mut |builder, set| {
            let ExprKind::Builtin(Builtin::Groups, args) = &set.kind else { return None };
            let (kind, player) = builder.own_sites(args.first()?)?;
            Some((kind, player, AfterTest::Groups { op, n }))
        })
    }

    /// What is left to ask where none of a player's pieces may have so many neighbours of their own.
    fn neighbours_after(
        &mut self,
        over: &'r Expr,
        binder: LocalId,
        cond: &'r Expr,
    ) -> Option<(KindId, Slot, AfterTest)> {
        let test = any_neighbour_test(binder, cond)?;
        let n = match test.n {
            Some(n) => self.number_apart(n)?,
            None => self.word(0),
        };
        let (own, among) = (self.own_sites(over)?, self.own_sites(test.among)?);
        (own == among).then_some((own.0, own.1, AfterTest::Neighbours { beside: test.beside, op: test.op, n }))
    }

    /// A number that is the same whatever is laid and moved on boards.
    fn number_apart(&mut self, expr: &'r Expr) -> Option<Slot> {
        if let Some(slot) = self.settled_word(expr) {
            return Some(slot);
        }
        let reads = super::reads::expr_reads(self.rules, &self.has_modifiers, expr);
        let apart = expr.ty == Ty::Number && reads & touch::PIECES == 0 && self.told(expr) && self.harmless(expr);
        apart.then(|| self.expr(expr))
    }

    /// A number that is already in a slot.
    pub(super) fn settled_word(&mut self, expr: &Expr) -> Option<Slot> {
        match expr.kind {
            ExprKind::Local(local) => Some(self.local(local)).filter(|slot| *slot != Slot::NONE),
            ExprKind::Word(word) => Some(self.word(word)),
            ExprKind::Option(option) => {
                let value = self.rules.options[option.index()].value;
                Some(self.word(value))
            }
            _ => None,
        }
    }

    /// `sites(KIND where owner = P)`: the kind, and the player.
    fn own_sites(&mut self, expr: &'r Expr) -> Option<(KindId, Slot)> {
        self.unfold(expr, 0, &mut |builder, expr| {
            let ExprKind::Builtin(Builtin::SitesOf, args) = &expr.kind else { return None };
            let (kind, player) = builder.owned_of(args.first()?)?;
            let player = match player.kind {
                ExprKind::Me => builder.env.me,
                _ => builder.settled_word(player)?,
            };
            Some((kind, player))
        })
    }

    /// Looks at what a definition says, with its parameters bound, or at what stands there.
    fn unfold<T>(
        &mut self,
        expr: &'r Expr,
        calls: usize,
        f: &mut dyn FnMut(&mut Self, &'r Expr) -> Option<T>,
    ) -> Option<T> {
        let rules = self.rules;
        let (proc, args) = match &expr.kind {
            ExprKind::ToSet(inner) if repr(&inner.ty) == repr(&expr.ty) => return self.unfold(inner, calls, f),
            ExprKind::Call(proc, args) if calls < MAX_CALLS => (proc, args),
            _ => return f(self, expr),
        };
        let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return None };
        let mut locals = Vec::new();
        for arg in args {
            locals.push(match arg.kind {
                ExprKind::Me => self.env.me,
                _ => self.settled_word(arg)?,
            });
        }
        let known = locals.len();
        locals.extend(rules.procs[proc.index()].locals[known..].iter().map(|_| Slot::NONE));
        let env = super::code::Env::new(locals, self.env.me, self.env.this);
        let env = std::mem::replace(&mut self.env, env);
        let found = self.unfold(body, calls + 1, f);
        self.env = env;
        found
    }
}

/// `empty(around(it))` and its like: the neighbours of a site that are in sets that do not depend on it.
struct Step<'e> {
    beside: bool,
    empty: bool,
    among: Vec<&'e Expr>,
}

impl<'e> Step<'e> {
    fn to_neighbours(expr: &'e Expr, from: LocalId) -> Option<Step<'e>> {
        match &expr.kind {
            ExprKind::ToSet(inner) if repr(&inner.ty) == repr(&expr.ty) => Step::to_neighbours(inner, from),
            ExprKind::Builtin(Builtin::EmptyOf, args) => {
                Some(Step { empty: true, ..Step::to_neighbours(args.first()?, from)? })
            }
            ExprKind::Builtin(what @ (Builtin::Around | Builtin::Beside), args) => {
                let ExprKind::ToSet(site) = &args.first()?.kind else { return None };
                (local_of(site)? == from).then_some(Step {
                    beside: *what == Builtin::Beside,
                    empty: false,
                    among: Vec::new(),
                })
            }
            ExprKind::Binary(BinaryOp::Both, a, b) => {
                let (near, set) = if a.mentions(from) { (a, b) } else { (b, a) };
                let mut step = Step::to_neighbours(near, from).filter(|_| !set.mentions(from))?;
                step.among.push(set);
                Some(step)
            }
            _ => None,
        }
    }
}
