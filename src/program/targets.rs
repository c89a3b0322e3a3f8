//! What calls of verbs and choices for them know of what forbids them.

use super::code::Builder;
use super::sites::Need;
use super::stmts::need;
use crate::base::{Code, Diagnostic};
use crate::model::rules::{
    Clause, ClauseId, ClauseKind, Expr, ExprKind, GroupId, HookEvent, LocalId, ProcBody, Stage, VerbId, VerbParam,
};

impl Builder<'_> {
    /// The rules that a call ignores, as bits.
    pub(super) fn ignoring(&mut self, groups: &[GroupId]) -> u64 {
        let mut mask = 0;
        for group in groups {
            let known = self.sites.ignored.iter().position(|other| other == group);
            let bit = known.unwrap_or(self.sites.ignored.len());
            if known.is_none() {
                self.sites.ignored.push(*group);
            }
            if bit >= 64 {
                let found = "calls ignore more than 64 different rules";
                self.errors.push(Diagnostic::new(Code::GameTooLarge, self.span, found).help("put rules together"));
            }
            mask |= 1_u64.checked_shl(bit as u32).unwrap_or(0);
        }
        mask
    }

    /// What a call of a verb needs of those of its arguments that are known, as bits.
    pub(super) fn needed_of(&self, verb: VerbId, sure: u64) -> Vec<(u16, Need)> {
        let mut at = 0;
        let mut needed = Vec::new();
        for (index, param) in self.rules.verbs[verb.index()].params.iter().enumerate() {
            let need = need(&param.ty);
            if need != Need::Nothing && sure.checked_shr(index as u32).is_some_and(|rest| rest & 1 == 1) {
                needed.push((at, need));
            }
            at += self.layout.words(&param.ty);
        }
        needed
    }

    /// What forbids a verb by arguments that are not known.
    pub(super) fn unasked(&self, verb: VerbId, args: &[Option<Expr>]) -> Vec<ClauseId> {
        let rules = self.rules;
        let unknown = |(index, param): &(usize, &VerbParam)| match args.get(*index) {
            Some(Some(arg)) => matches!(arg.kind, ExprKind::Nothing | ExprKind::Empty),
            _ => param.default.is_none(),
        };
        let params = rules.verbs[verb.index()].params.iter().enumerate().filter(unknown);
        let unknown: Vec<LocalId> = params.map(|(index, _)| LocalId(index as u32)).collect();
        let asks = |clause: &&Clause| match &clause.kind {
            ClauseKind::Hook { event: HookEvent::Verb(on), stage: Stage::Cannot, cond: Some(cond), .. } => {
                *on == verb
                    && matches!(&rules.procs[cond.index()].body, ProcBody::Expr(cond)
                        if unknown.iter().any(|local| cond.mentions(*local)))
            }
            _ => false,
        };
        let clauses = rules.clauses.iter().enumerate().filter(|(_, clause)| asks(clause));
        clauses.map(|(index, _)| ClauseId(index as u32)).collect()
    }
}
