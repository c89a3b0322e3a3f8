//! Sites in a view: which ones options point at, and which ones a move changed.

use super::error::PlayError;
use super::session::Session;
use crate::engine::{BoardView, CardView, Seat, Target, View};
use std::collections::BTreeSet;

/// A site of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The board's number in the view.
    pub board: usize,
    /// The site's number on it.
    pub site: usize,
}

/// The site that a target is or lies on.
pub fn spot(view: &View, target: Target) -> Option<Spot> {
    view.boards.iter().enumerate().find_map(|(index, board)| {
        let site = match target {
            Target::Site { board: number, site } if number == board.number => {
                board.sites.iter().position(|found| found.id == site)
            }
            Target::Entity(handle) => {
                board.sites.iter().position(|site| site.pieces.iter().any(|piece| piece.handle == handle))
            }
            _ => None,
        };
        site.map(|site| Spot { board: index, site })
    })
}

/// The sites that the options of the view's decision point at.
pub fn legal(view: &View) -> BTreeSet<Spot> {
    let options = view.decision.iter().flat_map(|decision| &decision.options);
    options.filter_map(|option| spot(view, option.target)).collect()
}

/// Sites of a later view on which something else lies than before.
pub fn changed(before: &[BoardView], after: &[BoardView]) -> BTreeSet<Spot> {
    let mut changed = BTreeSet::new();
    for (index, new) in after.iter().enumerate() {
        let old = before.get(index).filter(|old| old.number == new.number && old.name == new.name);
        for (number, site) in new.sites.iter().enumerate() {
            let same_place = old.and_then(|old| match old.sites.get(number) {
                Some(found) if found.id == site.id => Some(found),
                _ => old.sites.iter().find(|found| found.id == site.id),
            });
            let lay = same_place.map_or(&[][..], |found| found.pieces.as_slice());
            if !lay.iter().map(lying).eq(site.pieces.iter().map(lying)) {
                changed.insert(Spot { board: index, site: number });
            }
        }
    }
    changed
}

fn lying(piece: &CardView) -> (&str, Option<Seat>, &[crate::engine::Side]) {
    (&piece.name, piece.owner, &piece.look.sides)
}

/// The sites that the last move changed: what one seat did in one turn, as far as it has come.
///
/// # Errors
/// [`PlayError`] if the content fails on the way.
pub fn last_changed(session: &mut Session, view: &View) -> Result<BTreeSet<Spot>, PlayError> {
    let made: Vec<(Option<Seat>, u32)> = session.decisions().iter().map(|made| (made.seat, made.turn)).collect();
    let mut end = made.len();
    while let Some(last) = end.checked_sub(1).and_then(|index| made.get(index)) {
        let start = made.iter().take(end).rposition(|other| other != last).map_or(0, |index| index + 1);
        let before = session.view_at(start, view.seat)?;
        let found = changed(&before.boards, &view.boards);
        if !found.is_empty() {
            return Ok(found);
        }
        end = start;
    }
    Ok(BTreeSet::new())
}
