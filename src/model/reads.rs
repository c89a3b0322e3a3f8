//! Which counters, marks and stats conditions read, through definitions, stats and whatever modifies these. It may say too much, never
//! too little.

use super::rules::{
    ClauseHome, ClauseKind, Expr, ExprKind, HookEvent, ProcBody, ProcId, PropClass, PropId, Rules, VerbId,
};
use std::collections::BTreeSet;

/// What conditions read of the state.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    props: BTreeSet<PropId>,
    seen: BTreeSet<ProcId>,
    /// Whether they may read any property.
    all: bool,
}

impl Reads {
    /// What decides whether a `cannot` stops a verb.
    pub fn of_bans(rules: &Rules, verb: VerbId) -> Reads {
        let mut reads = Reads::default();
        for clause in &rules.clauses {
            let ClauseKind::Hook { event: HookEvent::Verb(of), body: None, .. } = clause.kind else { continue };
            if of == verb {
                reads.clause(rules, clause.home, &clause.kind);
            }
        }
        let params = rules.verbs.get(verb.index()).map_or(&[][..], |verb| &verb.params);
        params.iter().filter_map(|param| param.default).for_each(|default| reads.proc(rules, default));
        reads
    }

    /// What decides whether something acts by itself.
    pub fn of_waiting(rules: &Rules) -> Reads {
        let mut reads = Reads::default();
        for clause in &rules.clauses {
            let (ClauseKind::Becomes { cond, .. } | ClauseKind::Check { cond, .. }) = clause.kind else { continue };
            reads.home(rules, clause.home);
            reads.proc(rules, cond);
        }
        reads
    }

    fn clause(&mut self, rules: &Rules, home: ClauseHome, kind: &ClauseKind) {
        self.home(rules, home);
        kind.procs().for_each(|proc| self.proc(rules, proc));
    }

    /// What decides whether a clause is in force.
    fn home(&mut self, rules: &Rules, home: ClauseHome) {
        match home {
            ClauseHome::Rule(group) => {
                let when = rules.groups.get(group.index()).and_then(|group| group.when);
                when.into_iter().for_each(|when| self.proc(rules, when));
            }
            ClauseHome::Entry(_) | ClauseHome::Kind(_) => {
                let stand = rules.kinds.iter().filter_map(|kind| kind.stands_when);
                stand.for_each(|when| self.proc(rules, when));
            }
            // It may end with a condition.
            ClauseHome::Armed => self.all = true,
        }
    }

    fn proc(&mut self, rules: &Rules, proc: ProcId) {
        if !self.seen.insert(proc) {
            return;
        }
        match rules.procs.get(proc.index()).map(|proc| &proc.body) {
            Some(ProcBody::Expr(expr)) => expr.walk(&mut |part| self.part(rules, part)),
            Some(ProcBody::Block(_)) | None => self.all = true,
        }
    }

    /// What an expression itself reads, without the expressions in it.
    pub fn part(&mut self, rules: &Rules, part: &Expr) {
        match &part.kind {
            ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) | ExprKind::Side(_, prop, _) => self.prop(rules, *prop),
            ExprKind::Call(proc, _) | ExprKind::Lambda(proc) => self.proc(rules, *proc),
            ExprKind::Can(..) | ExprKind::Targetable { .. } | ExprKind::CallLambda(..) | ExprKind::CallScript(..) => {
                self.all = true;
            }
            _ => {}
        }
    }

    fn prop(&mut self, rules: &Rules, prop: PropId) {
        if !self.props.insert(prop) {
            return;
        }
        let Some(PropClass::Stat { formula }) = rules.props.get(prop.index()).map(|prop| &prop.class) else { return };
        self.proc(rules, *formula);
        for clause in &rules.clauses {
            if matches!(clause.kind, ClauseKind::Modify { stat, .. } if stat == prop) {
                self.clause(rules, clause.home, &clause.kind);
            }
        }
    }

    /// Whether they read no property.
    pub fn is_nothing(&self) -> bool {
        !self.all && self.props.is_empty()
    }

    /// Whether they may read a property.
    pub fn may_read(&self, prop: PropId) -> bool {
        self.all || self.props.contains(&prop)
    }
}
