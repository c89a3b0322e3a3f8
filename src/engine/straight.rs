//! What the instructions that only read and write memory are made of. They run over one slice, so that its address and
//! length stay in registers.

use super::run::at;
use super::state::{generation_of, slot_of};
use crate::model::rules::KindId;
use crate::program::{Layout, NIL, NO_SITE, Op, Program, Slot, ent};

/// The record of an entity, and whether the reference is to what it is now.
#[inline(always)]
pub(super) fn record(layout: &Layout, mem: &[i64], entity: i64) -> Option<(usize, bool)> {
    let slot = slot_of(entity)?;
    if slot >= layout.capacity {
        return None;
    }
    let record = layout.entity(slot);
    Some((record, mem[record + ent::GENERATION] == generation_of(entity)))
}

/// The entity that a bit of a set stands for: what is in a slot now, or what was there before.
#[inline(always)]
pub(super) fn reference(layout: &Layout, mem: &[i64], bit: usize) -> i64 {
    let former = bit >= layout.capacity;
    let slot = if former { bit - layout.capacity } else { bit };
    super::state::entity(slot, mem[layout.entity(slot) + ent::GENERATION] - i64::from(former))
}

/// The bit by which a set holds an entity.
#[inline(always)]
pub(super) fn bit_of(layout: &Layout, mem: &[i64], entity: i64) -> Option<usize> {
    let slot = slot_of(entity).filter(|slot| *slot < layout.capacity)?;
    if mem[layout.entity(slot) + ent::GENERATION] == generation_of(entity) {
        return Some(slot);
    }
    layout.former.then_some(slot + layout.capacity)
}

/// A stored property of an entity that is no longer what it was.
#[cold]
#[inline(never)]
pub(super) fn last_prop(layout: &Layout, mem: &[i64], entity: i64, offset: u16) -> i64 {
    match slot_of(entity) {
        Some(slot) => mem[layout.last(slot) + 3 + usize::from(offset) - ent::PROPS],
        None => NIL,
    }
}

/// What an entity was before its last change of identity, in one word: the player in whose zone it was, its kind and its
/// definition, each plus one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LastWhat(pub i64);

impl LastWhat {
    /// The offset of that word in a last-known record.
    pub const AT: usize = 1;

    pub fn with(self, kind: i64, entry: i64) -> LastWhat {
        LastWhat(self.0 & 0xff | (kind + 1) << 8 | (entry + 1) << 32)
    }

    pub fn in_zone_of(self, player: Option<u8>) -> LastWhat {
        LastWhat(self.0 & !0xff | player.map_or(0, |player| i64::from(player) + 1))
    }

    pub fn player(self) -> Option<i64> {
        (self.0 & 0xff != 0).then_some((self.0 & 0xff) - 1)
    }

    pub fn kind(self) -> Option<usize> {
        ((self.0 >> 8) & 0xff_ffff).checked_sub(1).and_then(|kind| usize::try_from(kind).ok())
    }

    pub fn entry(self) -> Option<usize> {
        usize::try_from((self.0 >> 32) - 1).ok()
    }
}

/// What an entity was that is no longer what it was.
#[cold]
#[inline(never)]
pub(super) fn last_what(layout: &Layout, mem: &[i64], entity: i64) -> LastWhat {
    slot_of(entity).map_or(LastWhat(0), |slot| LastWhat(mem[layout.last(slot) + LastWhat::AT]))
}

/// The player in whose zone an entity is, or to whom it belongs on a board.
#[inline(never)]
pub(super) fn holder(layout: &Layout, mem: &[i64], entity: i64) -> i64 {
    let Some((record, current)) = record(layout, mem, entity) else { return NIL };
    if !current {
        return mem[layout.last(slot_of(entity).unwrap_or(0))];
    }
    match usize::try_from(mem[record + ent::PLACE]) {
        Ok(instance) => layout.instances[instance].player.map_or(NIL, i64::from),
        Err(_) => mem[record + ent::OWNER],
    }
}

// What asks the layout is not part of the loop over instructions: the compiler would read the whole layout before it.

