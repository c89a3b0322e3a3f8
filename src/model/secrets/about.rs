//! Which procedures belong to what, who is `me` in them, and what calls which.

use super::borne::{self, Said};
use super::flow::Who;
use super::{ahead, others};
use crate::model::reads::Reads;
use crate::model::rules::walk::{each_stmt, may_ask};
use crate::model::rules::{
    Act, ActionId, ArmSpan, ClauseHome, ClauseId, ClauseKind, FieldValue, HookEvent, KindId, LocalId, LookTarget, Proc,
    ProcId, PropClass, PropId, Rules, Stage, StmtKind, Ty, VerbId, ZoneId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Which procedures belong to what, and which player is `me` in them.
pub(super) struct About<'c> {
    /// What runs where a card's text is done.
    pub effects: &'c BTreeMap<PropId, Vec<ProcId>>,
    /// What scenarios begin with.
    pub staged: BTreeSet<ProcId>,
    /// Zones of which all see the top, and not what lies beneath.
    pub tops: BTreeSet<ZoneId>,
    /// By verb: what runs before it and in its place, its own body first.
    pub verbs: BTreeMap<VerbId, Vec<(ProcId, Who)>>,
    /// By verb: what runs once it has happened.
    pub afters: BTreeMap<VerbId, Vec<(ProcId, Who)>>,
    /// By verb: what may stop it.
    pub cannots: BTreeMap<VerbId, Vec<Said>>,
    /// By verb: what may stand in its place.
    pub in_place: BTreeMap<VerbId, Vec<Said>>,
    /// By body of a hook or check: what it asks before it acts.
    pub conds: BTreeMap<ProcId, Said>,
    /// By stat: what modifies it.
    pub modifiers: BTreeMap<PropId, Vec<Said>>,
    /// Expressions of clauses of cards: `this` is a card in play.
    pub borne: BTreeSet<ProcId>,
    /// Which say whose stat a clause modifies: what they ask of each they ask of the one whose stat it is.
    pub modified: BTreeSet<ProcId>,
    /// By body of a hook: which verb it stands on.
    pub events: BTreeMap<ProcId, VerbId>,
    /// Procedures of the hooks of rules: in them `me` is who acts.
    pub acting: BTreeSet<ProcId>,
    /// By procedure of an armed clause: the locals that it captures.
    pub captured: BTreeMap<ProcId, Vec<LocalId>>,
    /// By body.
    pub actions: BTreeMap<ProcId, ActionId>,
    /// Texts of cards that `do` runs.
    pub texts: BTreeSet<ProcId>,
    /// What other procedures call: what was revealed there counts here.
    pub called: BTreeSet<ProcId>,
    /// Verbs that a `cannot` or an `instead` may keep from happening.
    pub stoppable: BTreeSet<VerbId>,
    /// Those of them that an `instead` may keep from happening.
    pub replaceable: BTreeSet<VerbId>,
    /// What acts by itself: at the edge of a turn, or when something becomes true.
    pub waiting: Vec<ProcId>,
    /// What the conditions read of what waits for something to become true.
    pub waiting_reads: Reads,
    /// Properties of players and of the game that the look of them leaves out.
    pub unlisted: BTreeSet<PropId>,
    pub others: others::Others,
    /// Kinds of which there are things as such.
    exist: BTreeSet<KindId>,
    /// By field: what the cards work out in their own ways.
    pub amounts: BTreeMap<PropId, Vec<ProcId>>,
    /// Procedures in which somebody is asked, or in what they call.
    pub asking: BTreeSet<ProcId>,
}

