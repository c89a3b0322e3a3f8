//! Boards of which there is one for each player or thing, and boards without an end.

use super::body::Body;
use super::check::{Checker, broken};
use super::rules::{BinaryOp, BoardId, Builtin, Expr, ExprKind, Per, THING, Ty};
use super::zones::word;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident};

/// Whether the settings of a board say that it has no end. This must be known before any type is.
pub(super) fn is_endless(props: &[ast::Prop]) -> bool {
    let shape = props.iter().find(|prop| prop.name.text == "shape");
    let words = shape.and_then(|prop| prop.values.first());
    words.is_some_and(|words| words.len() > 1 && words.iter().any(|part| word(part) == Some("endless")))
}

/// The board that a function speaks of, and whose it is.
#[derive(Clone)]
pub(super) struct Meant {
    pub board: BoardId,
    pub whose: Option<Expr>,
}

impl Checker<'_> {
    /// What there is a board for each of.
    pub(super) fn board_per(&mut self, per: Option<&Ident>, endless: bool) -> Per {
        let Some(name) = per else { return Per::Game };
        if name.text == "player" {
            return Per::Player;
        }
        match self.kind_named(&name.text) {
            Some(kind) if self.rules.is_below(kind, THING) && kind != THING => {
                self.means(name);
                self.uses.kinds.insert(kind);
                if !endless {
                    let found =
                        Diagnostic::new(Code::BadBoard, name.span, "only a board without an end can be one per thing")
                            .help(
                                "write `shape: square endless` or `hexagon endless`, or declare the board `per player`",
                            );
                    self.report(found);
                }
                Per::Kind(kind)
            }
            Some(_) => {
                let found =
                    Diagnostic::new(Code::BadBoard, name.span, "a board is one per player or per a kind of thing")
                        .note("cards and pieces come and go as others, and would leave their boards behind");
                self.report(found);
                Per::Game
            }
            None => {
                let found = Diagnostic::new(Code::UnknownKind, name.span, format!("there is no kind `{}`", name.text));
                let found = self.suggest(found, &name.text, self.rules.kinds.iter().map(|kind| kind.name.as_str()));
                self.report(found);
                Per::Game
            }
        }
    }

    /// Whose board a value says: a player, or a thing of the kind.
    fn is_whose(&self, ty: &Ty, board: BoardId) -> bool {
        let per = self.rules.boards.get(board.index()).map(|board| board.per);
        match (ty.bare(), per) {
            (Ty::Player, Some(Per::Player)) => true,
            (Ty::Entity(kind), Some(Per::Kind(of))) => self.rules.is_below(*kind, of),
            _ => false,
        }
    }

    /// Whether a first argument names a board.
    pub(super) fn names_board(&self, body: &Body, args: &[ast::Expr]) -> bool {
        args.first().is_some_and(|arg| match &arg.kind {
            ast::ExprKind::Name(name) => body.find(name).is_none() && self.board_named(name).is_some(),
            ast::ExprKind::Field(_, name) => self.board_named(&name.text).is_some(),
            _ => false,
        })
    }

    /// The board that a first argument names: `plot`, `b.plot`.
    pub(super) fn meant_board(&mut self, body: &mut Body, args: &[ast::Expr]) -> Option<Meant> {
        match &args.first()?.kind {
            ast::ExprKind::Name(name) if body.find(name).is_none() => {
                let board = self.board_named(name)?;
                self.means_global(name, args[0].span);
                // In a filter over those who have one each, the bare name is the board of the subject.
                let subject = body.subjects.last().map(|subject| body.read(subject.place, args[0].span));
                let whose = subject.filter(|subject| self.is_whose(&subject.ty, board));
                Some(Meant { board, whose })
            }
            ast::ExprKind::Field(base, name) => {
                let board = self.board_named(&name.text)?;
                self.means(name);
                let whose = self.expr(body, base);
                if whose.ty != Ty::Error && !self.is_whose(&whose.ty, board) {
                    let what = self.type_name(&whose.ty);
                    let message = format!("{what} has no `{}` of its own", name.text);
                    self.error(Code::UnknownProperty, name.span, message);
                }
                Some(Meant { board, whose: Some(whose) })
            }
            _ => None,
        }
    }

    /// Reports a function that a board without an end cannot answer, or that must be told whose board is meant.
    pub(super) fn fits_board(&mut self, builtin: Builtin, meant: Option<&Meant>, args: &[Expr], span: Span) -> bool {
        let of_site = args.iter().find_map(|arg| match arg.ty.element().bare() {
            Ty::Site(board) => Some(*board),
            _ => None,
        });
        let Some(board) = meant.map(|meant| meant.board).or(of_site) else { return true };
        let Some(info) = self.rules.boards.get(board.index()) else { return true };
        let (name, per, at) = (info.name.clone(), info.per, info.span);
        if matches!(builtin, Builtin::SiteAt | Builtin::Origin)
            && per != Per::Game
            && meant.is_some_and(|meant| meant.whose.is_none())
        {
            let whose = if per == Per::Player { "me" } else { "x" };
            let found = Diagnostic::new(Code::NotAPlace, span, format!("there are several boards `{name}`"))
                .label(at, "declared here")
                .help(format!("say whose: `{whose}.{name}`"));
            self.report(found);
            return false;
        }
        if board.endless() && !answers(builtin) {
            let found = Diagnostic::new(Code::BadBoard, span, format!("`{name}` has no end, so this has no answer"))
                .label(at, "declared here")
                .help("its sites are those where something lies: the free ones beside them are `around(s) - s`");
            self.report(found);
            return false;
        }
        true
    }

    /// A function of one board of several, from what it says of all of them.
    pub(super) fn of_meant(&self, meant: Option<Meant>, of_all: Expr) -> Expr {
        let Some(Meant { board, whose: Some(whose) }) = meant else { return of_all };
        let (ty, span) = (of_all.ty.clone(), of_all.span);
        let make = |kind| Expr { kind, ty: ty.clone(), span };
        match (of_all.kind, ty.element().bare()) {
            _ if whose.ty == Ty::Error => Expr { kind: ExprKind::Word(0), ty: Ty::Error, span },
            (ExprKind::Builtin(builtin, mut args), Ty::Site(_)) if board.endless() => {
                args.insert(0, whose);
                make(ExprKind::Builtin(builtin, args))
            }
            (kind, Ty::Site(_)) if ty.is_many() => {
                let copy = make(ExprKind::Builtin(Builtin::CopyOf, vec![whose]));
                make(ExprKind::Binary(BinaryOp::Both, Box::new(make(kind)), Box::new(copy)))
            }
            (kind, Ty::Site(_)) => make(ExprKind::Builtin(Builtin::OnCopy, vec![make(kind), whose])),
            (kind, _) => make(kind),
        }
    }
}

