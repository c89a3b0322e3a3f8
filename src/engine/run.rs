//! The interpreter: runs frames until a decision, the end of the game, or the end of the work that was asked for.

use super::api::{CauseLink, GameError, Seat};
use super::script::Scripts;
use super::state::{Choice, Event, Frame, FrameKind, Hook, Mode, NONE, PendingKind, State, generation_of, slot_of};
use super::trace::Trace;
use super::turns::Heard;
use crate::base::Code;
use crate::model::rules::ProcId;
use crate::program::{NIL, Op, Program, Slot, ent};

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
    /// Go on with the innermost frame.
    Go,
}

/// Buffers and settings that outlive a step.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub pool: Vec<State>,
    pub result: Vec<i64>,
    pub hooks: Vec<Vec<Hook>>,
    pub collected: Vec<Choice>,
    pub branch: i32,
    pub budget: u64,
    /// Whether this runs on a scratch state to see if an action can be completed.
    pub probing: u16,
    pub trace: Option<Trace>,
    pub scripts: Scripts,
    /// Turns and notations as they end, while somebody follows them.
    pub heard: Option<Vec<Heard>>,
    /// What the last notation wrote.
    pub written: String,
    /// Whether actions that are looked at tell the question of their first choice, and what they told.
    pub asking: bool,
    pub prompt: Option<String>,
    /// Why the last action that was looked at cannot be done: index of the reason.
    pub refusal: Option<u32>,
    /// What the rounds of the checkpoint at hand have done, once it has many.
    pub rounds: Vec<super::cycles::Round>,
    /// An armed clause that has just been used up; its captured words are still needed.
    pub spent: Option<super::state::Arm>,
}

/// Instructions of one step at the most.
pub(super) const BUDGET: u64 = 20_000_000;
/// Frames at the most.
pub(super) const MAX_FRAMES: usize = 256;

/// One run of the interpreter over a state.
pub(super) struct Run<'a> {
    pub p: &'a Program,
    pub st: &'a mut State,
    pub x: &'a mut Scratch,
}

