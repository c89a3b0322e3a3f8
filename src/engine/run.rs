//! The interpreter: runs frames until a decision, the end of the game, or the end of the work that was asked for.

use super::api::{GameError, Seat};
use super::budget::{MAX_FRAMES, flood, price};
use super::check::turned;
use super::hooks::unmodified;
use super::ops::acts;
use super::order::{first_shown, next_shown};
use super::scan::scan;
use super::scratch::Scratch;
use super::slides::{
    beyond, count_pieces, in_lines, leap, owned_but, pieces_of, pieces_on, reaches, sites_of_kind, slide, step_one,
    step_set, tops, towards, ways_into,
};
use super::state::{Event, Frame, FrameKind, Hook, Mode, NONE, State, slot_of};
use super::straight::{
    self, any, by_player, clear, copy, count, empty_sites, field, first, first_entity, has_entity, holder,
    insert_entity, is_entry, is_kind, longest_line, lookup, memo, near, owned, owner, player_prop, playing, prop,
    quick, set_op, sides, site_of, take_first, zone_kind, zone_of,
};
use super::tongue::Tongue;
use crate::base::Code;
use crate::model::rules::{ProcId, PropId};
use crate::program::{NIL, Op, Program, Slot, ent, touch};

/// A result whose error is one word.
pub(super) type R<T> = Result<T, Box<GameError>>;

/// Why running stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The frames asked for have returned.
    Returned,
    /// A decision is pending.
    Suspended,
    /// The game is over.
    Over,
    /// An action whose first choice was asked for has shown it.
    Collected,
    /// The action that is tried out can be completed.
    Completes,
    /// Go on with the innermost frame.
    Go,
}

/// A frame for work that nothing in the content has begun.
pub(super) const NOT_BEGUN: Frame = Frame {
    kind: FrameKind::Proc,
    stage: 0,
    mode: Mode::Plain,
    cause: 1,
    proc: 0,
    pc: 0,
    base: 0,
    ret: NONE,
    event: NONE,
    cursor: 0,
    source: NIL,
    preset: NIL,
};

/// One run of the interpreter over a state.
pub(super) struct Run<'a> {
    pub p: &'a Program,
    pub st: &'a mut State,
    pub x: &'a mut Scratch,
    pub tongue: Tongue<'a>,
}

/// The address of a slot.
#[inline(always)]
pub(super) fn at(base: usize, slot: Slot) -> usize {
    within(window_of(base), slot)
}

/// What is added to the slots of a window.
#[inline(always)]
fn window_of(base: usize) -> usize {
    base.wrapping_sub(usize::from(Slot::LOCAL))
}

#[inline(always)]
fn within(window: usize, slot: Slot) -> usize {
    // Without a branch: the window's begin is added or not.
    usize::from(slot.0).wrapping_add(if slot.0 & Slot::LOCAL != 0 { window } else { 0 })
}

