//! Counters, marks and links that are read where they are never set: of cards in one zone set, of cards in another read. A card that
//! moves to another zone begins anew, so it is read as it began, without a word.

use super::check::Checker;
use super::rules::walk::{each_block, each_expr, each_given, each_in, each_stmt, stmt_exprs};
use super::rules::{
    BinaryOp, Builtin, ClauseKind, CreateValue, Destination, Expr, ExprKind, HookEvent, KindId, LocalId, Proc,
    ProcBody, ProcId, PropClass, PropId, RootKind, Stage, Stmt, StmtKind, Ty, VerbId, ZoneId,
};
use super::scripts::mentions;
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// How often the rules are gone through for what verbs and definitions are given; verbs that hand on more deeply are rare.
const MAX_ROUNDS: usize = 8;

/// A zone, or none for boards.
pub(super) type Location = Option<ZoneId>;

/// Where things can lie that a value is made of; none where nobody can say.
type Places = Option<BTreeSet<Location>>;

/// Where the things lie that each local of each procedure can be, and that a definition gives (without a local). One that is
/// missing has not been bound yet.
pub(super) type Bound = BTreeMap<(usize, Option<LocalId>), Places>;

/// Stands for the card of a clause among the locals of its procedures.
pub(super) const THIS: LocalId = LocalId(u32::MAX);

/// Where a counter or mark is set, and the first place in the rules where it is.
#[derive(Default)]
struct Setter {
    places: BTreeSet<Location>,
    span: Option<Span>,
    anywhere: bool,
}

