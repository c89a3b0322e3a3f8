//! Numbers that may be missing where one is promised: a counter or a mark of a number is always one, and so is what a
//! definition says that it gives. What may be `nothing` is fine where somebody has looked whether it is there.

use super::check::Checker;
use super::rules::walk::each_in;
use super::rules::{Builtin, Expr, ExprKind, LocalId, ProcBody, PropClass, PropId, StmtKind, Ty};
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
                    let missing = asked.missing(value).filter(|_| self.is_a_number(*prop));
                    found.extend(missing.map(|missing| (*prop, missing.span)));
                }
                StmtKind::Local { local, value } => {
                    let missing = !matches!(value.kind, ExprKind::Nothing) && asked.missing(value).is_some();
                    if let Some(locals) = asked.locals.as_mut().filter(|_| missing) {
                        locals.insert(*local);
                    }
                }
                StmtKind::If { cond, .. } | StmtKind::Ensure { cond } | StmtKind::Requires { cond, .. } => {
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

impl<'e> Asked<'e> {
    /// What may be nothing in a value, and nobody has asked about.
    pub(super) fn missing(&mut self, value: &'e Expr) -> Option<&'e Expr> {
        match &value.kind {
            ExprKind::If(cond, then, or_else) => {
                self.conds.push(cond);
                // The last case of a key that play decides stands nowhere in the text.
                let last = matches!(or_else.kind, ExprKind::Nothing) && or_else.span == value.span;
                let found = self.missing(then).or_else(|| self.missing(or_else).filter(|_| !last));
                self.conds.pop();
                found
            }
            ExprKind::Binary(_, left, right) => self.missing(left).or_else(|| self.missing(right)),
            ExprKind::Negate(inner) => self.missing(inner),
            _ if !matches!(value.ty, Ty::Maybe(_)) => None,
            _ => (!self.is_there(value)).then_some(value),
        }
    }

    /// Whether somebody has asked about it, or about what it is worked out from.
    fn is_there(&self, expr: &Expr) -> bool {
        if self.is_asked(expr) {
            return true;
        }
        match &expr.kind {
            ExprKind::Local(local) => self.is_bound(*local),
            // Somebody acts, and a game without players is over.
            ExprKind::Actor | ExprKind::Players | ExprKind::Opponents => true,
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.is_there(inner),
            ExprKind::Prop(of, _) => !matches!(of.ty, Ty::Maybe(_)) || self.is_there(of),
            ExprKind::GameProp(_) => true,
            // What is chosen is a place in the list, as far as the author knows.
            ExprKind::Index(list, at) | ExprKind::Part(list, at) => {
                self.is_asked(list) || self.is_asked(at) || self.picks(at)
            }
            ExprKind::Where { over, .. }
            | ExprKind::Collect { over, .. }
            | ExprKind::Having { over, .. }
            | ExprKind::Sorted { over, .. } => self.is_there(over),
            ExprKind::Builtin(Builtin::First | Builtin::Top | Builtin::Bottom, args) => {
                args.first().is_some_and(|from| self.is_there(from))
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
