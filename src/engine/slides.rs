//! Instructions that work on whole sets of sites, word by word. Like those of `straight` they only read and write
//! memory.

use super::run::at;
use super::straight::{reference, sides};
use crate::program::{
    BeyondSite, BoardSite, Layout, LeapSite, NIL, NO_SITE, Program, REACH, Slot, Spot, TowardsSite, WIDEST, Words,
    each_member, ent, has, insert,
};

/// Reads a set of sites.
#[inline(always)]
fn load<const W: usize>(mem: &[i64], at: usize, words: usize) -> Words<W> {
    let mut set = [0; W];
    for (to, word) in set.iter_mut().zip(&mem[at..at + words]) {
        *to = *word as u64;
    }
    set
}

#[inline(always)]
fn store<const W: usize>(mem: &mut [i64], at: usize, words: usize, set: &Words<W>) {
    for (to, word) in mem[at..at + words].iter_mut().zip(set) {
        *to = *word as i64;
    }
}

/// Runs the form of a function that fits the width of the game's sets of sites.
macro_rules! by_width {
    ($p:expr, $f:ident($($arg:expr),*)) => {
        match $p.layout.site_set {
            1 => $f::<1>($($arg),*),
            2 => $f::<2>($($arg),*),
            3 | 4 => $f::<4>($($arg),*),
            5..=8 => $f::<8>($($arg),*),
            _ => $f::<WIDEST>($($arg),*),
        }
    };
}

/// The site one step from another.
#[inline(never)]
pub(super) fn step_one(p: &Program, board: u8, site: i64, way: i64) -> i64 {
    let (Ok(from), Ok(way)) = (u16::try_from(site), usize::try_from(way)) else { return NIL };
    match p.boards[usize::from(board)].step(from, way) {
        NO_SITE => NIL,
        to => i64::from(to),
    }
}

/// The same as a set.
#[inline(never)]
pub(super) fn step_set(p: &Program, mem: &mut [i64], board: u8, d: usize, (site, way): (i64, i64)) {
    mem[d..d + usize::from(p.layout.site_set)].fill(0);
    if let Ok(to) = usize::try_from(step_one(p, board, site, way)) {
        mem[d + to / 64] = 1 << (to % 64);
    }
}

/// The directions in which a step of a site leads into a set.
#[inline(never)]
pub(super) fn ways_into(p: &Program, mem: &[i64], board: u8, site: i64, set: usize) -> i64 {
    let (Ok(from), board) = (u16::try_from(site), &p.boards[usize::from(board)]) else { return 0 };
    let mut ways = 0;
    for way in 0..board.directions.len() {
        let to = board.step(from, way);
        if to != NO_SITE {
            ways |= (mem[set + usize::from(to) / 64] >> (to % 64) & 1) << way;
        }
    }
    ways
}

/// All sites of a set moved by one step; or those from which a step leads to the set.
#[inline(never)]
pub(super) fn slide(p: &Program, mem: &mut [i64], board: u8, (d, a): (usize, usize), way: i64, back: bool) {
    fn run<const W: usize>(p: &Program, mem: &mut [i64], board: u8, (d, a): (usize, usize), way: usize, back: bool) {
        let (board, words) = (&p.boards[usize::from(board)], usize::from(p.layout.site_set));
        let set = load::<W>(mem, a, words);
        let found = if back { board.behind(&set, way) } else { board.ahead(&set, way) };
        store(mem, d, words, &found);
    }
    match usize::try_from(way) {
        Ok(way) => by_width!(p, run(p, mem, board, (d, a), way, back)),
        Err(_) => mem[d..d + usize::from(p.layout.site_set)].fill(0),
    }
}

/// The members of a set that lie on a straight line of so many of them.
#[inline(never)]
pub(super) fn in_lines(p: &Program, mem: &mut [i64], (board, n): (u8, u8), d: usize, a: usize) {
    fn run<const W: usize>(p: &Program, mem: &mut [i64], (board, n): (u8, u8), d: usize, a: usize) {
        let words = usize::from(p.layout.site_set);
        let found = p.boards[usize::from(board)].in_lines(&load::<W>(mem, a, words), n);
        store(mem, d, words, &found);
    }
    by_width!(p, run(p, mem, (board, n), d, a));
}