impl<'c> About<'c> {
    pub fn new(
        rules: &Rules,
        effects: &'c BTreeMap<PropId, Vec<ProcId>>,
        (staged, tops): (BTreeSet<ProcId>, BTreeSet<ZoneId>),
    ) -> About<'c> {
        let mut about = About {
            effects,
            staged,
            tops,
            verbs: BTreeMap::new(),
            afters: BTreeMap::new(),
            cannots: BTreeMap::new(),
            in_place: BTreeMap::new(),
            conds: BTreeMap::new(),
            modifiers: BTreeMap::new(),
            borne: BTreeSet::new(),
            modified: BTreeSet::new(),
            events: BTreeMap::new(),
            acting: BTreeSet::new(),
            captured: BTreeMap::new(),
            actions: rules.actions.iter().map(|action| action.body).zip((0..).map(ActionId)).collect(),
            texts: effects.values().flatten().copied().collect(),
            called: BTreeSet::new(),
            stoppable: BTreeSet::new(),
            replaceable: BTreeSet::new(),
            waiting: rules.links.iter().filter_map(|link| link.orphan).collect(),
            waiting_reads: Reads::of_waiting(rules),
            unlisted: unlisted(rules),
            others: others::Others::new(rules),
            exist: BTreeSet::new(),
            asking: BTreeSet::new(),
            amounts: amounts(rules),
        };
        about.borne.extend(about.amounts.values().flatten());
        about.exist = rules.kinds_that_exist(about.played(rules));
        for (index, verb) in rules.verbs.iter().enumerate() {
            about.verbs.insert(VerbId(index as u32), vec![(verb.body, Who::Me)]);
        }
        let whiles = whiles(rules);
        for index in 0..rules.clauses.len() {
            let clause = ClauseId(index as u32);
            about.clause(rules, clause, whiles.get(&clause).copied());
        }
        let mut called = BTreeSet::new();
        for proc in about.played(rules) {
            each_stmt(proc, &mut |stmt| called.extend(about.calls(rules, &stmt.kind)));
        }
        about.called = called;
        about.asking = about.find_asking(rules);
        about
    }

    fn find_asking(&self, rules: &Rules) -> BTreeSet<ProcId> {
        let mut asking = BTreeSet::new();
        let mut callers: BTreeMap<ProcId, Vec<ProcId>> = BTreeMap::new();
        for (index, proc) in (0u32..).map(ProcId).zip(&rules.procs) {
            each_stmt(proc, &mut |stmt| {
                if may_ask(stmt) {
                    asking.insert(index);
                }
                for called in self.calls(rules, &stmt.kind) {
                    callers.entry(called).or_default().push(index);
                }
            });
        }
        let mut open: Vec<ProcId> = asking.iter().copied().collect();
        while let Some(proc) = open.pop() {
            open.extend(callers.get(&proc).into_iter().flatten().filter(|caller| asking.insert(**caller)));
        }
        asking
    }

    /// What runs in play.
    pub fn played<'r>(&self, rules: &'r Rules) -> impl Iterator<Item = &'r Proc> {
        played(rules, &self.staged)
    }

    /// Whether a thing of a type is of one of these kinds, whatever it is.
    pub fn are_all(&self, rules: &Rules, kinds: &BTreeSet<KindId>, ty: &Ty) -> bool {
        let Ty::Entity(own) = *ty.bare() else { return false };
        let is = |kind: KindId| kinds.iter().any(|asked| rules.is_below(kind, *asked));
        self.exist.iter().filter(|kind| rules.is_below(**kind, own)).all(|kind| is(*kind))
    }

    /// Whether a local of a procedure is given to it: a parameter, or what an armed clause has captured.
    pub fn is_given(&self, proc: ProcId, params: u16, local: usize) -> bool {
        let captured = || self.captured.get(&proc).is_some_and(|locals| locals.contains(&LocalId(local as u32)));
        local < usize::from(params) || captured()
    }

    /// What a statement calls.
    pub fn calls(&self, rules: &Rules, stmt: &StmtKind) -> Vec<ProcId> {
        let body = |act: &Act| rules.actions.get(act.action.index()).map(|action| action.body);
        match stmt {
            StmtKind::Call { verb, .. } => {
                let hooks = self.verbs.get(verb).into_iter().chain(self.afters.get(verb)).flatten();
                hooks.map(|(proc, _)| *proc).collect()
            }
            StmtKind::ChooseAction { acts, or_else, .. } => acts.iter().chain(or_else).filter_map(body).collect(),
            StmtKind::Respond(respond) => respond.acts.iter().filter_map(body).collect(),
            StmtKind::Open { window, .. } => {
                rules.windows.get(window.index()).map(|window| window.body).into_iter().collect()
            }
            StmtKind::Do { field, .. } => self.effects.get(field).into_iter().flatten().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// All procedures but those of scenarios, each behind what it calls as far as that can be: what is called is known then.
    pub fn in_order(&self, rules: &Rules) -> Vec<ProcId> {
        let mut order = Vec::new();
        let mut seen = self.staged.clone();
        let mut open: Vec<(ProcId, bool)> =
            (0..rules.procs.len() as u32).rev().map(|proc| (ProcId(proc), false)).collect();
        while let Some((proc, over)) = open.pop() {
            if over {
                order.push(proc);
            } else if seen.insert(proc) {
                open.push((proc, true));
                if let Some(found) = rules.procs.get(proc.index()) {
                    each_stmt(found, &mut |stmt| {
                        open.extend(self.calls(rules, &stmt.kind).into_iter().map(|called| (called, false)));
                    });
                }
            }
        }
        order
    }

    /// Takes up a clause; what is armed may stand only while something holds, which is asked of what the first of its clauses captures.
    fn clause(&mut self, rules: &Rules, id: ClauseId, stands: Option<(ProcId, ClauseId)>) {
        let Some(clause) = rules.clauses.get(id.index()) else { return };
        // In a card's clauses `me` is its holder.
        let (me, when) = match clause.home {
            ClauseHome::Rule(group) => (Who::Me, rules.groups.get(group.index()).and_then(|group| group.when)),
            ClauseHome::Entry(_) | ClauseHome::Kind(_) | ClauseHome::Armed => (Who::Unknown, None),
        };
        let when: Vec<ProcId> = when.into_iter().chain(stands_when(rules, clause.home)).collect();
        if !matches!(clause.home, ClauseHome::Rule(_)) {
            self.borne.extend(&when);
        }
        let when = when.into_iter();
        if matches!(clause.home, ClauseHome::Rule(_)) {
            self.acting.extend(clause.kind.procs());
        }
        self.borne.extend(borne::asks_of_card(clause));
        let shut = !borne::stops_only_itself(rules, clause);
        let inner: Vec<LocalId> = clause.captures.iter().map(|(_, inner)| *inner).collect();
        let stands_by = stands.filter(|(_, first)| *first == id).map(|(proc, _)| proc);
        for proc in clause.kind.procs().chain(stands_by).filter(|_| !inner.is_empty()) {
            self.captured.insert(proc, inner.clone());
        }
        let armed = (clause.home == ClauseHome::Armed).then_some(id);
        let stands = stands.map(|(proc, first)| (proc, Who::Unknown, Some(first)));
        if let Some((cond, body)) = acts_where(&clause.kind) {
            let asks = cond.map(|cond| (cond, me, armed)).into_iter();
            let asks = asks.chain(when.clone().map(|when| (when, Who::Unknown, None))).chain(stands).collect();
            self.conds.insert(body, Said::of_hook(rules, clause, cond, asks));
        }
        match &clause.kind {
            ClauseKind::Hook { event: HookEvent::Verb(verb), cond, body, stage, .. } => match body {
                Some(body) => {
                    self.events.insert(*body, *verb);
                    self.in_place.entry(*verb).or_default().extend(ahead::in_place(rules, clause, armed));
                    if *stage == Stage::Instead && shut {
                        self.stoppable.insert(*verb);
                        self.replaceable.insert(*verb);
                    }
                    let all = if *stage == Stage::After { &mut self.afters } else { &mut self.verbs };
                    all.entry(*verb).or_default().push((*body, me));
                }
                None => {
                    if shut {
                        self.stoppable.insert(*verb);
                    }
                    let conds = cond.iter().map(|cond| (*cond, me, armed));
                    let conds = conds.chain(when.map(|when| (when, Who::Unknown, None))).chain(stands);
                    let said = Said::new(rules, clause, conds.collect());
                    self.cannots.entry(*verb).or_default().push(said);
                }
            },
            ClauseKind::Modify { stat, of, .. } => {
                self.modified.insert(*of);
                let parts = clause.kind.procs().map(|proc| (proc, Who::Unknown, armed));
                let when = when.map(|when| (when, Who::Unknown, None));
                let said = Said::new(rules, clause, parts.chain(when).chain(stands).collect());
                self.modifiers.entry(*stat).or_default().push(said);
            }
            ClauseKind::Hook { body, .. } => self.waiting.extend(body),
            ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => self.waiting.push(*body),
        }
    }
}

/// What a clause does, and under which condition.
fn acts_where(clause: &ClauseKind) -> Option<(Option<ProcId>, ProcId)> {
    match clause {
        ClauseKind::Hook { cond, body, .. } => Some((*cond, (*body)?)),
        ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body, .. } => Some((Some(*cond), *body)),
        ClauseKind::Modify { .. } => None,
    }
}