impl Checker<'_> {
    /// Warns of counters and marks that are read of cards where nothing sets them.
    pub(super) fn check_strayed(&mut self, bound: Option<Bound>) {
        let kept = |stmt: &Stmt| match &stmt.kind {
            StmtKind::SetProp { of, .. } => is_thing(of),
            StmtKind::Link { .. } => true,
            StmtKind::Create { fields, .. } => fields.iter().any(|(prop, _)| self.is_kept(*prop)),
            _ => false,
        };
        let mut any = false;
        for proc in &self.rules.procs {
            each_stmt(proc, &mut |stmt| any |= kept(stmt));
        }
        let Some(mut bound) = bound.filter(|_| any) else { return };
        let setters = self.setters_by_place(&bound);
        let expected = self.of_scenarios();
        let mut found: BTreeMap<PropId, (Span, BTreeSet<Location>)> = BTreeMap::new();
        for (index, proc) in self.rules.procs.iter().enumerate().filter(|(index, _)| !expected.contains(index)) {
            self.each_bound(index, proc, &mut bound, &mut |bound, expr| {
                if let ExprKind::Prop(of, id) = &expr.kind
                    && let Some(setter) = setters.get(&self.whole(*id)).filter(|setter| !setter.anywhere)
                    && let Some(places) = self.locations(bound, index, of)
                    && !places.is_empty()
                    && places.is_disjoint(&setter.places)
                {
                    found.entry(self.whole(*id)).or_insert((expr.span, places));
                }
            });
        }
        let mut anew: BTreeMap<PropId, Diagnostic> = BTreeMap::new();
        for (index, proc) in self.rules.procs.iter().enumerate().filter(|(index, _)| !expected.contains(index)) {
            if let ProcBody::Block(stmts) = &proc.body {
                self.begun_anew(index, stmts, &bound, &mut anew);
            }
        }
        let by_itself = self.set_by_itself();
        anew.retain(|id, _| !found.contains_key(id) && !by_itself.contains(id));
        let found: Vec<Diagnostic> =
            found.iter().filter_map(|(id, (span, at))| self.tell_strayed(*id, *span, at, setters.get(id)?)).collect();
        self.diagnostics.extend(found.into_iter().chain(anew.into_values()));
    }

    /// The counters and marks that checks, and what waits for a condition, may set behind any statement.
    fn set_by_itself(&self) -> BTreeSet<PropId> {
        let waiting = self.rules.clauses.iter().filter_map(|clause| match clause.kind {
            ClauseKind::Check { body, .. } | ClauseKind::Becomes { body, .. } => Some(body),
            _ => None,
        });
        let (mut left, mut seen, mut set) = (waiting.collect::<Vec<_>>(), BTreeSet::new(), BTreeSet::new());
        while let Some(proc) = left.pop().filter(|_| seen.len() < self.rules.procs.len()) {
            if !seen.insert(proc) {
                continue;
            }
            if let Some(proc) = self.rules.procs.get(proc.index()) {
                each_stmt(proc, &mut |stmt| {
                    if let StmtKind::SetProp { prop, .. } = &stmt.kind {
                        set.insert(self.whole(*prop));
                    }
                });
            }
            left.extend(self.calls(proc).flat_map(|(callee, _)| self.behind(callee)));
        }
        set
    }

    /// What is read of a thing that has just become another by a move, before anything could set it.
    fn begun_anew(&self, index: usize, stmts: &[Stmt], bound: &Bound, found: &mut BTreeMap<PropId, Diagnostic>) {
        for (at, stmt) in stmts.iter().enumerate() {
            each_block(stmt, &mut |block| self.begun_anew(index, block, bound, found));
            let StmtKind::Move { what, to, local: Some(local), .. } = &stmt.kind else { continue };
            let from = self.locations(bound, index, what).filter(|from| !from.is_empty());
            let (Some(from), Some(to)) = (from, self.place_of(to)) else { continue };
            if from.contains(&to) {
                continue;
            }
            for later in stmts.iter().skip(at + 1) {
                let acts = may_set(later);
                let mut read = |expr: &Expr| self.read_anew(expr, *local, (&from, to), stmt.span, found);
                match acts {
                    true => stmt_exprs(later, &mut |expr| expr.walk(&mut read)),
                    false => each_in(std::slice::from_ref(later), &mut |inner| {
                        stmt_exprs(inner, &mut |expr| expr.walk(&mut read));
                    }),
                }
                if acts {
                    break;
                }
            }
        }
    }

    fn read_anew(
        &self,
        expr: &Expr,
        local: LocalId,
        (from, to): (&BTreeSet<Location>, Location),
        moved: Span,
        found: &mut BTreeMap<PropId, Diagnostic>,
    ) {
        let ExprKind::Prop(of, id) = &expr.kind else { return };
        if !of.bare().is_local(local) || !self.is_kept(*id) {
            return;
        }
        let (name, came) = (self.prop_name(*id), self.place_names(from).replace(" and ", " or "));
        let message = format!(
            "`{name}` is read {} of what was {came} just before: what moves begins anew, so it is as it began",
            self.place_names(&BTreeSet::from([to]))
        );
        let help = format!("keep it in a `let` before the move, and set it behind it: `set n.{name} = ...`");
        found.entry(self.whole(*id)).or_insert_with(|| {
            Diagnostic::new(Code::NeverSet, expr.span, message)
                .help(help)
                .label(moved, "it is another one from here on")
        });
    }

    fn tell_strayed(&self, id: PropId, span: Span, at: &BTreeSet<Location>, setter: &Setter) -> Option<Diagnostic> {
        let name = self.prop_name(id);
        let (read, set) = (self.place_names(at), self.place_names(&setter.places));
        let is_link = !self.is_kept(id);
        let message = match is_link {
            true => {
                format!(
                    "`{name}` is read {read}, and linked only {set}: what moves to another zone is linked to nothing there"
                )
            }
            false => {
                format!(
                    "`{name}` is read {read}, and set only {set}: what moves begins anew, so it always is as it began"
                )
            }
        };
        let help = match is_link {
            true => format!(
                "link them once more where they are now: `move h.{name} to Z as those  move h to Z as n  each c in those {{ link c to n }}`"
            ),
            false => format!("set it once more behind the move: `move c to ... as n  set n.{name} = ...`"),
        };
        let label = if is_link { "linked here" } else { "set here" };
        Some(Diagnostic::new(Code::NeverSet, span, message).help(help).label(setter.span?, label))
    }

    pub(super) fn place_names(&self, places: &BTreeSet<Location>) -> String {
        let zone = |id: &ZoneId| self.declared_name(*id);
        let names = places.iter().map(|place| match place {
            Some(id) => format!("in `{}`", zone(id)),
            None => "on boards".to_owned(),
        });
        names.collect::<Vec<_>>().join(" and ")
    }

    /// A counter or mark, or the table that it is a part of.
    pub(super) fn whole(&self, id: PropId) -> PropId {
        self.rules.props.get(id.index()).and_then(|prop| prop.table).unwrap_or(id)
    }

    /// Where each counter and mark of things is set.
    fn setters_by_place(&self, bound: &Bound) -> BTreeMap<PropId, Setter> {
        let mut setters: BTreeMap<PropId, Setter> = BTreeMap::new();
        for (index, proc) in self.rules.procs.iter().enumerate() {
            each_stmt(proc, &mut |stmt| match &stmt.kind {
                StmtKind::SetProp { of, prop, value } if is_thing(of) => {
                    let setter = setters.entry(self.whole(*prop)).or_default();
                    setter.span.get_or_insert(value.span);
                    match self.locations(bound, index, of) {
                        Some(places) => setter.places.extend(places),
                        None => setter.anywhere = true,
                    }
                }
                StmtKind::Link { what, to, link } => {
                    let Some(link) = self.rules.links.get(link.index()) else { return };
                    for (end, of) in [(link.one, what), (link.many, to)] {
                        let setter = setters.entry(end).or_default();
                        setter.span.get_or_insert(stmt.span);
                        match self.locations(bound, index, of) {
                            Some(places) => setter.places.extend(places),
                            None => setter.anywhere = true,
                        }
                    }
                }
                StmtKind::Create { to, fields, .. } => {
                    for (prop, value) in fields {
                        let setter = setters.entry(self.whole(*prop)).or_default();
                        if let CreateValue::Value(value) = value {
                            setter.span.get_or_insert(value.span);
                        }
                        match self.place_of(to) {
                            Some(place) => _ = setter.places.insert(place),
                            None => setter.anywhere = true,
                        }
                    }
                }
                _ => {}
            });
        }
        setters.retain(|id, _| self.is_kept(*id) || self.is_link(*id));
        setters
    }

    /// Whether a property is a counter or mark, or a table of them.
    fn is_kept(&self, id: PropId) -> bool {
        let class = self.rules.props.get(id.index()).map(|prop| &prop.class);
        matches!(class, Some(PropClass::Counter { .. } | PropClass::Mark { .. } | PropClass::Table(_)))
    }

    fn is_link(&self, id: PropId) -> bool {
        let class = self.rules.props.get(id.index()).map(|prop| &prop.class);
        matches!(class, Some(PropClass::LinkOne(_) | PropClass::LinkMany(_)))
    }

    /// Where the things lie that locals can be, once nothing is added any more; none if that takes too long.
    pub(super) fn bound(&self) -> Option<Bound> {
        let mut bound = Bound::new();
        // A verb's parameters are what it is called with, those of a hook what its verb is, a definition's what it is called with, too;
        // nobody can say what others are given.
        let mut called: BTreeSet<usize> = self.rules.verbs.iter().map(|verb| verb.body.index()).collect();
        called.extend(self.hooks().flat_map(|(kind, ..)| kind.procs()).map(ProcId::index));
        let mut changed = false;
        for proc in &self.rules.procs {
            each_expr(proc, &mut |expr| {
                if let ExprKind::Call(define, _) = &expr.kind {
                    called.insert(define.index());
                }
            });
            each_stmt(proc, &mut |stmt| {
                let StmtKind::Proceed { args } = &stmt.kind else { return };
                changed |= args.iter().flatten().any(is_thing);
            });
        }
        for (index, proc) in self.rules.procs.iter().enumerate() {
            if changed && matches!(proc.body, ProcBody::Block(_)) || !called.contains(&index) {
                let params = (0..proc.params).map(|param| (index, Some(LocalId(param.into()))));
                bound.extend(params.map(|param| (param, None)));
            }
        }
        // What an armed clause has captured lies where it lay then, or elsewhere.
        for clause in &self.rules.clauses {
            for proc in clause.kind.procs() {
                bound.extend(clause.captures.iter().map(|(_, local)| ((proc.index(), Some(*local)), None)));
            }
        }
        for _ in 0..MAX_ROUNDS {
            let mut more = false;
            for index in 0..self.rules.procs.len() {
                self.bind_locations(index, &mut bound, &mut more);
            }
            self.bind_hooks(&mut bound, &mut more);
            if !more {
                return Some(bound);
            }
        }
        None
    }

    /// What waits for a verb, with it.
    fn hooks(&self) -> impl Iterator<Item = (&ClauseKind, Stage, VerbId)> {
        self.rules.clauses.iter().filter_map(|clause| match clause.kind {
            ClauseKind::Hook { stage, event: HookEvent::Verb(verb), .. } => Some((&clause.kind, stage, verb)),
            _ => None,
        })
    }

    /// Adds what hooks are about: what their verb is called with, and behind it what that has brought into play.
    fn bind_hooks(&self, bound: &mut Bound, more: &mut bool) {
        for (kind, stage, verb) in self.hooks() {
            let Some(verb) = self.rules.verbs.get(verb.index()) else { continue };
            for (param, declared) in verb.params.iter().enumerate() {
                let local = Some(LocalId(param as u32));
                let Some(mut places) = bound.get(&(verb.body.index(), local)).cloned() else { continue };
                if let (Stage::After, Ty::Entity(kind)) = (stage, declared.ty.element().bare()) {
                    let brought = self.in_play_places(*kind);
                    places = places.zip(brought).map(|(places, brought)| &places | &brought);
                }
                for proc in kind.procs() {
                    *more |= join(bound, (proc.index(), local), places.clone());
                }
            }
        }
    }

    /// The formulas of a stat, and of those of its name that other kinds have.
    fn formulas<'a>(&'a self, stat: PropId) -> impl Iterator<Item = ProcId> + 'a {
        let found = self.rules.props.get(stat.index());
        let stats = found.filter(|prop| matches!(prop.class, PropClass::Stat { .. }));
        self.rules.props.iter().filter_map(move |prop| match prop.class {
            PropClass::Stat { formula } if stats.is_some_and(|stat| stat.name == prop.name) => Some(formula),
            _ => None,
        })
    }

    /// Adds what one procedure binds.
    fn bind_locations(&self, index: usize, bound: &mut Bound, more: &mut bool) {
        let Some(proc) = self.rules.procs.get(index) else { return };
        let mut add =
            |bound: &mut Bound, to: (usize, Option<LocalId>), places: Places| *more |= join(bound, to, places);
        each_stmt(proc, &mut |stmt| {
            each_given(stmt, &mut |local, from| {
                let places = self.locations(bound, index, from);
                add(bound, (index, Some(local)), places);
            });
            match &stmt.kind {
                StmtKind::Move { to, local: Some(local), .. } | StmtKind::Create { to, local: Some(local), .. } => {
                    let places = self.place_of(to).map(|place| BTreeSet::from([place]));
                    add(bound, (index, Some(*local)), places);
                }
                StmtKind::Call { verb, args, .. } => {
                    let Some(body) = self.rules.verbs.get(verb.index()).map(|verb| verb.body.index()) else { return };
                    for (param, arg) in args.iter().enumerate() {
                        let places = arg.as_ref().and_then(|arg| self.locations(bound, index, arg));
                        add(bound, (body, Some(LocalId(param as u32))), places);
                    }
                }
                _ => {}
            }
        });
        if let ProcBody::Expr(body) = &proc.body {
            let places = self.locations(bound, index, body);
            add(bound, (index, None), places);
        }
        self.each_bound(index, proc, bound, &mut |bound, expr| {
            if let ExprKind::Call(define, args) = &expr.kind {
                for (param, arg) in args.iter().enumerate() {
                    let places = self.locations(bound, index, arg);
                    add(bound, (define.index(), Some(LocalId(param as u32))), places);
                }
            }
            if let ExprKind::Prop(of, stat) = &expr.kind
                && is_thing(of)
                && self.formulas(*stat).next().is_some()
            {
                let places = self.locations(bound, index, of);
                let scripted = self.rules.scripts.iter().any(|script| mentions(&script.source, self.prop_name(*stat)));
                let places = places.filter(|_| !scripted);
                self.formulas(*stat).for_each(|formula| add(bound, (formula.index(), Some(THIS)), places.clone()));
            }
        });
    }

    /// Calls `f` for the expressions of a procedure, while the subjects of the filters and folds around each are bound.
    pub(super) fn each_bound<'p>(
        &self,
        index: usize,
        proc: &'p Proc,
        bound: &mut Bound,
        f: &mut dyn FnMut(&mut Bound, &'p Expr),
    ) {
        match &proc.body {
            ProcBody::Expr(expr) => self.each_within(index, expr, bound, f),
            ProcBody::Block(_) => each_stmt(proc, &mut |stmt| {
                stmt_exprs(stmt, &mut |expr| self.each_within(index, expr, bound, f));
            }),
        }
    }

    /// The same for an expression and what is in it. Another subject may have the same local.
    fn each_within<'p>(
        &self,
        index: usize,
        expr: &'p Expr,
        bound: &mut Bound,
        f: &mut dyn FnMut(&mut Bound, &'p Expr),
    ) {
        f(bound, expr);
        let subject = expr.subject();
        for (part, inner) in expr.parts().into_iter().enumerate() {
            if let Some((local, over)) = subject
                && part == 1
            {
                let places = self.locations(bound, index, over);
                bound.insert((index, Some(local)), places);
            }
            self.each_within(index, inner, bound, f);
        }
    }

    /// Where the things lie that an expression of a procedure gives.
    pub(super) fn locations(&self, bound: &Bound, index: usize, expr: &Expr) -> Places {
        if !is_thing(expr) || self.is_open(&expr.ty) {
            return None;
        }
        let both = |one: &Expr, other: &Expr| {
            let mut places = self.locations(bound, index, one)?;
            places.extend(self.locations(bound, index, other)?);
            Some(places)
        };
        match &expr.kind {
            // What nothing binds yet is nothing, which lies nowhere.
            ExprKind::Local(local) => {
                bound.get(&(index, Some(*local))).cloned().unwrap_or_else(|| Some(BTreeSet::new()))
            }
            ExprKind::Nothing | ExprKind::Empty => Some(BTreeSet::new()),
            ExprKind::Contents(zone, _) => Some(BTreeSet::from([Some(self.declared_with(*zone))])),
            ExprKind::This => bound.get(&(index, Some(THIS))).cloned().flatten(),
            // `players.hand`
            ExprKind::Collect { over, body, .. } if is_thing(body) && !is_thing(over) => {
                self.locations(bound, index, body)
            }
            ExprKind::Where { over: inner, .. }
            | ExprKind::Having { over: inner, .. }
            | ExprKind::Sorted { over: inner, .. }
            | ExprKind::ToSet(inner)
            | ExprKind::ToList(inner)
            | ExprKind::Index(inner, _)
            | ExprKind::Binary(BinaryOp::Difference, inner, _) => self.locations(bound, index, inner),
            ExprKind::Binary(BinaryOp::Union, one, other) | ExprKind::If(_, one, other) => both(one, other),
            ExprKind::Binary(BinaryOp::Both, one, other) => {
                self.locations(bound, index, one).or_else(|| self.locations(bound, index, other))
            }
            ExprKind::Builtin(Builtin::First | Builtin::Top | Builtin::Bottom, args) => {
                self.locations(bound, index, args.first()?)
            }
            ExprKind::Builtin(Builtin::PiecesOn, _) => Some(BTreeSet::from([None])),
            ExprKind::InPlay(kind) => self.in_play_places(*kind),
            ExprKind::Call(define, _) => {
                bound.get(&(define.index(), None)).cloned().unwrap_or_else(|| Some(BTreeSet::new()))
            }
            _ => None,
        }
    }

    /// Where the things of a kind lie that are in play; nobody can say of what needs no place.
    pub(super) fn in_play_places(&self, kind: KindId) -> Places {
        if self.rules.kinds.get(kind.index())?.root == RootKind::Thing {
            return None;
        }
        let zones = self.zones_of(kind).filter(|(_, zone)| zone.in_play).map(|(id, _)| Some(self.declared_with(id)));
        let laid = self.laid.keys().any(|home| self.akin(*home, kind)).then_some(None);
        Some(zones.chain(laid).collect())
    }

    /// The first of the zones that are declared together: what moves between them stays what it is.
    fn declared_with(&self, zone: ZoneId) -> ZoneId {
        self.zones_with(zone).first().copied().unwrap_or(zone)
    }

    /// Where what is moved or made lies then; none for what lies nowhere.
    pub(super) fn place_of(&self, to: &Destination) -> Option<Location> {
        match to {
            Destination::Zone { zone, .. } => Some(Some(self.declared_with(*zone))),
            Destination::Site { .. } => Some(None),
            Destination::Nowhere => None,
        }
    }
}