/// Sites from which a direction leads to a set over members of another.
#[inline(never)]
pub(super) fn towards(p: &Program, mem: &mut [i64], d: usize, site: usize, base: usize) {
    fn run<const W: usize>(p: &Program, mem: &mut [i64], d: usize, info: &TowardsSite, base: usize) {
        let (board, words) = (&p.boards[usize::from(info.board)], usize::from(p.layout.site_set));
        let among = load::<W>(mem, at(base, info.among), words);
        let ends = if info.ends == Slot::NONE { [0; W] } else { load::<W>(mem, at(base, info.ends), words) };
        let ways = mem[at(base, info.ways)];
        let mut found = [0; W];
        let from = if info.from == Slot::NONE { None } else { Some(mem[at(base, info.from)]) };
        for_each_way(ways, info.each, |way| {
            let here = match from {
                Some(from) if info.ends == Slot::NONE => board.sight(from, &among, way),
                Some(from) => board.run_to(from, &ends, &among, way),
                None if info.over => board.over_to(&ends, &among, way),
                None => board.towards(&ends, &among, way),
            };
            (0..W).for_each(|word| found[word] |= here[word]);
        });
        store(mem, d, words, &found);
    }
    let info = &p.sites.towards[site];
    by_width!(p, run(p, mem, d, info, base));
}

/// The sites on straight lines from one with so many members of a set between, or more.
#[inline(never)]
pub(super) fn beyond(p: &Program, mem: &mut [i64], d: usize, site: usize, base: usize) {
    fn run<const W: usize>(p: &Program, mem: &mut [i64], d: usize, info: &BeyondSite, base: usize) {
        let (board, words) = (&p.boards[usize::from(info.board)], usize::from(p.layout.site_set));
        let of = if info.of == Slot::NONE { [0; W] } else { load::<W>(mem, at(base, info.of), words) };
        let mut wanted = u64::MAX;
        if info.ways != Slot::NONE {
            wanted = 0;
            for_each_way(mem[at(base, info.ways)], info.each, |way| wanted |= 1 << way);
        }
        let (mut found, mut seen) = ([0; W], [0; W]);
        if let Ok(from) = u16::try_from(mem[at(base, info.from)]) {
            for way in &board.ways {
                let mut between = 0;
                for to in board.ray(from, usize::from(*way)) {
                    // Of two directions that lead to a site the first is the one in which it lies.
                    if !has(&seen, to) {
                        insert(&mut seen, to);
                        if between >= i64::from(info.least) && wanted >> way & 1 == 1 {
                            insert(&mut found, to);
                        }
                    }
                    if has(&of, to) {
                        between += if info.pieces { height(p, mem, info.board, to) } else { 1 };
                    }
                }
            }
        }
        store(mem, d, words, &found);
    }
    let info = &p.sites.beyonds[site];
    by_width!(p, run(p, mem, d, info, base));
}

/// How many pieces lie on a site.
fn height(p: &Program, mem: &[i64], board: u16, site: u16) -> i64 {
    let (layout, mut n) = (&p.layout, 0);
    let mut slot = mem[layout.boards[usize::from(board)].tops + usize::from(site)];
    while slot >= 0 {
        n += 1;
        slot = mem[layout.entity(slot as usize) + ent::BENEATH];
    }
    n
}

/// What lies on top of the sites of a set.
#[inline(never)]
pub(super) fn tops(p: &Program, mem: &mut [i64], board: u16, d: usize, a: usize) {
    let layout = &p.layout;
    let tops = layout.boards[usize::from(board)].tops;
    let sites = load::<WIDEST>(mem, a, usize::from(layout.site_set));
    mem[d..d + usize::from(layout.entity_set)].fill(0);
    each_member(&sites, |site| {
        let slot = mem[tops + usize::from(site)];
        if slot >= 0 {
            mem[d + slot as usize / 64] |= 1 << (slot % 64);
        }
    });
}

