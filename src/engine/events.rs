//! The course of an event: cannot, instead, before, body, after. Each stage is a step of its frame, so that any of
//! them can wait for a decision.

use super::api::Upshot;
use super::batch::part;
use super::budget::{MAX_WAITING, price};
use super::run::{Flow, NOT_BEGUN, R, Run, at};
use super::state::{Event, Frame, FrameKind, Hook, NONE, PendingKind, Queued, Used, generation_of, slot_of};
use crate::base::Code;
use crate::model::rules::{ClauseHome, ClauseId, ClauseKind, HookEvent, Stage, Ty, VerbId};
use crate::program::{NIL, Need, ent, touch};

/// Stages of an event's frame.
pub(super) mod stage {
    pub const CANNOT: u8 = 0;
    pub const INSTEAD: u8 = 1;
    pub const BEFORE: u8 = 2;
    pub const BODY: u8 = 3;
    pub const AFTER: u8 = 4;
    pub const DONE: u8 = 5;
}

/// Marks the frame of an `instead` body, and those of the bodies of what is done there: their events belong to the lineage of the event that
/// is replaced. Where an event begins in [`State::used`](super::state::State::used) its frame says; what has acted before it there belongs
/// to those that led to it, and what acts behind that is forgotten when it is over, so that of two events in one body neither knows what
/// has acted in the other's place.
pub(super) const REPLACING: u8 = 9;
/// Marks the frame of an `after` body: what its event has moved can be moved on.
pub(super) const FOLLOWING: u8 = 10;