impl Run<'_> {
    /// Runs until no more than `floor` frames are left, or something stops it.
    pub fn run(&mut self, floor: usize) -> R<Flow> {
        loop {
            if self.st.frames.len() <= floor {
                return Ok(Flow::Returned);
            }
            let flow = match self.st.frames[self.st.frames.len() - 1].kind {
                FrameKind::Proc | FrameKind::Eval => self.exec(floor)?,
                FrameKind::Event | FrameKind::Proceed => self.event_step()?,
                FrameKind::Batch => self.batch_step()?,
                FrameKind::Edge => self.edge_step()?,
                FrameKind::Check => self.check_step()?,
                FrameKind::Script => self.acting_step()?,
            };
            if flow != Flow::Go {
                return Ok(flow);
            }
        }
    }

    /// Works out the pure procedure that was just entered.
    #[inline]
    fn finish(&mut self, floor: usize) -> R<()> {
        if self.exec(floor)? == Flow::Go {
            self.run(floor)?;
        }
        Ok(())
    }

    /// Pushes a frame that runs a procedure and gives the address of its window.
    #[inline(never)]
    pub fn push_proc(&mut self, proc: ProcId, kind: FrameKind, me: i64, this: i64, from: &Frame) -> R<usize> {
        if self.st.frames.len() >= MAX_FRAMES {
            return Err(self.error(Code::TooManyFrames, "effects call each other too deeply".to_owned()));
        }
        let code = &self.p.procs[proc.index()];
        self.spend(price::CALL + u64::from(code.frame) / 8)?;
        let base = self.st.mem.len();
        self.st.mem.resize(base + usize::from(code.frame), 0);
        self.st.mem[base] = me;
        self.st.mem[base + 1] = this;
        self.st.frames.push(Frame {
            kind,
            proc: proc.index() as u32,
            pc: code.entry,
            base: base as u32,
            mode: Mode::Plain,
            stage: 0,
            ret: NONE,
            cursor: 0,
            preset: NIL,
            ..*from
        });
        Ok(base)
    }

    /// Evaluates a pure procedure; its words are in the scratch result.
    pub fn eval(&mut self, proc: ProcId, me: i64, this: i64, event: u32, args: &[i64]) -> R<i64> {
        let mut from = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
        from.event = event;
        let floor = self.st.frames.len();
        let base = self.push_proc(proc, FrameKind::Eval, me, this, &from)?;
        let words = args.len().min(usize::from(self.p.procs[proc.index()].params));
        self.st.mem[base + 2..base + 2 + words].copy_from_slice(&args[..words]);
        self.finish(floor)?;
        Ok(self.x.result.first().copied().unwrap_or(0))
    }

    /// Evaluates a pure procedure of a hook over its event's arguments and what it captured.
    pub fn eval_hook(&mut self, proc: ProcId, hook: &Hook, index: u32) -> R<i64> {
        let mut from = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
        from.event = index;
        let floor = self.st.frames.len();
        if hook.arm != NONE {
            self.spend_on(self.st.arms.len())?;
        }
        let base = self.push_proc(proc, FrameKind::Eval, hook.me, hook.source, &from)?;
        let params = usize::from(self.p.procs[proc.index()].params);
        self.fill_hook(base + 2, params, hook, index);
        self.finish(floor)?;
        Ok(self.x.result.first().copied().unwrap_or(0))
    }

    /// Fills in the parameters of a hook's procedure: its event's arguments, then what was captured.
    pub fn fill_hook(&mut self, at: usize, params: usize, hook: &Hook, index: u32) {
        let mut filled = 0;
        if let Some(event) = self.event(index) {
            let (start, words) = (event.args as usize, usize::from(event.words).min(params));
            self.st.mem.copy_within(start..start + words, at);
            filled = words;
        }
        if hook.arm == NONE || filled == params {
            return;
        }
        let arm = self.st.arms.iter().find(|arm| arm.stamp == hook.arm);
        let spent = self.x.spent.as_ref().filter(|arm| arm.stamp == hook.arm);
        if let Some(arm) = arm.or(spent) {
            let (start, words) = (arm.at as usize, usize::from(arm.words).min(params - filled));
            let to = at + filled;
            self.st.mem[to..to + words].copy_from_slice(&self.st.arm_words[start..start + words]);
        }
    }

    /// Ends the innermost frame and its window.
    pub fn pop(&mut self) {
        if let Some(frame) = self.st.frames.pop() {
            self.st.mem.truncate(frame.base as usize);
        }
    }

    /// An error at the instruction at hand.
    #[cold]
    #[inline(never)]
    pub fn error(&self, code: Code, message: String) -> Box<GameError> {
        let causes = self.causes();
        let span = causes.first().map(|cause| cause.span).unwrap_or_default();
        Box::new(GameError { code: code.text(), message, span, causes })
    }

    /// The record of an entity, or of its last identity if the reference is to that.
    #[inline]
    pub fn record(&self, entity: i64) -> Option<(usize, bool)> {
        straight::record(&self.p.layout, &self.st.mem, entity)
    }

    /// The seat on turn, or the first.
    pub fn mover(&self) -> i64 {
        let mover = self.st.mem[usize::from(self.p.layout.mover)];
        if mover == NIL { 0 } else { mover }
    }

    /// Runs instructions of the innermost frame.
    #[inline(never)]
    fn exec(&mut self, floor: usize) -> R<Flow> {
        let (p, layout) = (self.p, &self.p.layout);
        let ops = p.ops.as_slice();
        // Where sets of entities are long, an instruction may take as long.
        let scale = 1 + u64::from(layout.entity_set) / 32;
        'frame: loop {
            let top = self.st.frames.len() - 1;
            let frame = &self.st.frames[top];
            let (base, ret) = (frame.base as usize, frame.ret);
            let entry = p.procs[frame.proc as usize].entry as usize;
            let mut pc = frame.pc as usize;
            let window = window_of(base);
            macro_rules! a {
                ($slot:expr) => {
                    within(window, $slot)
                };
            }
            loop {
                // What only reads and writes memory runs in a loop over one slice; what needs more leaves it.
                let from = pc;
                let mut mem = self.st.mem.as_mut_slice();
                macro_rules! m {
                    ($slot:expr) => {
                        mem[a!($slot)]
                    };
                }
                macro_rules! jump {
                    ($op:expr, $to:expr) => {{
                        let target = entry + usize::from($to);
                        if target < pc {
                            // What was run since the target is paid for here, loop by loop.
                            let cost = price::LOOP + (pc - target) as u64 * scale;
                            if self.x.budget < cost {
                                break *$op;
                            }
                            self.x.budget -= cost;
                        }
                        pc = target;
                    }};
                }
                // What an instruction costs besides; where nothing is left, the next loop or call says so.
                macro_rules! pay {
                    ($cost:expr) => {
                        self.x.budget = self.x.budget.saturating_sub($cost)
                    };
                }
                macro_rules! arith {
                    ($op:expr, $d:expr, $a:expr, $b:expr, $f:expr) => {{
                        let (a, b) = (m!($a), m!($b));
                        m!($d) = if a == NIL || b == NIL {
                            NIL
                        } else {
                            match $f(a, b) {
                                Some(value) if value != NIL => value,
                                _ => break *$op,
                            }
                        };
                    }};
                }
                let op = loop {
                    let op = &ops[pc];
                    pc += 1;
                    match *op {
                        Op::Copy { d, a } => m!(d) = m!(a),
                        Op::CopyN { n, d, a } => {
                            if n == 0 {
                                pay!(m!(a).max(0) as u64 / 16);
                            }
                            copy(mem, a!(a), a!(d), n);
                        }
                        Op::Clear { n, d } => clear(mem, a!(d), n),
                        Op::Add { d, a, b } => arith!(op, d, a, b, i64::checked_add),
                        Op::Sub { d, a, b } => arith!(op, d, a, b, i64::checked_sub),
                        Op::Mul { d, a, b } => arith!(op, d, a, b, i64::checked_mul),
                        Op::Div { d, a, b } => arith!(op, d, a, b, i64::checked_div),
                        Op::Rem { d, a, b } => arith!(op, d, a, b, i64::checked_rem),
                        Op::Smaller { d, a, b } => arith!(op, d, a, b, |a: i64, b: i64| Some(a.min(b))),
                        Op::Larger { d, a, b } => arith!(op, d, a, b, |a: i64, b: i64| Some(a.max(b))),
                        Op::Neg { d, a } => m!(d) = if m!(a) == NIL { NIL } else { -m!(a) },
                        Op::Abs { d, a } => m!(d) = if m!(a) == NIL { NIL } else { m!(a).abs() },
                        Op::Jump { to } => jump!(op, to),
                        Op::JumpTrue { a, to } => {
                            if m!(a) == 1 {
                                jump!(op, to);
                            }
                        }
                        Op::JumpFalse { a, to } => {
                            if m!(a) != 1 {
                                jump!(op, to);
                            }
                        }
                        Op::JumpEq { on, a, b, to } => {
                            let (a, b) = (m!(a), m!(b));
                            if (a == b) == on {
                                jump!(op, to);
                            }
                        }
                        Op::JumpLt { on, a, b, to } => {
                            let (a, b) = (m!(a), m!(b));
                            if (a < b && a != NIL) == on {
                                jump!(op, to);
                            }
                        }
                        Op::JumpLe { on, a, b, to } => {
                            let (a, b) = (m!(a), m!(b));
                            if (a <= b && a != NIL) == on {
                                jump!(op, to);
                            }
                        }
                        Op::JumpNil { a, to } => {
                            if m!(a) == NIL {
                                jump!(op, to);
                            }
                        }
                        Op::JumpGone { e, to } => {
                            let e = m!(e);
                            if e != NIL && straight::record(layout, mem, e).is_some_and(|(_, current)| !current) {
                                jump!(op, to);
                            }
                        }
                        Op::JumpModified { p: id, to } => {
                            if !unmodified(self.p, &self.st.arms, mem, PropId(u32::from(id))) {
                                jump!(op, to);
                            }
                        }
                        Op::JumpSome { a, to } => {
                            if m!(a) != NIL {
                                jump!(op, to);
                            }
                        }
                        Op::Or { w, d, a, b } => set_op(mem, w, (a!(d), a!(a), a!(b)), |a, b| a | b),
                        Op::And { w, d, a, b } => set_op(mem, w, (a!(d), a!(a), a!(b)), |a, b| a & b),
                        Op::AndNot { w, d, a, b } => set_op(mem, w, (a!(d), a!(a), a!(b)), |a, b| a & !b),
                        Op::SameSet { w, d, a, b } => {
                            let (a, b, w) = (a!(a), a!(b), usize::from(w));
                            m!(d) = i64::from(mem[a..a + w] == mem[b..b + w]);
                        }
                        Op::Count { w, d, a } => m!(d) = count(mem, usize::from(w), a!(a)) as i64,
                        Op::JumpEmpty { w, a, to } => {
                            if !any(mem, w, a!(a)) {
                                jump!(op, to);
                            }
                        }
                        Op::JumpAny { w, a, to } => {
                            if any(mem, w, a!(a)) {
                                jump!(op, to);
                            }
                        }
                        Op::InsertBit { set, a } => {
                            let bit = m!(a);
                            if bit >= 0 {
                                mem[a!(set) + (bit as usize >> 6)] |= 1 << (bit & 63);
                            }
                        }
                        Op::RemoveBit { set, a } => {
                            let bit = m!(a);
                            if bit >= 0 {
                                mem[a!(set) + (bit as usize >> 6)] &= !(1 << (bit & 63));
                            }
                        }
                        Op::InsertEntity { set, a } => insert_entity(layout, mem, a!(set), m!(a)),
                        Op::Made { d, to } => {
                            let frame = &mut self.st.frames[top];
                            if frame.mode == Mode::Preset {
                                frame.mode = Mode::Action;
                                m!(d) = frame.preset;
                                pc = entry + usize::from(to);
                            }
                        }
                        Op::JumpClean { always, to } => {
                            if !always && self.st.frames[top].event != NONE
                                || self.st.touched & touch::ANY == 0
                                || self.st.checking > 0
                            {
                                jump!(op, to);
                            }
                        }
                        Op::JumpWaiting { to } => {
                            let waits = !self.nothing_waits();
                            mem = self.st.mem.as_mut_slice();
                            if waits {
                                jump!(op, to);
                            }
                        }
                        Op::JumpUnread { becomes, index, to } => {
                            let asked = if becomes { &p.becomes } else { &p.checks };
                            if self.st.touched & asked[usize::from(index)].1 == 0 {
                                jump!(op, to);
                            }
                        }
                        Op::JumpTurned { index, a, to } => {
                            if turned(&mut self.st.held, p.becomes[usize::from(index)].0, m!(a) == 1) {
                                jump!(op, to);
                            }
                        }
                        Op::Settled => self.st.touched = 0,
                        Op::Checkpoint { .. } if self.st.touched & touch::ANY == 0 => {}
                        Op::Checkpoint { always } => {
                            self.st.frames[top].pc = pc as u32;
                            let passes = self.passes(always, self.st.frames[top].event)?;
                            mem = self.st.mem.as_mut_slice();
                            if !passes {
                                break *op;
                            }
                        }
                        Op::Single { w, d, a } => {
                            let (bit, d) = (m!(a), a!(d));
                            clear(mem, d, w);
                            if bit >= 0 {
                                mem[d + (bit as usize >> 6)] = 1 << (bit & 63);
                            }
                        }
                        Op::Lookup { d, a, table } => m!(d) = lookup(p, table, m!(a)),
                        Op::Memo { d, a, site } => match memo(p, mem, a!(d), a!(a), site) {
                            Some(cost) => pay!(cost),
                            // Worked out in this place: nothing tells whether it was asked for before.
                            None if self.memo(a!(d), a!(a), usize::from(site)) => mem = self.st.mem.as_mut_slice(),
                            None => break *op,
                        },
                        Op::ByPlayer { d, p: player, table } => m!(d) = by_player(p, table, m!(player)),
                        Op::HasBit { d, set, a } => {
                            let bit = m!(a);
                            m!(d) = if bit < 0 { 0 } else { (mem[a!(set) + (bit as usize >> 6)] >> (bit & 63)) & 1 };
                        }
                        Op::HasEntity { d, set, a } => m!(d) = i64::from(has_entity(layout, mem, a!(set), m!(a))),
                        Op::NextBit { w, d, set, to } => {
                            if let Some(bit) = take_first(mem, usize::from(w), a!(set)) {
                                m!(d) = bit as i64;
                                jump!(op, to);
                            }
                        }
                        Op::NextEntity { d, set, to } => match first_entity(layout, mem, a!(set), true) {
                            NIL => {}
                            entity => {
                                m!(d) = entity;
                                jump!(op, to);
                            }
                        },
                        Op::NextShown { d, set, to } => {
                            let (entity, cost) = next_shown(layout, mem, a!(set));
                            pay!(cost);
                            if entity != NIL {
                                m!(d) = entity;
                                jump!(op, to);
                            }
                        }
                        Op::FirstBit { w, d, set } => {
                            m!(d) = first(mem, usize::from(w), a!(set)).map_or(NIL, |bit| bit as i64);
                        }
                        Op::FirstShown { d, set } => {
                            let (entity, cost) = first_shown(layout, mem, a!(set));
                            pay!(cost);
                            m!(d) = entity;
                        }
                        Op::FirstEntity { d, set } => m!(d) = first_entity(layout, mem, a!(set), false),
                        Op::NextItem { d, list, to } => {
                            let start = a!(list);
                            let index = mem[start - 1];
                            if index < mem[start] {
                                m!(d) = mem[start + 1 + index as usize];
                                mem[start - 1] = index + 1;
                                jump!(op, to);
                            }
                        }
                        Op::NextNumber { d, at, to } => {
                            let next = a!(at);
                            // A missing number is less than any other.
                            if mem[next] <= mem[next + 1] && mem[next] != NIL {
                                m!(d) = mem[next];
                                mem[next] = mem[next].checked_add(1).unwrap_or(NIL);
                                jump!(op, to);
                            }
                        }
                        Op::Item { d, list, i } => {
                            let (list, i) = (a!(list), m!(i));
                            let inside = i >= 0 && i < mem[list];
                            m!(d) = if inside { mem[list + 1 + i as usize] } else { NIL };
                        }
                        Op::Field { d, e, f } => m!(d) = field(p, mem, m!(e), f),
                        Op::Prop { n: 1, d, e, at: offset } => m!(d) = prop(layout, mem, m!(e), offset),
                        Op::PlayerProp { n, d, e, at: offset } => player_prop(layout, mem, (a!(d), n), m!(e), offset),
                        Op::Scan { d, a, site } => {
                            pay!(layout.capacity as u64 / 16);
                            if scan(p, mem, (a!(d), a!(a)), site, base).is_none() {
                                break *op;
                            }
                        }
                        Op::Holder { d, e } => m!(d) = holder(layout, mem, m!(e)),
                        Op::Owner { d, e } => m!(d) = owner(layout, mem, m!(e)),
                        Op::IsKind { d, e, kind } => m!(d) = is_kind(p, mem, m!(e), kind),
                        Op::IsEntry { d, e, entry } => m!(d) = is_entry(p, mem, m!(e), entry),
                        Op::ZoneOf { d, zone, p: player } => zone_of(layout, mem, a!(d), zone, m!(player)),
                        Op::ZoneKind { kind, d, zone, p: player } => {
                            zone_kind(layout, mem, a!(d), (zone, m!(player)), kind);
                        }
                        Op::Instance { d, zone, p: player } => {
                            let player = m!(player);
                            m!(d) = if player < 0 { NIL } else { i64::from(zone) + player };
                        }
                        Op::EmptySites { d, board } => empty_sites(p, mem, a!(d), board),
                        Op::Owned { d, kind, p: player } => owned(layout, mem, a!(d), kind, m!(player)),
                        Op::Near { board, beside, d, a } => near(p, mem, (board, beside), a!(d), m!(a)),
                        Op::InLines { board, n, d, a } => in_lines(p, mem, (board, n), a!(d), a!(a)),
                        Op::LongestLine { board, d, a, sites } => {
                            pay!(16);
                            m!(d) = longest_line(p, mem, usize::from(board), m!(a), a!(sites));
                        }
                        Op::Pick { w, d, a, p: player } => {
                            let seat = m!(player);
                            let index = if seat < 0 { layout.seats } else { seat as usize };
                            copy(mem, a!(a) + index * usize::from(w), a!(d), w);
                        }
                        Op::Reaches { d, site } => {
                            pay!(flood(p, usize::from(p.sites.boards[site as usize].board)));
                            m!(d) = reaches(p, mem, site as usize, base);
                        }
                        Op::OwnedBut { d, kind, p: player } => owned_but(layout, mem, a!(d), kind, m!(player)),
                        Op::StepOne { board, d, a, way } => m!(d) = step_one(p, board, m!(a), m!(way)),
                        Op::StepSet { board, d, a, way } => step_set(p, mem, board, a!(d), (m!(a), m!(way))),
                        Op::WaysInto { board, d, a, set } => m!(d) = ways_into(p, mem, board, m!(a), a!(set)),
                        Op::Ahead { board, d, a, way } => {
                            slide(p, mem, board, (a!(d), a!(a)), mem[a!(way)], false);
                        }
                        Op::Behind { board, d, a, way } => {
                            slide(p, mem, board, (a!(d), a!(a)), mem[a!(way)], true);
                        }
                        Op::SitesOfKind { d, kind, board } => sites_of_kind(layout, mem, a!(d), kind, board),
                        Op::Sides { d, e, site } => m!(d) = sides(p, mem, m!(e), site),
                        Op::Leap { d, site } => {
                            pay!(layout.capacity as u64 / 32);
                            if !leap(p, mem, a!(d), site as usize, base) {
                                break *op;
                            }
                        }
                        Op::Towards { d, site } => {
                            pay!(8 + u64::from(layout.site_set) * 16);
                            towards(p, mem, a!(d), site as usize, base);
                        }
                        Op::Beyond { d, site } => {
                            let pieces = u64::from(p.sites.beyonds[site as usize].pieces);
                            pay!(8 + u64::from(layout.site_set) * 16 + pieces * (layout.capacity as u64 / 16));
                            beyond(p, mem, a!(d), site as usize, base);
                        }
                        Op::Tops { d, a, board } => {
                            pay!(layout.capacity as u64 / 16);
                            tops(p, mem, board, a!(d), a!(a));
                        }
                        Op::PiecesOf { board, d, a, p: player } => {
                            pay!(layout.capacity as u64 / 16);
                            pieces_of(p, mem, board, (a!(d), a!(a)), m!(player));
                        }
                        Op::PiecesOn { d, a, board } => {
                            pay!(layout.capacity as u64 / 16);
                            pieces_on(p, mem, board, a!(d), a!(a));
                        }
                        Op::CountPieces { d, a, board } => {
                            pay!(layout.capacity as u64 / 16);
                            m!(d) = count_pieces(p, mem, board, a!(a));
                        }
                        Op::SiteOf { d, a, board } => m!(d) = site_of(layout, mem, m!(a), board),
                        Op::Opponents { d } => {
                            let me = m!(d);
                            m!(d) = playing(layout, mem) & !(if me < 0 { 0 } else { 1 << me });
                        }
                        Op::Playing { d, e } => {
                            let seat = m!(e);
                            m!(d) = if seat < 0 { 0 } else { (playing(layout, mem) >> seat) & 1 };
                        }
                        Op::CallLambda { d, lambda, .. } => match quick(p, m!(lambda)) {
                            Slot::NONE => break *op,
                            slot => m!(d) = m!(slot),
                        },
                        _ => break *op,
                    }
                };
                // What was run since this loop was entered, and not paid for by a jump back. Where nothing is left, the next
                // loop or call says so.
                self.x.budget = self.x.budget.saturating_sub(pc.saturating_sub(from) as u64 * scale);
                match op {
                    Op::Return { n, a } => {
                        let from = a!(a);
                        let n = self.width(n, from);
                        if ret == NONE {
                            self.x.result.clear();
                            self.x.result.extend_from_slice(&self.st.mem[from..from + n]);
                        } else {
                            self.st.mem.copy_within(from..from + n, ret as usize);
                        }
                        self.pop();
                        if self.st.frames.len() <= floor {
                            return Ok(Flow::Returned);
                        }
                        continue 'frame;
                    }
                    Op::End => {
                        if self.x.heard.is_some() {
                            self.st.frames[top].pc = pc as u32;
                            self.hear_action(top)?;
                        }
                        self.pop();
                        if self.goes_on(floor) {
                            continue 'frame;
                        }
                        return Ok(Flow::Go);
                    }
                    _ => {}
                }
                // The usual ones need no copy of the frame; it is read before where it goes on is written.
                let collecting = self.st.frames[top].mode == Mode::Collect;
                let flow = match op {
                    Op::Choose { site } => {
                        self.st.frames[top].pc = pc as u32;
                        self.choose(site as usize, base)?
                    }
                    Op::ChooseAction { site } => {
                        self.st.frames[top].pc = pc as u32;
                        self.choose_action(site as usize, base)?
                    }
                    Op::Create { d, site } if !collecting => {
                        self.st.frames[top].pc = pc as u32;
                        self.st.mem[a!(d)] = self.create(site as usize, base)?;
                        None
                    }
                    Op::Move { e, site } if !collecting => {
                        self.st.frames[top].pc = pc as u32;
                        self.op_move(self.st.mem[a!(e)], site as usize, base)?;
                        None
                    }
                    Op::SetProp { e, p, a } if !collecting => {
                        self.st.frames[top].pc = pc as u32;
                        self.set_entity_prop(self.st.mem[a!(e)], PropId(u32::from(p)), a!(a));
                        None
                    }
                    Op::SetPlayerProp { e, p, a } if !collecting => {
                        self.st.frames[top].pc = pc as u32;
                        self.set_player_prop(self.st.mem[a!(e)], PropId(u32::from(p)), a!(a));
                        None
                    }
                    Op::Checkpoint { always } => {
                        self.st.frames[top].pc = pc as u32;
                        self.checkpoint(always, self.st.frames[top].event)?
                    }
                    Op::SpanStart { site } if !collecting => {
                        self.st.frames[top].pc = pc as u32;
                        self.span_edge(site as usize, true, base)?
                    }
                    Op::SpanEnd { site } => {
                        self.st.frames[top].pc = pc as u32;
                        self.span_edge(site as usize, false, base)?
                    }
                    Op::EdgeOpen { site, start, to } if !collecting => {
                        if !self.edge_opens(site as usize, start, base) {
                            pc = entry + usize::from(to);
                        }
                        continue;
                    }
                    Op::VerbOpen { site, to } if !collecting => {
                        if !self.verb_opens(site as usize, base) {
                            pc = entry + usize::from(to);
                        }
                        continue;
                    }
                    Op::TurnPass { site, to } => {
                        if self.x.budget >= price::TURN && self.turn_pass(site as usize, base)? {
                            self.x.budget -= price::TURN;
                            self.x.idle_turns += 1;
                            pc = entry + usize::from(to);
                        }
                        continue;
                    }
                    Op::TurnNext { site, to } => {
                        self.st.frames[top].pc = pc as u32;
                        self.spend(price::TURN)?;
                        self.x.idle_turns += 1;
                        self.turn_next(site as usize, entry + usize::from(to), base);
                        None
                    }
                    Op::SitesOf { .. }
                    | Op::Adjacent { .. }
                    | Op::Step { .. }
                    | Op::OnBoard { .. }
                    | Op::Neighbours { .. }
                    | Op::After { .. }
                    | Op::Leading { .. }
                    | Op::Region { .. }
                    | Op::Leap { .. }
                    | Op::OnEndless { .. }
                    | Op::Fitting { .. } => {
                        self.st.frames[top].pc = pc as u32;
                        self.board_op(op, base)?;
                        None
                    }
                    // What was drawn before the action is offered is drawn.
                    Op::Sample { zone, n }
                        if collecting && self.is_drawn(self.word(base, zone), self.word(base, n)) =>
                    {
                        self.st.frames[top].pc = pc as u32;
                        None
                    }
                    _ if collecting && acts(op) => self.plain_collect()?,
                    _ => {
                        let frame = self.st.frames[top];
                        self.st.frames[top].pc = pc as u32;
                        self.statement(op, &frame, base, entry)?
                    }
                };
                if let Some(flow) = flow {
                    if flow == Flow::Go && self.goes_on(floor) {
                        continue 'frame;
                    }
                    return Ok(flow);
                }
                if self.st.frames.len() != top + 1 {
                    continue 'frame;
                }
                pc = self.st.frames[top].pc as usize;
            }
        }
    }

    /// Whether the innermost frame runs instructions and is part of the work that was asked for.
    #[inline]
    fn goes_on(&self, floor: usize) -> bool {
        let frames = self.st.frames.as_slice();
        frames.len() > floor
            && frames.last().is_some_and(|frame| matches!(frame.kind, FrameKind::Proc | FrameKind::Eval))
    }

    /// How many words an `n` of an instruction means for a value at an address.
    #[inline]
    pub fn width(&self, n: u8, from: usize) -> usize {
        straight::width(&self.st.mem, n, from)
    }

    /// Whether a set has any member.
    #[inline]
    pub fn any(&self, w: u8, set: usize) -> bool {
        straight::any(&self.st.mem, w, set)
    }

    /// The definition of an entity.
    #[inline]
    pub fn entry_of(&self, entity: i64) -> Option<usize> {
        let slot = slot_of(entity)?;
        usize::try_from(self.st.mem[self.p.layout.entity(slot) + ent::ENTRY]).ok()
    }

    /// The player in whose zone an entity is, or to whom it belongs on a board.
    pub fn holder(&self, entity: i64) -> i64 {
        straight::holder(&self.p.layout, &self.st.mem, entity)
    }

    /// The mask of players still in the game.
    pub fn playing(&self) -> i64 {
        self.st.mem[usize::from(self.p.layout.playing)]
    }

    /// Seats from one on, clockwise, that are still in the game.
    pub fn clockwise(&self, from: i64) -> Vec<Seat> {
        let players = self.st.players;
        let start = u8::try_from(from).unwrap_or(0);
        (0..players).map(|step| (start + step) % players).filter(|seat| (self.playing() >> seat) & 1 == 1).collect()
    }

    /// How many seats clockwise a seat is from the mover.
    pub fn distance(&self, seat: i64) -> i64 {
        let players = i64::from(self.st.players);
        if seat < 0 { players } else { (seat - self.mover()).rem_euclid(players) }
    }

    /// Whether the event at hand belongs to a frame.
    pub fn event(&self, index: u32) -> Option<&Event> {
        self.st.events.get(index as usize)
    }
}
