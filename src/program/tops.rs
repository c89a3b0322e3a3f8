//! Cards at the top of piles are drawn before a statement asks for them, wherever in its expressions it does: in a
//! branch, a filter or a definition too. Expressions themselves never draw.

use super::code::Builder;
use super::op::Op;
use crate::model::rules::{Builtin, Expr, ExprKind, LocalId, ProcBody, Rules, Stmt, Ty, ZoneId};

/// How deep definitions are looked into.
const MOST_DEPTH: usize = 8;
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

enum Whose {
    Shared,
    Of(Expr),
    /// Which player's depends on what is not known before.
    Any,
}

/// Whether an expression asks for cards at the top of a pile.
pub(super) fn asks(rules: &Rules, expr: &Expr) -> bool {
    let mut found = Vec::new();
    collect(rules, expr, &mut Vec::new(), MOST_DEPTH, &mut found);
    !found.is_empty()
}

impl Builder<'_> {
    /// Sees to it that the cards at the top of piles are known before a statement asks for them.
    pub(super) fn sample(&mut self, stmt: &Stmt) {
        let (rules, mut found) = (self.rules, Vec::new());
        super::walk::stmt_exprs(stmt, &mut |expr| collect(rules, expr, &mut Vec::new(), MOST_DEPTH, &mut found));
        found.iter().for_each(|top| self.sample_top(top));
    }

    /// The same before some expressions are worked out.
    pub fn sample_in<'e>(&mut self, exprs: impl Iterator<Item = &'e Expr>) {
        let (rules, mut found) = (self.rules, Vec::new());
        exprs.for_each(|expr| collect(rules, expr, &mut Vec::new(), MOST_DEPTH, &mut found));
        found.iter().for_each(|top| self.sample_top(top));
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

/// The tops that an expression asks for; `bound` are the names that it gives itself.
fn collect(rules: &Rules, expr: &Expr, bound: &mut Vec<LocalId>, depth: usize, found: &mut Vec<Top>) {
    let known = |expr: &Expr, bound: &[LocalId]| !bound.iter().any(|local| expr.mentions(*local));
    if let ExprKind::Builtin(Builtin::Top, args) = &expr.kind
        && let Some(contents) = args.first()
        && let ExprKind::Contents(zone, of) = &contents.kind
    {
        let whose = match of {
            None => Whose::Shared,
            Some(of) if known(of, bound) => Whose::Of(of.as_ref().clone()),
            Some(_) => Whose::Any,
        };
        let one = Expr { kind: ExprKind::Word(1), ty: Ty::Number, span: expr.span };
        let n = args.get(1).cloned().unwrap_or(one);
        let n = Some(n).filter(|n| known(n, bound));
        found.push(Top { zone: *zone, whose, n, contents: contents.clone() });
        return;
    }
    let inner = expr.binder();
    expr.each_part(&mut |part| {
        // What a filter goes over does not have its name.
        bound.extend(inner);
        collect(rules, part, bound, depth, found);
        bound.truncate(bound.len() - usize::from(inner.is_some()));
    });
    let ExprKind::Call(proc, args) = &expr.kind else { return };
    let proc = &rules.procs[proc.index()];
    let ProcBody::Expr(body) = &proc.body else { return };
    if depth == 0 || !mentions_top(rules, body, depth) {
        return;
    }
    let mut body = body.clone();
    put(&mut body, args);
    bound.push(INNER);
    collect(rules, &body, bound, depth - 1, found);
    bound.pop();
}

/// Whether an expression asks for a top, or a definition that it calls.
fn mentions_top(rules: &Rules, expr: &Expr, depth: usize) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found = found
            || match &part.kind {
                ExprKind::Builtin(builtin, _) => *builtin == Builtin::Top,
                ExprKind::Call(proc, _) if depth > 0 => match &rules.procs[proc.index()].body {
                    ProcBody::Expr(body) => mentions_top(rules, body, depth - 1),
                    ProcBody::Block(_) => false,
                },
                _ => false,
            };
    });
    found
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