/// Where so many steps lead, or from where they lead there. Tells whether it could be done, which only boards without an
/// end may prevent.
#[inline(never)]
pub(super) fn leap(p: &Program, mem: &mut [i64], d: usize, site: usize, base: usize) -> bool {
    fn run<const W: usize>(p: &Program, mem: &mut [i64], d: usize, info: &LeapSite, base: usize) {
        let (board, words) = (&p.boards[usize::from(info.board)], usize::from(p.layout.site_set));
        let (n, ways) = (mem[at(base, info.n)], mem[at(base, info.ways)]);
        let mut found = [0; W];
        let one = if info.one { Some(u16::try_from(mem[at(base, info.from)]).ok()) } else { None };
        let set = if one.is_none() { load::<W>(mem, at(base, info.from), words) } else { [0; W] };
        for_each_way(ways, info.each, |way| match one {
            Some(from) => {
                if let Some(to) = from.and_then(|from| board.walk(from, way, n)) {
                    insert(&mut found, to);
                }
            }
            None => {
                let here = board.leap(&set, way, n, info.back);
                (0..W).for_each(|word| found[word] |= here[word]);
            }
        });
        store(mem, d, words, &found);
    }
    let info = &p.sites.leaps[site];
    if p.layout.boards[usize::from(info.board)].places > 0 {
        return leap_spots(p, mem, d, info, base);
    }
    by_width!(p, run(p, mem, d, info, base));
    true
}

/// Adds the sites so many steps away, on a board without an end, to a list. Not if one of them is too far or there is
/// no room.
fn leap_spots(p: &Program, mem: &mut [i64], list: usize, info: &LeapSite, base: usize) -> bool {
    let n = mem[at(base, info.n)];
    if n == NIL {
        return true;
    }
    let (steps, n) = (&p.boards[usize::from(info.board)].steps, n.clamp(-2 * REACH, 2 * REACH));
    let most = usize::from(p.layout.list_items);
    let (mut length, mut fine) = (mem[list] as usize, true);
    let mut add = |mem: &mut [i64], from: i64, ways: i64, each: bool| {
        let from = Spot::of(from);
        for_each_way(ways, each, |way| {
            let (x, y) = steps[way];
            match from.moved((x * n, y * n)).word() {
                Some(spot) if length < most => {
                    length += 1;
                    mem[list + length] = spot;
                }
                _ => fine = false,
            }
        });
    };
    let from = at(base, info.from);
    match info.shown {
        Some(shown) => {
            let (layout, here) = (&p.layout, ent::ENDLESS - i64::from(info.board));
            for index in 0..layout.capacity.div_ceil(64) {
                let mut left = mem[from + index] as u64;
                while left != 0 {
                    let slot = index * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    // What has become another thing lies nowhere.
                    if slot < layout.capacity && mem[layout.entity(slot) + ent::PLACE] == here {
                        let site = mem[layout.entity(slot) + ent::SITE];
                        let ways = sides(p, mem, reference(layout, mem, slot), shown);
                        add(mem, site, ways, true);
                    }
                }
            }
        }
        None if mem[from] == NIL => {}
        None => add(mem, mem[from], mem[at(base, info.ways)], info.each),
    }
    if fine {
        mem[list] = length as i64;
    }
    fine
}