/// The record of an entity, or of its last identity if the reference is to that: its owner.
#[inline(never)]
pub(super) fn owner(layout: &Layout, mem: &[i64], entity: i64) -> i64 {
    record(layout, mem, entity).map_or(NIL, |(record, _)| mem[record + ent::OWNER])
}

/// Whether a set has an entity.
#[inline(never)]
pub(super) fn has_entity(layout: &Layout, mem: &[i64], set: usize, entity: i64) -> bool {
    bit_of(layout, mem, entity).is_some_and(|bit| (mem[set + (bit >> 6)] >> (bit & 63)) & 1 == 1)
}

/// Puts an entity into a set.
#[inline(never)]
pub(super) fn insert_entity(layout: &Layout, mem: &mut [i64], set: usize, entity: i64) {
    if let Some(bit) = bit_of(layout, mem, entity) {
        mem[set + (bit >> 6)] |= 1 << (bit & 63);
    }
}

/// The first entity of a set, taken out of it if asked.
#[inline(never)]
pub(super) fn first_entity(layout: &Layout, mem: &mut [i64], set: usize, take: bool) -> i64 {
    let words = usize::from(layout.entity_set);
    let slot = if take { take_first(mem, words, set) } else { first(mem, words, set) };
    slot.map_or(NIL, |slot| reference(layout, mem, slot))
}

/// A stored property of one word.
#[inline(never)]
pub(super) fn prop(layout: &Layout, mem: &[i64], entity: i64, offset: u16) -> i64 {
    match record(layout, mem, entity) {
        Some((record, true)) => mem[record + usize::from(offset)],
        _ => last_prop(layout, mem, entity, offset),
    }
}

/// A property of a player, of `n` words.
#[inline(never)]
pub(super) fn player_prop(layout: &Layout, mem: &mut [i64], (d, n): (usize, u8), player: i64, offset: u16) {
    if player < 0 {
        mem[d..d + usize::from(n.max(1))].fill(if n == 1 { NIL } else { 0 });
    } else {
        let start = layout.players + player as usize * layout.player_words + usize::from(offset);
        copy(mem, start, d, n);
    }
}

/// The kind that an entity has, or had before it became something else.
#[inline(always)]
pub(super) fn kind_of(p: &Program, mem: &[i64], entity: i64) -> Option<usize> {
    match record(&p.layout, mem, entity)? {
        (record, true) => Some(mem[record + ent::KIND] as usize),
        _ => last_what(&p.layout, mem, entity).kind(),
    }
}

/// Whether an entity is, or was, of a kind.
#[inline(never)]
pub(super) fn is_kind(p: &Program, mem: &[i64], entity: i64, kind: u16) -> i64 {
    let of = kind_of(p, mem, entity);
    let set = p.layout.kind_set(KindId(u32::from(kind))).0;
    i64::from(of.is_some_and(|of| p.kind_sets[of].contains(&set)))
}

/// The definition that an entity has, or had before it became something else.
#[inline(always)]
pub(super) fn entry_of(p: &Program, mem: &[i64], entity: i64) -> Option<usize> {
    match record(&p.layout, mem, entity)? {
        (record, true) => usize::try_from(mem[record + ent::ENTRY]).ok(),
        _ => last_what(&p.layout, mem, entity).entry(),
    }
}

/// Whether an entity is, or was, of a definition.
#[inline(never)]
pub(super) fn is_entry(p: &Program, mem: &[i64], entity: i64, entry: u16) -> i64 {
    i64::from(entry_of(p, mem, entity) == Some(usize::from(entry)))
}

/// The entities in a player's zone.
#[inline(never)]
pub(super) fn zone_of(layout: &Layout, mem: &mut [i64], d: usize, zone: u16, player: i64) {
    if player < 0 {
        mem[d..d + usize::from(layout.entity_set)].fill(0);
    } else {
        let set = layout.instances[usize::from(zone) + player as usize].set;
        copy(mem, set, d, layout.entity_set as u8);
    }
}

