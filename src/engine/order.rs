//! In which order the members of a set come where somebody could tell. What a slot holds says when and for whom it was made: cards
//! that were mixed up and lie open are taken by what is printed on them instead, and those that not all see in an order that each is given
//! by chance when it comes to its place. Pieces that go somewhere together go as they lie, each stack from its bottom.

use super::state::State;
use super::straight::reference;
use crate::program::{Layout, NIL, ent};
use rand_pcg::rand_core::Rng;
use std::cmp::Ordering;

/// Takes the next member out of a set that a loop goes through. Gives it, and what looking cost; a missing one of an empty set.
/// The members, or as many as there is room for, are put in order when the first is taken: a list behind the set keeps them.
#[inline(never)]
pub(super) fn next_shown(layout: &Layout, mem: &mut [i64], set: usize) -> (i64, u64) {
    let list = set + usize::from(layout.entity_set);
    let mut cost = 0;
    loop {
        let (next, listed) = (mem[list] as usize & LISTED, mem[list] as usize >> LISTED.count_ones());
        if next == listed {
            cost += list_members(layout, mem, set, list);
            if mem[list] == 0 {
                mem[list + 1..list + usize::from(layout.shown_words())].fill(0);
                return (NIL, cost);
            }
            continue;
        }
        mem[list] += 1;
        let bit = (mem[list + 1 + next / Layout::PACKED] >> (16 * (next % Layout::PACKED))) as u16 as usize;
        // What has become another thing meanwhile has another bit.
        let former = layout.former.then_some(bit + layout.capacity).filter(|_| bit < layout.capacity);
        for bit in [Some(bit), former].into_iter().flatten() {
            let word = &mut mem[set + bit / 64];
            if *word >> (bit % 64) & 1 == 1 {
                *word &= !(1 << (bit % 64));
                return (reference(layout, mem, bit), cost + 1);
            }
        }
    }
}

/// Where in the first word of a list its length stands.
const LISTED: usize = 0xffff;

/// Lists the first members of a set in order. Gives what it cost.
fn list_members(layout: &Layout, mem: &mut [i64], set: usize, list: usize) -> u64 {
    let mut members: Vec<usize> = bits(layout, mem, set).collect();
    sort(layout, mem, &mut members, true);
    let cost = members.len() * (1 + members.len().checked_ilog2().unwrap_or(0) as usize);
    members.truncate(layout.shown_room());
    mem[list] = (members.len() << LISTED.count_ones()) as i64;
    for (word, bits) in mem[list + 1..].iter_mut().zip(members.chunks(Layout::PACKED)) {
        *word = bits.iter().rev().fold(0, |word, bit| word << 16 | *bit as i64);
    }
    cost as u64
}

/// Puts members of a set in order: as they are told one after another, if so, or as they are shown. Gives whether they are known
/// to differ in what is printed on them.
fn sort(layout: &Layout, mem: &[i64], members: &mut [usize], one_by_one: bool) -> bool {
    if members.len() < 2 {
        return true;
    }
    let lies = |bit: &usize| if one_by_one { place(layout, mem, *bit) } else { (0, 0) };
    if !layout.mixes() && !members.iter().any(|bit| lies_on_board(layout, mem, bit % layout.capacity)) {
        // When they were made is known to all.
        members.sort_by_cached_key(|bit| (lies(bit), *bit));
        return false;
    }
    let mut keys = Vec::with_capacity(members.len());
    for bit in &*members {
        let lies = lies(bit);
        let Some(key) = key_there(layout, mem, *bit, lies) else {
            members.sort_unstable_by(|one, other| match one_by_one {
                true => told(layout, mem, *one, *other),
                false => compare(layout, mem, *one, *other),
            });
            return false;
        };
        keys.push((lies, key, *bit));
    }
    keys.sort_unstable();
    members.iter_mut().zip(&keys).for_each(|(member, (.., bit))| *member = *bit);
    debug_assert!(
        one_by_one || members.is_sorted_by(|one, other| compare(layout, mem, *one, *other).is_le()),
        "keys order cards as pairs are compared"
    );
    !one_by_one && keys.windows(2).all(|pair| pair[0].1 != pair[1].1)
}