/// Calls `f` for a direction, or for each of a set of them.
#[inline(always)]
fn for_each_way(ways: i64, each: bool, mut f: impl FnMut(usize)) {
    let mut left = match (each, u32::try_from(ways)) {
        (true, _) => ways as u64,
        (false, Ok(way)) => 1 << way,
        (false, Err(_)) => 0,
    };
    while left != 0 {
        f(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// All sites of the pieces of a kind.
#[inline(never)]
pub(super) fn sites_of_kind(layout: &Layout, mem: &mut [i64], d: usize, kind: u16, board: u16) {
    let w = usize::from(layout.site_set);
    let first = layout.owned(usize::from(board), kind, 0);
    for word in 0..w {
        mem[d + word] = (0..=layout.seats).fold(0, |all, owner| all | mem[first + owner * w + word]);
    }
}

/// Whether the group of sites has a member of a set.
#[inline(never)]
pub(super) fn reaches(p: &Program, mem: &[i64], site: usize, base: usize) -> i64 {
    fn run<const W: usize>(p: &Program, mem: &[i64], info: &BoardSite, base: usize) -> bool {
        let set = |index: usize| load::<W>(mem, at(base, info.args[index]), usize::from(p.layout.site_set));
        p.boards[usize::from(info.board)].reaches(&set(0), &set(1), &set(2))
    }
    let info = &p.sites.boards[site];
    i64::from(by_width!(p, run(p, mem, info, base)))
}

/// The entities on the sites of a set that belong to a player.
#[inline(never)]
pub(super) fn pieces_of(p: &Program, mem: &mut [i64], board: u8, (d, a): (usize, usize), player: i64) {
    let layout = &p.layout;
    let tops = layout.boards[usize::from(board)].tops;
    mem[d..d + usize::from(layout.entity_set)].fill(0);
    for index in 0..usize::from(layout.site_set) {
        let mut word = mem[a + index] as u64;
        while word != 0 {
            let mut slot = mem[tops + index * 64 + word.trailing_zeros() as usize];
            word &= word - 1;
            while slot >= 0 {
                let record = layout.entity(slot as usize);
                if mem[record + ent::OWNER] == player {
                    mem[d + slot as usize / 64] |= 1 << (slot % 64);
                }
                slot = mem[record + ent::BENEATH];
            }
        }
    }
}

/// Calls `each` with the slot of each piece on the sites of a set.
#[inline(always)]
fn each_piece(
    layout: &Layout,
    mem: &mut [i64],
    board: u16,
    sites: &[u64; WIDEST],
    mut each: impl FnMut(&mut [i64], usize),
) {
    let place = &layout.boards[usize::from(board)];
    for (index, word) in sites[..usize::from(layout.site_set)].iter().enumerate() {
        let mut word = word & mem[place.occupied + index] as u64;
        while word != 0 {
            let mut slot = mem[place.tops + index * 64 + word.trailing_zeros() as usize];
            word &= word - 1;
            while slot >= 0 {
                each(mem, slot as usize);
                slot = mem[layout.entity(slot as usize) + ent::BENEATH];
            }
        }
    }
}

/// The entities on the sites of a set.
#[inline(never)]
pub(super) fn pieces_on(p: &Program, mem: &mut [i64], board: u16, d: usize, a: usize) {
    let sites = load::<WIDEST>(mem, a, usize::from(p.layout.site_set));
    mem[d..d + usize::from(p.layout.entity_set)].fill(0);
    each_piece(&p.layout, mem, board, &sites, |mem, slot| mem[d + slot / 64] |= 1 << (slot % 64));
}

/// How many pieces lie on the sites of a set.
#[inline(never)]
pub(super) fn count_pieces(p: &Program, mem: &mut [i64], board: u16, a: usize) -> i64 {
    let sites = load::<WIDEST>(mem, a, usize::from(p.layout.site_set));
    let mut count = 0;
    each_piece(&p.layout, mem, board, &sites, |_, _| count += 1);
    count
}

/// The sites of the pieces of a kind that belong to another player than this one.
#[inline(never)]
pub(super) fn owned_but(layout: &Layout, mem: &mut [i64], d: usize, kind: u16, player: i64) {
    let w = usize::from(layout.site_set);
    mem[d..d + w].fill(0);
    // The last row is of what is nobody's.
    let own = usize::try_from(player).unwrap_or(layout.seats);
    for other in (0..=layout.seats).filter(|other| *other != own) {
        let set = layout.owned_on(kind, other);
        for word in 0..w {
            mem[d + word] |= mem[set + word];
        }
    }
}