/// Those of them that are of a kind.
#[inline(never)]
pub(super) fn zone_kind(layout: &Layout, mem: &mut [i64], d: usize, (zone, player): (u16, i64), kind: u8) {
    let w = usize::from(layout.entity_set);
    if player < 0 {
        return mem[d..d + w].fill(0);
    }
    let set = layout.instances[usize::from(zone) + player as usize].set;
    let of_kind = usize::from(layout.kind_set(KindId(u32::from(kind))).0);
    for word in 0..w {
        mem[d + word] = mem[set + word] & mem[of_kind + word];
    }
}

/// The sites of the pieces of a kind that belong to a player.
#[inline(never)]
pub(super) fn owned(layout: &Layout, mem: &mut [i64], d: usize, kind: u16, player: i64) {
    let owner = if player < 0 { layout.seats } else { player as usize };
    copy(mem, layout.owned_on(kind, owner), d, layout.site_set as u8);
}

/// The neighbours of a site, or those over its sides.
#[inline(never)]
pub(super) fn near(p: &Program, mem: &mut [i64], (board, beside): (u8, bool), d: usize, site: i64) {
    let set = &mut mem[d..d + usize::from(p.layout.site_set)];
    match u16::try_from(site) {
        Ok(site) => {
            let row = p.boards[usize::from(board)].neighbours(beside, site);
            set.iter_mut().zip(row).for_each(|(to, word)| *to = *word as i64);
        }
        Err(_) => set.fill(0),
    }
}

/// The fixed place of what a question or amount comes to, where that needs no code.
#[inline(never)]
pub(super) fn quick(p: &Program, lambda: i64) -> Slot {
    match super::ops::unpack(lambda) {
        Some((proc, ..)) => p.procs[proc.index()].quick,
        None => Slot::NONE,
    }
}

/// What a table has for a number.
#[inline(never)]
pub(super) fn lookup(p: &Program, table: u16, number: i64) -> i64 {
    let table = p.sites.tables[usize::from(table)].as_slice();
    usize::try_from(number).ok().and_then(|number| table.get(number)).copied().unwrap_or(NIL)
}

/// Puts what never changes where it is asked for, if it was worked out before; gives what that costs.
#[inline(never)]
pub(super) fn memo(p: &Program, mem: &mut [i64], d: usize, a: usize, site: u16) -> Option<u64> {
    let info = &p.sites.memos[usize::from(site)];
    let players = || playing(&p.layout, mem).count_ones() as usize;
    let kept = info.place(&mem[a..a + info.sizes.len()], players)?.get()?.as_ref()?;
    mem[d..d + kept.words.len()].copy_from_slice(&kept.words);
    Some(kept.cost)
}

/// What a table has for a player.
#[inline(never)]
pub(super) fn by_player(p: &Program, table: u16, player: i64) -> i64 {
    let table = p.sites.tables[usize::from(table)].as_slice();
    let index = usize::try_from(player).ok().filter(|index| index + 1 < table.len()).unwrap_or(table.len() - 1);
    table[index]
}

/// The site of what lies on a board.
#[inline(never)]
pub(super) fn site_of(layout: &Layout, mem: &[i64], entity: i64, board: u16) -> i64 {
    let Some((record, true)) = record(layout, mem, entity) else { return NIL };
    let (place, site) = (mem[record + ent::PLACE], mem[record + ent::SITE]);
    match place {
        ent::ON_BOARD if site / 4096 == i64::from(board) => site % 4096,
        _ if place == ent::ENDLESS - i64::from(board) => site,
        _ => NIL,
    }
}

/// The directions in which a tile shows what is asked for, as it lies or lay last.
#[inline(never)]
pub(super) fn sides(p: &Program, mem: &[i64], entity: i64, site: u16) -> i64 {
    let (info, layout) = (&p.sites.sides[usize::from(site)], &p.layout);
    let Some((record, current)) = record(layout, mem, entity) else { return info.otherwise };
    let entry = usize::try_from(mem[record + ent::ENTRY]).ok();
    let shown = entry.map_or(&[][..], |entry| info.shown[entry].as_slice());
    if shown.is_empty() {
        return info.otherwise;
    }
    let turn = match info.turn {
        Some(offset) if current => mem[record + usize::from(offset)],
        Some(offset) => last_prop(layout, mem, entity, offset),
        None => 0,
    };
    shown[turn.max(0) as usize % shown.len()]
}

