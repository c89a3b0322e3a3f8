//! Calls of the language's functions, made from the language's own table of them: a new function is called at once.

use super::terms::{Scope, Smith};
use super::tree::{Node, Part, g, op, t};
use super::types::{Per, Shape, Ty};
use cardwright::model::builtins::{BUILTINS, BuiltinInfo, Give, Param};
use cardwright::model::rules::Builtin;

impl Smith {
    /// A call of a function that gives a type.
    pub fn call(&mut self, ty: &Ty, s: &Scope, depth: u8) -> Option<Node> {
        let mut ways: Vec<(&BuiltinInfo, Option<usize>, Option<Ty>)> = Vec::new();
        for info in BUILTINS {
            if speaks_of_boards(info) {
                for board in 0..self.w.boards.len() {
                    let given = self.gives(info, Some(board), None, ty);
                    if given.is_some_and(|given| self.w.fits(&given, ty)) && self.answers(info, board, s) {
                        ways.push((info, Some(board), None));
                    }
                }
            } else {
                for element in self.elements(info, ty) {
                    let given = self.gives(info, None, element.as_ref(), ty);
                    if given.is_some_and(|given| self.w.fits(&given, ty)) {
                        ways.push((info, None, element));
                    }
                }
            }
        }
        let (info, board, element) = self.pick(&ways)?;
        self.call_of(info, board, element, ty, s, depth)
    }

    fn call_of(
        &mut self,
        info: &BuiltinInfo,
        board: Option<usize>,
        element: Option<Ty>,
        ty: &Ty,
        s: &Scope,
        depth: u8,
    ) -> Option<Node> {
        let mut args = Vec::new();
        let mut maybe = false;
        for param in info.params {
            let arg = self.argument(*param, board, element.as_ref(), ty, s, depth)?;
            let strict = matches!(info.builtin, Builtin::Row | Builtin::Column | Builtin::EnumIndex | Builtin::Abs);
            maybe |= matches!(arg.ty, Some(Ty::Maybe(_))) && (*param == Param::Direction || strict);
            args.push(arg);
        }
        let mut given = self.gives(info, board, element.as_ref(), ty)?;
        // What is worked out from nothing is nothing.
        if maybe && !self.w.fits(&given.maybe(), ty) {
            return None;
        }
        if maybe {
            given = given.maybe();
        }
        Some(Node::term("call", given, 9, vec![t(format!("{}(", info.name)), Part::List(", ", args), t(")")]))
    }

    /// Types of members that a function could be asked about.
    fn elements(&self, info: &BuiltinInfo, ty: &Ty) -> Vec<Option<Ty>> {
        match info.params.first() {
            Some(Param::Many) => vec![Some(ty.element().clone())],
            Some(Param::Zone) => {
                let zones = self.w.zones.iter().filter(|zone| zone.ordered);
                zones.map(|zone| Some(Ty::Kind(zone.kind))).collect()
            }
            Some(Param::Enum) => (0..self.w.enums.len()).map(|index| Some(Ty::Enum(index))).collect(),
            _ => vec![None],
        }
    }

    /// What a function gives.
    fn gives(&self, info: &BuiltinInfo, board: Option<usize>, element: Option<&Ty>, wanted: &Ty) -> Option<Ty> {
        let piece = || Ty::Kind(self.w.any_piece());
        Some(match info.result {
            Give::Number => Ty::Number,
            Give::Numbers => Ty::Number.set(),
            Give::Players => Ty::Player.list(),
            Give::Member => Some(element?).filter(|of| single(of))?.maybe(),
            Give::Members => Some(element?).filter(|of| single(of))?.list(),
            Give::Sites => Ty::Site(board?).set(),
            Give::MaybeSite => Ty::Site(board?).maybe(),
            Give::Site => Ty::Site(board?),
            Give::SiteList => Ty::Site(board?).list(),
            Give::AsFirst if matches!(wanted, Ty::Set(_)) => Ty::Site(board?).set(),
            Give::AsFirst => Ty::Site(board?).maybe(),
            Give::Pieces => piece().set(),
            Give::MaybePiece => piece().maybe(),
            Give::PieceList => piece().list(),
            Give::Directions => self.directed(board?)?.set(),
            Give::Direction => self.directed(board?)?,
            Give::MaybeDirection => self.directed(board?)?.maybe(),
            Give::MaybeNumber => Ty::Number.maybe(),
        })
    }

    /// Whether a function has an answer on a board. What the checker says about this is said once more here: the smith
    /// means to make games that are right.
    fn answers(&self, info: &BuiltinInfo, board: usize, s: &Scope) -> bool {
        use Builtin as F;
        let on = &self.w.boards[board];
        let one = matches!(info.builtin, F::SiteAt | F::Origin);
        let whose = match on.per {
            Per::Game => true,
            Per::Player => !one || s.me || !s.locals.is_empty(),
            Per::Kind(_) => !one && info.params.first() != Some(&Param::Board),
        };
        let places = match info.builtin {
            F::AllEdges | F::EdgesOf => on.edges,
            F::AllCorners | F::CornersOf => on.corners,
            F::AllRim | F::RimOf => on.rim,
            F::Border | F::Rotate => on.shape != Shape::Graph,
            F::BorderTo => !on.directions.is_empty(),
            F::Repeats => on.per == Per::Game && on.shape != Shape::Endless && s.turns,
            _ => true,
        };
        let endless = on.shape != Shape::Endless
            || matches!(
                info.builtin,
                F::AllSites
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
                    | F::Directions
                    | F::Column
                    | F::Row
                    | F::Fitting
            );
        let directed = !info.params.contains(&Param::Direction) || self.directed(board).is_some();
        // Only the type that is expected says on which of several boards pieces lie.
        let told = self.w.boards.len() == 1 || !matches!(info.builtin, F::SitesOf | F::SiteOf);
        let turned = !matches!(info.builtin, F::Turnings | F::Fitting) || self.tile().is_some();
        whose && places && endless && directed && told && turned
    }

