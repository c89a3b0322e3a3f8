//! One thing where a set is meant, and a set where one thing is: what is always the same, or hardly ever so.

use super::body::Body;
use super::check::Checker;
use super::rules::walk::{each_expr, each_stmt};
use super::rules::{BinaryOp, Builtin, Expr, ExprKind, LocalId, Proc, ProcBody, Rules, StmtKind, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, BinaryOp as Op};

pub(super) const OF_SETS: &str =
    "how many they are is `count ...`; whether all of one are in the other `every A meets it in B`";
pub(super) const SHARED: &str =
    "what they share is asked by `some (A & B)`, whether all are in the other by `every A meets it in B`";

impl Checker<'_> {
    /// `count s` of one thing, which is there whatever it is.
    pub(super) fn counts_one(&mut self, written: &ast::Expr, one: &Expr, span: Span) {
        if one.ty.is_many() || matches!(one.ty, Ty::Maybe(_) | Ty::Nothing | Ty::Error) {
            return;
        }
        let what = self.type_name(&one.ty);
        let message = format!("this is {what} and no set, so its `count` is always 1");
        let found = Diagnostic::new(Code::NeverTrue, span, message);
        let name = match &written.kind {
            ast::ExprKind::Name(name) => name.as_str(),
            _ => "...",
        };
        self.report(match one.ty {
            Ty::Site(_) => found.help(format!("what lies on a site is counted by `count pieces({name})`")),
            _ => found.help("`count` stands before a set: `count me.hand`, `count (S where ...)`"),
        });
    }

    /// `top(s) = king`: one thing compared with all of a kind.
    pub(super) fn kind_for_one(&self, one: &Expr, kind: &Expr, span: Span) -> Option<Diagnostic> {
        let ExprKind::InPlay(id) = kind.kind else { return None };
        if one.ty.is_many() || !matches!(one.ty.bare(), Ty::Entity(_)) {
            return None;
        }
        let name = self.kind_name(id);
        let message = format!("this asks whether one thing is all that there is of `{name}`");
        Some(Diagnostic::new(Code::Uncomparable, span, message).help(format!("whether it is one: `... is {name}`")))
    }

    /// `t = step(s, north) + step(s, south)`: one thing compared with several that are joined.
    pub(super) fn several_for_one(&self, one: &Expr, several: &Expr, span: Span) -> Option<Diagnostic> {
        if let (false, Ty::Enum(id), ExprKind::ToSet(list)) = (one.ty.is_many(), one.ty.bare(), &several.kind)
            && let (ExprKind::List(items), Some(of)) = (&list.kind, self.rules.enums.get(id.index()))
            && items.len() == of.values.len()
            && let [first, _, ..] = of.values.as_slice()
        {
            let message = format!("one value is compared with all values of `{}`", of.name);
            let help = format!("with one of them: `= {}`", first.name);
            return Some(Diagnostic::new(Code::Uncomparable, span, message).help(help));
        }
        if one.ty.is_many()
            || !(joins_one(several) || matches!(&several.kind, ExprKind::List(items) if items.len() > 1))
        {
            return None;
        }
        let what = self.type_name(one.ty.bare());
        let message = format!("{what} is compared with several that are joined");
        Some(Diagnostic::new(Code::Uncomparable, span, message).help("whether it is one of them: `... in (A + B)`"))
    }

    /// Reports `count A and B`, in which `and` stands between a number and what is to be counted, too.
    pub(super) fn counts_both(&mut self, body: &mut Body, left: &ast::Expr, right: &ast::Expr) -> bool {
        let ast::ExprKind::Unary(ast::UnaryOp::Count, _) = left.kind else { return false };
        let found = Diagnostic::new(
            Code::WrongType,
            left.span,
            "this is a number, and each side of `and` and `or` is a condition",
        );
        self.report(found.help("in one set or the other are `count (A + B)`, in both `count (A & B)`; of a number a condition asks `count A > 0`"));
        let of = match &right.kind {
            ast::ExprKind::Binary(Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge, of, _) => of,
            _ => right,
        };
        self.expr(body, of);
        true
    }

    /// `top(s) is pawn or king`, `n = 1 or 2`: what is asked is said of the first only. Reports it.
    pub(super) fn half_said(&mut self, op: Op, left: &ast::Expr, right: &ast::Expr) -> bool {
        let mut last = left;
        while let ast::ExprKind::Binary(Op::And | Op::Or, _, right) = &last.kind {
            last = right;
        }
        if let (ast::ExprKind::Num(number), ast::ExprKind::Binary(Op::Eq, value, first)) = (&right.kind, &last.kind)
            && let ast::ExprKind::Num(first) = first.kind
        {
            let of = written(value).unwrap_or_else(|| "...".to_owned());
            let op = if op == Op::And { "and" } else { "or" };
            let message = format!("each side of `{op}` is a whole condition, and this is a number");
            let found = Diagnostic::new(Code::WrongType, right.span, message);
            self.report(found.help(format!("one of several is `{of} in [{first}, {number}]`")));
            return true;
        }
        let ast::ExprKind::Name(name) = &right.kind else { return false };
        let ast::ExprKind::Is { value, not, kind, .. } = &last.kind else { return false };
        if self.kind_named(name).is_none() {
            return false;
        }
        let op = if op == Op::And { "and" } else { "or" };
        let (is, value) = (if *not { "is not" } else { "is" }, written(value));
        let of = value.as_deref().unwrap_or("...");
        let message = format!("each side of `{op}` is a whole condition, and `{name}` is a kind");
        let mut found = Diagnostic::new(Code::WrongType, right.span, message);
        found = match (*not, op) {
            // Neither of both, or not both: who wrote it knows.
            (true, "or") => {
                let both = format!("`{of} is not {kind} and {of} is not {name}`", kind = kind.text);
                found.help(format!("that it is neither is {both}"))
            }
            _ => found.help(format!("write `{of} {is} {} {op} {of} {is} {name}`", kind.text)),
        };
        let before = Span { end: right.span.start, ..right.span };
        self.report(match value {
            Some(of) if !*not && op == "or" => found.mend(before, format!("{of} is ")),
            _ => found,
        });
        true
    }

    /// `s = reach_of(m)`: one thing compared with a set, which reads as if it asked whether it is one of it. With the set first it
    /// reads as what it is: `me.hand = c`.
    pub(super) fn one_against_set(&mut self, one: &Expr, set: &Expr, equal: bool) {
        let single = !one.ty.is_many() && !matches!(one.ty.bare(), Ty::Nothing | Ty::Error);
        if !single || !matches!(set.ty, Ty::Set(_)) || matches!(set.kind, ExprKind::List(_) | ExprKind::ToSet(_)) {
            return;
        }
        let what = self.type_name(one.ty.bare());
        let span = one.span.to(set.span);
        let message = format!("{what} is compared with a set: this asks whether it is all that the set has");
        let found = Diagnostic::new(Code::OneAgainstSet, span, message)
            .help("whether it is one of the set: `... in ...`; if it is meant as it stands, write the set first");
        let between = Span { start: one.span.end, end: set.span.start, ..one.span };
        self.report(if equal { found.perhaps(between, " in ") } else { found });
    }

    /// `groups(S) as g where some (g & T)`: the first site of a group for the group. Which site that is has no meaning by itself, so that
    /// what it has in common with a set, and what is around it, are hardly ever asked.
    pub(super) fn check_group_firsts(&mut self) {
        let found: Vec<Diagnostic> =
            self.rules.procs.iter().flat_map(|proc| firsts_of_groups(&self.rules, proc)).collect();
        self.diagnostics.extend(found);
    }
}

