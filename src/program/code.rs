//! The code builder: procedures, windows, labels and constants.

use super::board::Topology;
use super::constants::{collect_constants, plain_pieces, repeats};
use super::layout::{Layout, Repr, repr};
use super::op::{Op, Slot};
use super::sites::Sites;
use super::values::{defaults, field_tables};
use super::{ActionCode, Bearing, LiveSet, Predicates, ProcCode, Program};
use crate::base::{Code, Diagnostic, Diagnostics, Span, limits};
use crate::core::{Pass, Whole};
use crate::model::rules::{
    ClauseHome, ClauseId, ClauseKind, Edge, HookEvent, Local, LocalId, ProcBody, ProcId, ProcRole, PropClass, PropId,
    Rules, Stage, Ty,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A jump target that may not be bound yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(usize);

/// Where the names of a procedure lie: its locals, `me` and `this`; and what it asks for more than once, as these name it.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub locals: Vec<Slot>,
    pub me: Slot,
    pub this: Slot,
    pub shared: Vec<super::share::Shared>,
}

impl Env {
    pub fn new(locals: Vec<Slot>, me: Slot, this: Slot) -> Env {
        Env { locals, me, this, shared: Vec::new() }
    }
}

/// What a loop or span is left through.
pub(super) enum Exit {
    Repeat(Label),
    Span(crate::model::rules::SpanId, Label),
    /// A loop over members, of which none is left out.
    Each,
}

/// Whether a player can be out while others play on.
fn can_go_out(rules: &Rules) -> bool {
    let mut loses = false;
    for proc in &rules.procs {
        super::walk::each_stmt(proc, &mut |stmt| loses |= matches!(stmt.kind, crate::model::rules::StmtKind::Lose(_)));
    }
    loses && rules.players.1 > 2
}

/// What a loop does with its members, one after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    /// Whether they go somewhere together.
    pub together: bool,
}

/// Builds the code of all procedures.
pub(super) struct Builder<'r> {
    pub rules: &'r Rules,
    /// The same rules as they are where no piece lies on another.
    pub flat: &'r Rules,
    /// Whether these are at hand.
    pub is_flat: bool,
    /// What can fail.
    pub whole: Whole<'r>,
    pub layout: Layout,
    pub boards: Vec<Topology>,
    pub sites: Sites,
    pub predicates: Predicates,
    pub has_modifiers: Vec<bool>,
    /// For each property, whether only cards modify it, and what is armed.
    pub by_cards: Vec<bool>,
    pub out: Vec<Op>,
    pub out_spans: Vec<Span>,
    pub errors: Diagnostics,
    pub constants: BTreeMap<i64, u16>,
    // The procedure at hand.
    pub ops: Vec<Op>,
    pub spans: Vec<Span>,
    pub labels: Vec<Option<u16>>,
    pub top: u16,
    pub most: u16,
    pub env: Env,
    /// Whether nothing ever happens at a checkpoint.
    pub quiet: bool,
    /// The conditions of rules, if they are code in the place of checkpoints.
    pub asked_in_place: Vec<super::checks::Asked>,
    /// The hooks that are code in their place.
    pub edges: super::edges::Edges,
    /// By verb, whether each call of it is code in its place.
    pub in_place: Vec<bool>,
    /// For each action, whether it has a guard, and whether its choices must be tried out.
    pub guarded: Vec<(bool, bool)>,
    /// The choices of actions.
    pub choices: Vec<super::later::Asking>,
    /// Of the action at hand: names of those who are gone through or chosen.
    pub one_of_many: BTreeSet<LocalId>,
    /// The procedure at hand, of the rules.
    pub proc: ProcId,
    /// Pieces that are imagined while looking ahead.
    pub laid: Vec<super::imagined::Imagined>,
    /// Sets of the sites of pieces that are worked out already while looking ahead.
    pub standing: Vec<super::ahead::Standing>,
    /// Values that stay the same in the loops at hand.
    pub hoisted: Vec<super::hoist::Hoisted>,
    /// What is looked for.
    pub passes: Vec<Pass>,
    /// For each procedure, whether working out its expression takes long.
    pub long: Vec<bool>,
    pub span: Span,
    pub role: ProcRole,
    pub exits: Vec<Exit>,
    /// Whether a player can be out while others play on.
    pub can_go_out: bool,
    pub hook_verb: Option<crate::model::rules::VerbId>,
    pub depth: usize,
    /// The set that the next loop goes through, where nobody asks for it afterwards.
    pub spent: Option<Slot>,
    /// How the next loop takes its members, if somebody could tell in which order it does.
    pub order: Option<Order>,
    /// Slots that hold something, never nothing: members of the sets that are gone through.
    pub some: Vec<Slot>,
    /// Sets of entities in the window that must be kept true to what their members were.
    pub sets: Vec<LiveSet>,
    /// How many of them are still open at their end, innermost last, as positions in `sets`.
    pub open_sets: Vec<usize>,
    /// What is printed on tiles.
    pub tiles: super::tiles::Tiles,
    /// Where the tops of piles are asked for.
    pub asked_tops: super::tops::Tops,
    /// Where the question or note at hand begins to be worked out, among the instructions of its procedure.
    pub begun: usize,
    /// For each instruction that asks or notes, where that begins; of the procedure at hand, then of all.
    pub asked: Vec<(u32, u32)>,
    pub out_asked: Vec<(u32, u32)>,
    /// Where the parts of actions stand that their player can pass by; of the procedure at hand, then of all.
    pub byways: Vec<(u32, u32)>,
    pub out_byways: Vec<(u32, u32)>,
}

