//! Which numbers an expression can be, from the ranges that are declared: of fields, counters, marks, options, rolls and
//! choices, and of what is worked out from them. Comparisons that such ranges decide, and values that a counter can never
//! take, are likely to be mistakes.
//!
//! INVARIANT: bounds hold for every value of the options, and say nothing of `nothing`.

mod names;
mod sizes;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::check::Checker;
use super::rules::walk::{each_stmt, stmt_exprs};
use super::rules::{
    BinaryOp, Builtin, BuiltinProp, Choose, CollectOp, CompareOp, CreateValue, Expr, ExprKind, FoldOp, LocalId, Proc,
    ProcBody, ProcId, PropClass, PropId, PropOwner, Qty, Rules, Stmt, StmtKind, Ty,
};
use super::scenario::ScenarioStepKind;
use crate::base::{Code, Diagnostic, Span};

/// The smallest and the largest number that something can be; the ends of `i64` stand for no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: i64,
    pub high: i64,
}

impl Bounds {
    /// Any number.
    pub const ANY: Bounds = Bounds { low: i64::MIN, high: i64::MAX };

    fn new(low: i64, high: i64) -> Bounds {
        Bounds { low, high }
    }

    fn one(value: i64) -> Bounds {
        Bounds::new(value, value)
    }

    fn is_one(self) -> bool {
        self.low == self.high
    }

