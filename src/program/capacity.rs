//! How many entities a game can need at a time.

use super::board::Topology;
use super::layout::value_count;
use super::stacking::{begins, may_stack, moves_onto};
use super::walk::{constant, constant_with, each_in, each_stmt};
use crate::base::limits;
use crate::model::rules::{
    Board, CreateValue, Created, Destination, Expr, ExprKind, HookEvent, KindId, ProcBody, ProcId, PropId, RootKind,
    Rules, Stmt, StmtKind, Ty, VerbId,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Room for pieces that are created where boards have no end.
const CREATED_WITHOUT_END: usize = limits::CREATED;
/// Entities at a time at the most: a set of them, with a second bit for each, has at most 250 words.
const MAX_ENTITIES: usize = limits::ENTITIES;
/// How many a creation is taken for whose number is not known.
const SOME: i64 = 16;

/// How many entities the game can need: all copies that begin in a zone, what setup creates, and room for what is
/// created in play. With it, how much of that is room for what needs no site of its own, or may lie on others.
pub(super) fn capacity(rules: &Rules, boards: &[Topology]) -> (usize, usize) {
    let begins = |kind: KindId| rules.begins_in(kind).is_some();
    let mut total: usize =
        rules.entries.iter().filter(|entry| begins(entry.kind)).map(|entry| usize::from(entry.copies)).sum();
    let sites: usize = rules.boards.iter().map(|board| board.geometry.sites()).sum();
    let endless = rules.boards.iter().any(Board::endless);
    let beginnings: Vec<Option<Made>> = {
        let look = Look { rules, boards, creating: creating(rules), left: Cell::new(MAX_LOOKED) };
        openings(rules).into_iter().map(|proc| look.made(proc, &[], 0)).collect()
    };
    let known: Option<Vec<Made>> = beginnings.into_iter().collect();
    // Where it cannot be counted what a position begins with, it is taken for created in play.
    let later = in_play(rules, known.is_none());
    let (mut on_boards, mut loose, mut any_number) = (false, false, false);
    for proc in &later {
        let covers = |to: &Destination| match to {
            Destination::Site { site, .. } => may_stack(rules, *proc, site),
            _ => false,
        };
        each_stmt(&rules.procs[proc.index()], &mut |stmt| {
            let StmtKind::Create { what, to, fields, .. } = &stmt.kind else { return };
            let known = many(rules, what, fields, &[]);
            any_number |= known.is_none() && is_loose(rules, stmt);
            let many = known.unwrap_or(SOME as usize);
            if many > 1 {
                total = total.saturating_add(many.saturating_mul(usize::from(rules.players.1))).min(MAX_ENTITIES);
            }
            let on_board = is_piece(rules, what) && (sites > 0 || endless);
            on_boards |= on_board;
            loose |= !on_board || is_loose(rules, stmt) || ends(to) && (many > 1 || covers(to));
        });
    }
    loose |= on_boards && later.iter().any(|proc| moves_onto(rules, *proc));
    // What leaves its site for a zone is still there when another comes in its place.
    let kept = on_boards && rules.zones.iter().flat_map(|zone| &zone.holds).any(|held| is_of_pieces(rules, *held));
    loose |= kept;
    any_number |= kept;
    let at_first = known.unwrap_or_default();
    total = total.saturating_add(at_first.iter().map(|made| made.elsewhere).max().unwrap_or(0)).min(MAX_ENTITIES);
    let room_on_sites = if endless { MAX_ENTITIES } else { sites };
    let laid = at_first.iter().map(|made| made.on_sites(room_on_sites)).max().unwrap_or(0);
    let on_board = if on_boards {
        laid.max(sites) + if endless && rules.created.is_none() { CREATED_WITHOUT_END } else { 0 }
    } else {
        laid
    };
    total = total.saturating_add(on_board);
    let room = match rules.created {
        Some(created) => created as usize,
        None if loose && (any_number || in_loops(rules, &later)) => limits::LOOP_ROOM,
        None if loose => limits::ROOM,
        _ => 0,
    };
    ((total + room).clamp(1, MAX_ENTITIES), room)
}

/// Whether something goes to a board that has an end.
fn ends(to: &Destination) -> bool {
    let Destination::Site { site, .. } = to else { return false };
    !matches!(site.ty.bare(), Ty::Site(board) if board.endless())
}

fn is_piece(rules: &Rules, what: &Created) -> bool {
    kind_of(rules, what).is_some_and(|kind| is_of_pieces(rules, kind))
}

fn is_of_pieces(rules: &Rules, kind: KindId) -> bool {
    rules.kinds[kind.index()].root == RootKind::Piece
}

/// Whether a statement creates what does not lie on a board.
fn is_loose(rules: &Rules, stmt: &Stmt) -> bool {
    let StmtKind::Create { what, to, .. } = &stmt.kind else { return false };
    !is_piece(rules, what) || !matches!(to, Destination::Site { .. })
}

/// Whether loops of these procedures create what does not lie on a board, themselves or by a verb.
fn in_loops(rules: &Rules, procs: &BTreeSet<ProcId>) -> bool {
    let by_verb = |verb: VerbId| {
        let mut found = false;
        each_stmt(&rules.procs[rules.verbs[verb.index()].body.index()], &mut |stmt| found |= is_loose(rules, stmt));
        found
    };
    let mut found = false;
    for proc in procs {
        each_stmt(&rules.procs[proc.index()], &mut |stmt| {
            let (StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::RepeatTimes { body, .. }) =
                &stmt.kind
            else {
                return;
            };
            each_in(body, &mut |inner| {
                found |= match inner.kind {
                    StmtKind::Call { verb, .. } => by_verb(verb),
                    _ => is_loose(rules, inner),
                };
            });
        });
    }
    found
}

/// What a procedure creates each time it runs.
#[derive(Clone, Default)]
struct Made {
    /// On sites, by kind.
    counted: Count,
    /// On some of the sites of a board, by kind: it is taken that there is one on each at the most.
    spread: Count,
    /// Several at a time.
    stacked: usize,
    elsewhere: usize,
}

/// How many of each kind; where it is a copy, of none.
type Count = BTreeMap<Option<KindId>, usize>;

impl Made {
    fn some(&self) -> bool {
        self.on_sites(MAX_ENTITIES) + self.elsewhere > 0
    }

    /// How many lie on sites, if there are so many sites.
    fn on_sites(&self, sites: usize) -> usize {
        let spread = self.spread.values().map(|count| (*count).min(sites));
        self.counted.values().copied().chain(spread).fold(self.stacked, usize::saturating_add)
    }

    fn add(&mut self, made: Made, times: usize) {
        let more = |sum: &mut usize, one: usize| *sum = sum.saturating_add(one.saturating_mul(times));
        made.counted.into_iter().for_each(|(kind, count)| more(self.counted.entry(kind).or_default(), count));
        made.spread.into_iter().for_each(|(kind, count)| more(self.spread.entry(kind).or_default(), count));
        more(&mut self.stacked, made.stacked);
        more(&mut self.elsewhere, made.elsewhere);
    }

    /// What one of two comes to at the most.
    fn either(mut self, other: Made) -> Made {
        let most = |sum: &mut usize, one: usize| *sum = (*sum).max(one);
        other.counted.into_iter().for_each(|(kind, count)| most(self.counted.entry(kind).or_default(), count));
        other.spread.into_iter().for_each(|(kind, count)| most(self.spread.entry(kind).or_default(), count));
        Made { stacked: self.stacked.max(other.stacked), elsewhere: self.elsewhere.max(other.elsewhere), ..self }
    }

    /// What is created on some of many sites.
    fn on_some(mut self) -> Made {
        let counted = std::mem::take(&mut self.counted);
        self.add(Made { spread: counted, ..Made::default() }, 1);
        self
    }
}

/// Calls deeper than this are not counted.
const MAX_DEPTH: usize = 8;
/// Statements that are looked at.
const MAX_LOOKED: u32 = 100_000;

/// The procedures a game can begin with: its setup, and the positions of scenarios.
fn openings(rules: &Rules) -> Vec<ProcId> {
    let all = (0..rules.procs.len() as u32).map(ProcId);
    all.filter(|proc| begins(rules, *proc)).collect()
}

/// Which procedures create something, themselves or by a verb.
fn creating(rules: &Rules) -> Vec<bool> {
    let mut creating = vec![false; rules.procs.len()];
    loop {
        let mut more = false;
        for (index, proc) in rules.procs.iter().enumerate() {
            let before = creating[index];
            let mut found = before;
            each_stmt(proc, &mut |stmt| found |= may_create(rules, &creating, stmt));
            creating[index] = found;
            more |= found != before;
        }
        if !more {
            return creating;
        }
    }
}

fn may_create(rules: &Rules, creating: &[bool], stmt: &Stmt) -> bool {
    match stmt.kind {
        StmtKind::Create { .. } | StmtKind::Do { .. } | StmtKind::Script { .. } => true,
        StmtKind::Call { verb, .. } => creating[rules.verbs[verb.index()].body.index()],
        _ => false,
    }
}

/// Looks for what procedures create.
struct Look<'r> {
    rules: &'r Rules,
    boards: &'r [Topology],
    creating: Vec<bool>,
    left: Cell<u32>,
}

