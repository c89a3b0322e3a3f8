//! In which order the members of a set come where somebody could tell. What a slot holds says when and for whom it was made:
//! cards that were mixed up are taken by what is printed on them instead. Pieces that go somewhere together go as they
//! lie, each stack from its bottom.

use super::straight::reference;
use crate::program::{Layout, NIL, ent};
use std::cmp::Ordering;

/// Takes the member that comes first out of a set. Gives it, and what looking cost; a missing one of an empty set.
#[inline(never)]
pub(super) fn take_least(layout: &Layout, mem: &mut [i64], set: usize) -> (i64, u64) {
    let (mut least, mut looked) = (None, 0);
    for word in 0..usize::from(layout.entity_set) {
        let mut left = mem[set + word] as u64;
        while left != 0 {
            let bit = word * 64 + left.trailing_zeros() as usize;
            left &= left - 1;
            looked += 1;
            if least.is_none_or(|least| compare(layout, mem, bit, least) == Ordering::Less) {
                least = Some(bit);
            }
        }
    }
    let Some(bit) = least else { return (NIL, 0) };
    mem[set + bit / 64] &= !(1 << (bit % 64));
    (reference(layout, mem, bit), looked)
}

/// Puts cards in the order in which they are shown.
pub(super) fn arrange<T>(layout: &Layout, mem: &[i64], cards: &mut [T], bit: impl Fn(&T) -> usize) {
    if !cards.iter().any(|card| lies_on_board(layout, mem, bit(card) % layout.capacity)) {
        cards.sort_by(|one, other| compare(layout, mem, bit(one), bit(other)));
    }
}

fn lies_on_board(layout: &Layout, mem: &[i64], slot: usize) -> bool {
    let place = mem[layout.entity(slot) + ent::PLACE];
    place == ent::ON_BOARD || place <= ent::ENDLESS
}

/// Which of two members comes first. What has become another thing comes last.
fn compare(layout: &Layout, mem: &[i64], one: usize, other: usize) -> Ordering {
    if one.max(other) >= layout.capacity {
        return one.cmp(&other);
    }
    let (a, b) = (layout.entity(one), layout.entity(other));
    let same = |at: usize| mem[a + at].cmp(&mem[b + at]);
    match (lies_on_board(layout, mem, one), lies_on_board(layout, mem, other)) {
        (true, true) => {
            let height = height(layout, mem, one).cmp(&height(layout, mem, other));
            same(ent::PLACE).then(same(ent::SITE)).then(height).then(one.cmp(&other))
        }
        // Of things, which lie nowhere, all know when they were made.
        (false, false) if is_thing(layout, mem, a) => one.cmp(&other),
        (false, false) => {
            same(ent::ENTRY).then(same(ent::KIND)).then_with(|| printed(layout, mem, a, b)).then(one.cmp(&other))
        }
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

fn is_thing(layout: &Layout, mem: &[i64], record: usize) -> bool {
    layout.print.get(mem[record + ent::KIND] as usize).is_some_and(Option::is_none)
}

/// Compares what is printed on two cards of one kind.
fn printed(layout: &Layout, mem: &[i64], a: usize, b: usize) -> Ordering {
    let fields = layout.print.get(mem[a + ent::KIND] as usize);
    for (offset, words, list) in fields.into_iter().flatten().flatten() {
        let value = |record: usize| {
            let at = record + usize::from(*offset);
            let words = if *list { 1 + mem[at].max(0) as usize } else { usize::from(*words) };
            &mem[at..at + words]
        };
        match value(a).cmp(value(b)) {
            Ordering::Equal => {}
            order => return order,
        }
    }
    Ordering::Equal
}

/// How many pieces lie beneath one.
fn height(layout: &Layout, mem: &[i64], slot: usize) -> usize {
    let beneath = |slot: &usize| usize::try_from(mem[layout.entity(*slot) + ent::BENEATH]).ok();
    std::iter::successors(beneath(&slot), beneath).take(layout.capacity).count()
}