    fn hull(self, other: Bounds) -> Bounds {
        Bounds::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What is in both; what cannot be is anything, since it is never reached.
    fn both(self, other: Bounds) -> Bounds {
        let met = Bounds::new(self.low.max(other.low), self.high.min(other.high));
        if met.low <= met.high { met } else { Bounds::ANY }
    }

    fn negated(self) -> Bounds {
        Bounds::wide(-i128::from(self.high), -i128::from(self.low))
    }

    /// From numbers that may be too large.
    fn wide(low: i128, high: i128) -> Bounds {
        let open = |end: i128| end <= i128::from(i64::MIN) + 1 || end >= i128::from(i64::MAX);
        let fit = |end: i128, none: i64| i64::try_from(end).ok().filter(|_| !open(end)).unwrap_or(none);
        Bounds::new(fit(low, i64::MIN), fit(high, i64::MAX))
    }

    fn plus(self, other: Bounds) -> Bounds {
        let open = |one: i64, two: i64, end: i64| one == end || two == end;
        let low = if open(self.low, other.low, i64::MIN) { i64::MIN } else { self.low.saturating_add(other.low) };
        let high = if open(self.high, other.high, i64::MAX) { i64::MAX } else { self.high.saturating_add(other.high) };
        Bounds::new(low, high)
    }

    /// The hull of what an operation makes of the ends.
    fn corners(self, other: Bounds, op: impl Fn(i128, i128) -> i128) -> Bounds {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let ends = ends.map(|(a, b)| op(i128::from(a), i128::from(b)));
        let low = ends.iter().copied().min().unwrap_or(0);
        Bounds::wide(low, ends.iter().copied().max().unwrap_or(0))
    }

    fn divided(self, by: Bounds) -> Bounds {
        if by.low <= 0 && by.high >= 0 {
            return Bounds::ANY;
        }
        self.corners(by, |a, b| a / b)
    }

    fn remainder(self, by: Bounds) -> Bounds {
        if by.low <= 0 || by.high == i64::MAX {
            return Bounds::ANY;
        }
        let most = by.high - 1;
        Bounds::new(if self.low >= 0 { 0 } else { -most }, if self.high <= 0 { 0 } else { most.min(self.high.max(0)) })
    }

    /// What a comparison of two such numbers comes to, where that is always the same.
    fn compare(self, op: CompareOp, other: Bounds) -> Option<bool> {
        match op {
            CompareOp::Lt if self.high < other.low => Some(true),
            CompareOp::Lt if self.low >= other.high => Some(false),
            CompareOp::Le if self.high <= other.low => Some(true),
            CompareOp::Le if self.low > other.high => Some(false),
            CompareOp::Gt => other.compare(CompareOp::Lt, self),
            CompareOp::Ge => other.compare(CompareOp::Le, self),
            CompareOp::Eq if self.high < other.low || self.low > other.high => Some(false),
            CompareOp::Eq if self.is_one() && self == other => Some(true),
            CompareOp::Ne => self.compare(CompareOp::Eq, other).map(|same| !same),
            CompareOp::Lt | CompareOp::Le | CompareOp::Eq => None,
        }
    }

    /// The numbers that stand so to one of these.
    fn standing(self, op: CompareOp) -> Bounds {
        match op {
            CompareOp::Eq => self,
            CompareOp::Ne => Bounds::ANY,
            CompareOp::Lt => Bounds::new(i64::MIN, self.high.saturating_sub(i64::from(self.high != i64::MAX))),
            CompareOp::Le => Bounds::new(i64::MIN, self.high),
            CompareOp::Gt => Bounds::new(self.low.saturating_add(i64::from(self.low != i64::MIN)), i64::MAX),
            CompareOp::Ge => Bounds::new(self.low, i64::MAX),
        }
    }

    fn words(self) -> String {
        match (self.low, self.high) {
            (low, high) if low == high => format!("{low}"),
            (i64::MIN, high) => format!("at most {high}"),
            (low, i64::MAX) => format!("at least {low}"),
            (low, high) => format!("from {low} to {high}"),
        }
    }
}

/// Where a local gets a value from.
enum Source<'r> {
    Value(&'r Expr),
    /// A member of a set.
    Member(&'r Expr),
    /// A roll from the first to the second.
    Roll(&'r Expr, &'r Expr),
    /// What is not a number, or any.
    Unknown,
}

/// The locals of one procedure.
struct Locals<'r> {
    proc: Option<&'r Proc>,
    sources: BTreeMap<LocalId, Vec<Source<'r>>>,
    /// Those that are worked out; while one is, it is anything.
    known: RefCell<BTreeMap<LocalId, Bounds>>,
}

impl<'r> Locals<'r> {
    fn of(proc: &'r Proc) -> Locals<'r> {
        let mut locals = Locals { proc: Some(proc), sources: BTreeMap::new(), known: RefCell::default() };
        match &proc.body {
            ProcBody::Expr(expr) => locals.binders(expr),
            ProcBody::Block(_) => each_stmt(proc, &mut |stmt| locals.stmt(stmt)),
        }
        locals
    }

    fn bind(&mut self, local: LocalId, source: Source<'r>) {
        self.sources.entry(local).or_default().push(source);
    }

    fn choose(&mut self, choose: &'r Choose) {
        let one = matches!(choose.qty, Qty::One);
        self.bind(choose.local, if one { Source::Member(&choose.domain) } else { Source::Unknown });
    }

    fn stmt(&mut self, stmt: &'r Stmt) {
        match &stmt.kind {
            StmtKind::Local { local, value } => self.bind(*local, Source::Value(value)),
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Gate { chooses, .. } => chooses.iter().for_each(|choose| self.choose(choose)),
            StmtKind::Offer(offer) => offer.terms.iter().for_each(|choose| self.choose(choose)),
            StmtKind::EachSecret { local, domain, choose, .. } => {
                self.bind(*local, Source::Member(domain));
                self.choose(choose);
            }
            StmtKind::Each { local, domain, .. } | StmtKind::Random { local, domain } => {
                self.bind(*local, Source::Member(domain));
            }
            StmtKind::Roll { local, low, high } => self.bind(*local, Source::Roll(low, high)),
            StmtKind::ChooseOrder { local, .. } | StmtKind::ChooseSplit { local, .. } => {
                self.bind(*local, Source::Unknown);
            }
            _ => {}
        }
        stmt_exprs(stmt, &mut |expr| self.binders(expr));
    }

    fn binders(&mut self, expr: &'r Expr) {
        expr.walk(&mut |part| {
            if let (Some(local), Some(over)) = (part.binder(), part.parts().first()) {
                self.bind(local, Source::Member(over));
            }
        });
    }
}

/// What is known at one place: conditions that hold there.
type Facts<'r> = Vec<(&'r Expr, Bounds)>;

/// The analysis.
struct Ranges<'r> {
    rules: &'r Rules,
    /// By property, for every value of the options.
    props: Vec<Bounds>,
    /// What definitions give, for any arguments.
    defines: RefCell<BTreeMap<ProcId, Bounds>>,
    found: Vec<Diagnostic>,
    /// Comparisons of whole tables, in which one key may well be beyond doubt.
    tables: &'r BTreeSet<Span>,
    /// Whether expansions take part.
    extended: bool,
    /// Whether the text at hand is an expectation of a scenario, which may say what numbers alone decide.
    expects: bool,
}

