//! Types: how they are written, how they are called in messages, and what may stand where another is expected.

use super::check::Checker;
use super::gaps::NO_BOARD;
use super::index::Sort;
use super::ranges::Bounds;
use super::rules::{BinaryOp, BoardId, EnumId, Expr, ExprKind, Key, KindId, Ty};
use crate::base::{Code, Diagnostic, Span, listed};
use crate::syntax::{Role, ast, instead_of};

/// A type as declared, with what only its declaration says.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub ty: Ty,
    /// The bounds, where it was written as a range.
    pub range: Option<(i64, i64)>,
    /// What the bounds can be, whatever the options are.
    pub wide: Option<Bounds>,
    /// Names and types of the parameters of a test, amount or effect.
    pub params: Vec<(ast::Ident, Ty)>,
}

impl Declared {
    /// A type without bounds or parameters.
    pub fn plain(ty: Ty) -> Self {
        Declared { ty, range: None, wide: None, params: Vec::new() }
    }

    /// The names of its parameters.
    pub fn names(&self) -> Vec<ast::Ident> {
        self.params.iter().map(|(name, _)| name.clone()).collect()
    }
}

/// Names of types that are not declared by the game.
pub(super) const TYPE_WORDS: [&str; 10] =
    ["number", "flag", "text", "player", "site", "direction", "effect", "test", "amount", "cause"];

impl Ty {
    /// The board without an end whose sites this is about, if it is one.
    pub fn endless_board(&self) -> Option<BoardId> {
        match self {
            Ty::Site(board) => board.endless().then_some(*board),
            Ty::Set(inner) | Ty::List(inner) | Ty::Maybe(inner) => inner.endless_board(),
            _ => None,
        }
    }

    /// The type without its `maybe`.
    pub fn bare(&self) -> &Ty {
        match self {
            Ty::Maybe(inner) => inner,
            other => other,
        }
    }

    /// The type of the members of a set or list; of anything else, the type itself without its `maybe`.
    pub fn element(&self) -> &Ty {
        match self {
            Ty::Set(inner) | Ty::List(inner) | Ty::Maybe(inner) => inner,
            other => other,
        }
    }

    /// Whether it is a set or a list.
    pub fn is_many(&self) -> bool {
        matches!(self, Ty::Set(_) | Ty::List(_))
    }

    /// A set of this type.
    pub fn set(self) -> Ty {
        Ty::Set(Box::new(self))
    }

    /// The type of what is worked out from values: where one of them may be missing, it may be, too.
    pub fn of_given<'e>(self, given: impl IntoIterator<Item = &'e Expr>) -> Ty {
        let missing = given.into_iter().any(|arg| matches!(arg.ty, Ty::Maybe(_)));
        if missing { self.maybe() } else { self }
    }

    /// This type or `nothing`; sets, lists, flags and blocks have an own way to say nothing.
    pub fn maybe(self) -> Ty {
        match self {
            Ty::Number
            | Ty::Text
            | Ty::Enum(_)
            | Ty::Player
            | Ty::Entity(_)
            | Ty::Site(_)
            | Ty::Direction(_)
            | Ty::Cause => Ty::Maybe(Box::new(self)),
            other => other,
        }
    }
}

/// Where a written type of one value or of a table says which numbers there can be.
fn range_within(written: &ast::Type) -> Option<Span> {
    match &written.kind {
        ast::TypeKind::Range(..) => Some(written.span),
        ast::TypeKind::Maybe(inner) | ast::TypeKind::Per(inner, _) => range_within(inner),
        _ => None,
    }
}

fn binds_nothing(range: Span, why: &str) -> Diagnostic {
    Diagnostic::new(Code::IdleRange, range, why)
        .help("write `number`; `smaller(larger(n, low), high)` brings a number into a range")
        .mend(range, "number")
}