/// Instructions of one procedure, which jumps can reach, and of the whole game.
const MAX_PROCEDURE: usize = limits::BODY;
const MAX_INSTRUCTIONS: usize = limits::INSTRUCTIONS;
const MAX_WINDOW: u16 = limits::WINDOW;

pub(super) fn compile(rules: Arc<Rules>, passes: &[Pass]) -> Result<Program, Diagnostics> {
    let constants = collect_constants(&rules);
    let index: BTreeMap<i64, u16> = constants.iter().enumerate().map(|(at, word)| (*word, at as u16)).collect();
    let whole = Whole::new(&rules);
    let width = super::layout::site_words(&rules);
    let boards: Vec<Topology> = rules.boards.iter().map(|board| Topology::new(board, width)).collect();
    let layout = Layout::new(&rules, &boards, constants, whole.longest_range());
    let mut errors = Vec::new();
    if layout.fixed > usize::from(Slot::LOCAL) - 1 && layout.entities > usize::from(Slot::LOCAL) - 1 {
        errors.push(
            Diagnostic::new(Code::GameTooLarge, Span::default(), "the game's zones and boards need too much memory")
                .help("fewer zones, smaller boards or fewer cards"),
        );
    }
    let hooks = hook_table(&rules);
    let mut modifiers = vec![Vec::new(); rules.props.len()];
    for (index, clause) in rules.clauses.iter().enumerate() {
        let id = ClauseId(index as u32);
        match &clause.kind {
            ClauseKind::Modify { .. } if clause.folded => {}
            ClauseKind::Modify { stat, .. } => modifiers[stat.index()].push(id),
            _ => {}
        }
    }
    let hook_verbs = hook_verbs(&rules);
    let bearers = passes.contains(&Pass::Bearers);
    let (edges, quiet) = match passes.contains(&Pass::Edges) {
        true => super::edges::edges(&rules, bearers),
        false => (super::edges::Edges::new(), rules.clauses.is_empty()),
    };
    let of_rule = |clause: &ClauseId| matches!(rules.clauses[clause.index()].home, ClauseHome::Rule(_));
    let by_cards = modifiers.iter().map(|clauses| bearers && !clauses.iter().any(of_rule)).collect();
    let has_modifiers: Vec<bool> = modifiers.iter().map(|clauses| !clauses.is_empty()).collect();
    let flattened = crate::core::flattened(&rules);
    let mut builder = Builder {
        flat: flattened.as_ref().unwrap_or(&rules),
        is_flat: false,
        long: super::hoist::long_procs(&rules, &has_modifiers),
        has_modifiers,
        by_cards,
        rules: &rules,
        whole,
        boards,
        layout,
        sites: Sites::default(),
        predicates: Predicates::default(),
        out: Vec::new(),
        out_spans: Vec::new(),
        errors,
        constants: index,
        ops: Vec::new(),
        spans: Vec::new(),
        labels: Vec::new(),
        top: 0,
        most: 0,
        env: Env::new(Vec::new(), Slot::ME, Slot::THIS),
        quiet: quiet && rules.links.iter().all(|link| link.orphan.is_none()),
        asked_in_place: Vec::new(),
        edges,
        in_place: super::in_place::verbs_in_place(&rules),
        guarded: Vec::new(),
        choices: Vec::new(),
        one_of_many: BTreeSet::new(),
        proc: ProcId(0),
        laid: Vec::new(),
        standing: Vec::new(),
        hoisted: Vec::new(),
        passes: passes.to_vec(),
        span: Span::default(),
        role: ProcRole::Pure,
        exits: Vec::new(),
        can_go_out: can_go_out(&rules),
        hook_verb: None,
        depth: 0,
        spent: None,
        order: None,
        some: Vec::new(),
        sets: Vec::new(),
        open_sets: Vec::new(),
        tiles: super::tiles::Tiles::new(&rules),
        asked_tops: super::tops::Tops::new(&rules),
        begun: 0,
        asked: Vec::new(),
        out_asked: Vec::new(),
        byways: Vec::new(),
        out_byways: Vec::new(),
    };
    // Whoever offers an action asks what it needs.
    let guards: Vec<_> = rules.actions.iter().map(|action| builder.guard(action)).collect();
    builder.guarded = guards.iter().map(|(guard, tried)| (guard.is_some(), tried.is_some())).collect();
    let asking = builder.asking();
    let mut procs: Vec<ProcCode> =
        (0..rules.procs.len()).map(|index| builder.procedure(ProcId(index as u32), hook_verbs[index])).collect();
    let asking = asking.map(|code| {
        procs.push(code);
        ProcId(procs.len() as u32 - 1)
    });
    let mut actions = Vec::new();
    for (action, (guard, tried)) in rules.actions.iter().zip(guards) {
        let guard = guard.map(|code| {
            procs.push(code);
            ProcId(procs.len() as u32 - 1)
        });
        let notation = builder.notation(action).map(|code| {
            procs.push(code);
            ProcId(procs.len() as u32 - 1)
        });
        let lookahead = tried.is_some();
        let looks = lookahead && passes.contains(&Pass::Ahead);
        let ahead = if looks { builder.look_ahead(action, &mut procs) } else { None };
        let later = builder.ask_later(action, &mut procs);
        actions.push(ActionCode {
            body: action.body,
            guard,
            lookahead,
            ahead,
            later,
            tried: tried.filter(|_| ahead.is_none()),
            notation,
            words: builder.rules.label(&action.name),
        });
    }
    builder.locate_turns();
    let Builder {
        mut layout,
        boards,
        sites,
        out,
        out_spans,
        errors,
        predicates,
        quiet,
        tiles,
        out_asked,
        out_byways,
        ..
    } = builder;
    if !errors.is_empty() {
        return Err(errors);
    }
    layout.fixed += sites.regions.len() * usize::from(layout.site_set);
    let modified: Vec<bool> = modifiers.iter().map(|clauses| !clauses.is_empty()).collect();
    let by_reads = passes.contains(&Pass::Reads);
    let reads = |clause| if by_reads { super::reads::condition_reads(&rules, &modified, clause) } else { u64::MAX };
    let with_reads = |clause| (clause, reads(clause));
    let [checks, becomes] =
        super::checks::asked(&rules).map(|clauses| clauses.into_iter().map(with_reads).collect::<Vec<_>>());
    let (fields, list_fields) = field_tables(&rules);
    let borne = |clauses: &[ClauseId]| Bearing::new(&rules, &layout, bearers, clauses);
    let hooked = |event: HookEvent| {
        let hooking = hooks.iter().filter(|((hooked, _), _)| *hooked == event);
        borne(&hooking.flat_map(|(_, clauses)| clauses.clone()).collect::<Vec<_>>())
    };
    let verbs = || (0..rules.verbs.len() as u32).map(|verb| HookEvent::Verb(crate::model::rules::VerbId(verb)));
    let stages = [Stage::Cannot, Stage::Instead, Stage::Before, Stage::After];
    let verb_hooked = verbs().map(hooked).collect();
    let verb_hooks =
        verbs().map(|verb| stages.map(|stage| hooks.get(&(verb, stage)).cloned().unwrap_or_default())).collect();
    let by_rules = |clause: &ClauseId| !bearers || of_rule(clause);
    let (of_rules, others): (Vec<_>, Vec<_>) = checks.iter().partition(|(clause, _)| by_rules(clause));
    let reads = |checks: &[(ClauseId, u64)]| checks.iter().fold(0, |mask, (_, reads)| mask | reads);
    let clauses = |checks: &[(ClauseId, u64)]| checks.iter().map(|(clause, _)| *clause).collect::<Vec<_>>();
    let (checked, checked_borne, checkers) = (reads(&of_rules), reads(&others), borne(&clauses(&others)));
    let (of_rules, others): (Vec<_>, Vec<_>) = becomes.iter().partition(|(clause, _)| of_rule(clause));
    let (becoming, becomers) = (reads(&of_rules), borne(&clauses(&others)));
    let span_hooked = (0..rules.spans.len() as u32)
        .map(|span| {
            [Edge::End, Edge::Start].map(|edge| hooked(HookEvent::Span(edge, crate::model::rules::SpanId(span))))
        })
        .collect();
    let clause_events = rules
        .clauses
        .iter()
        .map(|clause| match &clause.kind {
            ClauseKind::Hook { event, stage, .. } => Some((*event, *stage)),
            _ => None,
        })
        .collect();
    let (entry_slots, static_slots) = slots(&rules);
    let (kind_defaults, player_defaults, game_defaults) = defaults(&rules, &layout);
    let kept = super::live::kept(&rules, &layout);
    let (mut tried, mut byways) = (vec![0; procs.len()], vec![Vec::new(); procs.len()]);
    for (action, code) in rules.actions.iter().zip(&actions) {
        let body = action.body.index();
        let entry = procs[body].entry;
        let end = procs.iter().map(|code| code.entry).filter(|other| *other > entry).min().unwrap_or(out.len() as u32);
        byways[body].extend(out_byways.iter().copied().filter(|(from, _)| (entry..end).contains(from)));
        if code.lookahead {
            tried[body] =
                entry + super::actions::tried_until(&out[entry as usize..end as usize], entry, &sites, &byways[body]);
        }
    }
    let bearings = modifiers.iter().map(|clauses| borne(clauses)).collect();
    let singles = singles(&rules, &layout, &entry_slots);
    Ok(Program {
        gone: Vec::new(),
        asked: out_asked.into_iter().collect(),
        kept,
        tried,
        byways,
        quiet,
        singles,
        kind_fields: (0..rules.kinds.len()).map(|kind| kind_fields(&rules, &layout, kind)).collect(),
        kind_kept: (0..rules.kinds.len()).map(|kind| kept_stats(&rules, &layout, kind)).collect(),
        kind_printed: (0..rules.kinds.len()).map(|kind| is_printed(&rules, &layout, kind)).collect(),
        plain_pieces: plain_pieces(&rules, &layout),
        kind_sets: (0..rules.kinds.len()).map(|kind| kind_sets(&rules, &layout, kind)).collect(),
        span_hooked,
        verb_hooks,
        becoming,
        becomers,
        clause_events,
        entry_slots,
        static_slots,
        kind_defaults,
        player_defaults,
        game_defaults,
        layout,
        ops: out,
        spans: out_spans,
        procs,
        actions,
        fields,
        list_fields,
        hooks,
        verb_hooked,
        bearings,
        modifiers,
        becomes,
        checked,
        checked_borne,
        checkers,
        checks,
        asking,
        sites,
        boards,
        repeats: repeats(&rules),
        tiles,
        predicates,
        rules,
    })
}