/// Adds to where the things lie that a local can be; says whether that is new.
fn join(bound: &mut Bound, to: (usize, Option<LocalId>), places: Places) -> bool {
    let Some(known) = bound.get_mut(&to) else {
        bound.insert(to, places);
        return true;
    };
    match (known.as_mut(), places) {
        (None, _) => false,
        (Some(_), None) => {
            *known = None;
            true
        }
        (Some(known), Some(places)) => {
            let before = known.len();
            known.extend(places);
            known.len() > before
        }
    }
}

/// Whether a statement may set a counter or mark of something, as far as its form says.
fn may_set(stmt: &Stmt) -> bool {
    let mut sets = false;
    each_in(std::slice::from_ref(stmt), &mut |stmt| {
        sets |= !matches!(
            stmt.kind,
            StmtKind::Local { .. }
                | StmtKind::SetGameProp { .. }
                | StmtKind::Choose(_)
                | StmtKind::If { .. }
                | StmtKind::Each { .. }
                | StmtKind::Move { .. }
                | StmtKind::Note(_)
                | StmtKind::Ensure { .. }
                | StmtKind::Requires { .. }
                | StmtKind::Shuffle { .. }
                | StmtKind::Reveal { .. }
        ) && !matches!(&stmt.kind, StmtKind::SetProp { of, .. } if !is_thing(of));
    });
    sets
}

pub(super) fn is_thing(expr: &Expr) -> bool {
    matches!(expr.ty.element().bare(), Ty::Entity(_))
}
