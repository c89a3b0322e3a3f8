//! Events that happen at once: `cannot` and `instead` are asked for all of them, then `before`, then all are carried out,
//! then their after-hooks wait. No hook but an after-hook sees what another of them has done.

use super::events::{inherits, stage};
use super::run::{Flow, R, Run};
use super::state::{Batched, Event, Frame, FrameKind, Mode, NONE};
use crate::model::rules::{HookEvent, VerbId};
use crate::program::NIL;

/// Parts of the course of an event that happens at once with others.
pub(super) mod part {
    /// It is asked whether it happens.
    pub const PROPOSED: u8 = 1;
    /// It will, and its `before` hooks run.
    pub const ACCEPTED: u8 = 2;
    /// Its body runs.
    pub const CARRIED_OUT: u8 = 3;
}

/// Stages of a batch's frame. Its first event is in `proc`, the end of those proposed in `ret`; those accepted follow.
mod step {
    pub const PROPOSE: u8 = 0;
    pub const BEFORE: u8 = 1;
    // After these all are carried out.
}

impl Run<'_> {
    /// The instruction that adds an event to those which happen at once.
    pub fn propose(&mut self, site: usize, args: usize, frame: &Frame) {
        let Some(event) = self.event_of(site, args, frame) else { return };
        let at = self.st.batch_words.len() as u32;
        self.st.batch_words.extend_from_slice(&self.st.mem[args..args + usize::from(event.words)]);
        // An event of its own has a lineage of its own, which begins when it does.
        let own = event.lineage as usize == self.st.used.len();
        let lineage = if own { NONE } else { event.lineage };
        self.st.batch.push(Batched { event: Event { lineage, ..event }, site: site as u32, at });
    }

    /// The instruction that lets the events from `first` on happen.
    pub fn commit(&mut self, first: usize, frame: &Frame) -> Option<Flow> {
        if self.st.batch.len() == first {
            return None;
        }
        self.st.frames.push(Frame {
            kind: FrameKind::Batch,
            stage: step::PROPOSE,
            base: self.st.mem.len() as u32,
            proc: first as u32,
            ret: self.st.batch.len() as u32,
            cursor: first as u32,
            event: NONE,
            mode: Mode::Plain,
            preset: NIL,
            ..*frame
        });
        Some(Flow::Go)
    }

    /// One step of the innermost batch.
    pub fn batch_step(&mut self) -> R<Flow> {
        let top = self.st.frames.len() - 1;
        let frame = self.st.frames[top];
        let (proposed, next) = (frame.ret as usize, frame.cursor as usize);
        let end = if frame.stage == step::PROPOSE { proposed } else { self.st.batch.len() };
        if next < end {
            self.st.frames[top].cursor += 1;
            let (stage, part) = match frame.stage {
                step::PROPOSE => (stage::CANNOT, part::PROPOSED),
                step::BEFORE => (stage::BEFORE, part::ACCEPTED),
                _ => (stage::BODY, part::CARRIED_OUT),
            };
            self.begin_batched(next, stage, part)?;
            return Ok(Flow::Go);
        }
        self.st.frames[top].cursor = frame.ret;
        self.st.frames[top].stage += 1;
        match frame.stage {
            step::PROPOSE => self.drop_lacking(proposed),
            step::BEFORE => self.queue_batch(proposed, true)?,
            _ => {
                self.queue_batch(proposed, false)?;
                let first = frame.proc as usize;
                let words = self.st.batch.get(first).map_or(0, |batched| batched.at as usize);
                self.st.batch.truncate(first);
                self.st.batch_words.truncate(words);
                self.pop();
            }
        }
        Ok(Flow::Go)
    }

    /// Begins a part of the course of an event.
    fn begin_batched(&mut self, at: usize, stage: u8, part: u8) -> R<()> {
        let (event, args) = self.unpacked(at);
        self.begin_event(Event { part, ..event }, FrameKind::Event, args)?;
        let hooked = self.is_hooked(&self.p.verb_hooked[event.verb as usize]);
        if let Some(begun) = self.st.frames.last_mut() {
            begun.base = args as u32;
            begun.stage = if hooked || stage == stage::BODY { stage } else { stage::BEFORE };
        }
        Ok(())
    }

    /// An event with its arguments on top of the memory.
    fn unpacked(&mut self, at: usize) -> (Event, usize) {
        let batched = self.st.batch[at];
        let args = self.st.mem.len();
        let (start, words) = (batched.at as usize, usize::from(batched.event.words));
        self.st.mem.extend_from_slice(&self.st.batch_words[start..start + words]);
        let lineage = if batched.event.lineage == NONE { self.st.used.len() as u32 } else { batched.event.lineage };
        (Event { args: args as u32, lineage, ..batched.event }, args)
    }

    /// An event that nothing forbade, with the arguments it has now, will be carried out.
    pub fn accept(&mut self, event: &Event) {
        let at = self.st.batch_words.len() as u32;
        let args = event.args as usize;
        self.st.batch_words.extend_from_slice(&self.st.mem[args..args + usize::from(event.words)]);
        // All events of a batch are of one call.
        let frame = self.st.frames.iter().rev().find(|frame| frame.kind == FrameKind::Batch);
        let first = frame.and_then(|frame| self.st.batch.get(frame.proc as usize));
        let site = first.map_or(0, |first| first.site);
        let inherits = self.st.frames.last().is_some_and(|frame| inherits(event, frame));
        let lineage = if inherits { event.lineage } else { NONE };
        self.st.batch.push(Batched { event: Event { lineage, ..*event }, site, at });
    }

    /// Leaves out what has lost an argument while others were replaced.
    fn drop_lacking(&mut self, accepted: usize) {
        for at in (accepted..self.st.batch.len()).rev() {
            let batched = self.st.batch[at];
            let start = batched.at as usize;
            let args = &self.st.batch_words[start..start + usize::from(batched.event.words)];
            if self.lacks(batched.site as usize, args) {
                self.st.batch.remove(at);
            }
        }
    }

    /// Puts the after-hooks of all events into the queue, in their order.
    fn queue_batch(&mut self, accepted: usize, even_gone: bool) -> R<()> {
        for at in accepted..self.st.batch.len() {
            let verb = self.st.batch[at].event.verb;
            if !self.is_hooked(&self.p.verb_hooked[verb as usize]) {
                continue;
            }
            let (event, args) = self.unpacked(at);
            self.st.events.push(event);
            let index = self.st.events.len() as u32 - 1;
            let queued = self.queue_after(HookEvent::Verb(VerbId(verb)), index, even_gone);
            self.st.events.pop();
            self.st.mem.truncate(args);
            queued?;
        }
        Ok(())
    }
}