impl Checker<'_> {
    /// Warns of comparisons that ranges decide, and of values outside of what they are for.
    pub(super) fn check_ranges(&mut self) {
        if self.diagnostics.iter().chain(&self.settled).any(Diagnostic::is_error) {
            return;
        }
        let mut ranges = Ranges {
            rules: &self.rules,
            props: (0..self.rules.props.len()).map(|index| self.bounds_of_prop(index)).collect(),
            defines: RefCell::default(),
            found: Vec::new(),
            tables: &self.compared_tables,
            extended: self.packages.iter().any(|package| package.expansion),
            expects: false,
        };
        let steps = self.scenarios.iter().flat_map(|scenario| &scenario.steps);
        let expected: BTreeSet<ProcId> = steps
            .filter_map(|step| match step.kind {
                ScenarioStepKind::Expect(proc) => Some(proc),
                _ => None,
            })
            .collect();
        for (index, proc) in self.rules.procs.iter().enumerate() {
            ranges.expects = expected.contains(&ProcId(index as u32));
            ranges.proc(proc);
        }
        let found = ranges.found;
        self.diagnostics.extend(found);
    }

    /// The bounds of a property; where kinds have several of its name, of all of them.
    fn bounds_of_prop(&self, index: usize) -> Bounds {
        let Some(prop) = self.rules.props.get(index) else { return Bounds::ANY };
        let own = |at: usize| self.declared_props.get(at).and_then(|declared| declared.wide).unwrap_or(Bounds::ANY);
        match (&prop.class, prop.owner) {
            (PropClass::Builtin(BuiltinProp::Seat), _) => Bounds::new(1, i64::from(self.rules.players.1)),
            (_, PropOwner::Kind(_)) => {
                let like =
                    |other: &super::rules::Prop| other.name == prop.name && matches!(other.owner, PropOwner::Kind(_));
                let twins = self.rules.props.iter().enumerate().filter(|(_, other)| like(other));
                twins.fold(own(index), |bounds, (at, _)| bounds.hull(own(at)))
            }
            _ => own(index),
        }
    }
}

/// The bounds of a constant, whatever the options are.
pub(super) fn of_constant(rules: &Rules, expr: &Expr) -> Bounds {
    let (defines, tables) = (RefCell::default(), &BTreeSet::new());
    let ranges =
        Ranges { rules, props: Vec::new(), defines, found: Vec::new(), tables, extended: false, expects: false };
    let locals = Locals { proc: None, sources: BTreeMap::new(), known: RefCell::default() };
    ranges.bounds(&locals, expr, &Vec::new())
}

impl<'r> Ranges<'r> {
    fn proc(&mut self, proc: &'r Proc) {
        let locals = Locals::of(proc);
        match &proc.body {
            ProcBody::Expr(expr) => self.look(&locals, expr, &mut Vec::new()),
            ProcBody::Block(_) => each_stmt(proc, &mut |stmt| {
                stmt_exprs(stmt, &mut |expr| self.look(&locals, expr, &mut Vec::new()));
                self.stored(&locals, stmt);
            }),
        }
    }

    /// Whether a statement gives a number a value that it can never take.
    fn stored(&mut self, locals: &Locals<'r>, stmt: &'r Stmt) {
        match &stmt.kind {
            StmtKind::SetProp { prop, value, .. } | StmtKind::SetGameProp { prop, value } => {
                self.stored_in(locals, *prop, value, stmt.span);
            }
            StmtKind::Create { fields, .. } => {
                for (prop, value) in fields {
                    if let CreateValue::Value(value) = value {
                        self.stored_in(locals, *prop, value, value.span);
                    }
                }
            }
            StmtKind::Win(who) | StmtKind::Lose(who) => self.outcome(locals, stmt, who),
            StmtKind::Choose(choose) => self.none_chosen(locals, choose),
            _ => {}
        }
    }

