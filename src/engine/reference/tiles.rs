//! Tiles, from what is printed on them and from coordinates.

use super::boards::board_of;
use super::eval::Slow;
use crate::model::rules::{BoardId, FieldValue, PropId, Ty};
use std::collections::BTreeSet;

/// Names of directions clockwise.
const ROSE: [&str; 8] = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

impl Slow<'_> {
    /// What is printed on an entity for a property, clockwise.
    fn printed(&self, of: i64, prop: PropId) -> Vec<i64> {
        let fields = self.field_entry(of).map(|entry| &self.p.rules.entries[entry].fields);
        match fields.and_then(|fields| fields.iter().find(|(found, _)| *found == prop)) {
            Some((_, Some(FieldValue::List(values)))) => values.clone(),
            _ => Vec::new(),
        }
    }

    /// The same, turned by a number of steps.
    fn turned(&self, of: i64, prop: PropId, turn: i64) -> Vec<i64> {
        let mut values = self.printed(of, prop);
        let ways = values.len();
        if ways > 0 {
            values.rotate_right(turn.rem_euclid(ways as i64) as usize);
        }
        values
    }

    /// The same, as the piece lies.
    pub fn shown(&mut self, of: i64, prop: PropId) -> Vec<i64> {
        let turn = self.p.rules.turn.and_then(|turn| self.prop(Some(of), turn).ok());
        self.turned(of, prop, turn.and_then(|turn| turn.single()).unwrap_or(0))
    }

    /// The directions that count on a board, clockwise.
    pub fn clockwise(&self, board: BoardId) -> Vec<&'static str> {
        let all = &self.p.boards[board.index()].directions;
        let ways = self.boards[board.index()].ways();
        let mut rose = ROSE.to_vec();
        if !all.iter().any(|name| name == "north") {
            rose.rotate_left(2);
        }
        rose.retain(|name| ways.iter().any(|way| all[*way as usize] == *name));
        rose
    }

    /// What a tile shows in a direction.
    pub fn side(&mut self, of: i64, prop: PropId, way: &Ty, at: i64) -> Option<i64> {
        let board = board_of(way)?;
        let name = self.p.boards[board.index()].directions.get(usize::try_from(at).ok()?)?;
        let place = self.clockwise(board).iter().position(|found| found == name)?;
        self.shown(of, prop).get(place).copied()
    }

    /// The properties per direction.
    fn sides(&self) -> Vec<PropId> {
        let all = self.p.rules.props.iter().enumerate();
        all.filter(|(_, prop)| matches!(prop.ty, Ty::PerDirection(_))).map(|(index, _)| PropId(index as u32)).collect()
    }

    /// The first of each group of turnings that look alike.
    pub fn turnings(&self, of: i64) -> BTreeSet<i64> {
        let ways = self.sides().into_iter().map(|prop| self.printed(of, prop).len()).max().unwrap_or(0).max(1);
        let look = |turn: i64| self.sides().into_iter().map(|prop| self.turned(of, prop, turn)).collect::<Vec<_>>();
        let mut seen = Vec::new();
        (0..ways as i64)
            .filter(|turn| {
                let fresh = !seen.contains(&look(*turn));
                seen.push(look(*turn));
                fresh
            })
            .collect()
    }

    /// The turnings in which a tile agrees with all that lies beside a site.
    pub fn fitting(&mut self, of: i64, board: BoardId, site: i64) -> BTreeSet<i64> {
        let names = self.clockwise(board);
        let mut fits = self.turnings(of);
        for (place, name) in names.iter().enumerate() {
            let stack = self.stack_beside(board, site, name);
            let facing = (place + names.len() / 2) % names.len();
            for prop in self.sides() {
                let neighbour = stack.iter().rev().find(|piece| !self.printed(**piece, prop).is_empty());
                let theirs = neighbour.map_or(Vec::new(), |neighbour| self.shown(*neighbour, prop));
                let own = self.printed(of, prop);
                if own.is_empty() || theirs.is_empty() {
                    continue;
                }
                // What is printed for another board has no value in this direction.
                if own.len() != names.len() || theirs.len() != names.len() {
                    fits.clear();
                }
                fits.retain(|turn| self.turned(of, prop, *turn).get(place) == theirs.get(facing));
            }
        }
        fits
    }
}