fn firsts_of_groups(rules: &Rules, proc: &Proc) -> Vec<Diagnostic> {
    let mut firsts: Vec<(LocalId, String)> = Vec::new();
    let mut bind = |local: LocalId, over: &Expr| firsts.extend(grouped(rules, over, 0).map(|among| (local, among)));
    each_expr(proc, &mut |expr| match &expr.kind {
        ExprKind::Where { over, binder, .. }
        | ExprKind::Any { over, binder, .. }
        | ExprKind::All { over, binder, .. }
        | ExprKind::Fold { over, binder, .. }
        | ExprKind::Collect { over, binder, .. }
        | ExprKind::Having { over, binder, .. }
        | ExprKind::Sorted { over, binder, .. } => bind(*binder, over),
        _ => {}
    });
    each_stmt(proc, &mut |stmt| match &stmt.kind {
        StmtKind::Each { local, domain, .. } => bind(*local, domain),
        StmtKind::Choose(choose) if !choose.domain.ty.is_many() => {}
        StmtKind::Choose(choose) => bind(choose.local, &choose.domain),
        _ => {}
    });
    let first = |expr: &Expr| match expr.bare().kind {
        ExprKind::Local(local) => firsts.iter().find(|(first, _)| *first == local),
        _ => None,
    };
    let mut found = Vec::new();
    each_expr(proc, &mut |expr| {
        let one = match &expr.kind {
            ExprKind::Binary(BinaryOp::Both, left, right) => first(left).or_else(|| first(right)),
            ExprKind::Builtin(Builtin::Around | Builtin::Beside, args) => args.first().and_then(first),
            _ => None,
        };
        if let Some((local, among)) = one {
            let name = proc.locals.get(local.index()).map_or("it", |local| local.name.as_str());
            let message = format!("`{name}` is the first site of a group, and stands for it: a set is meant here");
            let help = format!("the sites of the group are `group({name}, {among})`");
            found.push(Diagnostic::new(Code::OneAgainstSet, expr.span, message).help(help));
        }
    });
    found
}