    fn stored_in(&mut self, locals: &Locals<'r>, prop: PropId, value: &'r Expr, span: Span) {
        let (Some(info), Some(range)) = (self.rules.props.get(prop.index()), self.props.get(prop.index())) else {
            return;
        };
        if *info.ty.bare() != Ty::Number || *value.ty.bare() != Ty::Number || info.clamped {
            return;
        }
        let bounds = self.bounds(locals, value, &Vec::new());
        let end = match (bounds.low > range.high, bounds.high < range.low) {
            (true, _) => range.high,
            (_, true) => range.low,
            _ => return,
        };
        let name = &info.name;
        let message = format!("`{name}` is {}, so this always makes it {end}", range.words());
        let wider = Bounds::new(range.low.min(bounds.low), range.high.max(bounds.high));
        let help = match wider {
            Bounds { low: i64::MIN, .. } | Bounds { high: i64::MAX, .. } => {
                format!("write `set ... = {end}`, or declare it `clamped` if that is meant")
            }
            Bounds { low, high } => {
                format!(
                    "declare a wider range, such as `{name}: {low}..{high}`, or write `clamped` behind the range if that is meant"
                )
            }
        };
        self.found.push(Diagnostic::new(Code::BeyondRange, span, message).label(info.span, "declared here").help(help));
    }

