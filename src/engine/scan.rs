//! Walks over the members of a set of entities that read one property of each: see `program/scan.rs`.

use super::run::at;
use super::straight::{entry_of, field, holder, lookup, owner, prop, reference};
use crate::model::rules::{CompareOp, FoldOp};
use crate::program::{NIL, Program, Read, ScanSite, Sought, ent};

/// What is asked of the members of sets.
struct Members<'m> {
    p: &'m Program,
    mem: &'m [i64],
    site: &'m ScanSite,
    plus: i64,
}

impl Members<'_> {
    /// What is asked of the member that a bit stands for; none if numbers get too large.
    #[inline(always)]
    fn value(&self, bit: usize) -> Option<i64> {
        let (p, mem, layout) = (self.p, self.mem, &self.p.layout);
        let current = bit < layout.capacity;
        let record = if current { layout.entity(bit) } else { 0 };
        let mut value = match self.site.read {
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
            read => former(p, mem, read, bit),
        };
        if let Some((table, first)) = self.site.table {
            value = lookup(p, table, value.wrapping_sub(first));
        }
        if self.site.plus.is_none() {
            return Some(value);
        }
        let value = if self.site.minus { self.plus.checked_sub(value) } else { self.plus.checked_add(value) };
        value.filter(|value| *value != NIL)
    }
}

/// What is read of one that is no longer what it was, or in whose zone something lies.
#[inline(never)]
fn former(p: &Program, mem: &[i64], read: Read, bit: usize) -> i64 {
    let entity = reference(&p.layout, mem, bit);
    match read {
        Read::Stored(offset) => prop(&p.layout, mem, entity, offset),
        Read::Owner => owner(&p.layout, mem, entity),
        Read::Field(f) => field(p, mem, entity, f),
        Read::Holder => holder(&p.layout, mem, entity),
        Read::Entry => entry_of(p, mem, entity).map_or(NIL, |entry| entry as i64),
    }
}

impl Members<'_> {
    /// Calls a function with the value of each member, as long as it gives something.
    #[inline(always)]
    fn each(&self, set: usize, mut f: impl FnMut(i64) -> Option<()>) -> Option<()> {
        for index in 0..usize::from(self.p.layout.entity_set) {
            let mut word = self.mem[set + index] as u64;
            while word != 0 {
                f(self.value(index * 64 + word.trailing_zeros() as usize)?)?;
                word &= word - 1;
            }
        }
        Some(())
    }
}

/// Walks over the set at `a` and puts what is sought at `d`; none if numbers get too large.
#[inline(never)]
pub(super) fn scan(p: &Program, mem: &mut [i64], (d, a): (usize, usize), site: u16, base: usize) -> Option<()> {
    let site = &p.sites.scans[usize::from(site)];
    let plus = site.plus.map_or(0, |slot| mem[at(base, slot)]);
    let members = Members { p, mem, site, plus };
    let word = |slot| mem[at(base, slot)];
    match site.sought {
        Sought::Compared(op, with) => {
            let with = word(with);
            match op {
                CompareOp::Eq => keep(p, mem, (d, a), (site, plus), |value| value == with),
                CompareOp::Ne => keep(p, mem, (d, a), (site, plus), |value| value != with),
                _ => keep(p, mem, (d, a), (site, plus), |value| value != NIL && with != NIL && op.holds(value, with)),
            }
        }
        Sought::Only(one) => keep(p, mem, (d, a), (site, plus), |value| value == one),
        Sought::Within(set) => {
            let set = word(set);
            keep(p, mem, (d, a), (site, plus), |value| value >= 0 && (set >> (value & 63)) & 1 == 1)
        }
        Sought::Having(item) => {
            let item = word(item);
            keep(p, mem, (d, a), (site, plus), |set| item >= 0 && (set >> (item & 63)) & 1 == 1)
        }
        Sought::Extreme { most } => {
            let best = extreme(&members, a, most)?;
            keep(p, mem, (d, a), (site, plus), |value| value == best && value != NIL)
        }
        Sought::Folded(FoldOp::Sum) => {
            let mut total = 0i64;
            members.each(a, |value| {
                if value != NIL {
                    total = total.checked_add(value).filter(|total| *total != NIL)?;
                }
                Some(())
            })?;
            mem[d] = total;
            Some(())
        }
        Sought::Folded(op) => {
            let found = extreme(&members, a, op == FoldOp::Max)?;
            mem[d] = if found == NIL { 0 } else { found };
            Some(())
        }
        Sought::Values => {
            let mut values = 0;
            members.each(a, |value| {
                values |= if value >= 0 { 1 << (value & 63) } else { 0 };
                Some(())
            })?;
            mem[d] = values;
            Some(())
        }
    }
}

/// The greatest or least value; missing ones do not count.
fn extreme(members: &Members<'_>, set: usize, most: bool) -> Option<i64> {
    let mut best = NIL;
    members.each(set, |value| {
        if value != NIL && (best == NIL || if most { value > best } else { value < best }) {
            best = value;
        }
        Some(())
    })?;
    Some(best)
}

/// Keeps the members of the set at `a` whose value meets a condition, at `d`, which may be the same place.
#[inline(always)]
fn keep(
    p: &Program,
    mem: &mut [i64],
    (d, a): (usize, usize),
    (site, plus): (&ScanSite, i64),
    test: impl Fn(i64) -> bool,
) -> Option<()> {
    for index in 0..usize::from(p.layout.entity_set) {
        let (mut word, mut kept) = (mem[a + index] as u64, 0);
        let members = Members { p, mem, site, plus };
        while word != 0 {
            let low = word & word.wrapping_neg();
            if test(members.value(index * 64 + low.trailing_zeros() as usize)?) {
                kept |= low;
            }
            word ^= low;
        }
        mem[d + index] = kept as i64;
    }
    Some(())
}