/// Numbers for the zone in which a card lies, and for its place among those there that not all see, which comes behind the others;
/// those that lie in no zone are not told apart, and what has become another thing comes last.
fn place(layout: &Layout, mem: &[i64], bit: usize) -> (u64, u64) {
    if bit >= layout.capacity {
        return (u64::MAX, 0);
    }
    let record = layout.entity(bit);
    match mem[record + ent::PLACE] {
        place @ 0.. => {
            let salt = usize::from(layout.salt);
            let hidden = salt != 0 && mem[salt] != KEPT && mem[record + ent::KNOWN] as u16 != u16::MAX;
            let drawn = || mixed(mixed(mem[salt] as u64, mem[salt + 1]), mem[record + ent::ENTERED]) | 1;
            (place as u64 + 1, if hidden { drawn() } else { 0 })
        }
        _ => (0, 0),
    }
}

/// Stands where a scenario keeps what is in no order as it was made.
pub(super) const KEPT: i64 = -1;

/// Decides in which order hidden cards come, unless that is decided: with the first draw, or with the first decision. What is done
/// before is the same for every seed.
pub(super) fn mix(layout: &Layout, state: &mut State) {
    let salt = usize::from(layout.salt);
    if salt != 0 && state.mem[salt] == 0 {
        state.mem[salt] = mixed(state.rng.clone().next_u64(), 0) as i64 | 1;
    }
}