/// All procedures but those with which scenarios begin.
pub(super) fn played<'r>(rules: &'r Rules, staged: &BTreeSet<ProcId>) -> impl Iterator<Item = &'r Proc> {
    let procs = (0u32..).map(ProcId).zip(&rules.procs);
    procs.filter(|(proc, _)| !staged.contains(proc)).map(|(_, proc)| proc)
}

/// What must hold for cards of a home to stand.
fn stands_when(rules: &Rules, home: ClauseHome) -> Vec<ProcId> {
    let kind = match home {
        ClauseHome::Kind(kind) => Some(kind),
        ClauseHome::Entry(entry) => rules.entries.get(entry.index()).map(|entry| entry.kind),
        ClauseHome::Rule(_) | ClauseHome::Armed => None,
    };
    let Some(kind) = kind else { return Vec::new() };
    let kinds = (0u32..).map(KindId).zip(&rules.kinds);
    let kinds = kinds.filter(|(other, _)| rules.is_below(*other, kind) || rules.is_below(kind, *other));
    kinds.filter_map(|(_, kind)| kind.stands_when).collect()
}

/// What each card of a kind works out in its own way: the procedures of a field that is an amount or a test.
fn amounts(rules: &Rules) -> BTreeMap<PropId, Vec<ProcId>> {
    let mut found: BTreeMap<PropId, Vec<ProcId>> = BTreeMap::new();
    for (prop, info) in (0u32..).map(PropId).zip(&rules.props) {
        if let (Ty::Lambda(..), PropClass::Field { default }) = (info.ty.bare(), &info.class) {
            let of_entries = rules.entries.iter().flat_map(|entry| &entry.fields);
            let values = of_entries.filter(|(of, _)| *of == prop).filter_map(|(_, value)| value.as_ref());
            let procs = values.chain(default).filter_map(|value| match value {
                FieldValue::Proc(proc) => Some(*proc),
                _ => None,
            });
            found.insert(prop, procs.collect());
        }
    }
    found
}

/// While what armed clauses stand, and the first of those that were armed with them.
fn whiles(rules: &Rules) -> BTreeMap<ClauseId, (ProcId, ClauseId)> {
    let mut found = BTreeMap::new();
    for proc in &rules.procs {
        each_stmt(proc, &mut |stmt| {
            if let StmtKind::Arm { span: ArmSpan::While(cond), clauses } = &stmt.kind
                && let Some(first) = clauses.first()
            {
                found.extend(clauses.iter().map(|clause| (*clause, (*cond, *first))));
            }
        });
    }
    found
}

/// Properties of players and of the game that their looks do not list.
fn unlisted(rules: &Rules) -> BTreeSet<PropId> {
    let shown = |target| rules.looks.iter().find(|look| look.target == target).and_then(|look| look.shown());
    let left_out = |target, all: &[PropId]| match shown(target) {
        Some(shown) => all.iter().filter(|prop| !shown.contains(prop)).copied().collect(),
        None => Vec::new(),
    };
    let mut props = left_out(LookTarget::Game, &rules.game_props);
    props.extend(left_out(LookTarget::Player, &rules.player_props));
    props.into_iter().collect()
}