impl Checker<'_> {
    /// What a written type means.
    pub(super) fn resolve_type(&mut self, written: &ast::Type) -> Declared {
        match &written.kind {
            ast::TypeKind::Name(name) => Declared::plain(self.named_type(name)),
            ast::TypeKind::Range(low, high) => {
                let low = self.constant_bounds(low);
                let high = self.constant_bounds(high);
                let wide = low.zip(high).map(|((_, low), (_, high))| Bounds { low: low.low, high: high.high });
                let range = low.zip(high).map(|((low, _), (high, _))| (low, high));
                if let Some((low, high)) = range
                    && low > high
                {
                    self.error(Code::BadRange, written.span, format!("the range {low}..{high} is empty"));
                }
                Declared { ty: Ty::Number, range, wide, params: Vec::new() }
            }
            ast::TypeKind::Set(inner) => self.many_of(inner, Ty::Set),
            ast::TypeKind::List(inner) => self.many_of(inner, Ty::List),
            ast::TypeKind::Maybe(inner) => {
                let inner = self.resolve_type(inner);
                let ty = if inner.ty == Ty::Error { Ty::Error } else { inner.ty.maybe() };
                Declared { ty, range: inner.range, wide: inner.wide, params: Vec::new() }
            }
            ast::TypeKind::Per(inner, per) => self.per_type(inner, per),
            ast::TypeKind::Of(what, board) => Declared::plain(self.type_of_board(what, board)),
            ast::TypeKind::Effect(params) => self.callable(params, None),
            ast::TypeKind::Test(params) => self.callable(params, Some(Ty::Flag)),
            ast::TypeKind::Amount(params) => self.callable(params, Some(Ty::Number)),
        }
    }

    /// What a written type means where nothing is kept: there a range would bind nobody.
    pub(super) fn resolve_passed(&mut self, written: &ast::Type) -> Declared {
        let declared = self.resolve_type(written);
        if let Some(range) = range_within(written) {
            self.report(binds_nothing(range, "a range binds only what is kept, and nothing is here"));
        }
        declared
    }

    /// A set or list, which has single values.
    fn many_of(&mut self, written: &ast::Type, many: fn(Box<Ty>) -> Ty) -> Declared {
        let inner = self.resolve_type(written);
        if let Some(range) = range_within(written) {
            self.report(binds_nothing(range, "a range binds a single number, not those of a set or list"));
        }
        if inner.ty.is_many() {
            let found = Diagnostic::new(Code::WrongType, written.span, "sets and lists have single values, not sets")
                .help("a kind of card with a zone, or a mark by which its cards are told apart, says what belongs together");
            self.report(found);
            return inner;
        }
        Declared::plain(many(Box::new(inner.ty)))
    }

    fn callable(&mut self, params: &[ast::Param], result: Option<Ty>) -> Declared {
        let mut resolved: Vec<(ast::Ident, Ty)> = Vec::new();
        for param in params {
            if resolved.iter().any(|(name, _)| name.text == param.name.text) {
                let message = format!("`{}` is declared twice in these parameters", param.name.text);
                self.error(Code::Duplicate, param.name.span, message);
            }
            let ty = self.resolve_passed(&param.ty).ty;
            self.declares_local(&param.name.text, param.name.span, &ty, Sort::Parameter);
            resolved.push((param.name.clone(), ty));
        }
        let types = resolved.iter().map(|(_, ty)| ty.clone()).collect();
        let ty = match result {
            Some(result) => Ty::Lambda(types, Box::new(result)),
            None => Ty::Effect(types),
        };
        Declared { ty, range: None, wide: None, params: resolved }
    }

    fn named_type(&mut self, name: &ast::Ident) -> Ty {
        self.means(name);
        self.means_builtin(&name.text, name.span);
        match name.text.as_str() {
            "number" => Ty::Number,
            "flag" => Ty::Flag,
            "text" => Ty::Text,
            "player" => Ty::Player,
            "cause" => Ty::Cause,
            "effect" => Ty::Effect(Vec::new()),
            "test" => Ty::Lambda(Vec::new(), Box::new(Ty::Flag)),
            "amount" => Ty::Lambda(Vec::new(), Box::new(Ty::Number)),
            "site" => self.only_board(name.span).map_or(Ty::Error, Ty::Site),
            "direction" => self.only_directions(name.span),
            text => {
                if let Some(kind) = self.kind_named(text) {
                    self.uses.kinds.insert(kind);
                    Ty::Entity(kind)
                } else if let Some(id) = self.enum_named(text) {
                    self.uses.enums.insert(id);
                    Ty::Enum(id)
                } else if let Some(board) = self.board_named(text) {
                    Ty::Site(board)
                } else {
                    self.unknown_type(name);
                    Ty::Error
                }
            }
        }
    }

    fn unknown_type(&mut self, name: &ast::Ident) {
        let message = format!("there is no type `{}`", name.text);
        if self.is_asked(&name.text) {
            self.could_be_type();
        }
        if let Some(help) = instead_of(&name.text, Role::Type) {
            self.report(Diagnostic::new(Code::UnknownType, name.span, message).help(help));
            return;
        }
        if !self.may_suggest() {
            return self.error(Code::UnknownType, name.span, message);
        }
        let candidates: Vec<String> = TYPE_WORDS
            .iter()
            .map(|word| (*word).to_owned())
            .chain(self.rules.kinds.iter().map(|kind| kind.name.clone()))
            .chain(self.rules.enums.iter().map(|item| item.name.clone()))
            .collect();
        let found = Diagnostic::new(Code::UnknownType, name.span, message)
            .note("a type is `number`, `flag`, `text`, `player`, `site`, a kind or an enum")
            .suggest(&name.text, candidates.iter().map(String::as_str));
        self.report(found);
    }

    /// The board that `site` means.
    pub(super) fn only_board(&mut self, span: Span) -> Option<BoardId> {
        match self.rules.boards.len() {
            1 => Some(self.rules.board_id(0)),
            0 => {
                let found = Diagnostic::new(Code::UnknownType, span, format!("{NO_BOARD}, so it has no sites"))
                    .help("declare one: `board grid { shape: square 3 3 }`");
                self.report(found);
                None
            }
            _ => {
                let own = self.own_board(span);
                if own.is_none() {
                    let message = "this game has several boards: which one is meant?";
                    let found = Diagnostic::new(Code::UnknownType, span, message)
                        .help("write the name of the board as the type");
                    self.report(found);
                }
                own
            }
        }
    }

    /// The only board of the package in which a text stands: an expansion with another takes nothing from it.
    pub(super) fn own_board(&self, span: Span) -> Option<BoardId> {
        let package = |at: Span| self.package_of(at).map(|package| &package.header.name);
        let here = package(span);
        let own =
            |board: &BoardId| self.rules.boards.get(board.index()).is_some_and(|board| package(board.span) == here);
        let mut boards = (0..self.rules.boards.len()).map(|index| BoardId(index as u32)).filter(own);
        let first = boards.next()?;
        boards.next().is_none().then_some(first)
    }

    /// `direction of yard`
    fn type_of_board(&mut self, what: &ast::Ident, board: &ast::Ident) -> Ty {
        self.means_builtin(&what.text, what.span);
        if what.text != "direction" {
            let message = format!("a board has a type for its directions, not for `{}`", what.text);
            let found = Diagnostic::new(Code::UnknownType, what.span, message);
            let sites = matches!(what.text.as_str(), "site" | "sites" | "cell" | "square" | "field" | "place");
            self.report(match (sites, self.board_named(&board.text)) {
                (true, Some(_)) => {
                    let help = format!("its sites have the type `{}`", board.text);
                    found.help(help).mend(what.span.to(board.span), board.text.clone())
                }
                _ => found.help(format!("write `direction of {0}`; its sites have the type `{0}`", board.text)),
            });
            return Ty::Error;
        }
        match self.board_named(&board.text) {
            Some(id) => {
                self.means(board);
                self.direction_type(id)
            }
            None => {
                let boards: Vec<String> = self.rules.boards.iter().map(|board| board.name.clone()).collect();
                let message = format!("there is no board `{}`", board.text);
                let found = Diagnostic::new(Code::UnknownType, board.span, message)
                    .suggest(&board.text, boards.iter().map(String::as_str));
                self.report(found);
                Ty::Error
            }
        }
    }

    /// What the directions of the boards are that have any: boards whose directions are the same share a type.
    fn direction_types(&self) -> Vec<Ty> {
        let mut found = Vec::new();
        for (index, board) in self.rules.boards.iter().enumerate() {
            let ty = self.direction_type(BoardId(index as u32));
            if !board.geometry.directions.is_empty() && !found.contains(&ty) {
                found.push(ty);
            }
        }
        found
    }

    /// The type that `direction` means: that of the only board with directions, or of several if theirs are the same.
    fn only_directions(&mut self, span: Span) -> Ty {
        let found = self.direction_types();
        match found.as_slice() {
            [only] => only.clone(),
            [_, ..] if let Some(own) = self.own_board(span) => self.direction_type(own),
            [] => self.only_board(span).map_or(Ty::Error, |board| self.direction_type(board)),
            [Ty::Direction(first), ..] => {
                let name = self.rules.boards.get(first.index()).map_or("", |board| board.name.as_str());
                let help = format!("write `direction of {name}`");
                let message = "the boards of this game have different directions: which are meant?";
                self.report(Diagnostic::new(Code::UnknownType, span, message).help(help));
                Ty::Error
            }
            _ => Ty::Error,
        }
    }

    /// The nearest kind that both descend from.
    pub(super) fn common_kind(&self, left: KindId, right: KindId) -> Option<KindId> {
        let mut at = Some(left);
        while let Some(here) = at {
            if self.rules.is_below(right, here) {
                return Some(here);
            }
            at = self.rules.kinds.get(here.index()).and_then(|kind| kind.parent);
        }
        None
    }

    /// Whether single values of one type are values of another.
    pub(super) fn fits(&self, from: &Ty, to: &Ty) -> bool {
        match (from, to) {
            (Ty::Error | Ty::Nothing, _) | (_, Ty::Error) => true,
            (Ty::Entity(from), Ty::Entity(to)) => self.rules.is_below(*from, *to),
            (Ty::Set(from), Ty::Set(to)) | (Ty::List(from), Ty::List(to)) => self.fits(from, to),
            _ => from == to,
        }
    }

    /// The type that values of both have.
    pub(super) fn unify(&self, left: &Ty, right: &Ty) -> Option<Ty> {
        match (left, right) {
            (Ty::Error, other) | (other, Ty::Error) => Some(other.clone()),
            (Ty::Nothing, other) | (other, Ty::Nothing) => Some(other.clone().maybe()),
            (Ty::Entity(left), Ty::Entity(right)) => self.common_kind(*left, *right).map(Ty::Entity),
            (Ty::Maybe(left), Ty::Maybe(right)) => Some(self.unify(left, right)?.maybe()),
            (Ty::Set(left), other) | (other, Ty::Set(left)) => Some(self.unify(left, other.element())?.set()),
            (Ty::List(left), other) | (other, Ty::List(left)) => {
                Some(Ty::List(Box::new(self.unify(left, other.element())?)))
            }
            (Ty::Maybe(left), other) | (other, Ty::Maybe(left)) => Some(self.unify(left, other)?.maybe()),
            _ => (left == right).then(|| left.clone()),
        }
    }

    /// Puts the conversion there that makes an expression one of the type, or gives it back.
    pub(super) fn convert(&self, expr: Expr, to: &Ty) -> Result<Expr, Box<Expr>> {
        if expr.ty == *to || *to == Ty::Error || expr.ty == Ty::Error {
            return Ok(expr);
        }
        let span = expr.span;
        let wrap =
            |kind: fn(Box<Expr>) -> ExprKind, expr: Expr| Expr { kind: kind(Box::new(expr)), ty: to.clone(), span };
        if matches!(expr.kind, ExprKind::Nothing) {
            return match to {
                Ty::Maybe(_) => Ok(Expr { ty: to.clone(), ..expr }),
                Ty::Set(_) | Ty::List(_) => Ok(Expr { kind: ExprKind::Empty, ty: to.clone(), span }),
                _ => Err(Box::new(expr)),
            };
        }
        if matches!(expr.kind, ExprKind::Empty) && to.is_many() {
            return Ok(Expr { ty: to.clone(), ..expr });
        }
        match (&expr.ty, to) {
            (Ty::Set(from), Ty::Set(into)) | (Ty::List(from), Ty::List(into)) if self.fits(from, into) => Ok(expr),
            (Ty::List(from), Ty::Set(into)) if self.fits(from, into) => Ok(wrap(ExprKind::ToSet, expr)),
            (Ty::Set(from), Ty::List(into)) if self.fits(from, into) => Ok(wrap(ExprKind::ToList, expr)),
            (Ty::Set(_) | Ty::List(_), _) => Err(Box::new(expr)),
            (from, Ty::Set(into) | Ty::List(into)) if self.fits(from.bare(), into) => Ok(wrap(ExprKind::ToSet, expr)),
            (Ty::Table(from, _), Ty::Table(into, value)) if from == into => {
                let fits = |item: &Expr| self.fits(item.ty.bare(), value.bare());
                if self.values_of(&expr).iter().all(fits) { Ok(expr) } else { Err(Box::new(expr)) }
            }
            // One value for all keys.
            (from, Ty::Table(key, value)) if self.fits(from.bare(), value.bare()) => {
                let count = self.key_count(*key);
                Ok(Expr { kind: ExprKind::List(vec![expr; count]), ty: to.clone(), span })
            }
            (from, into) if self.fits(from.bare(), into.bare()) => Ok(expr),
            _ => Err(Box::new(expr)),
        }
    }

    /// Makes an expression one of the type, or reports that it is not.
    pub(super) fn coerce(&mut self, expr: Expr, to: &Ty) -> Expr {
        self.coerce_for(expr, to, None)
    }

    /// The same, with the place where the type was declared.
    pub(super) fn coerce_for(&mut self, expr: Expr, to: &Ty, declared: Option<(Span, &str)>) -> Expr {
        let expr = match (&expr.kind, to.element().bare()) {
            (ExprKind::Text(text), Ty::Site(board)) => self.site_named(*board, text, expr.span, expr.span),
            _ => expr,
        };
        if let (true, Some(numbers)) = (to.is_many() && *to.element() == Ty::Number, summands(&expr)) {
            let sum: i64 = numbers.iter().fold(0, |sum, number| sum.wrapping_add(*number));
            let all: Vec<String> = numbers.iter().map(i64::to_string).collect();
            let message = format!("numbers are added up: this is {sum} alone");
            let help = format!("several numbers are `[{}]`; if the sum is meant, write `[{sum}]`", all.join(", "));
            self.report(Diagnostic::new(Code::WrongType, expr.span, message).help(help));
            return Expr { ty: Ty::Error, ..expr };
        }
        match self.convert(expr, to) {
            Ok(expr) => expr,
            Err(expr) => {
                let wanted = self.type_name(to);
                let found = match expr.kind {
                    ExprKind::Empty => "an empty set".to_owned(),
                    _ => self.type_name(&expr.ty),
                };
                let mut diagnostic =
                    Diagnostic::new(Code::WrongType, expr.span, format!("this should be {wanted}, but it is {found}"));
                if let Some((span, text)) = declared {
                    diagnostic = diagnostic.label(span, text);
                }
                let help = self.conversion_help(&expr, to);
                if let Some(help) = help {
                    diagnostic = diagnostic.help(help);
                }
                self.report(diagnostic);
                Expr { ty: Ty::Error, ..*expr }
            }
        }
    }

    fn conversion_help(&self, expr: &Expr, to: &Ty) -> Option<String> {
        let written = match (&expr.kind, to.element().bare()) {
            (ExprKind::Empty, _) => match to {
                Ty::Maybe(_) => Some("what is missing is `nothing`".to_owned()),
                Ty::Number => Some("write `0`".to_owned()),
                Ty::Flag => Some("write `false`".to_owned()),
                _ => Some("declare it as `maybe of ...`, and write `nothing`".to_owned()),
            },
            (ExprKind::Text(text), Ty::Enum(id)) => self.value_in_quotes(*id, text),
            (ExprKind::Text(text), Ty::Entity(kind)) => {
                Some(format!("write `first({} \"{text}\")`", self.kind_name(*kind)))
            }
            (ExprKind::Text(text), Ty::Number | Ty::Flag)
                if text.parse::<i64>().is_ok() || matches!(text.as_str(), "true" | "false") =>
            {
                Some(format!("write `{text}`, without quotes"))
            }
            _ => None,
        };
        if written.is_some() {
            return written;
        }
        match (&expr.ty, to) {
            (from, Ty::Number) if matches!(from.bare(), Ty::Enum(_)) => {
                Some("its place among the values of the enum is `index(...)`".to_owned())
            }
            (from, Ty::Flag) if from.is_many() => Some("ask whether there is one: `some ...` or `no ...`".to_owned()),
            (Ty::Table(_, value), Ty::Number) if **value == Ty::Number => {
                Some("all of them together are `sum it of ...`".to_owned())
            }
            (from, Ty::Number) if from.is_many() => Some("count them: `count ...`".to_owned()),
            (from, Ty::Flag) if *from.bare() == Ty::Number => {
                Some("a number is compared: `n > 0` for `n`, and `n = 0` for `not n`".to_owned())
            }
            (Ty::Maybe(_), Ty::Flag) => Some("ask whether it is there: `some ...` or `no ...`".to_owned()),
            (from, Ty::Flag) if matches!(from.bare(), Ty::Enum(_)) => Some(
                "one of several values is `x in [a, b]`; each side of `and` and `or` is a whole comparison".to_owned(),
            ),
            (Ty::Number, Ty::Player) => match expr.kind {
                ExprKind::Word(seat) if seat > 0 => Some(format!("a player of a number is `seat({seat})`")),
                _ => Some("a player of a number is `seat(n)`".to_owned()),
            },
            (from, to)
                if from.is_many()
                    && to.is_many()
                    && matches!(from.element(), Ty::Entity(_))
                    && matches!(to.element(), Ty::Site(_)) =>
            {
                Some("the sites of pieces are `sites(...)`".to_owned())
            }
            (from, to) if from.is_many() && self.fits(from.element(), to.bare()) => {
                Some("take one of them: `first(...)`, or go through all: `each x in ...`".to_owned())
            }
            (Ty::Nothing, _) => Some("declare it as `maybe of ...` if it can be `nothing`".to_owned()),
            (Ty::Entity(from), Ty::Entity(to)) if self.rules.is_below(*to, *from) => {
                Some(format!("test it first: `... is {}`", self.kind_name(*to)))
            }
            (Ty::Maybe(from), to) => match (from.as_ref(), to.bare()) {
                (Ty::Entity(from), Ty::Entity(to)) if self.rules.is_below(*to, *from) => {
                    let name = self.kind_name(*to);
                    Some(format!(
                        "test it first, `... is {name}`, or choose the `{name}` itself: `choose m in {name} where ...`"
                    ))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an enum that somebody has put into quotes.
    fn value_in_quotes(&self, id: EnumId, text: &str) -> Option<String> {
        let values = &self.rules.enums.get(id.index())?.values;
        let same = |name: &str| name.eq_ignore_ascii_case(text);
        match values.iter().find(|value| same(&value.name) || same(&value.label)) {
            Some(value) => Some(format!("write `{}`, without quotes", value.name)),
            None => {
                let values = listed(values.iter().map(|value| value.name.as_str()));
                Some(format!("its values have no quotes: {values}"))
            }
        }
    }

    /// How messages call a type.
    pub(super) fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Number => "a number".to_owned(),
            Ty::Flag => "true or false".to_owned(),
            Ty::Text => "a text".to_owned(),
            Ty::Player => "a player".to_owned(),
            Ty::Site(_) => "a site".to_owned(),
            Ty::Direction(_) => format!("a {}", self.type_word(ty)),
            Ty::Cause => "a cause".to_owned(),
            Ty::Nothing => "`nothing`".to_owned(),
            Ty::Error => "unknown".to_owned(),
            Ty::Enum(_) | Ty::Entity(_) => format!("a `{}`", self.type_word(ty)),
            Ty::Set(_) | Ty::List(_) | Ty::PerDirection(_) | Ty::Table(..) => format!("a `{}`", self.type_word(ty)),
            Ty::Maybe(inner) => format!("{} or nothing", self.type_name(inner)),
            Ty::Lambda(_, result) if **result == Ty::Flag => "a test".to_owned(),
            Ty::Lambda(..) => "an amount".to_owned(),
            Ty::Effect(_) => "an effect".to_owned(),
            Ty::Split(..) => format!("a {}", self.type_word(ty)),
        }
    }

    /// A type as authors write it.
    pub(super) fn type_word(&self, ty: &Ty) -> String {
        match ty {
            Ty::Number => "number".to_owned(),
            Ty::Flag => "flag".to_owned(),
            Ty::Text => "text".to_owned(),
            Ty::Player => "player".to_owned(),
            Ty::Site(_) => "site".to_owned(),
            Ty::Direction(board) if self.direction_types().len() > 1 => {
                format!("direction of {}", self.rules.boards.get(board.index()).map_or("", |board| board.name.as_str()))
            }
            Ty::Direction(_) => "direction".to_owned(),
            Ty::Cause => "cause".to_owned(),
            Ty::Nothing | Ty::Error => "nothing".to_owned(),
            Ty::Enum(id) => self.rules.enums.get(id.index()).map_or(String::new(), |item| item.name.clone()),
            Ty::Entity(id) => self.kind_name(*id),
            Ty::Set(inner) => format!("set of {}", self.type_word(inner)),
            Ty::List(inner) => format!("list of {}", self.type_word(inner)),
            Ty::Maybe(inner) => format!("maybe of {}", self.type_word(inner)),
            Ty::Lambda(params, result) => {
                let word = if **result == Ty::Flag { "test" } else { "amount" };
                format!("{word}({})", self.type_words(params))
            }
            Ty::PerDirection(inner) => format!("{} per direction", self.type_word(inner)),
            Ty::Table(Key::Enum(id), inner) => {
                format!("{} per {}", self.type_word(inner), self.type_word(&Ty::Enum(*id)))
            }
            Ty::Table(Key::Range(low, high), inner) => format!("{} per {low}..{high}", self.type_word(inner)),
            Ty::Effect(params) if params.is_empty() => "effect".to_owned(),
            Ty::Effect(params) => format!("effect({})", self.type_words(params)),
            Ty::Split(key, item) => format!("split of {} among {}", self.type_word(item), self.type_word(key)),
        }
    }

    fn type_words(&self, types: &[Ty]) -> String {
        types.iter().map(|ty| self.type_word(ty)).collect::<Vec<_>>().join(", ")
    }
}

/// The numbers that are written in a sum of nothing else.
fn summands(expr: &Expr) -> Option<Vec<i64>> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            let mut all = match a.kind {
                ExprKind::Word(number) => vec![number],
                _ => summands(a)?,
            };
            let ExprKind::Word(number) = b.kind else { return None };
            all.push(number);
            Some(all)
        }
        _ => None,
    }
}