impl Look<'_> {
    /// What a procedure creates that is given these values, as far as they are known; if it can be told.
    fn made(&self, proc: ProcId, given: &[Option<i64>], depth: usize) -> Option<Made> {
        match &self.rules.procs[proc.index()].body {
            ProcBody::Block(_) if depth > MAX_DEPTH => None,
            ProcBody::Block(stmts) => {
                let mut given = given.to_vec();
                each_in(stmts, &mut |stmt| {
                    if let StmtKind::Local { local, .. } = &stmt.kind
                        && let Some(value) = given.get_mut(local.index())
                    {
                        *value = None;
                    }
                });
                self.made_by(stmts, &given, depth)
            }
            _ => Some(Made::default()),
        }
    }

    fn made_by(&self, stmts: &[Stmt], given: &[Option<i64>], depth: usize) -> Option<Made> {
        let rules = self.rules;
        let mut total = Made::default();
        for stmt in stmts {
            self.left.set(self.left.get().checked_sub(1)?);
            match &stmt.kind {
                StmtKind::Create { what, to, fields, .. } => {
                    let count = many(rules, what, fields, given)?;
                    let none = Made::default();
                    let made = match to {
                        Destination::Site { .. } if count == 1 => {
                            Made { counted: Count::from([(kind_of(rules, what), 1)]), ..none }
                        }
                        Destination::Site { .. } => Made { stacked: count, ..none },
                        _ => Made { elsewhere: count, ..none },
                    };
                    total.add(made, 1);
                }
                StmtKind::Call { .. } if !may_create(rules, &self.creating, stmt) => {}
                StmtKind::Call { verb, args, .. } => {
                    // A hook can let a verb happen more often.
                    let hooked = rules.clauses.iter().any(|clause| {
                        matches!(&clause.kind, crate::model::rules::ClauseKind::Hook { event, .. }
                        if *event == HookEvent::Verb(*verb))
                    });
                    let value = |arg: &Option<Expr>| constant_with(rules, arg.as_ref()?, given).filter(|_| !hooked);
                    let args: Vec<Option<i64>> = args.iter().map(value).collect();
                    let inner = self.made(rules.verbs[verb.index()].body, &args, depth + 1)?;
                    if hooked && inner.some() {
                        return None;
                    }
                    total.add(inner, 1);
                }
                StmtKind::If { cond, body, or_else } => match constant_with(rules, cond, given) {
                    Some(holds) => total.add(self.made_by(if holds != 0 { body } else { or_else }, given, depth)?, 1),
                    None => {
                        let (one, other) = (self.made_by(body, given, depth)?, self.made_by(or_else, given, depth)?);
                        total.add(one.either(other).on_some(), 1);
                    }
                },
                StmtKind::Each { domain, body, .. } => {
                    let inner = self.made_by(body, given, depth)?;
                    if inner.some() {
                        let region = super::regions::region(rules, self.boards, domain);
                        let sites = matches!(domain.ty.element().bare(), Ty::Site(_));
                        match region {
                            Some(region) => {
                                total.add(inner, region.iter().map(|word| word.count_ones() as usize).sum())
                            }
                            None if sites => total.add(inner.on_some(), members(rules, domain)?),
                            None => total.add(inner, members(rules, domain)?),
                        }
                    }
                }
                StmtKind::RepeatTimes { times, body } => {
                    let inner = self.made_by(body, given, depth)?;
                    if inner.some() {
                        total.add(inner, usize::try_from(constant_with(rules, times, given)?.max(0)).ok()?);
                    }
                }
                _ => {
                    let mut inner = false;
                    each_in(std::slice::from_ref(stmt), &mut |stmt| inner |= may_create(rules, &self.creating, stmt));
                    if inner {
                        return None;
                    }
                }
            }
        }
        Some(total)
    }
}