/// The address of a slot.
#[inline(always)]
pub(super) fn at(base: usize, slot: Slot) -> usize {
    let offset = usize::from(slot.0 & !Slot::LOCAL);
    if slot.0 & Slot::LOCAL != 0 { base + offset } else { offset }
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
            };
            if flow != Flow::Go {
                return Ok(flow);
            }
        }
    }

    /// Pushes a frame that runs a procedure and gives the address of its window.
    #[inline(never)]
    pub fn push_proc(&mut self, proc: ProcId, kind: FrameKind, me: i64, this: i64, from: &Frame) -> R<usize> {
        if self.st.frames.len() >= MAX_FRAMES {
            return Err(self.error(Code::TooManyFrames, "effects call each other too deeply".to_owned()));
        }
        let code = &self.p.procs[proc.index()];
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

    /// A frame for work that nothing in the content has begun.
    pub fn root_frame(&self) -> Frame {
        Frame {
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
        }
    }

    /// Evaluates a pure procedure; its words are in the scratch result.
    pub fn eval(&mut self, proc: ProcId, me: i64, this: i64, event: u32, args: &[i64]) -> R<i64> {
        let mut from = self.st.frames.last().copied().unwrap_or_else(|| self.root_frame());
        from.event = event;
        let floor = self.st.frames.len();
        let base = self.push_proc(proc, FrameKind::Eval, me, this, &from)?;
        let words = args.len().min(usize::from(self.p.procs[proc.index()].params));
        self.st.mem[base + 2..base + 2 + words].copy_from_slice(&args[..words]);
        self.run(floor)?;
        Ok(self.x.result.first().copied().unwrap_or(0))
    }

    /// Evaluates a pure procedure of a hook over its event's arguments and what it captured.
    pub fn eval_hook(&mut self, proc: ProcId, hook: &Hook, index: u32) -> R<i64> {
        let mut from = self.st.frames.last().copied().unwrap_or_else(|| self.root_frame());
        from.event = index;
        let floor = self.st.frames.len();
        let base = self.push_proc(proc, FrameKind::Eval, hook.me, hook.source, &from)?;
        let params = usize::from(self.p.procs[proc.index()].params);
        let mut filled = 0;
        if let Some(event) = self.event(index) {
            let (start, words) = (event.args as usize, usize::from(event.words).min(params));
            self.st.mem.copy_within(start..start + words, base + 2);
            filled = words;
        }
        if hook.arm != NONE
            && filled < params
            && let Some(arm) = self.st.arms.iter().find(|arm| arm.stamp == hook.arm)
        {
            let (start, words) = (arm.at as usize, usize::from(arm.words).min(params - filled));
            let to = base + 2 + filled;
            self.st.mem[to..to + words].copy_from_slice(&self.st.arm_words[start..start + words]);
        }
        self.run(floor)?;
        Ok(self.x.result.first().copied().unwrap_or(0))
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

    /// The chain of causes of what happens now, from the nearest.
    pub fn causes(&self) -> Vec<CauseLink> {
        let mut causes = Vec::new();
        for frame in self.st.frames.iter().rev() {
            if !matches!(frame.kind, FrameKind::Proc | FrameKind::Eval) {
                continue;
            }
            let Some(proc) = self.p.rules.procs.get(frame.proc as usize) else { continue };
            let pc = (frame.pc as usize).saturating_sub(1);
            let span = self.p.spans.get(pc).copied().unwrap_or(proc.span);
            let this = self.st.mem.get(frame.base as usize + 1).copied().unwrap_or(NIL);
            let what = match slot_of(this) {
                Some(_) if !proc.name.contains('"') => format!("{} of {}", proc.name, self.entity_name(this)),
                _ => proc.name.clone(),
            };
            causes.push(CauseLink { what, span });
        }
        causes
    }

    /// Takes from the budget.
    pub fn spend(&mut self, amount: u64) -> R<()> {
        match self.x.budget.checked_sub(amount) {
            Some(left) => {
                self.x.budget = left;
                Ok(())
            }
            None => {
                let message = "this goes on for ever: the budget of one step is spent".to_owned();
                Err(self.error(Code::BudgetSpent, message))
            }
        }
    }

    /// The record of an entity, or of its last identity if the reference is to that.
    pub fn record(&self, entity: i64) -> Option<(usize, bool)> {
        let slot = slot_of(entity)?;
        if slot >= self.p.layout.capacity {
            return None;
        }
        let record = self.p.layout.entity(slot);
        Some((record, self.st.mem[record + ent::GENERATION] == generation_of(entity)))
    }

    /// The seat on turn, or the first.
    pub fn mover(&self) -> i64 {
        let mover = self.st.mem[usize::from(self.p.layout.mover)];
        if mover == NIL { 0 } else { mover }
    }

    /// Runs instructions of the innermost frame.
    #[inline(never)]
    fn exec(&mut self, floor: usize) -> R<Flow> {
        let p = self.p;
        'frame: loop {
            let top = self.st.frames.len() - 1;
            let frame = &self.st.frames[top];
            let (base, ret) = (frame.base as usize, frame.ret);
            let entry = p.procs[frame.proc as usize].entry as usize;
            let mut pc = frame.pc as usize;
            macro_rules! m {
                ($slot:expr) => {
                    self.st.mem[at(base, $slot)]
                };
            }
            macro_rules! jump {
                ($to:expr) => {{
                    let target = entry + usize::from($to);
                    if target < pc {
                        if self.x.budget < 8 {
                            return Err(self.exhausted(top, pc));
                        }
                        self.x.budget -= 8;
                    }
                    pc = target;
                }};
            }
            macro_rules! arith {
                ($d:expr, $a:expr, $b:expr, $f:expr) => {{
                    let (a, b) = (m!($a), m!($b));
                    m!($d) = if a == NIL || b == NIL {
                        NIL
                    } else {
                        match $f(a, b) {
                            Some(value) if value != NIL => value,
                            _ => return Err(self.uncalculable(top, pc, a, b)),
                        }
                    };
                }};
            }
            loop {
                let op = p.ops[pc];
                pc += 1;
                match op {
                    Op::Copy { d, a } => m!(d) = m!(a),
                    Op::CopyN { n, d, a } => {
                        let (d, a) = (at(base, d), at(base, a));
                        let n = self.width(n, a);
                        self.st.mem.copy_within(a..a + n, d);
                    }
                    Op::Clear { n, d } => {
                        let d = at(base, d);
                        self.st.mem[d..d + usize::from(n)].fill(0);
                    }
                    Op::Add { d, a, b } => arith!(d, a, b, i64::checked_add),
                    Op::Sub { d, a, b } => arith!(d, a, b, i64::checked_sub),
                    Op::Mul { d, a, b } => arith!(d, a, b, i64::checked_mul),
                    Op::Div { d, a, b } => arith!(d, a, b, i64::checked_div),
                    Op::Rem { d, a, b } => arith!(d, a, b, i64::checked_rem),
                    Op::Smaller { d, a, b } => arith!(d, a, b, |a: i64, b: i64| Some(a.min(b))),
                    Op::Larger { d, a, b } => arith!(d, a, b, |a: i64, b: i64| Some(a.max(b))),
                    Op::Neg { d, a } => m!(d) = if m!(a) == NIL { NIL } else { -m!(a) },
                    Op::Abs { d, a } => m!(d) = if m!(a) == NIL { NIL } else { m!(a).abs() },
                    Op::Jump { to } => jump!(to),
                    Op::JumpTrue { a, to } => {
                        if m!(a) == 1 {
                            jump!(to);
                        }
                    }
                    Op::JumpFalse { a, to } => {
                        if m!(a) != 1 {
                            jump!(to);
                        }
                    }
                    Op::JumpEq { on, a, b, to } => {
                        let (a, b) = (m!(a), m!(b));
                        if (a == b && a != NIL) == on {
                            jump!(to);
                        }
                    }
                    Op::JumpNe { on, a, b, to } => {
                        let (a, b) = (m!(a), m!(b));
                        if (a != b && a != NIL && b != NIL) == on {
                            jump!(to);
                        }
                    }
                    Op::JumpLt { on, a, b, to } => {
                        let (a, b) = (m!(a), m!(b));
                        if (a < b && a != NIL) == on {
                            jump!(to);
                        }
                    }
                    Op::JumpLe { on, a, b, to } => {
                        let (a, b) = (m!(a), m!(b));
                        if (a <= b && a != NIL) == on {
                            jump!(to);
                        }
                    }
                    Op::JumpNil { a, to } => {
                        if m!(a) == NIL {
                            jump!(to);
                        }
                    }
                    Op::JumpSome { a, to } => {
                        if m!(a) != NIL {
                            jump!(to);
                        }
                    }
                    Op::Or { w, d, a, b } => self.set_op(w, base, d, a, b, |a, b| a | b),
                    Op::And { w, d, a, b } => self.set_op(w, base, d, a, b, |a, b| a & b),
                    Op::AndNot { w, d, a, b } => self.set_op(w, base, d, a, b, |a, b| a & !b),
                    Op::SameSet { w, d, a, b } => {
                        let (a, b, w) = (at(base, a), at(base, b), usize::from(w));
                        m!(d) = i64::from(self.st.mem[a..a + w] == self.st.mem[b..b + w]);
                    }
                    Op::Count { w, d, a } => {
                        let a = at(base, a);
                        let words = &self.st.mem[a..a + usize::from(w)];
                        m!(d) = words.iter().map(|word| i64::from(word.count_ones())).sum();
                    }
                    Op::JumpEmpty { w, a, to } => {
                        if !self.any(w, at(base, a)) {
                            jump!(to);
                        }
                    }
                    Op::JumpAny { w, a, to } => {
                        if self.any(w, at(base, a)) {
                            jump!(to);
                        }
                    }
                    Op::InsertBit { set, a } => {
                        let bit = m!(a);
                        if bit >= 0 {
                            self.st.mem[at(base, set) + (bit as usize >> 6)] |= 1 << (bit & 63);
                        }
                    }
                    Op::InsertEntity { set, a } => {
                        if let Some(bit) = self.bit_of(m!(a)) {
                            self.st.mem[at(base, set) + (bit >> 6)] |= 1 << (bit & 63);
                        }
                    }
                    Op::HasBit { d, set, a } => {
                        let bit = m!(a);
                        m!(d) = if bit < 0 {
                            0
                        } else {
                            (self.st.mem[at(base, set) + (bit as usize >> 6)] >> (bit & 63)) & 1
                        };
                    }
                    Op::HasEntity { d, set, a } => m!(d) = i64::from(self.has_entity(at(base, set), m!(a))),
                    Op::NextBit { w, d, set, to } => match self.take_first(usize::from(w), at(base, set)) {
                        Some(bit) => m!(d) = bit as i64,
                        None => jump!(to),
                    },
                    Op::NextEntity { d, set, to } => {
                        match self.take_first(usize::from(p.layout.entity_set), at(base, set)) {
                            Some(slot) => m!(d) = self.reference(slot),
                            None => jump!(to),
                        }
                    }
                    Op::NextItem { d, list, i, to } => {
                        let (start, index) = (at(base, list), m!(i));
                        if index < self.st.mem[start] {
                            m!(d) = self.st.mem[start + 1 + index as usize];
                            m!(i) = index + 1;
                        } else {
                            jump!(to);
                        }
                    }
                    Op::Field { d, e, f } => {
                        let fields = &p.fields[usize::from(f)];
                        m!(d) = match (slot_of(m!(e)), self.entry_of(m!(e))) {
                            (Some(_), Some(entry)) => fields[entry],
                            // What was made without a definition has the kind's default, which stands last.
                            (Some(_), None) => fields.last().copied().unwrap_or(NIL),
                            (None, _) => NIL,
                        };
                    }
                    Op::Prop { n: 1, d, e, at: offset } => {
                        m!(d) = match self.record(m!(e)) {
                            Some((record, true)) => self.st.mem[record + usize::from(offset)],
                            _ => self.last_prop(m!(e), offset),
                        };
                    }
                    Op::PlayerProp { n, d, e, at: offset } => {
                        let (player, d) = (m!(e), at(base, d));
                        if player < 0 {
                            self.st.mem[d..d + usize::from(n.max(1))].fill(if n == 1 { NIL } else { 0 });
                        } else {
                            let start =
                                p.layout.players + player as usize * p.layout.player_words + usize::from(offset);
                            let n = self.width(n, start);
                            self.st.mem.copy_within(start..start + n, d);
                        }
                    }
                    Op::Holder { d, e } => m!(d) = self.holder(m!(e)),
                    Op::IsKind { d, e, kind } => {
                        m!(d) = match slot_of(m!(e)) {
                            Some(slot) => {
                                let set = p.layout.kind_set(crate::model::rules::KindId(u32::from(kind))).0;
                                (self.st.mem[usize::from(set) + (slot >> 6)] >> (slot & 63)) & 1
                            }
                            None => 0,
                        };
                    }
                    Op::ZoneOf { d, zone, p: player } => {
                        let (player, d, w) = (m!(player), at(base, d), usize::from(p.layout.entity_set));
                        if player < 0 {
                            self.st.mem[d..d + w].fill(0);
                        } else {
                            let set = p.layout.instances[usize::from(zone) + player as usize].set;
                            self.st.mem.copy_within(set..set + w, d);
                        }
                    }
                    Op::EmptySites { d, board } => self.empty_sites(at(base, d), board),
                    Op::Owned { d, kind, p: player } => {
                        let (player, d, w) = (m!(player), at(base, d), usize::from(p.layout.site_set));
                        let owner = if player < 0 { p.layout.seats } else { player as usize };
                        let set = p.layout.owned(0, kind, owner);
                        self.st.mem.copy_within(set..set + w, d);
                    }
                    Op::Checkpoint { .. } if !self.st.dirty => {}
                    Op::LongestLine { board, d, a, sites } => {
                        m!(d) = self.longest_line(usize::from(board), m!(a), at(base, sites));
                    }
                    Op::Call { d, proc, args } => {
                        // Read before it is written: the copy must not wait for the store.
                        let frame = self.st.frames[top];
                        self.st.frames[top].pc = pc as u32;
                        let (from, d) = (at(base, args), at(base, d) as u32);
                        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
                        let proc = ProcId(u32::from(proc));
                        let window = self.push_proc(proc, FrameKind::Proc, me, this, &frame)?;
                        let words = usize::from(p.procs[proc.index()].params);
                        self.st.mem.copy_within(from..from + words, window + 2);
                        self.st.frames[top + 1].ret = d;
                        continue 'frame;
                    }
                    Op::Return { n, a } => {
                        let from = at(base, a);
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
                        return Ok(Flow::Go);
                    }
                    _ => {
                        // Read before it is written: the copy must not wait for the store.
                        let frame = self.st.frames[top];
                        self.st.frames[top].pc = pc as u32;
                        match self.statement(op, &frame, base, entry)? {
                            Some(flow) => return Ok(flow),
                            None => pc = self.st.frames[top].pc as usize,
                        }
                    }
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn exhausted(&mut self, top: usize, pc: usize) -> Box<GameError> {
        self.st.frames[top].pc = pc as u32;
        self.error(Code::BudgetSpent, "this goes on for ever: the budget of one step is spent".to_owned())
    }

    #[cold]
    #[inline(never)]
    fn uncalculable(&mut self, top: usize, pc: usize, a: i64, b: i64) -> Box<GameError> {
        self.st.frames[top].pc = pc as u32;
        self.error(Code::Arithmetic, format!("cannot calculate with {a} and {b}"))
    }

    #[inline]
    fn set_op(&mut self, w: u8, base: usize, d: Slot, a: Slot, b: Slot, f: impl Fn(i64, i64) -> i64) {
        let (d, a, b) = (at(base, d), at(base, a), at(base, b));
        for word in 0..usize::from(w) {
            self.st.mem[d + word] = f(self.st.mem[a + word], self.st.mem[b + word]);
        }
    }

    /// How many words an `n` of an instruction means for a value at an address.
    #[inline]
    pub fn width(&self, n: u8, from: usize) -> usize {
        if n == 0 { 1 + self.st.mem[from].max(0) as usize } else { usize::from(n) }
    }

    #[inline]
    pub fn any(&self, w: u8, set: usize) -> bool {
        self.st.mem[set..set + usize::from(w)].iter().any(|word| *word != 0)
    }

    /// Whether a set has an entity.
    pub fn has_entity(&self, set: usize, entity: i64) -> bool {
        self.bit_of(entity).is_some_and(|bit| (self.st.mem[set + (bit >> 6)] >> (bit & 63)) & 1 == 1)
    }

    /// Takes the first member out of a set.
    #[inline]
    pub fn take_first(&mut self, w: usize, set: usize) -> Option<usize> {
        for index in 0..w {
            let word = self.st.mem[set + index] as u64;
            if word != 0 {
                self.st.mem[set + index] = (word & (word - 1)) as i64;
                return Some(index * 64 + word.trailing_zeros() as usize);
            }
        }
        None
    }

    /// The first member of a set.
    pub fn first(&self, w: usize, set: usize) -> Option<usize> {
        (0..w).find_map(|index| {
            let word = self.st.mem[set + index];
            (word != 0).then(|| index * 64 + word.trailing_zeros() as usize)
        })
    }

    /// Members of a set.
    pub fn members(&self, w: usize, set: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for index in 0..w {
            let mut word = self.st.mem[set + index] as u64;
            while word != 0 {
                found.push(index * 64 + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
        found
    }

    /// The definition of an entity.
    #[inline]
    pub fn entry_of(&self, entity: i64) -> Option<usize> {
        let slot = slot_of(entity)?;
        usize::try_from(self.st.mem[self.p.layout.entity(slot) + ent::ENTRY]).ok()
    }

    /// A stored property of an entity that is no longer what it was.
    #[inline(never)]
    pub fn last_prop(&self, entity: i64, offset: u16) -> i64 {
        match slot_of(entity) {
            Some(slot) => {
                let last = self.p.layout.last + slot * self.p.layout.last_words;
                self.st.mem[last + 3 + usize::from(offset) - ent::PROPS]
            }
            None => NIL,
        }
    }

    /// The player in whose zone an entity is, or to whom it belongs on a board.
    pub fn holder(&self, entity: i64) -> i64 {
        let Some((record, current)) = self.record(entity) else { return NIL };
        if !current {
            return self.st.mem[self.p.layout.last + slot_of(entity).unwrap_or(0) * self.p.layout.last_words];
        }
        match usize::try_from(self.st.mem[record + ent::PLACE]) {
            Ok(instance) => self.p.layout.instances[instance].player.map_or(NIL, i64::from),
            Err(_) => self.st.mem[record + ent::OWNER],
        }
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

    /// Waits for a decision.
    pub fn ask(&mut self, kind: PendingKind, seat: i64, site: usize) -> Flow {
        let pending = &mut self.st.pending;
        pending.kind = kind;
        pending.seat = seat;
        pending.site = site as u32;
        pending.answer = None;
        Flow::Suspended
    }
}
