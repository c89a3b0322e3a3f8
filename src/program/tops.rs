//! Cards at the top of piles are drawn before a statement asks for them, wherever in its expressions it does: in a
//! branch, a filter or a definition too. Expressions themselves never draw.

use super::code::Builder;
use super::op::Op;
use crate::model::rules::{Act, Builtin, Expr, ExprKind, LocalId, ProcBody, ProcId, Rules, Stmt, StmtKind, Ty, ZoneId};

/// Parts of definitions that are looked into for one statement; beyond them, whole piles are drawn.
const MOST_PARTS: usize = 2000;
/// Stands for the names within definitions.
const INNER: LocalId = LocalId(u32::MAX);

/// The top of a pile that is asked for.
struct Top {
    zone: ZoneId,
    whose: Whose,
    /// How many cards; none where that is not known before: all.
    n: Option<Expr>,
    /// The zone as it is written.
    contents: Expr,
}

/// What has to be drawn, in the order in which it is asked for.
enum Draw {
    Top(Top),
    /// What each branch asks for.
    Branch {
        cond: Expr,
        holds: Vec<Draw>,
        fails: Vec<Draw>,
    },
}

enum Whose {
    Shared,
    Of(Expr),
    /// Which player's depends on what is not known before.
    Any,
}

/// Which piles' tops each procedure that is an expression asks for, itself and through the definitions it calls.
pub(super) struct Tops {
    asked: Vec<bool>,
}

impl Tops {
    pub fn new(rules: &Rules) -> Tops {
        let mut tops = Tops { asked: vec![false; rules.procs.len()] };
        loop {
            let before = tops.asked.clone();
            for (index, proc) in rules.procs.iter().enumerate() {
                if let ProcBody::Expr(body) = &proc.body {
                    tops.asked[index] = tops.asked[index] || tops.asks(body);
                }
            }
            if tops.asked == before {
                return tops;
            }
        }
    }

    /// Whether an expression asks for cards at the top of a pile, or a definition that it calls.
    pub fn asks(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |part| {
            found = found
                || match &part.kind {
                    ExprKind::Builtin(builtin, _) => builtin.is_of_pile(),
                    ExprKind::Call(proc, _) => self.asked[proc.index()],
                    _ => false,
                };
        });
        found
    }
}

impl Builder<'_> {
    /// Sees to it that the cards at the top of piles are known before a statement asks for them.
    pub(super) fn sample(&mut self, stmt: &Stmt) {
        self.draw_for(false, |search| super::walk::stmt_exprs(stmt, &mut |expr| search.collect(expr)));
    }

    /// The same before some expressions are worked out.
    pub fn sample_in<'e>(&mut self, exprs: impl Iterator<Item = &'e Expr>) {
        self.draw_for(false, |search| exprs.for_each(|expr| search.collect(expr)));
    }

    /// The same before actions are offered: what their conditions and first choices ask for. Where another player than
    /// the one at hand takes them, it is not looked into of whom.
    pub(super) fn sample_for(&mut self, acts: &[Act], others: bool) {
        self.draw_for(others, |search| {
            search.bound.push(INNER);
            acts.iter().for_each(|act| search.collect_act(act));
        });
    }

    /// Draws what is found to be asked for; by others than the player at hand if so.
    fn draw_for(&mut self, others: bool, look: impl FnOnce(&mut Search<'_>)) {
        let found = {
            let mut search = Search {
                builder: self,
                others,
                bound: Vec::new(),
                left: MOST_PARTS,
                whole: Vec::new(),
                found: Vec::new(),
            };
            look(&mut search);
            search.found
        };
        self.draw(&found);
    }

    fn draw(&mut self, draws: &[Draw]) {
        for draw in draws {
            match draw {
                Draw::Top(top) => self.sample_top(top),
                Draw::Branch { cond, holds, fails } => {
                    let (other, end) = (self.label(), self.label());
                    self.jump(cond, false, other);
                    self.draw(holds);
                    if !fails.is_empty() {
                        let to = self.to(end);
                        self.emit(Op::Jump { to });
                    }
                    self.bind(other);
                    self.draw(fails);
                    self.bind(end);
                }
            }
        }
    }

    fn sample_top(&mut self, top: &Top) {
        let span = top.contents.span;
        match &top.whose {
            Whose::Shared => self.sample_zone(top, None),
            Whose::Of(player) => self.sample_zone(top, Some(player)),
            Whose::Any => {
                let players = Expr { kind: ExprKind::Players, ty: Ty::Player.set(), span };
                let subject = self.temp(1);
                self.env.locals.push(subject);
                let local = LocalId(self.env.locals.len() as u32 - 1);
                let player = Expr { kind: ExprKind::Local(local), ty: Ty::Player, span };
                self.each(&players, subject, |builder| builder.sample_zone(top, Some(&player)));
            }
        }
    }

    fn sample_zone(&mut self, top: &Top, of: Option<&Expr>) {
        let n = match &top.n {
            Some(n) => self.expr(n),
            None => {
                let kind = ExprKind::Contents(top.zone, of.cloned().map(Box::new));
                let ty = top.contents.ty.element().clone().set();
                let contents = Expr { kind, ty, ..top.contents.clone() };
                let kind = ExprKind::Count(Box::new(contents));
                self.expr(&Expr { kind, ty: Ty::Number, span: top.contents.span })
            }
        };
        let zone = self.instance(top.zone, of);
        self.emit(Op::Sample { zone, n });
    }
}