/// Seats still in the game.
#[inline(never)]
pub(super) fn playing(layout: &Layout, mem: &[i64]) -> i64 {
    mem[usize::from(layout.playing)]
}

/// A printed field of an entity.
#[inline(never)]
pub(super) fn field(p: &Program, mem: &[i64], entity: i64, f: u16) -> i64 {
    if slot_of(entity).is_none() {
        return NIL;
    }
    let fields = &p.fields[usize::from(f)];
    // What was made without a definition has the kind's default, which stands last.
    entry_of(p, mem, entity).map_or_else(|| fields.last().copied().unwrap_or(NIL), |entry| fields[entry])
}

/// How many words an `n` of an instruction means for a value at an address.
#[inline(always)]
pub(super) fn width(mem: &[i64], n: u8, from: usize) -> usize {
    if n == 0 { 1 + mem[from].max(0) as usize } else { usize::from(n) }
}

/// Copies words that do not overlap, or overlap by one place at most.
#[inline(always)]
pub(super) fn copy(mem: &mut [i64], from: usize, to: usize, n: u8) {
    match n {
        0 => mem.copy_within(from..from + width(mem, 0, from), to),
        1 => mem[to] = mem[from],
        2 => copy_words::<2>(mem, from, to),
        3 => copy_words::<3>(mem, from, to),
        4 => copy_words::<4>(mem, from, to),
        5 => copy_words::<5>(mem, from, to),
        6 => copy_words::<6>(mem, from, to),
        _ => mem.copy_within(from..from + usize::from(n), to),
    }
}

/// Copies a few words, which is done in registers.
#[inline(always)]
fn copy_words<const N: usize>(mem: &mut [i64], from: usize, to: usize) {
    let words: [i64; N] = std::array::from_fn(|word| mem[from + word]);
    mem[to..to + N].copy_from_slice(&words);
}

/// Sets words to 0.
#[inline(always)]
pub(super) fn clear(mem: &mut [i64], at: usize, n: u8) {
    match n {
        1 => mem[at] = 0,
        2 => (mem[at], mem[at + 1]) = (0, 0),
        _ => mem[at..at + usize::from(n)].fill(0),
    }
}

/// Takes the first member out of a set.
#[inline(always)]
pub(super) fn take_first(mem: &mut [i64], w: usize, set: usize) -> Option<usize> {
    for (index, slot) in mem[set..set + w].iter_mut().enumerate() {
        let word = *slot as u64;
        if word != 0 {
            *slot = (word & (word - 1)) as i64;
            return Some(index * 64 + word.trailing_zeros() as usize);
        }
    }
    None
}

/// The first member of a set.
#[inline(always)]
pub(super) fn first(mem: &[i64], w: usize, set: usize) -> Option<usize> {
    let words = mem[set..set + w].iter().enumerate();
    words.filter(|(_, word)| **word != 0).map(|(index, word)| index * 64 + word.trailing_zeros() as usize).next()
}

/// Whether a set has any member.
#[inline(always)]
pub(super) fn any(mem: &[i64], w: u8, set: usize) -> bool {
    mem[set..set + usize::from(w)].iter().any(|word| *word != 0)
}

/// How many members a set has.
#[inline(always)]
pub(super) fn count(mem: &[i64], w: usize, set: usize) -> usize {
    mem[set..set + w].iter().map(|word| word.count_ones() as usize).sum()
}

