//! Tiles: what is printed per direction as they lie, and in which turnings they fit.

use super::moves::entity_offset;
use super::run::{R, Run, at};
use super::state::slot_of;
use super::words::Eyes;
use crate::model::rules::PropId;
use crate::program::{NIL, NO_SITE, Op, Sides, Spot, ent, printed_at, touch};

/// Every instruction that is carried out elsewhere: a new one has to be put here or there.
macro_rules! carried_out_before {
    () => {
        Op::Copy { .. }
            | Op::CopyN { .. }
            | Op::Clear { .. }
            | Op::Add { .. }
            | Op::Sub { .. }
            | Op::Mul { .. }
            | Op::Div { .. }
            | Op::Rem { .. }
            | Op::Smaller { .. }
            | Op::Larger { .. }
            | Op::Neg { .. }
            | Op::Abs { .. }
            | Op::Jump { .. }
            | Op::JumpTrue { .. }
            | Op::JumpFalse { .. }
            | Op::JumpEq { .. }
            | Op::JumpLt { .. }
            | Op::JumpLe { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpModified { .. }
            | Op::JumpGone { .. }
            | Op::Or { .. }
            | Op::And { .. }
            | Op::AndNot { .. }
            | Op::SameSet { .. }
            | Op::Count { .. }
            | Op::JumpEmpty { .. }
            | Op::JumpAny { .. }
            | Op::InsertBit { .. }
            | Op::InsertEntity { .. }
            | Op::RemoveBit { .. }
            | Op::Single { .. }
            | Op::HasBit { .. }
            | Op::HasEntity { .. }
            | Op::NextBit { .. }
            | Op::NextEntity { .. }
            | Op::NextShown { .. }
            | Op::FirstBit { .. }
            | Op::FirstEntity { .. }
            | Op::FirstShown { .. }
            | Op::Push { .. }
            | Op::NextItem { .. }
            | Op::NextNumber { .. }
            | Op::Item { .. }
            | Op::Concat { .. }
            | Op::ListUnion { .. }
            | Op::ListMinus { .. }
            | Op::ListBoth { .. }
            | Op::Part { .. }
            | Op::HasItem { .. }
            | Op::SameList { .. }
            | Op::OrderLists { .. }
            | Op::Distinct { .. }
            | Op::Sort { .. }
            | Op::RangeList { .. }
            | Op::ListOfBits { .. }
            | Op::ListOfEntities { .. }
            | Op::BitsOfList { .. }
            | Op::EntitiesOfList { .. }
            | Op::Field { .. }
            | Op::FieldList { .. }
            | Op::Lazy { .. }
            | Op::Prop { .. }
            | Op::PlayerProp { .. }
            | Op::Stat { .. }
            | Op::Linked { .. }
            | Op::Holder { .. }
            | Op::Owner { .. }
            | Op::Entered { .. }
            | Op::Playing { .. }
            | Op::IsKind { .. }
            | Op::IsEntry { .. }
            | Op::EntitiesNamed { .. }
            | Op::ZoneOf { .. }
            | Op::ZoneKind { .. }
            | Op::ZonesOf { .. }
            | Op::ZoneList { .. }
            | Op::TopOf { .. }
            | Op::Instance { .. }
            | Op::Opponents { .. }
            | Op::SeatNumber { .. }
            | Op::Clockwise { .. }
            | Op::EmptySites { .. }
            | Op::SitesOf { .. }
            | Op::SitesOfKind { .. }
            | Op::Owned { .. }
            | Op::Pick { .. }
            | Op::OwnedBut { .. }
            | Op::SiteOf { .. }
            | Op::PiecesOn { .. }
            | Op::CountPieces { .. }
            | Op::Adjacent { .. }
            | Op::Near { .. }
            | Op::InLines { .. }
            | Op::Step { .. }
            | Op::StepOne { .. }
            | Op::StepSet { .. }
            | Op::WaysInto { .. }
            | Op::Scan { .. }
            | Op::Ahead { .. }
            | Op::Behind { .. }
            | Op::Towards { .. }
            | Op::Beyond { .. }
            | Op::Tops { .. }
            | Op::Leap { .. }
            | Op::PiecesOf { .. }
            | Op::LongestLine { .. }
            | Op::SiteAt { .. }
            | Op::Lookup { .. }
            | Op::Memo { .. }
            | Op::ByPlayer { .. }
            | Op::OnEndless { .. }
            | Op::Sides { .. }
            | Op::Reaches { .. }
            | Op::OnBoard { .. }
            | Op::Neighbours { .. }
            | Op::After { .. }
            | Op::Leading { .. }
            | Op::Region { .. }
            | Op::Actor { .. }
            | Op::Source { .. }
            | Op::Cause { .. }
            | Op::Changed { .. }
            | Op::Call { .. }
            | Op::CallLambda { .. }
            | Op::MakeLambda { .. }
            | Op::CallScript { .. }
            | Op::Can { .. }
            | Op::Targetable { .. }
            | Op::Return { .. }
            | Op::End
            | Op::SetProp { .. }
            | Op::SetPlayerProp { .. }
            | Op::SetGameProp { .. }
            | Op::Move { .. }
            | Op::Create { .. }
            | Op::Link { .. }
            | Op::Unlink { .. }
            | Op::Reveal { .. }
            | Op::Tell { .. }
            | Op::Sample { .. }
            | Op::Shuffle { .. }
            | Op::Roll { .. }
            | Op::Random { .. }
            | Op::Verb { .. }
            | Op::BatchStart { .. }
            | Op::Propose { .. }
            | Op::Commit { .. }
            | Op::Proceed { .. }
            | Op::JumpClean { .. }
            | Op::JumpWaiting { .. }
            | Op::JumpUnread { .. }
            | Op::JumpTurned { .. }
            | Op::Settled
            | Op::Checkpoint { .. }
            | Op::Do { .. }
            | Op::Arm { .. }
            | Op::Made { .. }
            | Op::Later { .. }
            | Op::Drawn { .. }
            | Op::Choose { .. }
            | Op::Secret { .. }
            | Op::ChooseAction { .. }
            | Op::FirstSeat { .. }
            | Op::Open { .. }
            | Op::Act { .. }
            | Op::OpenAgain
            | Op::Again
            | Op::ChooseSplit { .. }
            | Op::OfferTo { .. }
            | Op::Offer { .. }
            | Op::ChooseOption { .. }
            | Op::Ask { .. }
            | Op::TryPrice { .. }
            | Op::Priced { .. }
            | Op::Requires { .. }
            | Op::Ensure { .. }
            | Op::TurnFirst { .. }
            | Op::TurnNext { .. }
            | Op::TurnPass { .. }
            | Op::SpanStart { .. }
            | Op::SpanEnd { .. }
            | Op::EdgeOpen { .. }
            | Op::VerbOpen { .. }
            | Op::EdgeActed
            | Op::SpanOver { .. }
            | Op::Win { .. }
            | Op::Lose { .. }
            | Op::DrawGame
            | Op::EndGame
            | Op::Note { .. }
            | Op::Write { .. }
    };
}

/// How a piece is to lie that is being moved.
#[derive(Clone, Copy, Debug)]
pub struct Turning {
    /// The piece.
    pub slot: usize,
    /// How far it is to be turned.
    pub turn: i64,
    /// Whether the record of its move tells it.
    pub told: bool,
}

impl Run<'_> {
    pub fn tile_op(&mut self, op: Op, base: usize) -> R<()> {
        match op {
            Op::Side { board, d, e, f } => {
                let d = at(base, d);
                self.st.mem[d] =
                    self.side(self.st.mem[at(base, e)], usize::from(f), usize::from(board), self.st.mem[d]);
            }
            Op::Turnings { d, e } => {
                let entry = self.entry_of(self.st.mem[at(base, e)]);
                let found = match (entry, slot_of(self.st.mem[at(base, e)])) {
                    (Some(entry), _) => self.p.tiles.turnings[entry].as_slice(),
                    (None, Some(_)) => &[0],
                    (None, None) => &[],
                };
                self.store_list(at(base, d), found)?;
            }
            Op::Fitting { board, d, e, s } => {
                self.fitting(at(base, d), self.st.mem[at(base, e)], usize::from(board), self.st.mem[at(base, s)]);
            }
            carried_out_before!() => {}
        }
        Ok(())
    }

    /// How an entity is turned, or was last.
    fn turn(&self, entity: i64) -> usize {
        let offset = self.p.rules.turn.and_then(|turn| entity_offset(self.p, turn));
        let turn = match (offset, self.record(entity)) {
            (Some(offset), Some((record, true))) => self.st.mem[record + offset],
            (Some(offset), Some((_, false))) => {
                super::straight::last_prop(&self.p.layout, &self.st.mem, entity, offset as u16)
            }
            _ => 0,
        };
        turn.max(0) as usize
    }

    /// The number of a turning of a piece, from 0.
    pub fn turning(&self, slot: usize, turn: i64) -> i64 {
        let record = self.p.layout.entity(slot);
        let ways = match self.p.tiles.ways[self.st.mem[record + ent::KIND] as usize] {
            0 => self.lies_on(slot).map_or(0, |(board, _)| self.p.rules.boards[board].ways()),
            ways => ways,
        };
        if turn == NIL || ways == 0 { turn.max(0) } else { turn.rem_euclid(ways as i64) }
    }

    /// A square tile in a letter as it would lie, where a reader sees it.
    // INVARIANT: the state is as it was when this returns.
    pub fn turned_letter(&mut self, tile: i64, turn: i64, eyes: Eyes) -> Option<String> {
        let (record, true) = self.record(tile)? else { return None };
        let turned = self.p.rules.turn.and_then(|prop| entity_offset(self.p, prop));
        let at = record + turned.filter(|_| self.is_seen(tile, eyes))?;
        let before = std::mem::replace(&mut self.st.mem[at], turn);
        let letter = self.card_look(tile).letter();
        self.st.mem[at] = before;
        letter
    }

    /// What the record of a move says of how the piece is turned.
    pub fn turned_words(&mut self, moved: i64) -> String {
        let (Some(slot), Some(turning)) = (slot_of(moved), self.x.turning.as_mut()) else { return String::new() };
        if turning.slot != slot {
            return String::new();
        }
        turning.told = true;
        let turn = turning.turn;
        let turn = self.turning(slot, turn);
        if turn == self.turn(moved) as i64 { String::new() } else { format!(", turned {turn}") }
    }

    /// Turns a piece.
    pub fn set_turn(&mut self, turned: i64, turn: i64) {
        let (Some(prop), Some((record, true)), Some(slot)) = (self.p.rules.turn, self.record(turned), slot_of(turned))
        else {
            return;
        };
        let Some(offset) = entity_offset(self.p, prop) else { return };
        let (before, turn) = (self.st.mem[record + offset], self.turning(slot, turn));
        if before != turn {
            self.st.mem[record + offset] = turn;
            self.st.touch(touch::ALL);
            if !self.x.turning.is_some_and(|turning| turning.told && turning.slot == slot) {
                self.trace_prop(Some(turned), None, prop, before, turn);
            }
        }
    }

    /// What a tile shows in a direction of a board.
    fn side(&self, entity: i64, table: usize, board: usize, way: i64) -> i64 {
        let sides = &self.p.tiles.sides[table];
        let values = self.entry_of(entity).and_then(|entry| sides.values[entry].as_ref());
        let place = usize::try_from(way).ok().and_then(|way| self.p.boards[board].place(way));
        match (values, place) {
            (Some(values), Some(place)) if place < values.len() => {
                values[printed_at(place, self.turn(entity), values.len())]
            }
            _ => NIL,
        }
    }

    /// All that a tile shows, clockwise, as it lies.
    pub fn shown(&self, entity: i64, prop: PropId) -> Option<Vec<i64>> {
        let table = *self.p.tiles.of_prop.get(&prop)?;
        let values = self.p.tiles.sides[usize::from(table)].values[self.entry_of(entity)?].as_ref()?;
        let turn = self.turn(entity);
        Some((0..values.len()).map(|place| values[printed_at(place, turn, values.len())]).collect())
    }

    /// The piece on top of the site next to one.
    fn top_beside(&self, board: usize, site: i64, way: usize) -> Option<usize> {
        let topology = &self.p.boards[board];
        if self.p.layout.boards[board].places > 0 {
            return Spot::of(site).moved(topology.steps[way]).word().and_then(|next| self.top_at(board, next));
        }
        let next = topology.step(u16::try_from(site).ok()?, way);
        (next != NO_SITE).then(|| self.st.mem[self.p.layout.boards[board].tops + usize::from(next)])?.try_into().ok()
    }

    /// The turnings in which a tile fits at a site, as bits.
    fn ways_to_fit(&self, tile: i64, board: usize, site: i64) -> u64 {
        let Some(entry) = self.entry_of(tile).filter(|_| site >= 0) else { return 0 };
        let p = self.p;
        let topology = &p.boards[board];
        let ways = topology.ways.len();
        let mut fits: u64 = p.tiles.turnings[entry].iter().fold(0, |mask, turn| mask | 1 << turn);
        for (place, way) in topology.ways.iter().enumerate() {
            let Some(top) = self.top_beside(board, site, usize::from(*way)) else { continue };
            let Some(facing) = topology.place(usize::from(topology.opposite[usize::from(*way)])) else { continue };
            for sides in &p.tiles.sides {
                let (Some(own), Some((theirs, turn))) = (&sides.values[entry], self.topmost(top, sides)) else {
                    continue;
                };
                if own.len() != ways || theirs.len() != ways {
                    fits = 0;
                    continue;
                }
                let wanted = theirs[printed_at(facing, turn, ways)];
                let mut left = fits;
                while left != 0 {
                    let turn = left.trailing_zeros() as usize;
                    left &= left - 1;
                    if own[printed_at(place, turn, ways)] != wanted {
                        fits &= !(1 << turn);
                    }
                }
            }
        }
        fits
    }

    /// What is printed on the topmost piece of a stack that has a property per direction, and how that piece is turned.
    fn topmost<'p>(&self, top: usize, sides: &'p Sides) -> Option<(&'p Vec<i64>, usize)> {
        let beneath = |slot: &usize| usize::try_from(self.st.mem[self.p.layout.entity(*slot) + ent::BENEATH]).ok();
        std::iter::successors(Some(top), beneath).take(self.p.layout.capacity).find_map(|slot| {
            let piece = self.reference(slot);
            let values = sides.values[self.entry_of(piece)?].as_ref()?;
            Some((values, self.turn(piece)))
        })
    }

    fn fitting(&mut self, d: usize, tile: i64, board: usize, site: i64) {
        let mut fits = self.ways_to_fit(tile, board, site);
        let mut length = 0;
        while fits != 0 {
            length += 1;
            self.st.mem[d + length] = i64::from(fits.trailing_zeros());
            fits &= fits - 1;
        }
        self.st.mem[d] = length as i64;
    }
}