/// A number that says nothing of those it is made from, nor of the one that is made from the next (the mixing function of
/// SplitMix64: Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators").
fn mixed(salt: u64, number: i64) -> u64 {
    let mut z = salt.wrapping_add((number as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Which of two members comes first: by where they lie, and as they are drawn there, then as they are shown.
pub(super) fn told(layout: &Layout, mem: &[i64], one: usize, other: usize) -> Ordering {
    let lie = place(layout, mem, one).cmp(&place(layout, mem, other));
    lie.then_with(|| {
        let made = !layout.mixes() && ![one, other].iter().any(|bit| lies_on_board(layout, mem, bit % layout.capacity));
        if made { one.cmp(&other) } else { compare(layout, mem, one, other) }
    })
}

/// Puts cards in the order in which they are shown. Gives whether they are known to differ in what is printed on them.
pub(super) fn arrange_slots(layout: &Layout, mem: &[i64], slots: &mut [usize]) -> bool {
    !slots.iter().any(|slot| lies_on_board(layout, mem, *slot)) && sort(layout, mem, slots, false)
}

/// The member of a set that comes first, and what looking cost; a missing one of an empty set.
#[inline(never)]
pub(super) fn first_shown(layout: &Layout, mem: &[i64], set: usize) -> (i64, u64) {
    let least = if layout.mixes() { least_key(layout, mem, set) } else { first_of_made(layout, mem, set) };
    debug_assert!(
        least.is_none() || least == least_of_pairs(layout, mem, set),
        "keys order cards as pairs are compared"
    );
    let least = least.or_else(|| least_of_pairs(layout, mem, set));
    least.map_or((NIL, 0), |(bit, looked)| (reference(layout, mem, bit), looked))
}

/// The members of a set, as bits.
fn bits(layout: &Layout, mem: &[i64], set: usize) -> impl Iterator<Item = usize> {
    let words = mem[set..][..usize::from(layout.entity_set)].iter().enumerate();
    words.flat_map(|(index, word)| {
        let rest = |left: &u64| Some(left & (left - 1)).filter(|left| *left != 0);
        let left = std::iter::successors(Some(*word as u64).filter(|word| *word != 0), rest);
        left.map(move |left| index * 64 + left.trailing_zeros() as usize)
    })
}

/// The member that comes before all others, and how many there are.
fn least_of_pairs(layout: &Layout, mem: &[i64], set: usize) -> Option<(usize, u64)> {
    let (mut least, mut looked) = (None, 0);
    for bit in bits(layout, mem, set) {
        looked += 1;
        if least.is_none_or(|least| told(layout, mem, bit, least) == Ordering::Less) {
            least = Some(bit);
        }
    }
    Some((least?, looked))
}

/// The member that comes first where when they were made is known to all, if all lie in zones.
fn first_of_made(layout: &Layout, mem: &[i64], set: usize) -> Option<(usize, u64)> {
    let (mut least, mut looked) = (None, 0);
    for bit in bits(layout, mem, set) {
        looked += 1;
        let place = Some(place(layout, mem, bit)).filter(|_| !lies_on_board(layout, mem, bit % layout.capacity))?;
        if least.is_none_or(|(least, _)| place < least) {
            least = Some((place, bit));
        }
    }
    Some((least?.1, looked))
}

/// The member that comes first, if all have a key: one number for each is quicker than comparing them in pairs.
fn least_key(layout: &Layout, mem: &[i64], set: usize) -> Option<(usize, u64)> {
    let (mut least, mut looked) = (None, 0);
    for bit in bits(layout, mem, set) {
        looked += 1;
        let lies = place(layout, mem, bit);
        let key = (lies, key_there(layout, mem, bit, lies)?);
        if least.is_none_or(|(least, _)| key < least) {
            least = Some((key, bit));
        }
    }
    Some((least?.1, looked))
}

/// Fields and bits of each in a key.
const KEY_FIELDS: usize = 6;
const KEY_BITS: usize = 16;

/// A number that orders cards in one place; those that not all see differ by that.
fn key_there(layout: &Layout, mem: &[i64], bit: usize, (_, drawn): (u64, u64)) -> Option<u128> {
    if drawn == 0 { key(layout, mem, bit) } else { Some(0) }
}

/// A number that orders cards in zones as [`compare`] does, but for which of two alike ones comes first; none if there is no such number.
fn key(layout: &Layout, mem: &[i64], bit: usize) -> Option<u128> {
    if bit >= layout.capacity {
        return None;
    }
    let record = &mem[layout.entity(bit)..][..layout.entity_words];
    let kind = record[ent::KIND];
    let fields = layout.print.get(kind as usize)?.as_ref().filter(|fields| fields.len() <= KEY_FIELDS)?;
    if record[ent::PLACE] < 0 {
        return None;
    }
    let narrow = |word: i64| u16::try_from(word.wrapping_add(1)).ok().map(u128::from);
    let mut key = narrow(record[ent::ENTRY])? << KEY_BITS | narrow(kind)?;
    for (offset, words, list) in fields {
        let word = record[usize::from(*offset)];
        let value = match (*words, *list) {
            (1, false) if word == NIL => 0,
            (1, false) if (0..i64::from(u16::MAX)).contains(&word) => narrow(word)?,
            _ => return None,
        };
        key = key << KEY_BITS | value;
    }
    Some(key << (KEY_BITS * (KEY_FIELDS - fields.len())))
}

/// Puts members of a set in the order in which they come.
pub(super) fn arrange<T>(layout: &Layout, mem: &[i64], members: &mut [T], bit: impl Fn(&T) -> usize) {
    members.sort_by(|one, other| told(layout, mem, bit(one), bit(other)));
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
    if mem[a + ent::PLACE].min(mem[b + ent::PLACE]) >= 0 {
        // Both lie in zones.
        return same(ent::ENTRY).then(same(ent::KIND)).then_with(|| printed(layout, mem, a, b)).then(one.cmp(&other));
    }
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
    let Some(Some(fields)) = layout.print.get(mem[a + ent::KIND] as usize) else { return Ordering::Equal };
    for (offset, words, list) in fields {
        let (a, b) = (a + usize::from(*offset), b + usize::from(*offset));
        let order = match (*words, *list) {
            (1, false) => mem[a].cmp(&mem[b]),
            (words, false) => mem[a..a + usize::from(words)].cmp(&mem[b..b + usize::from(words)]),
            (_, true) => {
                let items = |at: usize| &mem[at..=at + mem[at].max(0) as usize];
                items(a).cmp(items(b))
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// How many pieces lie beneath one.
fn height(layout: &Layout, mem: &[i64], slot: usize) -> usize {
    let beneath = |slot: &usize| usize::try_from(mem[layout.entity(*slot) + ent::BENEATH]).ok();
    std::iter::successors(beneath(&slot), beneath).take(layout.capacity).count()
}
