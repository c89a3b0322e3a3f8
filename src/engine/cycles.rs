//! Checkpoints without end: checks and hooks that bring the game back to a state it was in, or that go on for ever.

use super::api::{CauseLink, GameError};
use super::run::{R, Run};
use super::state::slot_of;
use crate::base::Code;
use crate::model::rules::{ClauseHome, ClauseKind, ProcId};
use crate::program::{NIL, ent};

/// Rounds of one checkpoint at the most.
const MAX_ROUNDS: u32 = crate::base::limits::ROUNDS;
/// How many of the last rounds are named where no state came twice.
const NAMED: usize = 8;

/// A round of a checkpoint: the state it began in, and the procedure it ran.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    state: u64,
    proc: Option<ProcId>,
}

impl Run<'_> {
    /// Ends a checkpoint that has come back to a state it was in, or that has too many rounds. What somebody decides
    /// may lead out of it, so that a decision begins the watch anew.
    pub fn watch_cycles(&mut self, top: usize, decided: bool) -> R<()> {
        if decided || self.st.frames[top].cursor == super::check::WATCHED + 1 {
            self.x.rounds.clear();
        }
        let state = self.fingerprint();
        if let Some(first) = self.x.rounds.iter().position(|round| round.state == state) {
            let rounds = self.x.rounds.split_off(first);
            return Err(self.endless("checks and hooks lead back to the same state, again and again", &rounds));
        }
        if self.st.frames[top].cursor > MAX_ROUNDS {
            let rounds = self.x.rounds.split_off(self.x.rounds.len().saturating_sub(NAMED));
            return Err(self.endless("checks and hooks lead to each other without end", &rounds));
        }
        self.x.rounds.push(Round { state, proc: None });
        Ok(())
    }

    /// Notes what a round began to run.
    pub fn note_round(&mut self, top: usize) {
        let begun = self.st.frames.get(top + 1).map(|frame| ProcId(frame.proc));
        if let Some(round) = self.x.rounds.last_mut() {
            round.proc = begun;
        }
    }

    /// The error that names what ran, each once, with its line.
    fn endless(&self, message: &str, rounds: &[Round]) -> Box<GameError> {
        let mut named: Vec<ProcId> = Vec::new();
        for proc in rounds.iter().filter_map(|round| round.proc) {
            if !named.contains(&proc) {
                named.push(proc);
            }
        }
        let mut error = self.error(Code::Repeats, message.to_owned());
        let links: Vec<CauseLink> = named.into_iter().map(|proc| self.clause_link(proc)).collect();
        if let Some(link) = links.first() {
            error.span = link.span;
        }
        error.causes.splice(0..0, links);
        error
    }

    /// The clause of which a procedure is the body, in words.
    fn clause_link(&self, proc: ProcId) -> CauseLink {
        let rules = &self.p.rules;
        let clause = rules.clauses.iter().find(|clause| match &clause.kind {
            ClauseKind::Hook { body, .. } => *body == Some(proc),
            ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => *body == proc,
            ClauseKind::Modify { .. } => false,
        });
        let own = &rules.procs[proc.index()];
        let home = match clause.map(|clause| clause.home) {
            Some(ClauseHome::Rule(group)) => format!(" of rule {}", rules.groups[group.index()].name),
            Some(ClauseHome::Entry(entry)) => format!(" of {}", rules.entries[entry.index()].name),
            Some(ClauseHome::Kind(kind)) => format!(" of every {}", rules.kinds[kind.index()].name),
            Some(ClauseHome::Armed) | None => String::new(),
        };
        CauseLink {
            known: u64::MAX,
            what: format!("{}{home}", own.name),
            span: clause.map_or(own.span, |clause| clause.span),
        }
    }

    /// A number for all that checks and hooks can see of the state, so that a state which comes again has it again.
    fn fingerprint(&self) -> u64 {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut add = |word: i64| hash = (hash ^ word as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
        let layout = &self.p.layout;
        self.st.mem[layout.constants.len()..layout.entities].iter().for_each(|word| add(*word));
        for slot in 0..layout.capacity {
            let record = layout.entity(slot);
            // When it entered and how often it changed only ever grow.
            for offset in (0..layout.entity_words).filter(|offset| ![ent::GENERATION, ent::ENTERED].contains(offset)) {
                add(self.st.mem[record + offset]);
            }
        }
        for arm in &self.st.arms {
            [i64::from(arm.clause), i64::from(arm.void), place(arm.source)].into_iter().for_each(&mut add);
            let start = arm.at as usize;
            self.st.arm_words[start..start + usize::from(arm.words)].iter().for_each(|word| add(*word));
        }
        for queued in &self.st.queue {
            [i64::from(queued.hook.clause), place(queued.hook.source)].into_iter().for_each(&mut add);
            let start = queued.at as usize;
            self.st.queue_words[start..start + usize::from(queued.event.words)].iter().for_each(|word| add(*word));
        }
        for (clause, source) in &self.st.held {
            [i64::from(*clause), place(*source)].into_iter().for_each(&mut add);
        }
        self.st.orphans.iter().for_each(|(orphan, _)| add(place(*orphan)));
        // Where chance is at work the next time may be another.
        let rng = serde_json::to_string(&self.st.rng).unwrap_or_default();
        rng.bytes().for_each(|byte| add(i64::from(byte)));
        hash
    }
}

/// The slot of an entity, whatever it was there.
fn place(entity: i64) -> i64 {
    slot_of(entity).map_or(NIL, |slot| slot as i64)
}
