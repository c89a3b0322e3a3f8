//! Instructions over lists. Each is paid for by how long its lists are.

use super::run::{R, Run, at};
use crate::base::Code;
use crate::program::{NIL, Op};

impl Run<'_> {
    /// Runs one instruction over lists, or hands it on.
    #[inline(never)]
    pub fn list_op(&mut self, op: Op, base: usize) -> R<()> {
        match op {
            Op::Push { list, a } => {
                let (list, word) = (at(base, list), self.word(base, a));
                let length = self.st.mem[list];
                if length >= i64::from(self.p.layout.list_items) {
                    return Err(self.too_long());
                }
                self.st.mem[list] = length + 1;
                self.st.mem[list + 1 + length as usize] = word;
            }
            Op::Concat { d, a, b } => {
                let mut items = self.load_list(at(base, a));
                items.extend(self.load_list(at(base, b)));
                self.store_list(at(base, d), &items)?;
            }
            Op::ListUnion { d, a, b } => {
                let mut items = self.load_list(at(base, a));
                items.extend(self.load_list(at(base, b)));
                self.spend_on(items.len() * 8)?;
                items.sort_unstable();
                items.dedup();
                self.store_list(at(base, d), &items)?;
            }
            Op::ListMinus { d, a, b } => {
                self.sift_list(at(base, d), at(base, a), at(base, b), false)?;
            }
            Op::ListBoth { d, a, b } => {
                self.sift_list(at(base, d), at(base, a), at(base, b), true)?;
            }
            Op::Part { d, split, a } => {
                let items = self.part(at(base, split), self.word(base, a));
                self.store_list(at(base, d), &items)?;
            }
            Op::HasItem { d, list, a } => {
                let (word, list) = (self.word(base, a), at(base, list));
                self.spend_on(self.st.mem[list].max(0) as usize / 4)?;
                self.st.mem[at(base, d)] = i64::from(self.list_at(list).contains(&word));
            }
            Op::SameList { d, a, b } => {
                self.st.mem[at(base, d)] = i64::from(self.list_at(at(base, a)) == self.list_at(at(base, b)));
            }
            Op::OrderLists { d, a, b } => {
                let order = self.list_at(at(base, a)).cmp(self.list_at(at(base, b)));
                self.st.mem[at(base, d)] = order as i64;
            }
            Op::Distinct { list } => {
                self.spend_on(self.st.mem[at(base, list)].max(0) as usize * 4)?;
                self.distinct(at(base, list));
            }
            Op::Sort { down, list, keys } => {
                let items = self.load_list(at(base, list));
                self.spend_on(items.len() * 8)?;
                let mut pairs: Vec<(i64, i64)> = self.load_list(at(base, keys)).into_iter().zip(items).collect();
                if down {
                    pairs.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
                } else {
                    pairs.sort_by_key(|(key, _)| *key);
                }
                let items: Vec<i64> = pairs.into_iter().map(|(_, item)| item).collect();
                self.store_list(at(base, list), &items)?;
            }
            Op::RangeList { d, a, b } => {
                let (low, high) = (self.word(base, a), self.word(base, b));
                if low == NIL || high == NIL || high < low {
                    self.st.mem[at(base, d)] = 0;
                } else if high.saturating_sub(low) >= i64::from(self.p.layout.list_items) {
                    return Err(self.too_long());
                } else {
                    let items: Vec<i64> = (low..=high).collect();
                    self.store_list(at(base, d), &items)?;
                }
            }
            Op::ListOfBits { w, d, a } => {
                let items: Vec<i64> =
                    self.members(usize::from(w), at(base, a)).into_iter().map(|bit| bit as i64).collect();
                self.store_list(at(base, d), &items)?;
            }
            Op::ListOfEntities { shown, d, a } => {
                let mut slots = self.members(usize::from(self.p.layout.entity_set), at(base, a));
                if shown {
                    super::order::arrange(&self.p.layout, &self.st.mem, &mut slots, |slot| *slot);
                }
                let items: Vec<i64> = slots.into_iter().map(|slot| self.reference(slot)).collect();
                self.store_list(at(base, d), &items)?;
            }
            Op::BitsOfList { w, d, a } => {
                let items = self.load_list(at(base, a));
                let d = at(base, d);
                self.st.mem[d..d + usize::from(w)].fill(0);
                for item in items.into_iter().filter(|item| *item >= 0) {
                    self.st.mem[d + item as usize / 64] |= 1 << (item % 64);
                }
            }
            Op::EntitiesOfList { d, a } => {
                let items = self.load_list(at(base, a));
                let d = at(base, d);
                self.st.mem[d..d + usize::from(self.p.layout.entity_set)].fill(0);
                for bit in items.into_iter().filter_map(|item| self.bit_of(item)).collect::<Vec<_>>() {
                    self.st.mem[d + bit / 64] |= 1 << (bit % 64);
                }
            }
            _ => self.board_op(op, base)?,
        }
        Ok(())
    }

    /// Those items of a list that are in another, or that are not.
    fn sift_list(&mut self, d: usize, a: usize, b: usize, within: bool) -> R<()> {
        let mut others = std::mem::take(&mut self.x.items);
        others.clear();
        others.extend_from_slice(self.list_at(b));
        let sorted = others.is_sorted();
        let length = self.st.mem[a].max(0) as usize;
        self.spend_on(length * if sorted { 8 } else { 1 + others.len() })?;
        let mut kept = 0;
        for index in 1..=length {
            let item = self.st.mem[a + index];
            let has = if sorted { others.binary_search(&item).is_ok() } else { others.contains(&item) };
            if has == within {
                kept += 1;
                self.st.mem[d + kept] = item;
            }
        }
        self.st.mem[d] = kept as i64;
        self.x.items = others;
        Ok(())
    }

    /// Puts the items of a list in order, each once.
    pub fn distinct(&mut self, list: usize) {
        let length = self.st.mem[list].max(0) as usize;
        let items = &mut self.st.mem[list + 1..list + 1 + length];
        items.sort_unstable();
        let mut kept = items.len().min(1);
        for index in 1..items.len() {
            if items[index] != items[kept - 1] {
                items[kept] = items[index];
                kept += 1;
            }
        }
        self.st.mem[list] = kept as i64;
    }

    pub fn too_long(&self) -> Box<super::api::GameError> {
        self.error(Code::ListTooLong, format!("a list of more than {} items", self.p.layout.list_items))
    }

    /// The items of a list, where they lie.
    #[inline]
    pub fn list_at(&self, list: usize) -> &[i64] {
        let length = self.st.mem[list].max(0) as usize;
        &self.st.mem[list + 1..list + 1 + length]
    }

    /// The items of a list.
    pub fn load_list(&self, list: usize) -> Vec<i64> {
        let length = self.st.mem[list].max(0) as usize;
        self.st.mem[list + 1..list + 1 + length].to_vec()
    }

    /// Writes a list.
    pub fn store_list(&mut self, list: usize, items: &[i64]) -> R<()> {
        if items.len() > usize::from(self.p.layout.list_items) {
            return Err(self.too_long());
        }
        self.spend_on(items.len())?;
        self.st.mem[list] = items.len() as i64;
        self.st.mem[list + 1..list + 1 + items.len()].copy_from_slice(items);
        Ok(())
    }
}
