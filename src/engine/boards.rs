//! Instructions over the sites of boards.

use super::run::{R, Run, at};
use super::state::slot_of;
use crate::program::{NIL, NO_SITE, Op, ent};

impl Run<'_> {
    pub fn board_op(&mut self, op: Op, base: usize) -> R<()> {
        let w = usize::from(self.p.layout.site_set);
        match op {
            Op::SitesOf { d, a, board } => {
                let slots = self.present(at(base, a));
                let mut sites = vec![0i64; w];
                for slot in slots {
                    if let Some((_, site)) = self.site_of_slot(slot).filter(|(on, _)| *on == usize::from(board)) {
                        sites[site / 64] |= 1 << (site % 64);
                    }
                }
                let d = at(base, d);
                self.st.mem[d..d + w].copy_from_slice(&sites);
            }
            Op::SiteOf { d, a, board } => {
                let entity = self.st.mem[at(base, a)];
                let current = self.record(entity).is_some_and(|(_, current)| current);
                let site = slot_of(entity).filter(|_| current).and_then(|slot| self.site_of_slot(slot));
                let site = site.filter(|(on, _)| *on == usize::from(board));
                self.st.mem[at(base, d)] = site.map_or(NIL, |(_, site)| site as i64);
            }
            Op::PiecesOn { d, a, board } => {
                let sites = self.members(w, at(base, a));
                let mut slots = vec![0i64; usize::from(self.p.layout.entity_set)];
                for site in sites {
                    for slot in self.pieces_at(usize::from(board), site) {
                        slots[slot / 64] |= 1 << (slot % 64);
                    }
                }
                let d = at(base, d);
                self.st.mem[d..d + slots.len()].copy_from_slice(&slots);
            }
            Op::Around { d, a, board } => self.neighbours(at(base, d), at(base, a), usize::from(board), false),
            Op::Beside { d, a, board } => self.neighbours(at(base, d), at(base, a), usize::from(board), true),
            Op::Step { d, a, direction } => {
                let operands = at(base, direction);
                let (way, board, n) = (self.st.mem[operands], self.st.mem[operands + 1], self.st.mem[operands + 2]);
                let site = self.walk(self.st.mem[at(base, a)], way, board, n);
                self.st.mem[at(base, d)] = site;
            }
            Op::StepEach { d, a, direction } => {
                let operands = at(base, direction);
                let (way, board, n) = (self.st.mem[operands], self.st.mem[operands + 1], self.st.mem[operands + 2]);
                let sites = self.members(w, at(base, a));
                let d = at(base, d);
                self.st.mem[d..d + w].fill(0);
                for site in sites {
                    let to = self.walk(site as i64, way, board, n);
                    if to >= 0 {
                        self.st.mem[d + to as usize / 64] |= 1 << (to % 64);
                    }
                }
            }
            Op::Column { d, a, board } => {
                let site = self.st.mem[at(base, a)];
                let at_site =
                    usize::try_from(site).ok().and_then(|site| self.p.boards[usize::from(board)].at.get(site));
                self.st.mem[at(base, d)] = at_site.map_or(NIL, |at| i64::from(at.0) + 1);
            }
            Op::Row { d, a, board } => {
                let site = self.st.mem[at(base, a)];
                let at_site =
                    usize::try_from(site).ok().and_then(|site| self.p.boards[usize::from(board)].at.get(site));
                self.st.mem[at(base, d)] = at_site.map_or(NIL, |at| i64::from(at.1) + 1);
            }
            Op::SiteAt { d, a, board } => {
                let operands = at(base, a);
                let wanted = (self.st.mem[operands] - 1, self.st.mem[operands + 1] - 1);
                let found = self.p.boards[usize::from(board)]
                    .at
                    .iter()
                    .position(|at| (i64::from(at.0), i64::from(at.1)) == wanted);
                self.st.mem[at(base, d)] = found.map_or(NIL, |site| site as i64);
            }
            _ => return self.tile_op(op, base),
        }
        Ok(())
    }

    /// Board and site of the entity in a slot.
    pub fn site_of_slot(&self, slot: usize) -> Option<(usize, usize)> {
        let record = self.p.layout.entity(slot);
        let packed = self.st.mem[record + ent::SITE];
        (self.st.mem[record + ent::PLACE] == ent::ON_BOARD)
            .then_some(((packed / 4096) as usize, (packed % 4096) as usize))
    }

    fn walk(&self, site: i64, way: i64, board: i64, n: i64) -> i64 {
        let (Ok(mut at), Ok(way)) = (u16::try_from(site), usize::try_from(way)) else { return NIL };
        let topology = &self.p.boards[board as usize];
        for _ in 0..n.max(0) {
            at = topology.step(at, way);
            if at == NO_SITE {
                return NIL;
            }
        }
        i64::from(at)
    }

    fn neighbours(&mut self, d: usize, a: usize, board: usize, beside: bool) {
        let w = usize::from(self.p.layout.site_set);
        let topology = &self.p.boards[board];
        let table = if beside { &topology.beside } else { &topology.around };
        let mut found = vec![0i64; w];
        for site in self.members(w, a) {
            for word in 0..w {
                found[word] |= table[site * w + word] as i64;
            }
        }
        self.st.mem[d..d + w].copy_from_slice(&found);
    }
}
