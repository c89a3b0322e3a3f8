//! Tiles: tables of the printed values per direction, and in which turnings a tile looks different.

use super::NIL;
use super::code::Builder;
use super::exprs::board_of;
use super::layout::PropHome;
use super::op::{Op, Slot};
use super::sites::SidesSite;
use crate::model::rules::{Builtin, Expr, ExprKind, FieldValue, LocalId, PropClass, PropId, Rules, StmtKind, Ty};
use std::collections::BTreeMap;

/// What is printed on tiles, worked out once.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// The tables of the properties per direction.
    pub sides: Vec<Sides>,
    /// The number of the table of such a property.
    pub of_prop: BTreeMap<PropId, u16>,
    /// The turnings in which a tile of each definition looks different.
    pub turnings: Vec<Vec<i64>>,
    /// For each kind, through how many directions its tiles turn; 0 for what has no values per direction.
    pub ways: Vec<usize>,
}

/// The values of one property per direction.
#[derive(Clone, Debug)]
pub struct Sides {
    /// How many each definition has.
    pub ways: usize,
    /// Those of each definition, clockwise; none where the definition has no such property.
    pub values: Vec<Option<Vec<i64>>>,
}

impl Tiles {
    /// The tables of a game.
    pub fn new(rules: &Rules) -> Tiles {
        let mut tiles = Tiles::default();
        for (index, prop) in rules.props.iter().enumerate() {
            let (Ty::PerDirection(_), PropClass::Field { .. }) = (&prop.ty, &prop.class) else { continue };
            let id = PropId(index as u32);
            let values: Vec<Option<Vec<i64>>> = rules
                .entries
                .iter()
                .map(|entry| match entry.fields.iter().find(|(prop, _)| *prop == id) {
                    Some((_, Some(FieldValue::List(values)))) => Some(values.clone()),
                    _ => None,
                })
                .collect();
            tiles.of_prop.insert(id, tiles.sides.len() as u16);
            tiles.sides.push(Sides { ways: values.iter().flatten().map(Vec::len).max().unwrap_or(0), values });
        }
        tiles.turnings = (0..rules.entries.len()).map(|entry| tiles.different(entry)).collect();
        tiles.ways = vec![0; rules.kinds.len()];
        for (entry, info) in rules.entries.iter().enumerate() {
            let ways = tiles.printed(entry).map(Vec::len).max().unwrap_or(0);
            let kind = &mut tiles.ways[info.kind.index()];
            *kind = ways.max(*kind);
        }
        tiles
    }

    /// All that is printed per direction on a definition.
    fn printed(&self, entry: usize) -> impl Iterator<Item = &Vec<i64>> {
        self.sides.iter().filter_map(move |side| side.values[entry].as_ref())
    }

    fn different(&self, entry: usize) -> Vec<i64> {
        let ways = self.printed(entry).map(Vec::len).max().unwrap_or(0);
        let turned = |turn: usize| -> Vec<i64> {
            self.printed(entry)
                .flat_map(|values| (0..values.len()).map(move |at| values[from(at, turn, values.len())]))
                .collect()
        };
        let mut found: Vec<i64> = vec![0];
        for turn in 1..ways {
            if !found.iter().any(|other| turned(*other as usize) == turned(turn)) {
                found.push(turn as i64);
            }
        }
        found
    }
}

/// Where the value is printed that lies at a place when a tile is turned.
pub fn from(place: usize, turn: usize, ways: usize) -> usize {
    (place + ways - turn % ways.max(1)) % ways.max(1)
}

/// What a condition asks of the side of a tile in a direction.
pub(super) struct SideTest<'e> {
    pub tile: &'e Expr,
    prop: PropId,
    board: u16,
    /// Whether it holds for a value.
    holds: Box<dyn Fn(i64) -> bool + 'e>,
}