    /// Looks at all comparisons in an expression.
    fn look(&mut self, locals: &Locals<'r>, expr: &'r Expr, facts: &mut Facts<'r>) {
        match &expr.kind {
            ExprKind::Compare(op, left, right) => {
                self.named(locals, left, right);
                self.comparison(locals, expr, (*op, left, right), facts);
            }
            ExprKind::In(left, right) => {
                self.named(locals, left, right);
                self.membership(locals, expr, (left, right));
            }
            ExprKind::Index(list, index) => self.item(locals, expr, (list, index)),
            ExprKind::Range(low, high) => self.backwards(locals, expr, (low, high)),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.look(locals, left, facts);
                let before = facts.len();
                self.learn(locals, left, matches!(expr.kind, ExprKind::And(..)), facts);
                self.follows(locals, right, matches!(expr.kind, ExprKind::Or(..)), facts);
                facts.truncate(before);
                self.look(locals, right, facts);
                return;
            }
            _ => {}
        }
        expr.each_part(&mut |part| self.look(locals, part, facts));
    }

    fn comparison(
        &mut self,
        locals: &Locals<'r>,
        whole: &'r Expr,
        (op, left, right): (CompareOp, &'r Expr, &'r Expr),
        facts: &Facts<'r>,
    ) {
        let Some(holds) = self.decided(locals, (op, left, right), facts) else { return };
        let none = Vec::new();
        if holds && self.tables.contains(&whole.span) {
            return;
        }
        // Whether a key that is worked out is this or that one of a table's is no condition of the author's.
        if whole.span == left.span && whole.span == right.span {
            return;
        }
        let (one, two) = (self.bounds(locals, left, facts), self.bounds(locals, right, facts));
        // Numbers that the text itself fixes may be there to be tried out.
        let written = |side: &'r Expr| self.bounds(locals, side, &none).is_one();
        let fixed = self.expects || written(left) && written(right);
        if fixed && self.declared(left).or(self.declared(right)).is_none() {
            return;
        }
        let plain = |side: &Expr| matches!(side.kind, ExprKind::Word(_));
        let words = |side: &Expr, bounds| match side.ty.bare() {
            Ty::Enum(_) => format!("`{}`", self.words(side, bounds)),
            _ => self.words(side, bounds),
        };
        let said = |side, bounds, other| format!("{} is {}", self.called(locals, side, other), words(side, bounds));
        let subjects = match (one.is_one() && !plain(right), two.is_one()) {
            (false, true) => said(left, one, "the left side"),
            (true, false) => said(right, two, "the right side"),
            _ => {
                let two = words(right, two);
                format!(
                    "{} and {} {two}",
                    said(left, one, "the left side"),
                    self.called(locals, right, "the right side")
                )
            }
        };
        let message = format!("{subjects}, so this is {}", if holds { "always true" } else { "never true" });
        let mut found = Diagnostic::new(Code::NeverTrue, whole.span, message);
        for side in [left, right] {
            if let Some(span) = self.declared(side) {
                let enumerated = matches!(side.ty.bare(), Ty::Enum(_));
                found = found.label(span, if enumerated { "declared here" } else { "its range is declared here" });
            }
        }
        let help = match (self.bounds(locals, left, &none).is_one(), op, right.ty.bare()) {
            (false, CompareOp::Eq | CompareOp::Ne, _) if one.is_one() && plain(right) => {
                let not = if op == CompareOp::Ne { "not " } else { "" };
                let (first, second) = (self.words(left, one), self.words(right, two));
                format!("one of several is asked by `... {not}in [{first}, {second}]`")
            }
            _ => "leave the condition out, or mend the number or the range".to_owned(),
        };
        self.found.push(found.help(help));
    }

    /// What a number or enum value can be, in words.
    fn words(&self, side: &Expr, bounds: Bounds) -> String {
        let value = match side.ty.bare() {
            Ty::Enum(id) => self.rules.enums.get(id.index()).and_then(|item| item.values.get(bounds.low as usize)),
            _ => None,
        };
        value.map_or_else(|| bounds.words(), |value| value.name.clone())
    }

    fn membership(&mut self, locals: &Locals<'r>, whole: &'r Expr, (left, right): (&'r Expr, &'r Expr)) {
        if *left.ty.bare() != Ty::Number || self.expects {
            return;
        }
        let (one, all) = (self.bounds(locals, left, &Vec::new()), self.members(locals, right));
        if one.high >= all.low && one.low <= all.high {
            return;
        }
        let message =
            format!("{} is {}, so this is never true", self.called(locals, left, "the left side"), one.words());
        let mut found = Diagnostic::new(Code::NeverTrue, whole.span, message);
        if let Some(span) = self.declared(left) {
            found = found.label(span, "its range is declared here");
        }
        self.found.push(found.help("leave the condition out, or mend the number or the range"));
    }

    /// What a comparison always comes to. `nothing` equals only `nothing`, and is neither smaller nor larger.
    fn decided(
        &self,
        locals: &Locals<'r>,
        (op, left, right): (CompareOp, &'r Expr, &'r Expr),
        facts: &Facts<'r>,
    ) -> Option<bool> {
        let numbers = *left.ty.bare() == Ty::Number && *right.ty.bare() == Ty::Number;
        let one = |side: &'r Expr| matches!(side.ty.bare(), Ty::Enum(_)) && self.bounds(locals, side, facts).is_one();
        if !(numbers || one(left) && one(right)) {
            return None;
        }
        let maybe = [left, right].iter().filter(|side| self.can_be_nothing(locals, side)).count();
        let holds = self.bounds(locals, left, facts).compare(op, self.bounds(locals, right, facts))?;
        let sure = match (op, holds) {
            (CompareOp::Eq, false) | (CompareOp::Ne, true) => maybe < 2,
            (CompareOp::Eq | CompareOp::Ne, _) | (_, true) => maybe == 0,
            (_, false) => true,
        };
        sure.then_some(holds)
    }

    /// Whether a number may be `nothing`: what is chosen from a range that always has a number is not.
    fn can_be_nothing(&self, locals: &Locals<'r>, expr: &Expr) -> bool {
        let ExprKind::Local(local) = &expr.kind else { return matches!(expr.ty, Ty::Maybe(_)) };
        let full = |set: &'r Expr| match &set.kind {
            ExprKind::Range(low, high) => {
                let none = Vec::new();
                self.bounds(locals, low, &none).high <= self.bounds(locals, high, &none).low
            }
            _ => false,
        };
        let sources = locals.sources.get(local).map(Vec::as_slice).unwrap_or_default();
        let sure = |source: &Source<'r>| matches!(source, Source::Member(set) if full(set));
        matches!(expr.ty, Ty::Maybe(_)) && (sources.is_empty() || !sources.iter().all(sure))
    }

    /// Notes what holds where a condition does, or does not.
    fn learn(&self, locals: &Locals<'r>, cond: &'r Expr, holds: bool, facts: &mut Facts<'r>) {
        match &cond.kind {
            ExprKind::And(left, right) if holds => {
                self.learn(locals, left, true, facts);
                self.learn(locals, right, true, facts);
            }
            ExprKind::Or(left, right) if !holds => {
                self.learn(locals, left, false, facts);
                self.learn(locals, right, false, facts);
            }
            ExprKind::Not(inner) => self.learn(locals, inner, !holds, facts),
            ExprKind::Compare(op, left, right) => {
                let op = if holds { *op } else { op.negated() };
                let numbers = left.ty == Ty::Number && right.ty == Ty::Number;
                // An enum value, which is no `nothing`.
                let value = |side: &Expr| matches!(side.ty, Ty::Enum(_));
                if !(numbers || op == CompareOp::Eq && (value(left) || value(right))) {
                    return;
                }
                let (one, two) = (self.bounds(locals, left, facts), self.bounds(locals, right, facts));
                facts.push((left, two.standing(op)));
                facts.push((right, one.standing(op.turned())));
            }
            _ => {}
        }
    }

    /// Looks whether what stands before in an `and` or `or` decides what follows, if that is not decided anyway. In an
    /// `and` only what makes it never true counts, in an `or` what makes it always true: the rest is said twice, no more.
    fn follows(&mut self, locals: &Locals<'r>, cond: &'r Expr, holds: bool, facts: &Facts<'r>) {
        match &cond.kind {
            ExprKind::And(left, right) if !holds => {
                self.follows(locals, left, holds, facts);
                self.follows(locals, right, holds, facts);
            }
            ExprKind::Compare(op, left, right) => {
                let decided = self.decided(locals, (*op, left, right), facts);
                if decided == Some(holds) && self.decided(locals, (*op, left, right), &Vec::new()).is_none() {
                    self.comparison(locals, cond, (*op, left, right), facts);
                }
            }
            _ => {}
        }
    }

    /// What an operand is called in a message.
    fn called(&self, locals: &Locals<'r>, expr: &Expr, otherwise: &str) -> String {
        let name = match &expr.kind {
            ExprKind::Prop(_, id) | ExprKind::GameProp(id) => {
                self.rules.props.get(id.index()).map(|prop| prop.name.as_str())
            }
            ExprKind::Option(id) => self.rules.options.get(id.index()).map(|option| option.name.as_str()),
            ExprKind::Local(local) => {
                let local = locals.proc.and_then(|proc| proc.locals.get(local.index()));
                local.map(|local| local.name.as_str()).filter(|name| !name.is_empty())
            }
            ExprKind::Call(proc, args) if args.is_empty() => {
                self.rules.procs.get(proc.index()).map(|proc| proc.name.as_str())
            }
            ExprKind::Round => Some("round"),
            _ => None,
        };
        name.map_or(otherwise.to_owned(), |name| format!("`{name}`"))
    }

    fn declared(&self, expr: &Expr) -> Option<Span> {
        match &expr.kind {
            ExprKind::Prop(_, id) | ExprKind::GameProp(id) => {
                self.rules.props.get(id.index()).map(|prop| prop.span).filter(|span| *span != Span::default())
            }
            ExprKind::Option(id) => self.rules.options.get(id.index()).map(|option| option.span),
            _ => None,
        }
    }

    fn local(&self, locals: &Locals<'r>, local: LocalId) -> Bounds {
        if let Some(known) = locals.known.borrow().get(&local) {
            return *known;
        }
        locals.known.borrow_mut().insert(local, Bounds::ANY);
        let none = Vec::new();
        let bounds = locals.sources.get(&local).into_iter().flatten().map(|source| match source {
            Source::Value(value) => self.bounds(locals, value, &none),
            Source::Member(set) => self.members(locals, set),
            Source::Roll(low, high) => {
                Bounds::new(self.bounds(locals, low, &none).low, self.bounds(locals, high, &none).high)
            }
            Source::Unknown => Bounds::ANY,
        });
        let bounds = bounds.reduce(Bounds::hull).unwrap_or(Bounds::ANY);
        locals.known.borrow_mut().insert(local, bounds);
        bounds
    }

    /// The bounds of the members of a set or list of numbers.
    fn members(&self, locals: &Locals<'r>, set: &'r Expr) -> Bounds {
        if *set.ty.element() != Ty::Number {
            return Bounds::ANY;
        }
        let none = Vec::new();
        match &set.kind {
            ExprKind::Range(low, high) => {
                Bounds::new(self.bounds(locals, low, &none).low, self.bounds(locals, high, &none).high)
            }
            ExprKind::Where { over, .. } | ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => {
                self.members(locals, over)
            }
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) if inner.ty.is_many() => self.members(locals, inner),
            ExprKind::ToSet(inner) => self.bounds(locals, inner, &none),
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.bounds(locals, item, &none));
                items.reduce(Bounds::hull).unwrap_or(Bounds::ANY)
            }
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                self.members(locals, left).hull(self.members(locals, right))
            }
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Both, left, _) => self.members(locals, left),
            ExprKind::Collect { op: CollectOp::Gather | CollectOp::Values, body, .. } if !body.ty.is_many() => {
                self.bounds(locals, body, &none)
            }
            ExprKind::Prop(_, id) | ExprKind::GameProp(id) => self.prop(*id),
            _ => Bounds::ANY,
        }
    }

    fn prop(&self, id: PropId) -> Bounds {
        self.props.get(id.index()).copied().unwrap_or(Bounds::ANY)
    }

    fn bounds(&self, locals: &Locals<'r>, expr: &'r Expr, facts: &Facts<'r>) -> Bounds {
        let known = facts.iter().filter(|(about, _)| about.same(expr)).map(|(_, bounds)| *bounds);
        known.fold(self.worked_out(locals, expr, facts), Bounds::both)
    }

    fn worked_out(&self, locals: &Locals<'r>, expr: &'r Expr, facts: &Facts<'r>) -> Bounds {
        let go = |part: &'r Expr| self.bounds(locals, part, facts);
        match &expr.kind {
            ExprKind::Word(value) => Bounds::one(*value),
            ExprKind::Option(id) => match self.rules.options.get(id.index()) {
                Some(option) if option.ty == Ty::Number => {
                    option.range.map_or(Bounds::ANY, |(low, high)| Bounds::new(low, high))
                }
                _ => Bounds::ANY,
            },
            ExprKind::Local(local) => self.local(locals, *local),
            ExprKind::Prop(_, id) | ExprKind::GameProp(id) => self.prop(*id),
            ExprKind::Round => Bounds::new(0, i64::MAX),
            ExprKind::Count(set) => self.count(locals, set),
            ExprKind::Negate(inner) => go(inner).negated(),
            ExprKind::If(_, then, or_else) => go(then).hull(go(or_else)),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Add => go(left).plus(go(right)),
                BinaryOp::Sub => go(left).plus(go(right).negated()),
                BinaryOp::Mul => go(left).corners(go(right), |a, b| a * b),
                BinaryOp::Div => go(left).divided(go(right)),
                BinaryOp::Rem => go(left).remainder(go(right)),
                BinaryOp::Union | BinaryOp::Difference | BinaryOp::Both => Bounds::ANY,
            },
            ExprKind::Fold { op, body, .. } => {
                let each = go(body);
                match op {
                    FoldOp::Min | FoldOp::Max => each.hull(Bounds::one(0)),
                    FoldOp::Sum => {
                        Bounds::new(if each.low >= 0 { 0 } else { i64::MIN }, if each.high <= 0 { 0 } else { i64::MAX })
                    }
                }
            }
            ExprKind::Call(proc, _) => self.define(*proc),
            ExprKind::Builtin(builtin, args) => self.builtin(locals, *builtin, args, facts),
            _ => Bounds::ANY,
        }
    }

    /// What a definition gives.
    fn define(&self, proc: ProcId) -> Bounds {
        if let Some(known) = self.defines.borrow().get(&proc) {
            return *known;
        }
        self.defines.borrow_mut().insert(proc, Bounds::ANY);
        let bounds = match self.rules.procs.get(proc.index()) {
            Some(found) => match &found.body {
                ProcBody::Expr(expr) if expr.ty == Ty::Number => self.bounds(&Locals::of(found), expr, &Vec::new()),
                _ => Bounds::ANY,
            },
            None => Bounds::ANY,
        };
        self.defines.borrow_mut().insert(proc, bounds);
        bounds
    }

    fn builtin(&self, locals: &Locals<'r>, builtin: Builtin, args: &'r [Expr], facts: &Facts<'r>) -> Bounds {
        let arg = |index: usize| args.get(index).map_or(Bounds::ANY, |arg| self.bounds(locals, arg, facts));
        match builtin {
            Builtin::Smaller => {
                let (a, b) = (arg(0), arg(1));
                Bounds::new(a.low.min(b.low), a.high.min(b.high))
            }
            Builtin::Larger => {
                let (a, b) = (arg(0), arg(1));
                Bounds::new(a.low.max(b.low), a.high.max(b.high))
            }
            Builtin::Abs => {
                let (a, b) = (arg(0), arg(0).negated());
                Bounds::new(if a.low > 0 { a.low } else { b.low.max(0) }, a.high.max(b.high))
            }
            Builtin::EnumIndex => match args.first().map(|arg| arg.ty.bare()) {
                Some(Ty::Enum(id)) => {
                    let values = self.rules.enums.get(id.index()).map_or(i64::MAX, |item| item.values.len() as i64);
                    Bounds::new(1, values)
                }
                _ => Bounds::ANY,
            },
            Builtin::First => args.first().map_or(Bounds::ANY, |set| self.members(locals, set)),
            Builtin::Column | Builtin::Row => {
                let board = args.first().and_then(|site| super::calls::board_of(&site.ty));
                let last = board.and_then(|board| self.rules.last_of(board));
                let last = last.map(|(columns, rows)| if builtin == Builtin::Row { rows } else { columns });
                Bounds::new(1, last.unwrap_or(i64::MAX))
            }
            Builtin::LongestLine | Builtin::Distance | Builtin::DistanceIn | Builtin::Repeats => {
                Bounds::new(0, i64::MAX)
            }
            _ => Bounds::ANY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [CompareOp; 6] =
        [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

    fn intervals() -> Vec<Bounds> {
        (-4..=4).flat_map(|low| (low..=4).map(move |high| Bounds::new(low, high))).collect()
    }

    fn has(bounds: Bounds, value: i64) -> bool {
        (bounds.low..=bounds.high).contains(&value)
    }

    #[test]
    fn bounds_hold_what_their_members_make() {
        for (one, two) in intervals().into_iter().flat_map(|one| intervals().into_iter().map(move |two| (one, two))) {
            let pairs = || (one.low..=one.high).flat_map(|a| (two.low..=two.high).map(move |b| (a, b)));
            for (a, b) in pairs() {
                assert!(has(one.plus(two), a + b) && has(one.negated(), -a), "{a} and {b} in {one:?} and {two:?}");
                assert!(has(one.corners(two, |a, b| a * b), a * b), "{a} * {b} in {one:?} and {two:?}");
                if b != 0 {
                    assert!(has(one.divided(two), a / b), "{a} / {b} in {one:?} and {two:?}");
                    assert!(has(one.remainder(two), a % b), "{a} % {b} in {one:?} and {two:?}");
                }
            }
            for op in OPS {
                let all = pairs().all(|(a, b)| op.holds(a, b));
                let none = !pairs().any(|(a, b)| op.holds(a, b));
                let expected = if all { Some(true) } else { none.then_some(false) };
                assert_eq!(one.compare(op, two), expected, "{one:?} {op:?} {two:?}");
                assert!(pairs().all(|(a, b)| !op.holds(a, b) || has(two.standing(op), a)), "{op:?} {two:?}");
                assert!(pairs().all(|(a, b)| op.holds(a, b) != op.negated().holds(a, b)));
                assert!(pairs().all(|(a, b)| op.holds(a, b) == op.turned().holds(b, a)));
            }
        }
    }

    #[test]
    fn what_has_no_bound_has_none_afterwards() {
        let some = Bounds::new(-3, 5);
        assert_eq!(Bounds::ANY.plus(some), Bounds::ANY);
        assert_eq!(Bounds::ANY.negated(), Bounds::ANY);
        assert_eq!(Bounds::ANY.corners(some, |a, b| a * b), Bounds::ANY);
        assert_eq!(Bounds::new(0, i64::MAX).plus(some), Bounds::new(-3, i64::MAX));
        assert_eq!(Bounds::ANY.compare(CompareOp::Lt, Bounds::ANY), None);
        assert_eq!(Bounds::ANY.compare(CompareOp::Le, Bounds::ANY), None);
    }
}