/// If the members of a set are the first sites of groups, of which sites, in words.
fn grouped(rules: &Rules, set: &Expr, depth: usize) -> Option<String> {
    match &set.bare().kind {
        ExprKind::Builtin(Builtin::Groups, args) => {
            let among = args.first().map(|among| &among.bare().kind);
            Some(match among {
                Some(ExprKind::Call(proc, args)) if args.is_empty() => rules.procs.get(proc.index())?.name.clone(),
                _ => "...".to_owned(),
            })
        }
        ExprKind::Where { over, .. } | ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => {
            grouped(rules, over, depth)
        }
        ExprKind::Call(proc, _) if depth < 8 => match &rules.procs.get(proc.index())?.body {
            ProcBody::Expr(body) => grouped(rules, body, depth + 1).map(|_| "...".to_owned()),
            ProcBody::Block(_) => None,
        },
        _ => None,
    }
}

/// What helps where a player is compared with a number.
pub(super) fn seated(player: &Expr, number: &Expr) -> Option<String> {
    let both = *player.ty.bare() == Ty::Player && *number.ty.bare() == Ty::Number;
    both.then(|| match number.kind {
        ExprKind::Word(seat) if seat > 0 => {
            format!("the player of a number is `seat({seat})`; a player's number is `p.seat`")
        }
        _ => "the player of a number is `seat(n)`; a player's number is `p.seat`".to_owned(),
    })
}

/// What helps where this stands behind `is`.
impl Checker<'_> {
    /// What is written where `is` stands before a word that is no kind.
    pub(super) fn no_kind(&self, value: &Expr, word: &str, not: bool) -> Option<String> {
        let Some((id, _)) = self.enum_values.get(word).and_then(|values| values.first()) else {
            return no_kind(word).map(str::to_owned);
        };
        let Ty::Entity(kind) = value.ty.bare() else { return None };
        let props = self.rules.kinds.get(kind.index())?.props.iter();
        let of = |prop: &&super::rules::PropId| self.prop_type(**prop).bare() == &Ty::Enum(*id);
        let name = props.into_iter().find(of).map(|prop| self.prop_name(*prop).to_owned())?;
        let same = if not { "!=" } else { "=" };
        Some(format!("`is` asks for a kind; a value is compared: `{name} {same} {word}`"))
    }
}

fn no_kind(word: &str) -> Option<&'static str> {
    match word {
        "nothing" => Some("write `= nothing`, or `no ...`"),
        "empty" => Some("write `no S`: `no me.hand`; of a site `no pieces(s)`"),
        "a" | "an" | "the" => Some("leave it out: `is` and the kind"),
        "asked" => Some("who is asked is expected without `is`: `expect seat(1) asked \"...\"`"),
        _ => None,
    }
}

/// An expression as it is written, if it is a short one.
pub(super) fn written(expr: &ast::Expr) -> Option<String> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name.clone()),
        ast::ExprKind::Num(number) => Some(number.to_string()),
        ast::ExprKind::Field(of, name) => Some(format!("{}.{}", written(of)?, name.text)),
        ast::ExprKind::Call(of, args) => {
            let args: Option<Vec<String>> = args.iter().map(written).collect();
            Some(format!("{}({})", written(of)?, args?.join(", ")))
        }
        _ => None,
    }
}

/// Whether a set is joined of others and of single things.
fn joins_one(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Binary(BinaryOp::Union, left, right) => [left, right]
            .iter()
            .any(|side| matches!(&side.kind, ExprKind::ToSet(one) if !one.ty.is_many()) || joins_one(side)),
        _ => false,
    }
}