/// The member of a set that has so many before it.
#[inline]
pub(super) fn nth(mem: &[i64], w: usize, set: usize, mut index: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    for (at, word) in mem[set..set + w].iter().enumerate() {
        let word = *word as u64;
        // How many members each byte of the word has together with those below it, byte by byte.
        let pairs = word - ((word >> 1) & (ONES * 0x55));
        let fours = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
        let sums = ((fours + (fours >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES);
        let members = (sums >> 56) as usize;
        if index >= members {
            index -= members;
            continue;
        }
        // The bytes that have too few, then the place in the one after them.
        let short = (((index as u64).wrapping_mul(ONES) | HIGH) - sums) & HIGH;
        let byte = ((short >> 7).wrapping_mul(ONES) >> 56) as usize;
        let before = (sums << 8 >> (byte * 8)) as usize & 0xff;
        let place = PLACES[usize::from((word >> (byte * 8)) as u8)][(index - before) & 7];
        return Some(at * 64 + byte * 8 + usize::from(place));
    }
    None
}

/// For each byte, the places of its bits that are set.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if (byte >> bit) & 1 == 1 {
                places[byte][found] = bit;
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// Sites with nothing on them.
#[inline(never)]
pub(super) fn empty_sites(p: &Program, mem: &mut [i64], d: usize, board: u16) {
    let topology = &p.boards[usize::from(board)];
    let occupied = p.layout.boards[usize::from(board)].occupied;
    for (word, all) in topology.all.iter().enumerate() {
        mem[d + word] = *all as i64 & !mem[occupied + word];
    }
}

/// Stones in the longest straight line of a set through a site, it included.
#[inline(never)]
pub(super) fn longest_line(p: &Program, mem: &[i64], board: usize, site: i64, sites: usize) -> i64 {
    let Ok(start) = u16::try_from(site) else { return 0 };
    let topology = &p.boards[board];
    let set = &mem[sites..sites + usize::from(p.layout.site_set)];
    let has = |site: u16| (set[usize::from(site) / 64] >> (site % 64)) & 1 == 1;
    if !has(start) {
        return 0;
    }
    if set.len() == 1 && topology.slides.iter().all(|slide| slide.straight) {
        let stretch = |way: u8| topology.stretch(start, usize::from(way), set[0] as u64);
        let line = |axis: &u8| 1 + stretch(*axis) + stretch(topology.opposite[usize::from(*axis)]);
        return topology.axes.iter().map(line).max().unwrap_or(1);
    }
    let ways = topology.directions.len();
    let beside = &topology.next[usize::from(start) * ways..][..ways];
    let mut longest = 1;
    for axis in &topology.axes {
        let mut length = 1;
        for way in [*axis, topology.opposite[usize::from(*axis)]] {
            let mut at = beside[usize::from(way)];
            while at != NO_SITE && at != start && has(at) {
                length += 1;
                at = topology.step(at, usize::from(way));
            }
            if at == start {
                // The line leads round, and all of it was counted.
                break;
            }
        }
        longest = longest.max(length);
    }
    longest
}

#[inline(always)]
pub(super) fn set_op(mem: &mut [i64], w: u8, (d, a, b): (usize, usize, usize), f: impl Fn(i64, i64) -> i64) {
    mem[d] = f(mem[a], mem[b]);
    for word in 1..usize::from(w) {
        mem[d + word] = f(mem[a + word], mem[b + word]);
    }
}

/// Numbers that an instruction failed to calculate with, if it is arithmetic.
pub(super) fn operands(op: Op, mem: &[i64], base: usize) -> Option<(i64, i64)> {
    let of = |a: Slot, b: Slot| Some((mem[at(base, a)], mem[at(base, b)]));
    match op {
        Op::Add { a, b, .. }
        | Op::Sub { a, b, .. }
        | Op::Mul { a, b, .. }
        | Op::Div { a, b, .. }
        | Op::Rem { a, b, .. } => of(a, b),
        _ => None,
    }
}

/// Whether an instruction only reads and writes memory, so that the loop over these leaves at it only if it fails.
pub(super) fn fails(op: Op) -> bool {
    matches!(
        op,
        Op::Add { .. }
            | Op::Sub { .. }
            | Op::Mul { .. }
            | Op::Div { .. }
            | Op::Rem { .. }
            | Op::Scan { .. }
            | Op::Jump { .. }
            | Op::JumpTrue { .. }
            | Op::JumpFalse { .. }
            | Op::JumpEq { .. }
            | Op::JumpLt { .. }
            | Op::JumpLe { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpEmpty { .. }
            | Op::JumpAny { .. }
            | Op::NextBit { .. }
            | Op::NextEntity { .. }
            | Op::NextShown { .. }
            | Op::NextItem { .. }
            | Op::NextNumber { .. }
    )
}
