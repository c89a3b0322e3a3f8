//! Numbers that may be missing where one is promised: a counter or a mark of a number is always one, and so is what a
//! definition says that it gives. What may be `nothing` is fine where somebody has looked whether it is there.

use super::check::Checker;
use super::rules::walk::each_in;
use super::rules::{Builtin, Expr, ExprKind, LocalId, ProcBody, ProcId, PropClass, PropId, Rules, StmtKind, Ty};
use crate::base::{Code, Diagnostic};
use std::collections::BTreeSet;

/// What is known where a number stands.
#[derive(Default)]
pub(super) struct Asked<'e> {
    /// Conditions, and sets of which something was taken, that stand before.
    conds: Vec<&'e Expr>,
    /// The locals that may be nothing; missing where any may.
    locals: Option<BTreeSet<LocalId>>,
}

impl Checker<'_> {
    /// Reports what may be nothing and is put into a counter.
    pub(super) fn check_missing(&mut self) {
        let mut found = Vec::new();
        for proc in &self.rules.procs {
            let ProcBody::Block(stmts) = &proc.body else { continue };
            // Whatever was asked before counts: it may have led elsewhere where nothing is there. What was chosen is there.
            let mut asked = Asked { conds: Vec::new(), locals: Some(BTreeSet::new()) };
            each_in(stmts, &mut |stmt| match &stmt.kind {
                StmtKind::SetProp { prop, value, .. } | StmtKind::SetGameProp { prop, value } => {
                    let missing = asked.missing(&self.rules, value).filter(|_| self.is_a_number(*prop));
                    found.extend(missing.map(|missing| (*prop, missing.span)));
                }
                StmtKind::Local { local, value } => {
                    let missing =
                        !matches!(value.kind, ExprKind::Nothing) && asked.missing(&self.rules, value).is_some();
                    if let Some(locals) = asked.locals.as_mut().filter(|_| missing) {
                        locals.insert(*local);
                    }
                }
                StmtKind::If { cond, .. } | StmtKind::Ensure { cond, .. } | StmtKind::Requires { cond, .. } => {
                    asked.conds.push(cond);
                }
                StmtKind::Repeat { until: Some(cond), .. } => asked.conds.push(cond),
                StmtKind::Choose(choose) => asked.conds.push(&choose.domain),
                StmtKind::Each { domain, .. } => asked.conds.push(domain),
                _ => {}
            });
        }
        // What is put into an entry of a table is put into each, for what the text says once.
        found.dedup_by_key(|(_, span)| *span);
        for (prop, span) in found {
            let name = self.rules.props.get(prop.index()).map_or("", |prop| prop.name.as_str());
            let found = Diagnostic::new(
                Code::UntestedMaybe,
                span,
                format!("this may be nothing, and `{name}` is always a number"),
            )
            .help("say what it is then, `... else 0`, or ask before: `if some x { ... }`");
            self.report(found);
        }
    }

    /// Whether a counter or mark is a number that is never missing.
    fn is_a_number(&self, prop: PropId) -> bool {
        self.rules.props.get(prop.index()).is_some_and(|prop| {
            matches!(prop.class, PropClass::Counter { .. } | PropClass::Mark { .. }) && prop.ty == Ty::Number
        })
    }
}

/// Whether a property always has a value.
fn has_always(rules: &Rules, prop: PropId) -> bool {
    rules.props.get(prop.index()).is_some_and(|prop| !matches!(prop.ty, Ty::Maybe(_)))
}

/// Whether what a definition gives is always there, if what it is given is.
fn gives_always(rules: &Rules, proc: ProcId) -> bool {
    let body = rules.procs.get(proc.index()).map(|proc| &proc.body);
    matches!(body, Some(ProcBody::Expr(body)) if !matches!(body.ty, Ty::Maybe(_)))
}