/// Clauses by event and stage; rules' first, absolute ones last where they replace.
fn hook_table(rules: &Rules) -> BTreeMap<(HookEvent, Stage), Vec<ClauseId>> {
    let mut hooks: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (index, clause) in rules.clauses.iter().enumerate() {
        if let ClauseKind::Hook { stage, event, .. } = &clause.kind {
            hooks.entry((*event, *stage)).or_default().push(ClauseId(index as u32));
        }
    }
    for ((_, stage), clauses) in &mut hooks {
        clauses.sort_by_key(|clause| match rules.clauses[clause.index()].home {
            ClauseHome::Rule(group) if rules.groups[group.index()].absolute && *stage == Stage::Instead => 2,
            ClauseHome::Rule(_) => 0,
            _ => 1,
        });
    }
    hooks
}

/// For each procedure, the verb of the hook whose procedure it is.
fn hook_verbs(rules: &Rules) -> Vec<Option<crate::model::rules::VerbId>> {
    let mut verbs = vec![None; rules.procs.len()];
    for clause in &rules.clauses {
        if let ClauseKind::Hook { event: HookEvent::Verb(verb), cond, body, .. } = &clause.kind {
            for proc in cond.iter().chain(body) {
                verbs[proc.index()] = Some(*verb);
            }
        }
    }
    verbs
}