/// Looks for the tops that the expressions of a statement ask for.
struct Search<'r> {
    builder: &'r Builder<'r>,
    /// Whether another player than the one at hand asks, so that nothing can be worked out before as they would.
    others: bool,
    /// The names that the expression at hand gives itself.
    bound: Vec<LocalId>,
    /// Parts of definitions that may yet be looked into.
    left: usize,
    /// Definitions of which the whole piles are drawn.
    whole: Vec<ProcId>,
    found: Vec<Draw>,
}

impl Search<'_> {
    /// Whether an expression can be worked out before the statement: it has no name of the filters around it, nor one
    /// that a definition gives within.
    fn known(&self, expr: &Expr) -> bool {
        let mut inner = false;
        expr.walk(&mut |part| inner |= part.binder() == Some(INNER));
        !inner && !self.bound.iter().any(|local| expr.mentions(*local))
    }

    /// What settles whether an action is offered, and with which first choice; what follows is not looked at before.
    fn collect_act(&mut self, act: &Act) {
        let rules = self.builder.rules;
        let ProcBody::Block(stmts) = &rules.procs[rules.actions[act.action.index()].body.index()].body else { return };
        let unknown = |expr: &Expr| Expr { kind: ExprKind::Local(INNER), ..expr.clone() };
        let args = if self.others { act.args.iter().map(unknown).collect() } else { act.args.clone() };
        let plain = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Local { .. } | StmtKind::Requires { .. });
        let before = stmts.iter().take_while(plain).count();
        let choose = stmts.get(before).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Choose(_)));
        let requires = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Requires { .. });
        let asked = match stmts[..before].iter().rposition(requires) {
            _ if choose => before + 1,
            Some(last) => last + 1,
            None => 0,
        };
        for stmt in &stmts[..asked] {
            super::walk::stmt_exprs(stmt, &mut |expr| {
                let mut expr = expr.clone();
                put(&mut expr, &args);
                self.collect(&expr);
            });
        }
    }

    fn collect(&mut self, expr: &Expr) {
        if let ExprKind::Builtin(builtin @ (Builtin::Top | Builtin::Bottom), args) = &expr.kind
            && let Some(contents) = args.first()
            && let ExprKind::Contents(zone, of) = &contents.kind
        {
            let whose = match of {
                None => Whose::Shared,
                Some(of) if !self.others && self.known(of) => Whose::Of(of.as_ref().clone()),
                Some(_) => Whose::Any,
            };
            let one = Expr { kind: ExprKind::Word(1), ty: Ty::Number, span: expr.span };
            // The bottom is known once all are that lie above it.
            let n = Some(args.get(1).cloned().unwrap_or(one)).filter(|n| *builtin == Builtin::Top && self.known(n));
            self.found.push(Draw::Top(Top { zone: *zone, whose, n, contents: contents.clone() }));
            return;
        }
        if let ExprKind::If(cond, then, or_else) = &expr.kind
            && !self.others
            && self.known(cond)
            && self.builder.harmless(cond)
        {
            self.collect(cond);
            let mut branch = |expr: &Expr| {
                let around = std::mem::take(&mut self.found);
                self.collect(expr);
                std::mem::replace(&mut self.found, around)
            };
            let (holds, fails) = (branch(then), branch(or_else));
            if !holds.is_empty() || !fails.is_empty() {
                self.found.push(Draw::Branch { cond: cond.as_ref().clone(), holds, fails });
            }
            return;
        }
        let inner = expr.binder();
        expr.each_part(&mut |part| {
            // What a filter goes over does not have its name.
            self.bound.extend(inner);
            self.collect(part);
            self.bound.truncate(self.bound.len() - usize::from(inner.is_some()));
        });
        let ExprKind::Call(proc, args) = &expr.kind else { return };
        let ProcBody::Expr(body) = &self.builder.rules.procs[proc.index()].body else { return };
        if !self.builder.asked_tops.asked[proc.index()] {
            return;
        }
        let mut body = body.clone();
        put(&mut body, args);
        let mut parts = 0;
        body.walk(&mut |_| parts += 1);
        let Some(left) = self.left.checked_sub(parts) else { return self.whole(*proc) };
        self.left = left;
        self.bound.push(INNER);
        self.collect(&body);
        self.bound.pop();
    }

    /// The piles whose tops a definition asks for, and all that it calls: what it asks of whom is not looked into.
    fn whole(&mut self, proc: ProcId) {
        let rules = self.builder.rules;
        let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return };
        if self.whole.contains(&proc) {
            return;
        }
        self.whole.push(proc);
        body.walk(&mut |part| match &part.kind {
            ExprKind::Builtin(Builtin::Top | Builtin::Bottom, args) => {
                if let Some(contents) = args.first()
                    && let ExprKind::Contents(zone, of) = &contents.kind
                {
                    let whose = if of.is_none() { Whose::Shared } else { Whose::Any };
                    let top = Top { zone: *zone, whose, n: None, contents: contents.clone() };
                    self.found.push(Draw::Top(top));
                }
            }
            ExprKind::Call(called, _) if self.builder.asked_tops.asked[called.index()] => self.whole(*called),
            _ => {}
        });
    }
}

/// Puts arguments in the place of parameters; every other name is one of the definition's own.
fn put(expr: &mut Expr, args: &[Expr]) {
    if let ExprKind::Local(local) = expr.kind {
        match args.get(local.index()) {
            Some(arg) => *expr = arg.clone(),
            None => expr.kind = ExprKind::Local(INNER),
        }
        return;
    }
    if let Some(binder) = expr.binder_mut() {
        *binder = INNER;
    }
    expr.each_part_mut(&mut |part| put(part, args));
}