impl<'e> Asked<'e> {
    /// What may be nothing in a value, and nobody has asked about.
    pub(super) fn missing(&mut self, rules: &Rules, value: &'e Expr) -> Option<&'e Expr> {
        match &value.kind {
            ExprKind::If(cond, then, or_else) => {
                self.conds.push(cond);
                // The last case of a key that play decides stands nowhere in the text.
                let last = matches!(or_else.kind, ExprKind::Nothing) && or_else.span == value.span;
                // `F else G`: the first stands only where it is there.
                let there = matches!(&cond.kind, ExprKind::Some(asked) if asked.span == then.span);
                let found = Some(then).filter(|_| !there).and_then(|then| self.missing(rules, then));
                let found = found.or_else(|| self.missing(rules, or_else).filter(|_| !last));
                self.conds.pop();
                found
            }
            ExprKind::Binary(_, left, right) => self.missing(rules, left).or_else(|| self.missing(rules, right)),
            ExprKind::Negate(inner) => self.missing(rules, inner),
            _ if !matches!(value.ty, Ty::Maybe(_)) => None,
            // What is worked out of something is there if that is, and a piece is somewhere, as far as the author knows.
            ExprKind::Builtin(
                Builtin::SiteOf
                | Builtin::Row
                | Builtin::Column
                | Builtin::EnumIndex
                | Builtin::Abs
                | Builtin::Smaller
                | Builtin::Larger,
                args,
            ) => args.iter().find_map(|arg| self.missing(rules, arg)),
            ExprKind::Call(proc, args) if gives_always(rules, *proc) => {
                let takes = |at: usize| rules.procs.get(proc.index()).and_then(|proc| proc.locals.get(at));
                let strict = |at: usize| takes(at).is_some_and(|local| !matches!(local.ty, Ty::Maybe(_)));
                args.iter().enumerate().filter(|(at, _)| strict(*at)).find_map(|(_, arg)| self.missing(rules, arg))
            }
            _ => (!self.is_there(rules, value)).then_some(value),
        }
    }

    /// Whether somebody has asked about it, or about what it is worked out from.
    fn is_there(&self, rules: &Rules, expr: &Expr) -> bool {
        if self.is_asked(expr) {
            return true;
        }
        match &expr.kind {
            ExprKind::Local(local) => self.is_bound(*local),
            // Somebody acts, and a game without players is over.
            ExprKind::Actor | ExprKind::Players | ExprKind::Opponents => true,
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.is_there(rules, inner),
            ExprKind::Prop(of, prop) => {
                self.is_there(rules, of) || has_always(rules, *prop) && !matches!(of.ty, Ty::Maybe(_))
            }
            ExprKind::GameProp(prop) => has_always(rules, *prop),
            // What is chosen is a place in the list, as far as the author knows.
            ExprKind::Index(list, at) | ExprKind::Part(list, at) => {
                self.is_asked(list) || self.is_asked(at) || self.picks(at)
            }
            // A filter may leave none of those that are there.
            ExprKind::Where { over, .. } => {
                !matches!(over.bare().kind, ExprKind::Players | ExprKind::Opponents) && self.is_there(rules, over)
            }
            ExprKind::Collect { over, .. } | ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => {
                self.is_there(rules, over)
            }
            ExprKind::Builtin(Builtin::First | Builtin::Top | Builtin::Bottom, args) => {
                args.first().is_some_and(|from| self.is_there(rules, from))
            }
            _ => false,
        }
    }

    /// Whether a condition before speaks of it.
    fn is_asked(&self, expr: &Expr) -> bool {
        let about = |cond: &&Expr| {
            let mut found = false;
            cond.walk(&mut |part| found |= part.bare().same(expr.bare()));
            found
        };
        self.conds.iter().any(about)
    }

    /// Whether a local is something that is there.
    fn is_bound(&self, local: LocalId) -> bool {
        self.locals.as_ref().is_some_and(|locals| !locals.contains(&local))
    }

    /// Whether a place in a list is worked out from something that is there.
    fn picks(&self, at: &Expr) -> bool {
        let mut found = false;
        at.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(local) if self.is_bound(local)));
        found
    }
}