/// The slots of the definitions that begin in a zone, in the order of the definitions.
fn slots(rules: &Rules) -> (Vec<Option<u32>>, usize) {
    let mut next = 0;
    let first = rules
        .entries
        .iter()
        .map(|entry| {
            let begins = rules.begins_in(entry.kind).is_some();
            begins.then(|| {
                let first = next;
                next += u32::from(entry.copies);
                first
            })
        })
        .collect();
    (first, next as usize)
}

/// Slots whose entities are like no other, as a set.
fn singles(rules: &Rules, layout: &Layout, slots: &[Option<u32>]) -> Vec<i64> {
    let mut singles = vec![0; usize::from(layout.entity_set)];
    let mut add = |slot: usize| singles[slot / 64] |= 1 << (slot % 64);
    // What lies on a board is never taken for another.
    if !layout.alike || rules.zones.is_empty() {
        (0..layout.capacity).for_each(&mut add);
    }
    for (entry, first) in rules.entries.iter().zip(slots) {
        if let (Some(slot), 1) = (first, entry.copies) {
            add(*slot as usize);
        }
    }
    singles
}

/// Printed fields of a kind that are stored with its entities.
fn kind_fields(rules: &Rules, layout: &Layout, kind: usize) -> Vec<(u16, PropId)> {
    let stored = |prop: &PropId| match (&rules.props[prop.index()].class, layout.props[prop.index()]) {
        (PropClass::Field { .. }, super::layout::PropHome::Entity(offset)) => Some((offset, *prop)),
        _ => None,
    };
    rules.kinds[kind].props.iter().filter_map(stored).collect()
}