impl Builder<'_> {
    /// Those of a set of directions in which the side of a tile meets a condition, by a table.
    pub(super) fn sides_shown(&mut self, over: &Expr, binder: LocalId, cond: &Expr, d: Slot) -> bool {
        let Some(test) = self.side_test(binder, cond) else { return false };
        self.predicates.algebra += 1;
        if let Some(site) = self.sides_of_board(over, &test) {
            let e = self.expr(test.tile);
            self.emit(Op::Sides { d, e, site });
            return true;
        }
        let site = self.sides_site(&test, -1);
        let (a, e, shown) = (self.expr(over), self.expr(test.tile), self.temp(1));
        self.emit(Op::Sides { d: shown, e, site });
        self.emit(Op::And { w: 1, d, a, b: shown });
        true
    }

    /// The table of a condition, if it is asked of all directions of the tile's board.
    pub(super) fn sides_of_board(&mut self, over: &Expr, test: &SideTest<'_>) -> Option<u16> {
        let all = over.bare();
        if !matches!(all.kind, ExprKind::Builtin(Builtin::Directions, _)) || board_of(&all.ty) != test.board {
            return None;
        }
        let used = self.rules.boards[usize::from(test.board)].geometry.used;
        Some(self.sides_site(test, used as i64))
    }

    /// What a condition asks of the side of a tile in the direction `binder`, if that is all it asks.
    pub(super) fn side_test<'e>(&self, binder: LocalId, cond: &'e Expr) -> Option<SideTest<'e>> {
        // Which seats there are is known in play alone.
        let word = |expr: &Expr| {
            super::walk::constant(self.rules, expr).filter(|word| *word != NIL && *expr.ty.bare() != Ty::Player)
        };
        let there = |word: i64| (word != NIL).then_some(word);
        match &cond.kind {
            ExprKind::Not(inner) => {
                let SideTest { tile, prop, board, holds } = self.side_test(binder, inner)?;
                Some(SideTest { tile, prop, board, holds: Box::new(move |value| !holds(value)) })
            }
            ExprKind::Compare(op, a, b) => {
                let op = *op;
                if let Some(word) = word(b) {
                    return self.side_of(binder, a, move |value| op.holds_of(there(value), Some(word)));
                }
                let word = word(a)?;
                self.side_of(binder, b, move |value| op.holds_of(Some(word), there(value)))
            }
            ExprKind::In(item, set) => {
                let mut set = set;
                while let ExprKind::ToSet(inner) = &set.kind {
                    set = inner;
                }
                let ExprKind::List(items) = &set.kind else { return None };
                let words: Vec<i64> = items.iter().map(word).collect::<Option<_>>()?;
                self.side_of(binder, item, move |value| words.contains(&value))
            }
            _ => None,
        }
    }

    fn side_of<'e>(&self, binder: LocalId, side: &'e Expr, holds: impl Fn(i64) -> bool + 'e) -> Option<SideTest<'e>> {
        let ExprKind::Side(tile, prop, way) = &side.kind else { return None };
        let fits = way.is_local(binder) && !tile.mentions(binder) && self.harmless(tile);
        fits.then(|| SideTest { tile, prop: *prop, board: board_of(&way.ty), holds: Box::new(holds) })
    }

    /// The table of a condition, among some directions.
    fn sides_site(&mut self, test: &SideTest<'_>, among: i64) -> u16 {
        let board = &self.boards[usize::from(test.board)];
        let directions = 0..board.directions.len();
        let all = |value: &dyn Fn(usize) -> i64| {
            directions.clone().filter(|way| (test.holds)(value(*way))).fold(0, |mask, way| mask | 1 << way)
        };
        let turned = |values: &[i64], turn: usize| {
            let shown = |place: usize| values[from(place, turn, values.len())];
            let place = |way: usize| board.place(way).filter(|place| *place < values.len());
            all(&|way| place(way).map_or(NIL, shown))
        };
        let sides = &self.tiles.sides[usize::from(self.tiles.of_prop[&test.prop])];
        let shown = sides.values.iter().map(|values| {
            let values = values.as_deref().unwrap_or_default();
            (0..values.len()).map(|turn| turned(values, turn) & among).collect()
        });
        let turn = self.rules.turn.and_then(|turn| match self.layout.props[turn.index()] {
            PropHome::Entity(offset) => Some(offset),
            _ => None,
        });
        let site = SidesSite { shown: shown.collect(), otherwise: all(&|_| NIL) & among, turn };
        let known = self.sites.sides.iter().position(|known| *known == site);
        let site = known.unwrap_or_else(|| {
            self.sites.sides.push(site);
            self.sites.sides.len() - 1
        });
        self.short(site)
    }
}

/// Whether a game turns pieces, so that each must have a word for it.
pub(super) fn turned(rules: &Rules) -> bool {
    let mut found = rules.props.iter().any(|prop| matches!(prop.ty, Ty::PerDirection(_)));
    for proc in &rules.procs {
        super::walk::each_stmt(proc, &mut |stmt| {
            found |= match &stmt.kind {
                StmtKind::Move { to: crate::model::rules::Destination::Site { turned, .. }, .. } => turned.is_some(),
                StmtKind::SetProp { prop, .. } => Some(*prop) == rules.turn,
                StmtKind::Create { fields, .. } => fields.iter().any(|(prop, _)| Some(*prop) == rules.turn),
                _ => false,
            };
        });
    }
    found
}