/// How many members a set has at the most, if it can be told.
fn members(rules: &Rules, domain: &Expr) -> Option<usize> {
    match (&domain.ty, &domain.kind) {
        (Ty::Player, _) => Some(1),
        (Ty::Set(item) | Ty::List(item), _) if **item == Ty::Player => Some(usize::from(rules.players.1)),
        (_, ExprKind::ToSet(inner) | ExprKind::ToList(inner)) => members(rules, inner),
        (_, ExprKind::List(items)) => Some(items.len()),
        (_, ExprKind::Where { over, .. }) => members(rules, over),
        (_, ExprKind::Range(low, high)) => {
            let span = constant(rules, high)?.checked_sub(constant(rules, low)?)?;
            usize::try_from(span.saturating_add(1).max(0)).ok()
        }
        (Ty::Site(_), _) => Some(1),
        (Ty::Set(item), _) => match item.as_ref() {
            Ty::Site(board) if !board.endless() => Some(rules.boards[board.index()].geometry.sites()),
            Ty::Enum(id) => rules.enums.get(id.index()).map(|item| item.values.len()),
            _ => None,
        },
        _ => None,
    }
}

/// Procedures that can run while the game is played, or all.
fn in_play(rules: &Rules, all: bool) -> BTreeSet<ProcId> {
    let verbs: BTreeSet<ProcId> = rules.verbs.iter().map(|verb| verb.body).collect();
    let first: BTreeSet<ProcId> = openings(rules).into_iter().collect();
    let every = (0..rules.procs.len() as u32).map(ProcId);
    if all {
        return every.collect();
    }
    let mut found: BTreeSet<ProcId> = every.filter(|proc| !verbs.contains(proc) && !first.contains(proc)).collect();
    let mut open: Vec<ProcId> = found.iter().copied().collect();
    while let Some(proc) = open.pop() {
        each_stmt(&rules.procs[proc.index()], &mut |stmt| {
            if let StmtKind::Call { verb, .. } = &stmt.kind {
                let body = rules.verbs[verb.index()].body;
                if found.insert(body) {
                    open.push(body);
                }
            }
        });
    }
    found
}

fn kind_of(rules: &Rules, what: &Created) -> Option<KindId> {
    match what {
        Created::CopyOf { .. } => None,
        Created::Kind { kind, .. } => Some(*kind),
        Created::Entry { entry, .. } => Some(rules.entries[entry.index()].kind),
    }
}

/// How many a `create` makes, if that is constant where these values are given.
fn many(rules: &Rules, what: &Created, fields: &[(PropId, CreateValue)], given: &[Option<i64>]) -> Option<usize> {
    let count = match what {
        Created::CopyOf { count, .. } | Created::Kind { count, .. } | Created::Entry { count, .. } => match count {
            Some(count) => constant_with(rules, count, given)?,
            None => 1,
        },
    };
    let every = fields.iter().filter(|(_, value)| matches!(value, CreateValue::EveryValue)).map(|(prop, _)| {
        let prop = &rules.props[prop.index()];
        value_count(rules, &prop.ty, prop.range)
    });
    Some(every.fold(count.clamp(0, 4096) as usize, usize::saturating_mul))
}