/// The stats of a kind that are kept of what has gone, and where; and whether their formulas can come to something else once it has.
fn kept_stats(rules: &Rules, layout: &Layout, kind: usize) -> Vec<(PropId, u16, bool)> {
    let kept = rules.kinds[kind].props.iter().filter_map(|prop| {
        let offset = Some(layout.kept_stats[prop.index()]).filter(|offset| *offset != 0)?;
        let PropClass::Stat { formula } = rules.props[prop.index()].class else { return None };
        Some((*prop, offset, super::gone::reads_others(rules, formula)))
    });
    kept.collect()
}

/// Whether nothing is stored of entities of a kind but what is printed on them.
fn is_printed(rules: &Rules, layout: &Layout, kind: usize) -> bool {
    rules.kinds[kind].props.iter().all(|prop| {
        let stored = matches!(layout.props[prop.index()], super::layout::PropHome::Entity(_));
        !stored || matches!(rules.props[prop.index()].class, PropClass::Field { .. })
    })
}

/// Addresses of the sets of existing entities of a kind and of its parents.
fn kind_sets(rules: &Rules, layout: &Layout, kind: usize) -> Vec<u16> {
    let own = crate::model::rules::KindId(kind as u32);
    rules.kinds_from(own).map(|kind| layout.kind_set(kind).0).collect()
}

