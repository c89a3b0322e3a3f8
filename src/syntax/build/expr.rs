//! Expressions: precedence over the flat lists of the grammar.

use super::super::ast::{BinaryOp, Expr, ExprKind, FoldOp, Ident, UnaryOp};
use super::super::folds;
use super::super::grammar::{Kids, Part, Rule};
use super::Builder;
use crate::base::{Code, Span};
use std::collections::VecDeque;

/// One element of a flat list.
enum Piece {
    Prefix(UnaryOp, Span),
    Operand(Expr),
    Infix(BinaryOp, Span),
    Is { not: bool, kind: Ident, entry: Option<Ident>, span: Span },
    Can { action: Ident, args: Vec<Expr>, span: Span },
}

/// How tightly things bind; looser first.
mod power {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARE: u8 = 4;
    pub const RANGE: u8 = 5;
    pub const ADD: u8 = 6;
    pub const MULTIPLY: u8 = 7;
    pub const UNARY: u8 = 8;
}

/// Whether an expression ends in an `if` without brackets.
fn ends_conditional(part: Part<'_>) -> bool {
    let mut kids = Kids::of(part);
    match part.as_rule() {
        Rule::conditional => true,
        Rule::post | Rule::plain_post => false,
        _ => std::iter::from_fn(|| kids.next()).last().is_some_and(ends_conditional),
    }
}