impl Checker<'_> {
    /// The site of an endless board with these numbers.
    pub(super) fn endless_site(&mut self, board: BoardId, at: Option<(i64, i64)>, name: Span, span: Span) -> Expr {
        let Some((x, y)) = at else {
            let pattern = self.rules.boards.get(board.index()).map_or("", |board| board.places.cells.as_str());
            let found = Diagnostic::new(Code::UnknownSite, name, "no site is written so")
                .help(format!("sites of this board are written `{pattern}`"));
            self.report(found);
            return broken(span);
        };
        let number = |n| super::names::word(n, Ty::Number, name);
        Expr { kind: ExprKind::Builtin(Builtin::SiteAt, vec![number(x), number(y)]), ty: Ty::Site(board), span }
    }
}

/// Whether a board without an end can say this of itself.
fn answers(builtin: Builtin) -> bool {
    use Builtin as F;
    matches!(
        builtin,
        F::First
            | F::AllSites
            | F::SitesOf
            | F::SiteOf
            | F::SiteAt
            | F::Origin
            | F::PiecesOn
            | F::TopOn
            | F::Stack
            | F::EmptyOf
            | F::Around
            | F::Beside
            | F::Step
            | F::LongestLine
            | F::RunOf
            | F::Line
            | F::Group
            | F::Groups
            | F::Within
            | F::Ring
            | F::Distance
            | F::DistanceIn
            | F::Between
            | F::Bearing
            | F::Opposite
            | F::Rotate
            | F::Directions
            | F::Column
            | F::Row
            | F::Fitting
            | F::Repeats
    )
}

/// How a site of a board without an end is written.
pub fn named(pattern: &str, (x, y): (i64, i64)) -> String {
    let (x, y) = (x.to_string(), y.to_string());
    pattern.replace("{x}", &x).replace("{y}", &y).replace("{q}", &x).replace("{r}", &y)
}

/// The numbers that the name of a site says, by the pattern in which the board writes them: `{x},{y}`.
pub(super) fn numbers_in(pattern: &str, name: &str) -> Option<(i64, i64)> {
    let (mut x, mut y) = (None, None);
    let (mut pattern, mut name) = (pattern, name);
    while !pattern.is_empty() {
        if let Some((axis, rest)) =
            ["{x}", "{y}", "{q}", "{r}"].iter().find_map(|axis| Some((*axis, pattern.strip_prefix(axis)?)))
        {
            let sign = usize::from(name.starts_with('-'));
            let digits = name[sign..].find(|letter: char| !letter.is_ascii_digit()).unwrap_or(name.len() - sign);
            let (number, after) = name.split_at(sign + digits);
            *if matches!(axis, "{x}" | "{q}") { &mut x } else { &mut y } = Some(number.parse().ok()?);
            (pattern, name) = (rest, after);
        } else {
            let letter = pattern.chars().next()?;
            (pattern, name) = (&pattern[letter.len_utf8()..], name.strip_prefix(letter)?);
        }
    }
    name.is_empty().then_some(())?;
    x.zip(y)
}

#[cfg(test)]
mod tests {
    use super::numbers_in;

    #[test]
    fn names_of_sites_say_their_numbers() {
        assert_eq!(numbers_in("{x},{y}", "-3,12"), Some((-3, 12)));
        assert_eq!(numbers_in("<{y}:{x}>", "<0:7>"), Some((7, 0)));
        assert_eq!(numbers_in("{q}/{r}", "4/-1"), Some((4, -1)));
        for wrong in ["3", "3,", "a,1", "1,2,3", "--1,2", ""] {
            assert_eq!(numbers_in("{x},{y}", wrong), None, "{wrong}");
        }
    }
}
