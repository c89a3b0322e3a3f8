//! Marks of pieces that say where these were: they are a part of the arrangement that `repeats` compares, so that hardly any is the same
//! as another.

use super::check::Checker;
use super::rules::walk::{each_expr, each_in};
use super::rules::{Builtin, ExprKind, ProcBody, PropOwner, RootKind, StmtKind, Ty};
use crate::base::{Code, Diagnostic, Span};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Warns of sites that are kept with pieces where a game asks for repeated arrangements.
    pub(super) fn check_arranged(&mut self) {
        let Some(asked) = self.repeats_asked() else { return };
        let mut kept = BTreeSet::new();
        for proc in &self.rules.procs {
            let ProcBody::Block(stmts) = &proc.body else { continue };
            each_in(stmts, &mut |stmt| {
                if let StmtKind::SetProp { prop, .. } = &stmt.kind {
                    kept.insert(*prop);
                }
            });
        }
        let found: Vec<Diagnostic> = kept.into_iter().filter_map(|prop| {
            let info = self.rules.props.get(prop.index())?;
            let PropOwner::Kind(kind) = info.owner else { return None };
            let piece = self.rules.kinds[kind.index()].root == RootKind::Piece;
            if info.aside || !piece || !matches!(info.ty.bare(), Ty::Site(_)) {
                return None;
            }
            let name = &info.name;
            let message = format!("`{name}` is a part of the arrangement that `repeats` compares: while it differs, no arrangement is the same");
            let help = format!("write `aside` behind its type if it only keeps in mind where a piece was: `mark {name}: ... aside`");
            Some(Diagnostic::new(Code::KeptInArrangement, info.span, message).label(asked, "compared here").help(help))
        }).collect();
        found.into_iter().for_each(|found| self.report(found));
    }

    /// Where it is first asked whether an arrangement was there before.
    fn repeats_asked(&self) -> Option<Span> {
        let mut asked: Option<Span> = None;
        for proc in &self.rules.procs {
            each_expr(proc, &mut |expr| {
                if matches!(expr.kind, ExprKind::Builtin(Builtin::Repeats, _)) {
                    asked = asked.or(Some(expr.span));
                }
            });
        }
        asked
    }
}