impl Builder<'_> {
    /// Any rule that is an expression or a part of one.
    pub(in super::super) fn expr(&mut self, part: Option<Part<'_>>) -> Expr {
        let Some(part) = part else { return Expr { kind: ExprKind::Error, span: Span::default() } };
        match part.as_rule() {
            Rule::value => self.value(part),
            Rule::expr | Rule::members => self.tailed(part),
            Rule::flat | Rule::condition | Rule::arith | Rule::joined | Rule::unit => self.flat(part),
            Rule::post | Rule::plain_post => self.post(part),
            Rule::fold => {
                let mut pieces = VecDeque::new();
                self.fold(part, &mut pieces);
                self.climb(&mut pieces, 0)
            }
            Rule::quantified | Rule::every | Rule::conditional => self.worded(part),
            Rule::paren => {
                let span = self.span(&part);
                let mut inner = self.expr(Kids::of(part).next());
                if let ExprKind::Fold { open, .. } = &mut inner.kind {
                    *open = false;
                }
                Expr { span, ..inner }
            }
            _ => self.primary(part),
        }
    }

    /// All expressions among the parts that follow.
    pub(super) fn exprs(&mut self, kids: &mut Kids<'_>) -> Vec<Expr> {
        let mut found = Vec::with_capacity(kids.count());
        while let Some(part) = kids.next() {
            found.push(self.expr(Some(part)));
        }
        found
    }

    /// `A else B else C` is A or else what is behind it.
    fn value(&mut self, part: Part<'_>) -> Expr {
        let mut kids = Kids::of(part);
        let mut all = vec![self.expr(kids.next())];
        let mut before = Kids::of(part);
        while let (Some(part), Some(next)) = (before.next(), kids.next()) {
            let next = self.expr(Some(next));
            if ends_conditional(part) {
                let span = all.last().map_or(next.span, |first| first.span.to(next.span));
                let help = "put brackets around `if ...`, or around what stands behind its `then` or `else`: \
                            `if a then (b else c) else d`";
                self.report(Code::NeedsBrackets, span, "an `else` in this could belong to several values", help);
            }
            all.push(next);
        }
        let last = all.pop().unwrap_or_else(|| self.expr(None));
        all.into_iter().rev().fold(last, |last, first| {
            let span = first.span.to(last.span);
            Expr { kind: ExprKind::Binary(BinaryOp::Else, Box::new(first), Box::new(last)), span }
        })
    }

    fn tailed(&mut self, part: Part<'_>) -> Expr {
        let mut kids = Kids::of(part);
        let mut over = self.expr(kids.next());
        while let Some(tail) = kids.next() {
            over = self.tail(over, tail);
        }
        over
    }

    fn tail(&mut self, over: Expr, tail: Part<'_>) -> Expr {
        let span = over.span.to(self.span(&tail));
        let rule = tail.as_rule();
        let mut kids = Kids::of(tail);
        let over = Box::new(over);
        let kind = match rule {
            Rule::tail_as => ExprKind::As(over, self.ident(kids.next())),
            Rule::tail_having => {
                let most = kids.has(Rule::k_most);
                ExprKind::Having { over, most, body: Box::new(self.expr(kids.next())) }
            }
            Rule::tail_sorted => {
                let body = Box::new(self.expr(kids.next()));
                ExprKind::Sorted { over, body, down: kids.has(Rule::k_down) }
            }
            _ => ExprKind::Where(over, Box::new(self.expr(kids.next()))),
        };
        Expr { kind, span }
    }

    fn flat(&mut self, part: Part<'_>) -> Expr {
        // Most are of one operand.
        let mut kids = Kids::of(part);
        if let (Some(only), None) = (kids.next(), kids.next()) {
            return self.expr(Some(only));
        }
        let mut pieces = VecDeque::new();
        self.pieces(part, &mut pieces);
        self.climb(&mut pieces, 0)
    }

    fn pieces(&mut self, part: Part<'_>, into: &mut VecDeque<Piece>) {
        let span = self.span(&part);
        match part.as_rule() {
            Rule::flat | Rule::condition | Rule::arith | Rule::joined | Rule::unit => {
                let mut kids = Kids::of(part);
                while let Some(part) = kids.next() {
                    self.pieces(part, into);
                }
            }
            Rule::prefix => {
                let op = match self.text(&part) {
                    "not" => UnaryOp::Not,
                    "count" => UnaryOp::Count,
                    _ => UnaryOp::Negate,
                };
                into.push_back(Piece::Prefix(op, span));
            }
            Rule::infix | Rule::infix_tight | Rule::infix_arith | Rule::infix_joined => {
                into.push_back(Piece::Infix(binary_op(self.text(&part)), span));
            }
            Rule::is_kind => {
                let mut kids = Kids::of(part);
                let not = kids.has(Rule::k_not);
                let kind = self.ident(kids.next());
                let entry = kids.next().map(|text| self.ident(Some(text)));
                into.push_back(Piece::Is { not, kind, entry, span });
            }
            Rule::can_do => {
                let (action, args) = self.named_call(Kids::of(part).next());
                into.push_back(Piece::Can { action, args, span });
            }
            Rule::fold => self.fold(part, into),
            _ => {
                let operand = self.expr(Some(part));
                into.push_back(Piece::Operand(operand));
            }
        }
    }

    /// A fold, and what stands behind it: one that comes to a number ends where arithmetic goes on. Whether that is joined to its set,
    /// types say ([`super::super::folds`]).
    fn fold(&mut self, part: Part<'_>, into: &mut VecDeque<Piece>) {
        let span = self.span(&part);
        let mut kids = Kids::of(part);
        let op = kids.next().map_or(FoldOp::Sum, |op| fold_op(self.text(&op)));
        let body = Box::new(self.expr(kids.next()));
        let members = kids.next();
        let (mut over, mut rest) = (VecDeque::new(), VecDeque::new());
        let mut inner = members.map(Kids::of);
        let alone = inner.as_mut().and_then(|kids| Some((kids.next()?, kids.next())));
        let open = folds::is_number(op) && matches!(alone, Some((_, None)));
        if let Some((joined, _)) = alone.filter(|_| open) {
            self.pieces(joined, &mut over);
            let range = over.iter().any(|piece| matches!(piece, Piece::Infix(BinaryOp::Range, _)));
            let goes_on = |piece: &Piece| matches!(piece, Piece::Infix(op, _) if folds::is_arithmetic(*op));
            if let Some(end) = over.iter().position(goes_on).filter(|_| !range) {
                rest = over.split_off(end);
            }
        }
        let over = Box::new(if over.is_empty() { self.expr(members) } else { self.climb(&mut over, 0) });
        let span = if rest.is_empty() { span } else { Span { end: over.span.end, ..span } };
        into.push_back(Piece::Operand(Expr { kind: ExprKind::Fold { op, body, over, open }, span }));
        into.append(&mut rest);
    }

    /// A name with arguments, as in `can swim(x)` and `choose action add(t)`.
    pub(super) fn named_call(&mut self, part: Option<Part<'_>>) -> (Ident, Vec<Expr>) {
        let Some(part) = part else { return (self.ident(None), Vec::new()) };
        let mut kids = Kids::of(part);
        let name = self.ident(kids.next());
        let args = kids.take(Rule::call).map_or_else(Vec::new, |call| self.exprs(&mut Kids::of(call)));
        (name, args)
    }

    /// Precedence climbing: takes everything that binds at least as tightly as `least`.
    fn climb(&mut self, pieces: &mut VecDeque<Piece>, least: u8) -> Expr {
        let mut left = match pieces.pop_front() {
            Some(Piece::Prefix(op, span)) => {
                let operand = self.climb(pieces, if op == UnaryOp::Not { power::NOT } else { power::UNARY });
                Expr { span: span.to(operand.span), kind: ExprKind::Unary(op, Box::new(operand)) }
            }
            Some(Piece::Operand(expr)) => expr,
            _ => Expr { kind: ExprKind::Error, span: Span::default() },
        };
        let mut compared = false;
        while let Some(piece) = pieces.front() {
            let (binds, place) = match piece {
                Piece::Infix(op, span) => (binary_power(*op), *span),
                Piece::Is { span, .. } | Piece::Can { span, .. } => (power::COMPARE, *span),
                Piece::Prefix(..) | Piece::Operand(_) => break,
            };
            if binds < least {
                break;
            }
            if binds == power::COMPARE {
                if compared {
                    let help = "join two comparisons with `and`, or put one in brackets";
                    self.report(Code::ChainedComparison, place, "comparisons do not follow each other", help);
                }
                compared = true;
            }
            left = match pieces.pop_front() {
                Some(Piece::Infix(op, _)) => {
                    let right = self.climb(pieces, binds + 1);
                    Expr { span: left.span.to(right.span), kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) }
                }
                Some(Piece::Is { not, kind, entry, span }) => {
                    Expr { span: left.span.to(span), kind: ExprKind::Is { value: Box::new(left), not, kind, entry } }
                }
                Some(Piece::Can { action, args, span }) => {
                    Expr { span: left.span.to(span), kind: ExprKind::Can { player: Box::new(left), action, args } }
                }
                _ => break,
            };
        }
        left
    }

    fn post(&mut self, part: Part<'_>) -> Expr {
        let mut kids = Kids::of(part);
        let mut value = self.expr(kids.next());
        while let Some(part) = kids.next() {
            let span = value.span.to(self.span(&part));
            let rule = part.as_rule();
            let mut inner = Kids::of(part);
            let base = Box::new(value);
            let kind = match rule {
                Rule::dot_field => ExprKind::Field(base, self.ident(inner.next())),
                Rule::index => ExprKind::Index(base, Box::new(self.expr(inner.next()))),
                _ => ExprKind::Call(base, self.exprs(&mut inner)),
            };
            value = Expr { kind, span };
        }
        value
    }

    /// `[a, b]`, `[2 wood]`, `[n per g in good]`
    fn list(&mut self, mut kids: Kids<'_>) -> ExprKind {
        let mut ahead = kids;
        let body = ahead.next();
        let Some(keyed) = ahead.take(Rule::keyed) else { return ExprKind::List(self.exprs(&mut kids)) };
        let body = Box::new(self.expr(body));
        let mut kids = Kids::of(keyed);
        ExprKind::PerKey { body, key: self.ident(kids.next()), of: Box::new(self.ty(kids.next())) }
    }

    fn primary(&mut self, part: Part<'_>) -> Expr {
        let span = self.span(&part);
        let kind = match part.as_rule() {
            Rule::num => ExprKind::Num(self.number(Some(part))),
            Rule::text => ExprKind::Text(self.ident(Some(part)).text),
            Rule::list => self.list(Kids::of(part)),
            Rule::amount => {
                let mut kids = Kids::of(part);
                let count = Box::new(self.expr(kids.next()));
                ExprKind::Amount(count, self.ident(kids.next()))
            }
            Rule::named => {
                let mut kids = Kids::of(part);
                let kind = self.ident(kids.next());
                match kids.next() {
                    Some(text) => ExprKind::Entry { kind, name: self.ident(Some(text)) },
                    None => ExprKind::Name(kind.text),
                }
            }
            _ => ExprKind::Name(self.text(&part).to_owned()),
        };
        Expr { kind, span }
    }

    /// The forms that begin with a word.
    fn worded(&mut self, part: Part<'_>) -> Expr {
        let span = self.span(&part);
        let rule = part.as_rule();
        let mut kids = Kids::of(part);
        let kind = match rule {
            Rule::quantified => {
                let no = kids.next().is_some_and(|word| self.text(&word) == "no");
                let mut over = self.expr(kids.next());
                while let Some(tail) = kids.next() {
                    over = self.tail(over, tail);
                }
                ExprKind::Quantified { no, over: Box::new(over) }
            }
            Rule::every => {
                let over = Box::new(self.expr(kids.next()));
                ExprKind::Every { over, cond: Box::new(self.expr(kids.next())) }
            }
            _ => {
                let cond = Box::new(self.expr(kids.next()));
                let then = Box::new(self.expr(kids.next()));
                ExprKind::If(cond, then, Box::new(self.expr(kids.next())))
            }
        };
        Expr { kind, span }
    }

    /// Splits off a text at the end of an expression. `choose m in theirs "Which?"` reads like the definition
    /// `theirs "Which?"`, but where a prompt may follow, a last text is the prompt.
    pub(super) fn trailing_text(expr: &mut Expr) -> Option<Ident> {
        if let ExprKind::Entry { kind, name } = &mut expr.kind {
            // In brackets it is a definition: then the span does not end with the text.
            if name.span.end != expr.span.end {
                return None;
            }
            let text = name.clone();
            expr.span = kind.span;
            expr.kind = ExprKind::Name(std::mem::take(&mut kind.text));
            return Some(text);
        }
        let end = expr.span.end;
        if let ExprKind::Is { kind, entry, .. } = &mut expr.kind
            && entry.as_ref().is_some_and(|name| name.span.end == end)
        {
            expr.span.end = kind.span.end;
            return entry.take();
        }
        let last = expr.last_mut().filter(|last| last.span.end == end)?;
        let text = Self::trailing_text(last)?;
        expr.span.end = last.span.end;
        Some(text)
    }
}

fn binary_op(text: &str) -> BinaryOp {
    match text {
        "or" => BinaryOp::Or,
        "and" => BinaryOp::And,
        "=" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        ">=" => BinaryOp::Ge,
        "in" => BinaryOp::In,
        "has" => BinaryOp::Has,
        ".." => BinaryOp::Range,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Rem,
        "&" => BinaryOp::Both,
        // Operators of several words, whatever space is between them: `is in`, `not in`, `is not in`.
        words if words.contains("not") => BinaryOp::NotIn,
        _ => BinaryOp::In,
    }
}

fn binary_power(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => power::OR,
        BinaryOp::And => power::AND,
        BinaryOp::Range => power::RANGE,
        BinaryOp::Add | BinaryOp::Sub => power::ADD,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Both => power::MULTIPLY,
        _ => power::COMPARE,
    }
}

fn fold_op(word: &str) -> FoldOp {
    match word {
        "sum" => FoldOp::Sum,
        "min" => FoldOp::Min,
        "max" => FoldOp::Max,
        "gather" => FoldOp::Gather,
        "values" => FoldOp::Values,
        "reach" => FoldOp::Reach,
        _ => FoldOp::Union,
    }
}