impl Builder<'_> {
    fn procedure(&mut self, id: ProcId, hook_verb: Option<crate::model::rules::VerbId>) -> ProcCode {
        let rules = self.rules;
        let proc = &rules.procs[id.index()];
        self.proc = id;
        self.begin(proc.role, hook_verb, proc.span);
        let params = self.declare(&proc.locals, usize::from(proc.params));
        // What is worked out once need not be fast.
        let counted = (proc.role == ProcRole::Memo).then(|| self.predicates.clone());
        let result = match &proc.body {
            _ if self.out.len() > MAX_INSTRUCTIONS => 0,
            ProcBody::Expr(expr) => {
                let words = self.layout.words(&expr.ty);
                self.share(expr);
                let a = self.expr(expr);
                self.emit(Op::Return { n: self.layout.width(&expr.ty), a });
                words
            }
            ProcBody::Block(stmts) => {
                self.unbound(id, stmts);
                if proc.role == ProcRole::Action {
                    self.one_of_many = super::choices::one_of_many(stmts);
                }
                self.block(stmts, true);
                self.emit(Op::End);
                0
            }
        };
        self.predicates = counted.unwrap_or_else(|| std::mem::take(&mut self.predicates));
        self.finish(params, result)
    }

    /// Starts the code of a procedure.
    pub fn begin(&mut self, role: ProcRole, hook_verb: Option<crate::model::rules::VerbId>, span: Span) {
        self.ops.clear();
        self.asked.clear();
        self.byways.clear();
        self.begun = 0;
        self.spans.clear();
        self.labels.clear();
        self.exits.clear();
        self.top = 2;
        self.most = 2;
        self.sets.clear();
        self.open_sets.clear();
        self.some.clear();
        self.hoisted.clear();
        self.one_of_many.clear();
        self.role = role;
        self.hook_verb = hook_verb;
        self.span = span;
    }

    /// Gives the locals of a procedure their places; says how many words the parameters take.
    pub fn declare(&mut self, locals: &[Local], params: usize) -> u16 {
        let mut slots = Vec::with_capacity(locals.len());
        let mut words = 0;
        for (index, local) in locals.iter().enumerate() {
            let slot = self.temp(self.layout.words(&local.ty));
            self.keep(slot, &local.ty);
            slots.push(slot);
            if index + 1 == params {
                words = self.top - 2;
            }
        }
        self.env = Env::new(slots, Slot::ME, Slot::THIS);
        words
    }

    /// Ends the code of a procedure: resolves its labels and appends it to the program.
    pub fn finish(&mut self, params: u16, result: u16) -> ProcCode {
        let entry = self.out.len() as u32;
        if self.out.len() + self.ops.len() > MAX_INSTRUCTIONS && self.errors.is_empty() {
            self.errors.push(
                Diagnostic::new(
                    Code::GameTooLarge,
                    self.span,
                    format!("the game has more than {MAX_INSTRUCTIONS} instructions"),
                )
                .help("`create` fewer things by name, or give what many texts share a name with `define` or `verb`"),
            );
        }
        if self.ops.len() > MAX_PROCEDURE {
            self.errors.push(
                Diagnostic::new(Code::GameTooLarge, self.span, "this text is too long to compile")
                    .help("split it into verbs"),
            );
        } else if self.most >= MAX_WINDOW && self.errors.is_empty() {
            // What has a definition within it that is too large is no mistake of its own.
            self.errors.push(self.too_wide());
        }
        for op in &mut self.ops {
            if let Some(to) = target(op) {
                *to = self.labels.get(usize::from(*to)).copied().flatten().unwrap_or(0);
            }
        }
        // A procedure that only gives what stands at a fixed place need not be entered.
        let start = match self.ops.as_slice() {
            [Op::Jump { to }, ..] => self.ops.get(usize::from(*to)),
            [only] => Some(only),
            _ => None,
        };
        let quick = match start {
            Some(Op::Return { n: 1, a }) if a.0 & Slot::LOCAL == 0 => *a,
            _ => Slot::NONE,
        };
        self.release(0);
        let sets = std::mem::take(&mut self.sets);
        self.out_asked.extend(self.asked.drain(..).map(|(at, begin)| (entry + at, entry + begin)));
        self.out_byways.extend(self.byways.drain(..).map(|(from, to)| (entry + from, entry + to)));
        self.out.append(&mut self.ops);
        self.out_spans.append(&mut self.spans);
        ProcCode { entry, frame: self.most, params, result, quick, sets }
    }

    /// Appends an instruction.
    pub fn emit(&mut self, op: Op) {
        // What is too long already, as `finish` says, grows no more.
        if self.ops.len() > MAX_PROCEDURE {
            return;
        }
        if op.tells() {
            self.asked.push((self.ops.len() as u32, self.begun as u32));
        }
        self.ops.push(op);
        self.spans.push(self.span);
    }

    /// Takes words of the window until the end of the statement.
    pub fn temp(&mut self, words: u16) -> Slot {
        let slot = Slot(Slot::LOCAL + self.top.min(MAX_WINDOW));
        self.top = self.top.saturating_add(words).min(MAX_WINDOW);
        self.most = self.most.max(self.top);
        slot
    }

    /// Gives back the words of the window from `mark` on.
    pub fn release(&mut self, mark: u16) {
        self.top = mark;
        while let Some(open) = self.open_sets.last().copied().filter(|open| self.sets[*open].at >= mark) {
            self.sets[open].to = self.ops.len() as u32;
            self.open_sets.pop();
        }
    }

    /// Notes that a slot of the window holds a set of entities from here until its words are given back.
    pub fn keep(&mut self, slot: Slot, ty: &Ty) {
        self.keep_set(slot, ty, false);
    }

    /// The same, of a set that may have a list of its next members behind it.
    pub fn keep_set(&mut self, slot: Slot, ty: &Ty, shown: bool) {
        if !matches!(self.role, ProcRole::Pure | ProcRole::Memo)
            && repr(ty) == Repr::Entities
            && slot.0 & Slot::LOCAL != 0
        {
            self.open_sets.push(self.sets.len());
            self.sets.push(LiveSet { at: slot.0 & !Slot::LOCAL, from: self.ops.len() as u32, to: 0, shown });
        }
    }

    /// A label to jump to.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// What is worked out at a time takes more memory than a procedure has.
    fn too_wide(&self) -> Diagnostic {
        let found = Diagnostic::new(
            Code::GameTooLarge,
            self.span,
            "the sets and lists that are worked out here at a time take too much memory",
        );
        found.help(match self.rules.boards.iter().any(|board| board.endless()) {
            true => {
                "sets of sites of a board without an end have room for the neighbours of all pieces that there can be: say in the \
                 manifest how many are created at the most, `[bounds]` with `created = 120`, or work some of them out in a verb"
            }
            false => "split it into verbs",
        })
    }

    /// The operand of a jump to a label.
    pub fn to(&self, label: Label) -> u16 {
        label.0 as u16
    }

    /// A number as an operand; reports the limit if it does not fit.
    pub fn short(&mut self, number: usize) -> u16 {
        u16::try_from(number).unwrap_or_else(|_| {
            // Said once: the next ones are the same finding.
            if self.errors.is_empty() {
                self.errors.push(
                    Diagnostic::new(
                        Code::GameTooLarge,
                        self.span,
                        "the game has more of these than a program can number",
                    )
                    .help("a game may have 65,535 of each sort of statement and declaration"),
                );
            }
            0
        })
    }

    /// A number as a wide operand: what it counts is in memory, and fits.
    pub fn long(&self, number: usize) -> u32 {
        number as u32
    }

    /// Puts a label here.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.ops.len() as u16);
    }

    /// The slot of a constant.
    pub fn word(&mut self, word: i64) -> Slot {
        match self.constants.get(&word) {
            Some(at) => Slot(*at),
            None => {
                // INVARIANT: every literal of the rules was collected; only computed ones can be missing.
                self.errors.push(Diagnostic::new(
                    Code::GameTooLarge,
                    self.span,
                    format!("the constant `{word}` was not laid out"),
                ));
                Slot(0)
            }
        }
    }

    /// The slot of a local.
    pub fn local(&self, local: LocalId) -> Slot {
        self.env.locals[local.index()]
    }

    /// The empty set or list.
    pub fn empty(&self) -> Slot {
        Slot(self.layout.zero)
    }

    /// Copies a value of a type.
    pub fn copy_of(&mut self, ty: &Ty, d: Slot, a: Slot) {
        let list = repr(ty) == Repr::List && !matches!(ty, Ty::Split(..));
        if list && d != a && a != self.empty() {
            self.emit(Op::CopyN { n: 0, d, a });
        } else {
            self.copy(self.layout.words(ty), d, a);
        }
    }

    /// Copies words.
    pub fn copy(&mut self, words: u16, d: Slot, a: Slot) {
        if d == a {
            return;
        }
        if words == 1 {
            self.emit(Op::Copy { d, a });
        } else if a == self.empty() {
            self.emit(Op::Clear { n: u8::try_from(words).unwrap_or(1), d });
        } else {
            self.emit(Op::CopyN { n: u8::try_from(words).unwrap_or(0), d, a });
        }
    }
}