impl Run<'_> {
    /// The instruction that performs a verb.
    pub fn call_verb(&mut self, site: usize, args: usize, frame: &Frame) -> R<Option<Flow>> {
        if frame.stage == FOLLOWING {
            self.each_thing(self.p.sites.verbs[site].verb, args, |run, at, _| {
                run.st.mem[at] = run.followed(run.st.mem[at]);
            });
        }
        match self.event_of(site, args, frame) {
            Some(event) => {
                self.note_upshot(Upshot::Done);
                self.begin_event(event, FrameKind::Event, args)
            }
            None => {
                if self.x.upshots.is_some() && self.args_have_left(site, args) {
                    self.note_upshot(Upshot::Gone);
                }
                Ok(None)
            }
        }
    }

    /// Whether what a verb does may be done in its place: nobody listens, and what it needs is there.
    pub fn verb_opens(&mut self, site: usize, base: usize) -> bool {
        let info = &self.p.sites.verbs[site];
        if self.x.budget < price::EVENT || self.x.listens() {
            return false;
        }
        let (args, words) = (at(base, info.args), info.words.iter().sum::<u16>());
        let opens = !self.lacks(site, &self.st.mem[args..args + usize::from(words)]);
        if opens {
            self.x.budget -= price::EVENT;
        }
        opens
    }

    /// Whether one of the things that a verb's call needs is no longer what it was.
    fn args_have_left(&self, site: usize, mut at: usize) -> bool {
        let info = &self.p.sites.verbs[site];
        info.needed.iter().zip(&info.words).any(|(need, words)| {
            let word = self.st.mem.get(at).copied().unwrap_or(NIL);
            at += usize::from(*words);
            *need == Need::Entity && self.has_left(word)
        })
    }

    /// The event of a verb's call, unless an argument that it needs is missing.
    pub fn event_of(&self, site: usize, args: usize, frame: &Frame) -> Option<Event> {
        let info = &self.p.sites.verbs[site];
        let words: u16 = info.words.iter().sum();
        if self.lacks(site, &self.st.mem[args..args + usize::from(words)]) {
            return None;
        }
        let lineage = if frame.stage == REPLACING {
            self.event(frame.event).map_or(self.st.used.len() as u32, |event| event.lineage)
        } else {
            self.st.used.len() as u32
        };
        Some(Event {
            verb: info.verb.index() as u32,
            args: self.st.mem.len() as u32,
            words,
            cause: frame.cause,
            changed: false,
            actor: self.st.mem[frame.base as usize],
            source: frame.source,
            ignoring: info.ignoring,
            lineage,
            done: false,
            part: 0,
            gone: 0,
        })
    }

    /// Whether an argument is missing that the call of a verb needs.
    pub fn lacks(&self, site: usize, args: &[i64]) -> bool {
        let info = &self.p.sites.verbs[site];
        let mut at = 0;
        info.needed.iter().zip(&info.words).any(|(need, words)| {
            let word = args.get(at).copied().unwrap_or(NIL);
            at += usize::from(*words);
            self.is_missing(word, *need)
        })
    }

    /// Whether an argument is not there, if it must be.
    pub fn is_missing(&self, word: i64, need: Need) -> bool {
        match need {
            Need::Nothing => false,
            Need::Value => word == NIL,
            Need::Entity => !self.record(word).is_some_and(|(_, current)| current),
        }
    }

    pub fn begin_event(&mut self, event: Event, kind: FrameKind, args: usize) -> R<Option<Flow>> {
        if self.st.frames.len() >= super::budget::MAX_FRAMES {
            let message = "effects cause each other too deeply".to_owned();
            return Err(self.error(crate::base::Code::TooManyFrames, message));
        }
        self.spend(price::EVENT)?;
        let base = self.st.mem.len();
        let words = usize::from(event.words);
        self.st.mem.resize(base + words, 0);
        self.st.mem.copy_within(args..args + words, base);
        let first = self.first_stage(&event);
        let at_once = first == stage::AFTER;
        // What proceeds goes on, and began before.
        let going_on = self.st.frames.last().filter(|_| kind == FrameKind::Proceed).and_then(|body| {
            let of = |frame: &&Frame| {
                matches!(frame.kind, FrameKind::Event | FrameKind::Proceed) && frame.event == body.event
            };
            self.st.frames.iter().rev().find(of)
        });
        let begun = going_on.map_or(self.st.used.len() as u32, |frame| frame.cursor);
        self.st.events.push(event);
        self.st.frames.push(Frame {
            kind,
            stage: first,
            proc: event.verb,
            base: base as u32,
            ret: NONE,
            event: self.st.events.len() as u32 - 1,
            cursor: begun,
            mode: super::state::Mode::Plain,
            cause: event.cause,
            source: event.source,
            preset: NIL,
            pc: 0,
        });
        if at_once {
            self.push_body(&event, self.st.frames.len() - 1)?;
        }
        Ok(Some(Flow::Go))
    }

    /// The first stage of an event at which something may be hooked: `AFTER` where its body can be begun at once.
    fn first_stage(&self, event: &Event) -> u8 {
        let verb = HookEvent::Verb(VerbId(event.verb));
        let hooked = self.is_hooked(&self.p.verb_hooked[event.verb as usize]);
        if event.part != 0 {
            return if hooked { stage::CANNOT } else { stage::BODY };
        }
        if !hooked {
            return stage::AFTER;
        }
        if !self.st.arms.is_empty() {
            return stage::CANNOT;
        }
        let none = |stage| self.p.hooks_of(verb, stage).is_empty();
        let sees_gone = |clause: &ClauseId| {
            let clause = &self.p.rules.clauses[clause.index()].kind;
            matches!(clause, ClauseKind::Hook { even_gone: true, .. })
        };
        match (none(Stage::Cannot), none(Stage::Instead), none(Stage::Before)) {
            (false, ..) => stage::CANNOT,
            (_, false, _) => stage::INSTEAD,
            (.., false) => stage::BEFORE,
            _ if self.p.hooks_of(verb, Stage::After).iter().any(sees_gone) => stage::BODY,
            _ => stage::AFTER,
        }
    }

    /// Begins the body of the event whose frame it is.
    fn push_body(&mut self, event: &Event, frame: usize) -> R<()> {
        let body = self.p.rules.verbs[event.verb as usize].body;
        let from = self.st.frames[frame];
        let window = self.push_proc(body, FrameKind::Proc, event.actor, NIL, &from)?;
        let (args, words) = (event.args as usize, usize::from(event.words));
        self.st.mem.copy_within(args..args + words, window + 2);
        if let Some(body) = self.st.frames.last_mut() {
            body.stage = mark(event, &from);
        }
        Ok(())
    }

    /// The instruction `proceed`: the event goes on with other arguments, unless one that it needs is missing.
    pub fn proceed(&mut self, site: usize, args: usize, frame: &Frame) -> R<Option<Flow>> {
        let info = &self.p.sites.proceeds[site];
        let Some(event) = self.event(frame.event).copied() else { return Ok(None) };
        let mut from = event.args as usize;
        let mut at = args;
        for (given, words) in info.given.iter().zip(&info.words) {
            let words = usize::from(*words);
            match given {
                None => self.st.mem.copy_within(from..from + words, at),
                Some(need) if self.is_missing(self.st.mem[at], *need) => return Ok(None),
                Some(_) => {}
            }
            at += words;
            from += words;
        }
        let event = Event { changed: true, done: false, args: self.st.mem.len() as u32, ..event };
        self.begin_event(event, FrameKind::Proceed, args)
    }

    /// One step of the innermost event.
    pub fn event_step(&mut self) -> R<Flow> {
        let top = self.st.frames.len() - 1;
        let frame = self.st.frames[top];
        let index = frame.event;
        let event = self.st.events[index as usize];
        let verb = HookEvent::Verb(VerbId(event.verb));
        match frame.stage {
            stage::CANNOT => {
                if let Some(hook) = self.stopper(verb, index, &[])? {
                    self.trace_stopped(&event, &hook);
                    if self.x.paying.is_some_and(|paying| paying.frame + 1 == top) {
                        self.falls_short();
                    }
                    self.st.frames[top].stage = stage::DONE;
                } else {
                    self.st.frames[top].stage = stage::INSTEAD;
                }
            }
            stage::INSTEAD => return self.instead_step(top, index, &event),
            stage::BEFORE if event.part == part::PROPOSED => {
                self.accept(&event);
                self.st.frames[top].stage = stage::DONE;
            }
            stage::BEFORE => match self.next_hook(verb, Stage::Before, index)? {
                Some(hook) => {
                    self.use_hook(&hook);
                    self.spent(&hook);
                    self.run_hook(&hook, index, mark(&event, &frame))?;
                }
                None if event.part == part::ACCEPTED => self.st.frames[top].stage = stage::DONE,
                None => self.st.frames[top].stage = stage::BODY,
            },
            stage::BODY => {
                // Of events that happen at once, the hooks are seen to together.
                let alone = event.part == 0;
                self.st.frames[top].stage = if alone { stage::AFTER } else { stage::DONE };
                if alone && self.is_hooked(&self.p.verb_hooked[event.verb as usize]) {
                    self.queue_after(verb, index, true)?;
                }
                self.push_body(&event, top)?;
            }
            stage::AFTER if self.is_hooked(&self.p.verb_hooked[event.verb as usize]) => {
                self.queue_after(verb, index, false)?;
                self.end_event(&frame);
            }
            _ => self.end_event(&frame),
        }
        Ok(Flow::Go)
    }

    fn end_event(&mut self, frame: &Frame) {
        self.st.events.pop();
        if frame.kind == FrameKind::Event {
            self.st.used.truncate(frame.cursor as usize);
        }
        self.pop();
    }

    /// Whether a verb could do something with the arguments that lie somewhere: what it needs is there, as far as that
    /// is known, and no `cannot` would stop it.
    pub fn targetable(&mut self, given: usize, site: usize, frame: &Frame) -> R<bool> {
        let info = &self.p.sites.targets[site];
        if info.needed.iter().any(|(word, need)| self.is_missing(self.st.mem[given + usize::from(*word)], *need)) {
            return Ok(false);
        }
        let event = HookEvent::Verb(info.verb);
        if self.p.hooks_of(event, Stage::Cannot).is_empty() {
            return Ok(true);
        }
        let verb = &self.p.rules.verbs[info.verb.index()];
        let words: usize = verb.params.iter().map(|param| usize::from(self.p.layout.words(&param.ty))).sum();
        let args = self.st.mem.len();
        self.st.mem.resize(args + words.max(1), 0);
        self.st.mem.copy_within(given..given + words, args);
        self.st.events.push(super::state::Event {
            verb: info.verb.index() as u32,
            args: args as u32,
            words: words as u16,
            cause: frame.cause,
            changed: false,
            actor: self.st.mem[frame.base as usize],
            source: frame.source,
            ignoring: info.ignoring,
            lineage: self.st.used.len() as u32,
            done: false,
            part: 0,
            gone: 0,
        });
        let index = self.st.events.len() as u32 - 1;
        let stopped = self.stopped(event, index, &info.unasked);
        self.st.events.pop();
        self.st.mem.truncate(args);
        Ok(!stopped?)
    }

    /// Whether a `cannot` stops the event.
    pub fn stopped(&mut self, event: HookEvent, index: u32, unasked: &[ClauseId]) -> R<bool> {
        Ok(self.stopper(event, index, unasked)?.is_some())
    }

    /// The first clause that forbids it.
    fn stopper(&mut self, event: HookEvent, index: u32, unasked: &[ClauseId]) -> R<Option<Hook>> {
        let mut hooks = self.take_hooks();
        self.standing(event, Stage::Cannot, index, &mut hooks)?;
        let mut stops = None;
        for hook in &hooks {
            let asked = !unasked.contains(&ClauseId(hook.clause));
            if asked && !self.ignored(hook, index) && self.matches(hook, index)? {
                stops = Some(*hook);
                break;
            }
        }
        self.give_hooks(hooks);
        Ok(stops)
    }

    fn instead_step(&mut self, top: usize, index: u32, event: &Event) -> R<Flow> {
        let answer = self.st.pending.answer.take();
        let verb = HookEvent::Verb(VerbId(event.verb));
        let Some(hook) = self.next_hook(verb, Stage::Instead, index)? else {
            self.st.frames[top].stage = stage::BEFORE;
            return Ok(Flow::Go);
        };
        if let Some(flow) = self.announce(&hook, answer) {
            return Ok(flow);
        }
        if self.st.pending.kind == PendingKind::None && answer.is_some_and(|answer| answer.value == 0) {
            // Silence: the hook was voided or passed over.
            self.use_hook(&hook);
            return Ok(Flow::Go);
        }
        self.use_hook(&hook);
        self.spent(&hook);
        self.st.frames[top].stage = stage::DONE;
        self.run_hook(&hook, index, REPLACING)?;
        Ok(Flow::Go)
    }

    /// Asks whether an announced or optional hook is used; `None` if it needs no asking or was answered.
    pub fn announce(&mut self, hook: &Hook, answer: Option<super::state::Choice>) -> Option<Flow> {
        let (announced, may) = match &self.p.rules.clauses[hook.clause as usize].kind {
            ClauseKind::Hook { announced, may, .. } => (*announced, *may),
            ClauseKind::Becomes { announced, .. } => (*announced, false),
            _ => (false, false),
        };
        if !announced && !may {
            return None;
        }
        if let Some(answer) = answer {
            self.st.pending.kind = PendingKind::None;
            if answer.value == 0 && announced {
                self.void(hook);
            }
            return None;
        }
        self.st.pending.options.clear();
        for value in [1, 0] {
            self.st.pending.options.push(super::state::Choice { branch: 0, value, weight: 1 });
        }
        let kind = if announced { PendingKind::Announce } else { PendingKind::May };
        self.st.pending.picked.clear();
        self.st.pending.picked.push(hook.source);
        Some(self.ask(kind, hook.me, hook.clause as usize))
    }

    /// Marks an announced hook that was not announced.
    fn void(&mut self, hook: &Hook) {
        let stamp = hook.arm;
        if let Some(arm) = self.st.arms.iter_mut().find(|arm| arm.stamp == stamp && stamp != NONE) {
            arm.void = true;
        }
        self.trace_void(hook);
    }

    /// Ends an armed hook that works once.
    pub fn spent(&mut self, hook: &Hook) {
        let next = match &self.p.rules.clauses[hook.clause as usize].kind {
            ClauseKind::Hook { next, .. } | ClauseKind::Becomes { next, .. } => *next,
            _ => false,
        };
        if next && hook.arm != NONE {
            // Its captured words are needed while its body runs, so they go when all armed clauses have gone.
            self.x.spent = self.st.arms.iter().find(|arm| arm.stamp == hook.arm).copied();
            self.st.arms.retain(|arm| arm.stamp != hook.arm);
        }
    }

    /// Notes that a hook has acted in this lineage.
    pub fn use_hook(&mut self, hook: &Hook) {
        self.st.used.push(Used { clause: hook.clause, source: hook.source, arm: hook.arm });
    }

    /// The first hook of a stage that has not acted in the lineage and whose condition holds.
    fn next_hook(&mut self, event: HookEvent, stage: Stage, index: u32) -> R<Option<Hook>> {
        let mut hooks = self.take_hooks();
        self.standing(event, stage, index, &mut hooks)?;
        // Before an event each acts once, in its place once of all that led to it.
        let lineage = match (stage, self.st.frames.last()) {
            (Stage::Before, Some(frame)) => frame.cursor as usize,
            _ => self.st.events[index as usize].lineage as usize,
        };
        self.spend_on(hooks.len() * (self.st.used.len() - lineage.min(self.st.used.len())))?;
        let mut found = None;
        for hook in &hooks {
            let used = Used { clause: hook.clause, source: hook.source, arm: hook.arm };
            let acted = self.st.used.get(lineage..).is_some_and(|list| list.contains(&used));
            if !acted && !self.ignored(hook, index) && self.matches(hook, index)? {
                found = Some(*hook);
                break;
            }
        }
        self.give_hooks(hooks);
        Ok(found)
    }

    /// Whether a call passes over the rule of a hook: it says so, or the card whose doing it is supersedes the rule.
    pub fn ignored(&self, hook: &Hook, index: u32) -> bool {
        let Some(event) = self.event(index) else { return false };
        let ClauseHome::Rule(group) = self.p.rules.clauses[hook.clause as usize].home else { return false };
        let named = event.ignoring != 0
            && self.p.sites.ignored.iter().position(|other| *other == group).is_some_and(|bit| {
                // A game that names more of them does not compile.
                (event.ignoring >> (bit & 63)) & 1 == 1
            });
        named
            || self.entry_of(event.source).is_some_and(|entry| self.p.rules.entries[entry].supersedes.contains(&group))
    }

    /// What an event has moved: in play, its `after` hooks speak of what it is now, unless they see things as they were;
    /// elsewhere, of what it was.
    pub fn follow(&mut self, index: u32, as_it_was: bool) {
        let event = self.st.events[index as usize];
        self.each_thing(VerbId(event.verb), event.args as usize, |run, at, word| {
            let Some((now, slot)) = run.moved_once(run.st.mem[at]) else { return };
            let in_play = usize::from(run.p.layout.in_play);
            if !as_it_was && (run.st.mem[in_play + slot / 64] >> (slot % 64)) & 1 == 1 {
                run.st.mem[at] = now;
            } else {
                run.st.events[index as usize].gone |= 1_u32.checked_shl(word).unwrap_or(0);
            }
        });
    }

    /// Calls a function for the arguments of a verb that are one thing each: address, and which word it is.
    fn each_thing(&mut self, verb: VerbId, args: usize, mut f: impl FnMut(&mut Self, usize, u32)) {
        let (p, mut word) = (self.p, 0);
        for param in &p.rules.verbs[verb.index()].params {
            if matches!(param.ty.bare(), Ty::Entity(_)) {
                f(self, args + word as usize, word);
            }
            word += u32::from(p.layout.words(&param.ty));
        }
    }

    /// What a thing is now that has become another one once, and its slot.
    fn moved_once(&self, thing: i64) -> Option<(i64, usize)> {
        let (slot, (record, _)) = (slot_of(thing)?, self.record(thing)?);
        let once = self.st.mem[record + ent::GENERATION] == generation_of(thing) + 1;
        once.then(|| (self.reference(slot), slot))
    }

    /// In the body of an `after`, what the event has moved is moved on as what it is now, once.
    #[inline(always)]
    pub fn followed(&self, thing: i64) -> i64 {
        match self.st.frames.last() {
            Some(frame) if frame.stage == FOLLOWING => self.followed_from(frame, thing),
            _ => thing,
        }
    }

    #[cold]
    fn followed_from(&self, frame: &Frame, thing: i64) -> i64 {
        let Some(event) = self.event(frame.event).filter(|event| event.gone != 0) else { return thing };
        let mut args = self.event_args(event).iter().take(32).enumerate();
        let moved = args.any(|(word, arg)| *arg == thing && (event.gone >> word) & 1 == 1);
        self.moved_once(thing).filter(|_| moved).map_or(thing, |(now, _)| now)
    }

    /// Puts the after-hooks of an event into the queue: those that see their own leaving before its body is done, the
    /// others once it is done.
    pub fn queue_after(&mut self, event: HookEvent, index: u32, even_gone: bool) -> R<()> {
        if let (HookEvent::Verb(_), false) = (event, even_gone) {
            self.follow(index, false);
        }
        let mut hooks = self.take_hooks();
        self.standing(event, Stage::After, index, &mut hooks)?;
        for hook in &hooks {
            let clause = &self.p.rules.clauses[hook.clause as usize].kind;
            let early = matches!(clause, ClauseKind::Hook { even_gone: true, .. });
            if early != even_gone || self.ignored(hook, index) || !self.matches(hook, index)? {
                continue;
            }
            if self.st.queue.len() >= MAX_WAITING {
                let message = format!("more than {MAX_WAITING} hooks wait for the next checkpoint");
                return Err(self.error(Code::TooManyEntities, message));
            }
            let record = self.st.events[index as usize];
            let at = self.st.queue_words.len() as u32;
            let (start, words) = (record.args as usize, usize::from(record.words));
            for word in start..start + words {
                let value = self.st.mem[word];
                self.st.queue_words.push(value);
            }
            self.st.queue.push(Queued { hook: *hook, event: record, at });
            self.st.touch(touch::OTHER);
        }
        self.give_hooks(hooks);
        Ok(())
    }

    /// Runs the body of a hook.
    pub fn run_hook(&mut self, hook: &Hook, index: u32, mark: u8) -> R<()> {
        let clause = &self.p.rules.clauses[hook.clause as usize];
        let body = match &clause.kind {
            ClauseKind::Hook { body, .. } => *body,
            ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => Some(*body),
            ClauseKind::Modify { .. } => None,
        };
        let Some(body) = body else { return Ok(()) };
        let from = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
        let rule = matches!(clause.home, ClauseHome::Rule(_));
        let window = self.push_proc(body, FrameKind::Proc, hook.me, hook.source, &from)?;
        self.fill_hook(window + 2, usize::from(self.p.procs[body.index()].params), hook, index);
        if let Some(frame) = self.st.frames.last_mut() {
            frame.event = index;
            frame.stage = mark;
            frame.cause = u8::from(rule);
            frame.source = if rule { from.source } else { hook.source };
        }
        Ok(())
    }

    /// The arguments of a hook's procedures: the event's, then what was captured.
    pub fn hook_words(&self, hook: &Hook, index: u32) -> Vec<i64> {
        let mut words = match self.event(index) {
            Some(event) => self.event_args(event).to_vec(),
            None => Vec::new(),
        };
        let arm = self.st.arms.iter().find(|arm| hook.arm != NONE && arm.stamp == hook.arm);
        let spent = self.x.spent.as_ref().filter(|arm| arm.stamp == hook.arm);
        if let Some(arm) = arm.or(spent) {
            let start = arm.at as usize;
            words.extend_from_slice(&self.st.arm_words[start..start + usize::from(arm.words)]);
        }
        words
    }
}

/// Whether an event belongs to the lineage of one that it came of.
pub(super) fn inherits(event: &Event, frame: &Frame) -> bool {
    event.lineage < frame.cursor
}

/// The mark of a frame of what an event does.
fn mark(event: &Event, frame: &Frame) -> u8 {
    if inherits(event, frame) { REPLACING } else { 0 }
}
