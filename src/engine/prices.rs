//! Prices of gates that are tried out: whether a price can be paid is seen by paying it on a copy of the state, with all that
//! replaces, forbids and modifies what it does. What cannot be paid takes a counter out of its range, or is forbidden.

use super::budget::price;
use super::run::{Flow, R, Run};
use super::scratch::Paying;
use super::state::{Choice, DONE, EARLIER, Mode, PendingKind, State};

/// How many prices are tried within each other.
const DEEPEST: u16 = 24;
/// Where no action is that is being tried out.
const NOWHERE: usize = usize::MAX / 2;

impl Run<'_> {
    /// Whether the price of the gate at hand is being tried.
    pub(super) fn is_paying(&self, gate: u32) -> bool {
        self.x.paying.is_some_and(|paying| paying.gate == gate && paying.frame + 1 == self.st.frames.len())
    }

    /// Notes that a price which is being tried cannot be paid.
    pub(super) fn falls_short(&mut self) {
        if let Some(paying) = &mut self.x.paying {
            paying.short = true;
        }
    }

    /// The end of a gate's price, or where it is passed by.
    pub(super) fn priced(&self, gate: u32, paid: bool) -> Option<Flow> {
        let paying = self.x.paying.filter(|_| self.is_paying(gate))?;
        Some(if paid && !paying.short { Flow::Completes } else { Flow::Collected })
    }

    /// Whether there is a way to pay the price of a gate that begins here.
    pub(super) fn is_affordable(&mut self, gate: u32) -> R<bool> {
        if self.is_paying(gate) {
            return Ok(true);
        }
        let trial = self.borrow_state();
        self.pays(trial, gate)
    }

    /// Leaves the candidates of a gate's choice with which its price can be paid.
    pub(super) fn leave_affordable(&mut self, gate: u32, options: &mut Vec<Choice>) -> R<()> {
        let top = self.st.frames.len() - 1;
        let mut kept = 0;
        for index in 0..options.len() {
            let mut trial = self.borrow_state();
            trial.frames[top].pc -= 1;
            trial.pending.answer = Some(options[index]);
            trial.pending.kind = PendingKind::None;
            if self.pays(trial, gate)? {
                options[kept] = options[index];
                kept += 1;
            }
        }
        options.truncate(kept);
        Ok(())
    }

    /// Whether the gate of the innermost frame of a trial comes to the end of its price, and nothing is missing.
    fn pays(&mut self, mut trial: State, gate: u32) -> R<bool> {
        let frame = trial.frames.len() - 1;
        if self.x.probing >= DEEPEST {
            return Ok(true);
        }
        trial.frames[frame].mode = Mode::Action;
        self.spend(price::TRIAL + self.st.copied() as u64 / 32)?;
        let outer = self.x.paying.replace(Paying { gate, frame, short: false });
        let tried = std::mem::replace(&mut self.x.tried, NOWHERE);
        let (trace, rounds) = (self.x.trace.take(), std::mem::take(&mut self.x.rounds));
        self.x.probing += 1;
        let paid = Run { p: self.p, st: &mut trial, x: self.x, tongue: self.tongue }.comes_to_pay(gate, frame);
        self.x.probing -= 1;
        (self.x.trace, self.x.rounds) = (trace, rounds);
        (self.x.tried, self.x.paying) = (tried, outer);
        self.x.pool.push(trial);
        paid
    }

    fn comes_to_pay(&mut self, gate: u32, frame: usize) -> R<bool> {
        match self.run(frame)? {
            Flow::Completes => return Ok(true),
            Flow::Collected => return Ok(false),
            Flow::Suspended => {}
            // The price itself has ended what it stands in.
            Flow::Returned | Flow::Over | Flow::Go => return Ok(!self.is_short()),
        }
        let site = self.p.sites.chooses.get(self.st.pending.site as usize);
        let own = self.st.frames.len() == frame + 1
            && self.st.pending.kind == PendingKind::Choose
            && site.is_some_and(|site| site.price == Some(gate));
        if !own {
            // What others decide, or chance, is open.
            return Ok(!self.is_short());
        }
        let options = self.options().into_owned();
        for choice in options.into_iter().filter(|choice| ![EARLIER, DONE].contains(&choice.branch)) {
            let mut trial = self.borrow_state();
            trial.pending.answer = Some(choice);
            trial.pending.kind = PendingKind::None;
            if self.pays(trial, gate)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_short(&self) -> bool {
        self.x.paying.is_some_and(|paying| paying.short)
    }
}