/// The jump target of an instruction.
pub(super) fn target(op: &mut Op) -> Option<&mut u16> {
    match op {
        Op::Jump { to }
        | Op::Made { to, .. }
        | Op::Later { to, .. }
        | Op::Drawn { to, .. }
        | Op::JumpTrue { to, .. }
        | Op::JumpFalse { to, .. }
        | Op::JumpEq { to, .. }
        | Op::JumpLt { to, .. }
        | Op::JumpLe { to, .. }
        | Op::JumpNil { to, .. }
        | Op::JumpSome { to, .. }
        | Op::JumpModified { to, .. }
        | Op::JumpGone { to, .. }
        | Op::TryPrice { to, .. }
        | Op::JumpEmpty { to, .. }
        | Op::JumpAny { to, .. }
        | Op::NextBit { to, .. }
        | Op::NextEntity { to, .. }
        | Op::NextShown { to, .. }
        | Op::NextItem { to, .. }
        | Op::NextNumber { to, .. }
        | Op::Ask { to, .. }
        | Op::OfferTo { to, .. }
        | Op::TurnFirst { to, .. }
        | Op::TurnPass { to, .. }
        | Op::EdgeOpen { to, .. }
        | Op::JumpClean { to, .. }
        | Op::JumpWaiting { to }
        | Op::JumpUnread { to, .. }
        | Op::JumpTurned { to, .. }
        | Op::VerbOpen { to, .. }
        | Op::TurnNext { to, .. } => Some(to),
        _ => None,
    }
}
