//! Walks over the members of a set of entities that read one property of each: see `program/scan.rs`.

use super::run::at;
use super::straight::{entry_of, field, holder, lookup, owner, prop, reference};
use crate::model::rules::{CompareOp, FoldOp};
use crate::program::{NIL, Program, Read, ScanSite, Sought, ent};

/// What is asked of each member of a set.
#[derive(Clone, Copy)]
struct Walk<'p> {
    p: &'p Program,
    site: &'p ScanSite,
    plus: i64,
}

impl Walk<'_> {
    /// What is read of the member that a bit stands for.
    #[inline(always)]
    fn of_member(self, mem: &[i64], bit: usize, read: Read) -> i64 {
        let (p, layout) = (self.p, &self.p.layout);
        let current = bit < layout.capacity;
        let record = if current { layout.entity(bit) } else { 0 };
        match read {
            Read::Stored(offset) if current => mem[record + usize::from(offset)],
            Read::Owner if current => mem[record + ent::OWNER],
            Read::Entry if current => mem[record + ent::ENTRY],
            Read::Field(f) if current => {
                let fields = p.fields[usize::from(f)].as_slice();
                match usize::try_from(mem[record + ent::ENTRY]) {
                    Ok(entry) => fields[entry],
                    Err(_) => fields.last().copied().unwrap_or(NIL),
                }
            }
            read => read_of(p, mem, read, reference(layout, mem, bit)),
        }
    }

    /// What is read of what a property of the member names.
    #[inline(never)]
    fn of_named(self, mem: &[i64], bit: usize, named: Read) -> i64 {
        read_of(self.p, mem, self.site.read, self.of_member(mem, bit, named))
    }

    /// What is asked of the member that a bit stands for; none if numbers get too large.
    #[inline(always)]
    fn value(self, mem: &[i64], bit: usize) -> Option<i64> {
        let mut value = match self.site.through {
            None => self.of_member(mem, bit, self.site.read),
            Some(named) => self.of_named(mem, bit, named),
        };
        if let Some((table, first)) = self.site.table {
            value = lookup(self.p, table, value.wrapping_sub(first));
        }
        if self.site.plus.is_none() {
            return Some(value);
        }
        if value == NIL || self.plus == NIL {
            return Some(NIL);
        }
        let value = if self.site.minus { self.plus.checked_sub(value) } else { self.plus.checked_add(value) };
        value.filter(|value| *value != NIL)
    }

    /// Calls a function with the value of each member of the set at `a`, as long as it gives something.
    #[inline(always)]
    fn each(self, mem: &[i64], a: usize, mut f: impl FnMut(i64) -> Option<()>) -> Option<()> {
        for index in 0..usize::from(self.p.layout.entity_set) {
            let mut word = mem[a + index] as u64;
            while word != 0 {
                f(self.value(mem, index * 64 + word.trailing_zeros() as usize)?)?;
                word &= word - 1;
            }
        }
        Some(())
    }

    /// Puts the members of the set at `a` whose value meets a condition at `d`, which may be the same place.
    #[inline(always)]
    fn keep(self, mem: &mut [i64], (d, a): (usize, usize), test: impl Fn(i64) -> bool) -> Option<()> {
        for index in 0..usize::from(self.p.layout.entity_set) {
            let (mut word, mut kept) = (mem[a + index] as u64, 0);
            while word != 0 {
                let low = word & word.wrapping_neg();
                if test(self.value(mem, index * 64 + low.trailing_zeros() as usize)?) {
                    kept |= low;
                }
                word ^= low;
            }
            mem[d + index] = kept as i64;
        }
        Some(())
    }

    /// The greatest or least value; missing ones do not count.
    fn extreme(self, mem: &[i64], a: usize, most: bool) -> Option<i64> {
        let mut best = NIL;
        self.each(mem, a, |value| {
            if value != NIL && (best == NIL || if most { value > best } else { value < best }) {
                best = value;
            }
            Some(())
        })?;
        Some(best)
    }
}

/// What is read of a thing or player that need not be among the members: one that is no longer what it was, or that another names.
#[inline(never)]
fn read_of(p: &Program, mem: &[i64], read: Read, of: i64) -> i64 {
    if of == NIL {
        return NIL;
    }
    match read {
        Read::Stored(offset) => prop(&p.layout, mem, of, offset),
        Read::Owner => owner(&p.layout, mem, of),
        Read::Field(f) => field(p, mem, of, f),
        Read::Holder => holder(&p.layout, mem, of),
        Read::Entry => entry_of(p, mem, of).map_or(NIL, |entry| entry as i64),
        Read::OfPlayer(offset) => mem[p.layout.players + of as usize * p.layout.player_words + usize::from(offset)],
    }
}

/// Walks over the set at `a` and puts what is sought at `d`; none if numbers get too large.
#[inline(never)]
pub(super) fn scan(p: &Program, mem: &mut [i64], (d, a): (usize, usize), site: u16, base: usize) -> Option<()> {
    let site = &p.sites.scans[usize::from(site)];
    let walk = Walk { p, site, plus: site.plus.map_or(0, |slot| mem[at(base, slot)]) };
    match site.sought {
        Sought::Compared(op, with) => {
            let with = mem[at(base, with)];
            match op {
                CompareOp::Eq => walk.keep(mem, (d, a), |value| value == with),
                CompareOp::Ne => walk.keep(mem, (d, a), |value| value != with),
                _ => walk.keep(mem, (d, a), |value| value != NIL && with != NIL && op.holds(value, with)),
            }
        }
        Sought::Only(one) => walk.keep(mem, (d, a), |value| value == one),
        Sought::Within(set) => {
            let set = mem[at(base, set)];
            walk.keep(mem, (d, a), |value| value >= 0 && (set >> (value & 63)) & 1 == 1)
        }
        Sought::Having(item) => {
            let item = mem[at(base, item)];
            walk.keep(mem, (d, a), |set| item >= 0 && (set >> (item & 63)) & 1 == 1)
        }
        Sought::Extreme { most } => {
            let best = walk.extreme(mem, a, most)?;
            walk.keep(mem, (d, a), |value| value == best && value != NIL)
        }
        Sought::Folded(FoldOp::Sum) => {
            let mut total = 0i64;
            walk.each(mem, a, |value| {
                if value != NIL {
                    total = total.checked_add(value).filter(|total| *total != NIL)?;
                }
                Some(())
            })?;
            mem[d] = total;
            Some(())
        }
        Sought::Folded(op) => {
            let found = walk.extreme(mem, a, op == FoldOp::Max)?;
            mem[d] = if found == NIL { 0 } else { found };
            Some(())
        }
        Sought::Values => {
            let mut values = 0;
            walk.each(mem, a, |value| {
                values |= if value >= 0 { 1 << (value & 63) } else { 0 };
                Some(())
            })?;
            mem[d] = values;
            Some(())
        }
    }
}
