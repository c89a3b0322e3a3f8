//! Tiles: printed fields with one value for each direction, and how they are read.

use super::body::Body;
use super::check::{Checker, broken};
use super::rules::{Expr, ExprKind, FieldValue, KindId, PIECE, PropClass, PropId, PropOwner, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast;

impl Checker<'_> {
    /// `edge per direction`
    pub(super) fn per_direction(&mut self, inner: &ast::Type) -> Ty {
        match self.resolve_type(inner).ty {
            ty @ (Ty::Number | Ty::Flag | Ty::Enum(_)) => Ty::PerDirection(Box::new(ty)),
            Ty::Error => Ty::Error,
            other => {
                let what = self.type_name(&other);
                let found =
                    Diagnostic::new(Code::WrongType, inner.span, format!("{what} cannot be given per direction"))
                        .help("numbers, flags and the values of enums can");
                self.report(found);
                Ty::Error
            }
        }
    }

    /// Reports a value per direction that is not a printed field of a piece.
    pub(super) fn check_per_direction(&mut self, owner: PropOwner, field: bool, ty: &Ty, span: Span) {
        let piece = matches!(owner, PropOwner::Kind(kind) if self.rules.is_below(kind, PIECE));
        if matches!(ty.element(), Ty::PerDirection(_)) && !(field && piece && matches!(ty, Ty::PerDirection(_))) {
            let found =
                Diagnostic::new(Code::WrongType, span, "only a printed field of a piece has a value per direction")
                    .help("declare it as a `field` of a kind of piece");
            self.report(found);
        }
    }

    /// Reports a list of values that fits no board, or not the other definitions of the kind.
    pub(super) fn check_ways(&mut self, kind: KindId, field: PropId, value: Option<&FieldValue>, span: Span) {
        let (Ty::PerDirection(_), Some(FieldValue::List(values))) = (self.prop_type(field), value) else { return };
        let name = self.prop_name(field).to_owned();
        let boards: Vec<usize> = self.rules.boards.iter().map(super::rules::Board::ways).collect();
        let root = self.piece_root(kind);
        let known = self.ways.get(&root).copied();
        if !boards.contains(&values.len()) {
            let counts: Vec<String> = boards.iter().map(usize::to_string).collect();
            let message = format!("`{name}` has {} values, and no board has so many directions", values.len());
            let found = Diagnostic::new(Code::BadWays, span, message);
            let found = match counts.is_empty() {
                true => found.help("declare a board: `board grid { shape: square 5 5 }`"),
                false => found.note(format!("the boards have: {}", counts.join(", "))),
            };
            self.report(found);
        } else if let Some((first, at)) = known
            && first != values.len()
        {
            let message = format!("`{name}` has {} values here and {first} elsewhere", values.len());
            let found = Diagnostic::new(Code::BadWays, span, message)
                .label(at, "the other one")
                .note("all pieces of a kind turn through the same number of directions");
            self.report(found);
        } else {
            self.ways.entry(root).or_insert((values.len(), span));
        }
    }

    /// The kind below `piece` from which a kind descends.
    fn piece_root(&self, kind: KindId) -> KindId {
        let mut at = kind;
        while let Some(parent) = self.rules.kinds.get(at.index()).and_then(|kind| kind.parent) {
            if parent == PIECE {
                break;
            }
            at = parent;
        }
        at
    }

    /// `tile.side[d]`
    pub(super) fn side(&mut self, body: &mut Body, base: Expr, index: &ast::Expr, span: Span) -> Expr {
        let way = self.expr(body, index);
        if !matches!(way.ty.bare(), Ty::Direction(_) | Ty::Error) {
            let what = self.type_name(&way.ty);
            let found =
                Diagnostic::new(Code::WrongType, way.span, format!("this should be a direction, but it is {what}"))
                    .help("a value per direction is read in a direction: `t.side[d]`");
            self.report(found);
            return broken(span);
        }
        let Ty::PerDirection(inner) = base.ty else { return broken(span) };
        match base.kind {
            ExprKind::Prop(of, prop) if way.ty != Ty::Error => {
                Expr { kind: ExprKind::Side(of, prop, Box::new(way)), ty: inner.maybe(), span }
            }
            _ => broken(span),
        }
    }

    /// Declares what every piece has besides: how it is turned.
    pub(super) fn turn_prop(&mut self, own: &mut [Vec<PropId>]) {
        let zero = Expr { kind: ExprKind::Word(0), ty: Ty::Number, span: Span::default() };
        let id = self.add_prop(
            PropOwner::Kind(PIECE),
            "turn",
            super::types::Declared::plain(Ty::Number),
            PropClass::Mark { default: Some(zero) },
            Span::default(),
        );
        self.uses.props.insert(id);
        self.rules.turn = Some(id);
        if let Some(list) = own.get_mut(PIECE.index()) {
            list.push(id);
        }
    }
}