    /// Whether it is a site of one of many boards, of which there may be none.
    pub fn lies_apart(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Site(board) if matches!(self.w.boards[*board].per, Per::Kind(_)))
    }

    /// The kind of pieces that have a value for each direction.
    pub fn tile(&self) -> Option<usize> {
        use super::types::{Class, Owner};
        self.w.props.iter().find_map(|prop| match prop.owner {
            Owner::Kind(kind) if prop.class == Class::Sides => Some(kind),
            _ => None,
        })
    }

    fn argument(
        &mut self,
        param: Param,
        board: Option<usize>,
        element: Option<&Ty>,
        wanted: &Ty,
        s: &Scope,
        depth: u8,
    ) -> Option<Node> {
        Some(match param {
            Param::Number => self.term(&Ty::Number, s, depth.min(1)),
            Param::Player => self.term(&Ty::Player, s, 0),
            Param::Many => {
                let of = element?;
                let ty = if self.chance(25) && *of != Ty::Flag { of.list() } else { of.set() };
                self.term(&ty, s, depth)
            }
            Param::Zone => {
                let zones: Vec<_> = self.w.zones.iter().filter(|zone| zone.ordered).cloned().collect();
                let fits = |zone: &&super::types::Zone| {
                    element == Some(&Ty::Kind(zone.kind)) && (zone.seen == super::types::Seen::All || !s.open)
                };
                let zones: Vec<_> = zones.iter().filter(fits).cloned().collect();
                let zone = self.pick(&zones)?;
                let mut parts = match zone.per_player {
                    true => vec![op(9, self.term(&Ty::Player, s, 0)), t("."), g(&zone.name)],
                    false => vec![g(&zone.name)],
                };
                parts.extend(self.key_of(&zone));
                Node::term("zone", Ty::Kind(zone.kind).list(), 9, parts)
            }
            Param::Board => {
                let parts = self.board_name(board?, s)?;
                Node::other("board", parts)
            }
            Param::Site => {
                let ty = Ty::Site(board?);
                let maybe = self.chance(50) || matches!(self.w.boards[board?].per, Per::Kind(_));
                let site = self.term(&if maybe { ty.maybe() } else { ty }, s, depth.min(1));
                // A literal of a board that must be said by somebody.
                if site.form == "nothing" {
                    return None;
                }
                site
            }
            Param::Sites => self.term(&Ty::Site(board?).set(), s, depth),
            Param::SiteOrSites => {
                let ty = Ty::Site(board?);
                let ty = if matches!(wanted, Ty::Set(_)) { ty.set() } else { ty.maybe() };
                let site = self.term(&ty, s, depth.min(1));
                if site.form == "nothing" {
                    return None;
                }
                site
            }
            Param::Piece => {
                let kind = self.piece_for(wanted)?;
                self.term(&Ty::Kind(kind).maybe(), s, depth.min(1))
            }
            Param::Pieces => {
                let kind = self.piece_for(wanted)?;
                self.term(&Ty::Kind(kind).set(), s, depth)
            }
            Param::Direction => {
                let ty = self.directed(board?)?;
                let maybe = self.chance(20);
                self.term(&if maybe { ty.maybe() } else { ty }, s, depth.min(1))
            }
            Param::Enum => self.term(element?, s, 0),
            Param::SiteName => {
                let sites = self.w.boards[board?].sites.clone();
                Node::other("text", vec![t(format!("\"{}\"", self.pick(&sites)?))])
            }
            Param::SiteNames => {
                let sites = self.w.boards[board?].sites.clone();
                let many = 1 + self.below(3);
                let mut names: Vec<String> = (0..many).filter_map(|_| self.pick(&sites)).collect();
                names.sort();
                names.dedup();
                Node::other("text", vec![t(format!("\"{}\"", names.join(" ")))])
            }
        })
    }

    /// A kind of piece that a function can be asked about.
    fn piece_for(&mut self, wanted: &Ty) -> Option<usize> {
        if *wanted == Ty::Number.set() {
            return self.tile();
        }
        let pieces = (3..self.w.kinds.len()).filter(|kind| self.w.kinds[*kind].root == super::types::PIECE);
        let pieces: Vec<usize> = pieces.collect();
        self.pick(&pieces)
    }
}

/// Whether a function is about some board.
fn speaks_of_boards(info: &BuiltinInfo) -> bool {
    let about = |param: &Param| {
        matches!(
            param,
            Param::Board
                | Param::Site
                | Param::Sites
                | Param::SiteOrSites
                | Param::Direction
                | Param::SiteName
                | Param::SiteNames
        )
    };
    info.params.iter().any(about)
        || matches!(info.result, Give::Sites | Give::MaybeSite | Give::Pieces | Give::MaybePiece | Give::PieceList)
}

/// Whether sets can have members of a type.
fn single(ty: &Ty) -> bool {
    !matches!(ty, Ty::Flag | Ty::Set(_) | Ty::List(_))
}
