//! Expressions and types on one line.

use super::super::ast::{BinaryOp, Expr, ExprKind, FoldOp, Ident, Type, TypeKind, UnaryOp};
use super::param;

pub(super) fn ident(ident: &Ident) -> String {
    ident.text.clone()
}

pub(super) fn quoted(text: &Ident) -> String {
    format!("{:?}", text.text)
}

/// A list, separated by commas.
pub(super) fn list<T>(parts: &[T], each: impl Fn(&T) -> String) -> String {
    parts.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// Something that may be left out, with what stands before it.
pub(super) fn opt<T>(before: &str, part: &Option<T>, each: impl Fn(&T) -> String) -> String {
    part.as_ref().map_or_else(String::new, |part| format!("{before}{}", each(part)))
}

pub(super) fn ty(of: &Type) -> String {
    match &of.kind {
        TypeKind::Name(name) => ident(name),
        TypeKind::Range(low, high) => format!("{}..{}", expr(low), expr(high)),
        TypeKind::Set(inner) => format!("set of {}", ty(inner)),
        TypeKind::List(inner) => format!("list of {}", ty(inner)),
        TypeKind::Maybe(inner) => format!("maybe of {}", ty(inner)),
        TypeKind::Per(inner, what) => format!("{} per {}", ty(inner), ty(what)),
        TypeKind::Of(what, board) => format!("{} of {}", ident(what), ident(board)),
        TypeKind::Effect(params) => format!("effect({})", list(params, param)),
        TypeKind::Test(params) => format!("test({})", list(params, param)),
        TypeKind::Amount(params) => format!("amount({})", list(params, param)),
    }
}

pub(super) fn expr(of: &Expr) -> String {
    match &of.kind {
        ExprKind::Num(number) => number.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Entry { kind, name } => format!("<{} {}>", ident(kind), quoted(name)),
        ExprKind::List(parts) => format!("[{}]", list(parts, expr)),
        ExprKind::PerKey { body, key, of } => format!("[{} per {} in {}]", expr(body), ident(key), ty(of)),
        ExprKind::Amount(count, of) => format!("{} {}", expr(count), ident(of)),
        ExprKind::Field(base, name) => format!("{}.{}", expr(base), ident(name)),
        ExprKind::Call(base, args) => format!("{}({})", expr(base), list(args, expr)),
        ExprKind::Index(base, index) => format!("{}[{}]", expr(base), expr(index)),
        ExprKind::Unary(op, value) => {
            let word = match op {
                UnaryOp::Not => "not ",
                UnaryOp::Negate => "-",
                UnaryOp::Count => "count ",
            };
            format!("({word}{})", expr(value))
        }
        ExprKind::Binary(op, left, right) => format!("({} {} {})", expr(left), binary(*op), expr(right)),
        ExprKind::Is { value, not, kind, entry } => {
            let not = if *not { "not " } else { "" };
            format!("({} is {not}{}{})", expr(value), ident(kind), opt(" ", entry, quoted))
        }
        ExprKind::Can { player, action, args } => {
            format!("({} can {}({}))", expr(player), ident(action), list(args, expr))
        }
        ExprKind::Fold { op, body, over, .. } => format!("({} {} of {})", fold(*op), expr(body), expr(over)),
        ExprKind::Quantified { no, over } => format!("({} {})", if *no { "no" } else { "some" }, expr(over)),
        ExprKind::Every { over, cond } => format!("(every {} meets {})", expr(over), expr(cond)),
        ExprKind::If(cond, then, or_else) => format!("(if {} then {} else {})", expr(cond), expr(then), expr(or_else)),
        ExprKind::As(over, name) => format!("({} as {})", expr(over), ident(name)),
        ExprKind::Where(over, cond) => format!("({} where {})", expr(over), expr(cond)),
        ExprKind::Having { over, most, body } => {
            format!("({} having {} {})", expr(over), if *most { "most" } else { "least" }, expr(body))
        }
        ExprKind::Sorted { over, body, down } => {
            format!("({} sorted by {}{})", expr(over), expr(body), if *down { " down" } else { "" })
        }
        ExprKind::Error => "<unreadable>".to_owned(),
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Eq => "=",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::In => "in",
        BinaryOp::NotIn => "not in",
        BinaryOp::Has => "has",
        BinaryOp::Range => "..",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Both => "&",
        BinaryOp::Else => "else",
    }
}

fn fold(op: FoldOp) -> &'static str {
    match op {
        FoldOp::Sum => "sum",
        FoldOp::Min => "min",
        FoldOp::Max => "max",
        FoldOp::Gather => "gather",
        FoldOp::Values => "values",
        FoldOp::Union => "union",
        FoldOp::Reach => "reach",
    }
}
