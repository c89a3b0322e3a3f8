//! Carries out what scripts give back, act by act. Each act that changes the game runs the procedure that was made for it
//! from the script's declaration, and so goes the way of all content. What a script arms is an armed clause like any other,
//! whose body goes on with the script.

use super::acts::{Among, Arming, Ask, Kept, Lasts, Running, Then, What, event_words};
use super::api::{CauseLink, Seat};
use super::budget::{MAX_ARMED, price};
use super::plain::Plain;
use super::run::{Flow, R, Run, at};
use super::script::place_at;
use super::state::{Arm, Choice, Frame, FrameKind, Hook, Mode, NONE, PendingKind, State, Until};
use super::words::Eyes;
use super::{Machine, acts::At};
use crate::base::{Code, limits};
use crate::model::rules::{Edge, HookEvent, ProcId, PropOwner, SpanId, Ty};
use crate::program::{NIL, touch};

impl Run<'_> {
    /// The instruction that runs a script which acts.
    pub fn act(&mut self, site: usize, base: usize, frame: &Frame) -> R<Option<Flow>> {
        let p = self.p;
        let info = &p.sites.scripts[site];
        let script = info.script.index();
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let (function, values) = if info.armed {
            let Some((stamp, _)) = info.args.first() else { return Ok(None) };
            let stamp = self.st.mem[at(base, *stamp)] as u32;
            let Some(kept) = self.take_kept(stamp) else { return Ok(None) };
            (kept.then, vec![kept.data.to_script()])
        } else {
            let values = info.args.iter().map(|(slot, ty)| {
                let (from, words) = (at(base, *slot), usize::from(p.layout.words(ty)));
                self.to_script(&self.st.mem[from..from + words], ty)
            });
            (p.rules.scripts[script].name.clone(), values.collect())
        };
        let called = self.script_call(script, me, this, frame.event)?;
        let acts = self.script_acts(&called, &function, values)?;
        if acts.is_empty() {
            return Ok(None);
        }
        if self.st.frames.len() >= super::budget::MAX_FRAMES {
            return Err(self.error(Code::TooManyFrames, "effects call each other too deeply".to_owned()));
        }
        let window = self.st.mem.len();
        self.st.mem.extend([me, this]);
        self.st.frames.push(Frame {
            kind: FrameKind::Script,
            proc: script as u32,
            base: window as u32,
            mode: Mode::Plain,
            ret: NONE,
            preset: NIL,
            cursor: self.st.scripts.running.len() as u32,
            pc: 0,
            ..*frame
        });
        self.st.scripts.running.push(Running { script: script as u32, acts, at: At::default() });
        Ok(Some(Flow::Go))
    }

    /// What was kept for an armed clause that goes off. If it stays armed, so does this.
    fn take_kept(&mut self, stamp: u32) -> Option<Kept> {
        let index = self.st.scripts.armed.iter().position(|kept| kept.stamp == stamp)?;
        if !self.st.arms.iter().any(|arm| arm.stamp == stamp) {
            return Some(self.st.scripts.armed.remove(index));
        }
        let kept = &mut self.st.scripts.armed[index];
        kept.left = kept.every;
        Some(kept.clone())
    }

    /// One act of the innermost script.
    pub fn acting_step(&mut self) -> R<Flow> {
        let top = self.st.frames.len() - 1;
        let frame = self.st.frames[top];
        self.spend(price::STATEMENT)?;
        let next = self.st.scripts.running.get(frame.cursor as usize).and_then(|running| running.acts.last()).cloned();
        let Some(act) = next else {
            self.st.scripts.running.truncate(frame.cursor as usize);
            self.pop();
            return Ok(Flow::Go);
        };
        if let Some(running) = self.st.scripts.running.last_mut() {
            running.at = act.at;
        }
        match act.what {
            What::Ask(ask) => return self.pose(&ask, &frame),
            What::Chance { among, then } => return self.draw_lots(&among, &then, &frame),
            _ => {
                if let Some(running) = self.st.scripts.running.last_mut() {
                    running.acts.pop();
                }
            }
        }
        match act.what {
            What::Do { verb, args } => {
                let rules = self.p.rules.clone();
                let may = rules.scripts[frame.proc as usize]
                    .acting
                    .as_ref()
                    .and_then(|acting| acting.verbs.get(verb as usize));
                let proc = may.and_then(|may| may.procs.get(args.len().saturating_sub(may.least)));
                if let Some(proc) = proc {
                    self.run_act(*proc, &args, &frame)?;
                }
            }
            What::Set { prop, of, value, increase } => {
                let rules = self.p.rules.clone();
                let may = rules.scripts[frame.proc as usize]
                    .acting
                    .as_ref()
                    .and_then(|acting| acting.sets.get(prop as usize));
                if let Some(may) = may {
                    let proc = if increase { may.increase.unwrap_or(may.set) } else { may.set };
                    let game = rules.props[may.prop.index()].owner == PropOwner::Game;
                    let args = if game { vec![value] } else { vec![of, value] };
                    self.run_act(proc, &args, &frame)?;
                }
            }
            What::Note(parts) => {
                self.spend(price::NOTE)?;
                self.trace_said(&parts);
            }
            What::Arm(arming) => self.arm_script(*arming, act.at, &frame)?,
            What::Cancel(name) => self.cancel(&name, &frame),
            What::Ask(_) | What::Chance { .. } => {}
        }
        Ok(Flow::Go)
    }

    /// Runs the procedure of an act.
    fn run_act(&mut self, proc: ProcId, args: &[Plain], frame: &Frame) -> R<()> {
        let base = frame.base as usize;
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let window = self.push_proc(proc, FrameKind::Proc, me, this, frame)?;
        if let Some(top) = self.st.frames.last_mut() {
            // What a script does in place of an event, or after one, belongs to it.
            top.stage = frame.stage;
        }
        let rules = self.p.rules.clone();
        let mut d = window + 2;
        for (value, local) in args.iter().zip(&rules.procs[proc.index()].locals) {
            self.store(d, value, &local.ty)?;
            d += usize::from(self.p.layout.words(&local.ty));
        }
        Ok(())
    }

    /// Puts a question of a script, or takes its answer.
    fn pose(&mut self, ask: &Ask, frame: &Frame) -> R<Flow> {
        match self.st.pending.answer.take() {
            Some(answer) => self.st.pending.picked.push(answer.value),
            None => self.st.pending.picked.clear(),
        }
        let words = ask.among.words();
        let asked = ask.who >= 0 && !self.is_out(ask.who);
        let wanted = if ask.order { words.len() } else { 1 };
        let picked = &self.st.pending.picked;
        if words.is_empty() || !asked {
            return self.go_on(&ask.then, Plain::Nothing, frame);
        }
        if picked.len() >= wanted {
            let answer = match ask.order {
                false => ask.among.value(picked.first().copied().unwrap_or(NIL)),
                true => Plain::List(picked.iter().map(|word| ask.among.value(*word)).collect()),
            };
            return self.go_on(&ask.then, answer, frame);
        }
        let open: Vec<i64> = words.into_iter().filter(|word| !picked.contains(word)).collect();
        self.few_enough(open.len())?;
        self.st.pending.options.clear();
        self.st.pending.options.extend(open.into_iter().map(|value| Choice { branch: 0, value, weight: 1 }));
        Ok(self.ask(PendingKind::Script, ask.who, 0))
    }

    /// Lets chance decide for a script.
    fn draw_lots(&mut self, among: &Among, then: &Then, frame: &Frame) -> R<Flow> {
        let options: Vec<Choice> =
            among.words().into_iter().map(|value| Choice { branch: 0, value, weight: 1 }).collect();
        self.spend_on(options.len())?;
        if options.is_empty() {
            return self.go_on(then, Plain::Nothing, frame);
        }
        let key = |run: &Self, value: i64| run.told(&among.value(value), Eyes::All);
        let Some(choice) = self.outcome_by(&options, key, PendingKind::Fate, 0)? else {
            return Ok(Flow::Suspended);
        };
        if matches!(among, Among::Numbers(..)) {
            self.trace_roll(choice.value);
        }
        self.go_on(then, among.value(choice.value), frame)
    }

    /// A function of the same script goes on with an answer and its data; what it gives back comes before what waits.
    fn go_on(&mut self, then: &Then, answer: Plain, frame: &Frame) -> R<Flow> {
        let base = frame.base as usize;
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let mut acts = Vec::new();
        if then.is_told() {
            let called = self.script_call(frame.proc as usize, me, this, frame.event)?;
            acts = self.script_acts(&called, &then.function, vec![answer.to_script(), then.data.to_script()])?;
        }
        let Some(running) = self.st.scripts.running.last_mut() else { return Ok(Flow::Go) };
        running.acts.pop();
        running.acts.append(&mut acts);
        if running.acts.len() > limits::SCRIPT_WAITING {
            let message = format!("more than {} acts of a script wait", limits::SCRIPT_WAITING);
            return Err(self.error(Code::ScriptLimit, message));
        }
        Ok(Flow::Go)
    }

    /// Arms a clause that goes on with the script.
    fn arm_script(&mut self, arming: Arming, place: At, frame: &Frame) -> R<()> {
        let limit = limits::SCRIPT_ARMED;
        if self.st.scripts.armed.len() >= limit || self.st.arms.len() >= MAX_ARMED {
            let message = format!("scripts have armed more than {limit} things at a time");
            return Err(self.error(Code::ScriptLimit, message));
        }
        self.spend_on(arming.then.data.size())?;
        let base = frame.base as usize;
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let script = &self.p.rules.scripts[frame.proc as usize];
        let Some(may) = script.acting.as_ref().and_then(|acting| acting.arms.get(arming.event as usize)) else {
            return Ok(());
        };
        let clause = may.clauses[usize::from(arming.announced)][usize::from(arming.once)];
        let until = match arming.until {
            Lasts::Always => Until::Never,
            Lasts::Here => Until::Gone,
            Lasts::EndOf(span) => Until::EndOf(span),
            Lasts::StartOf(span, seat) => Until::StartOf(span, seat),
        };
        self.st.stamp += 1;
        let stamp = self.st.stamp as u32;
        let start = self.st.arm_words.len() as u32;
        self.st.arm_words.push(i64::from(stamp));
        self.st.arms.push(Arm {
            clause: clause.index() as u32,
            source: if this == NIL { frame.source } else { this },
            me,
            stamp,
            until,
            void: false,
            bound: until == Until::Gone && this != NIL,
            at: start,
            words: 1,
        });
        self.st.scripts.armed.push(Kept {
            stamp,
            script: frame.proc,
            name: arming.name,
            event: arming.event,
            of: arming.of,
            every: arming.turns,
            left: arming.turns,
            when: arming.when,
            then: arming.then.function,
            data: arming.then.data,
            at: place,
        });
        self.st.touch(touch::OTHER);
        Ok(())
    }

    /// Ends what a script has armed under a name, for the same card.
    fn cancel(&mut self, name: &str, frame: &Frame) {
        let this = self.st.mem[frame.base as usize + 1];
        let source = if this == NIL { frame.source } else { this };
        let scripts = &self.st.scripts.armed;
        let ends = |arm: &Arm| {
            arm.source == source
                && scripts.iter().any(|kept| kept.stamp == arm.stamp && kept.script == frame.proc && kept.name == name)
        };
        self.st.arms.retain(|arm| !ends(arm));
        self.forget_kept();
        self.st.touch(touch::OTHER);
    }

    /// Forgets what was kept for armed clauses that are gone.
    pub fn forget_kept(&mut self) {
        if !self.st.scripts.armed.is_empty() {
            let arms = &self.st.arms;
            self.st.scripts.armed.retain(|kept| arms.iter().any(|arm| arm.stamp == kept.stamp));
        }
    }

    /// A turn or phase begins or ends that something waits for.
    pub fn count_down(&mut self, span: SpanId, start: bool, player: i64) {
        let rules = &self.p.rules;
        let event = HookEvent::Span(if start { Edge::Start } else { Edge::End }, span);
        for kept in &mut self.st.scripts.armed {
            let acting = rules.scripts[kept.script as usize].acting.as_ref();
            let waits = acting.and_then(|acting| acting.arms.get(kept.event as usize)).map(|may| may.event);
            if waits == Some(event) && kept.of.is_none_or(|of| of == player) {
                kept.left = kept.left.saturating_sub(1);
            }
        }
    }

    /// Whether an armed clause of a script goes off at an event; any other does.
    pub fn goes_off(&mut self, hook: &Hook, index: u32) -> R<bool> {
        let Some(kept) = self.st.scripts.armed.iter().find(|kept| kept.stamp == hook.arm) else { return Ok(true) };
        let rules = self.p.rules.clone();
        let acting = rules.scripts[kept.script as usize].acting.as_ref();
        let event = acting.and_then(|acting| acting.arms.get(kept.event as usize)).map(|may| may.event);
        let whose = match event {
            Some(HookEvent::Span(..)) => self.event(index).map(|event| self.event_args(event)[0]),
            _ => self.event(index).map(|event| event.actor),
        };
        let counted = !matches!(event, Some(HookEvent::Span(..))) || kept.left == 0;
        if !counted || kept.of.is_some() && kept.of != whose {
            return Ok(false);
        }
        let Some(when) = kept.when.clone() else { return Ok(true) };
        let (script, data) = (kept.script as usize, kept.data.to_script());
        let called = self.script_call(script, hook.me, hook.source, index)?;
        self.script_says(&called, &when, vec![data])
    }

    /// The lines of scripts that are being carried out, the innermost first, each with the place of its frame.
    pub fn script_lines(&self) -> Vec<(u32, CauseLink)> {
        let frames = self.st.frames.iter().rev().filter(|frame| frame.kind == FrameKind::Script);
        let links = frames.filter_map(|frame| {
            let script = &self.p.rules.scripts[frame.proc as usize];
            let place = self.st.scripts.running.get(frame.cursor as usize)?.at;
            let span = place_at(script, place.line as usize, place.column as usize);
            Some((frame.base, CauseLink { what: format!("script {}", script.name), known: u64::MAX, span }))
        });
        links.collect()
    }

    fn asked_now(&self) -> Option<&Among> {
        match &self.st.scripts.at_hand()?.what {
            What::Ask(ask) => Some(&ask.among),
            What::Chance { among, .. } => Some(among),
            _ => None,
        }
    }

    fn asks_by_script(&self) -> bool {
        matches!(self.st.pending.kind, PendingKind::Script | PendingKind::Fate)
    }

    /// The key of an answer to a script.
    pub fn script_key(&self, value: i64, eyes: Eyes) -> String {
        match self.asked_now().map(|among| among.value(value)) {
            Some(Plain::Thing(thing)) => self.option_key(thing, &Ty::Entity(crate::model::rules::CARD), eyes),
            Some(value) => self.told(&value, eyes),
            None => String::new(),
        }
    }

    /// The question of a script.
    pub fn script_prompt(&self, eyes: Eyes) -> String {
        match self.st.scripts.at_hand().map(|act| &act.what) {
            Some(What::Ask(ask)) => self.told_parts(&ask.prompt, eyes),
            Some(What::Chance { among: Among::Numbers(..), .. }) => "a roll".to_owned(),
            _ => "a random pick".to_owned(),
        }
    }

    /// A line of a script: texts and values one after the other.
    pub fn told_parts(&self, parts: &[Plain], eyes: Eyes) -> String {
        parts.iter().map(|part| self.told(part, eyes)).collect()
    }

    pub fn puts_in_order(&self) -> bool {
        self.asks_by_script()
            && matches!(self.st.scripts.at_hand().map(|act| &act.what), Some(What::Ask(Ask { order: true, .. })))
    }

    pub fn asks_a_number(&self) -> bool {
        self.asks_by_script() && matches!(self.asked_now(), Some(Among::Numbers(..)))
    }

    pub fn asks_yes_or_no(&self) -> bool {
        self.st.pending.kind == PendingKind::Script && self.st.scripts.asks_yes_or_no()
    }

    /// What an answer to a script is, and its type.
    pub fn script_option(&self, value: i64) -> Option<(i64, Ty)> {
        match self.asked_now().filter(|_| self.asks_by_script())?.value(value) {
            Plain::Thing(thing) => Some((thing, Ty::Entity(crate::model::rules::CARD))),
            Plain::Player(seat) => Some((seat, Ty::Player)),
            Plain::Site(board, site) => Some((site, Ty::Site(self.p.rules.board_id(board as usize)))),
            _ => None,
        }
    }

    /// The line of the script that asks.
    pub fn script_line(&self) -> crate::base::Span {
        self.script_lines().first().map(|(_, cause)| cause.span).unwrap_or_default()
    }
}

impl Machine {
    /// What scripts have armed, as a seat or a spectator knows it: what it waits for, by whose doing and for which card, with
    /// which data, and the line of the script. The data is for the player who has armed it.
    pub fn armed(&mut self, state: &State, seat: Option<Seat>) -> Vec<(String, crate::base::Span)> {
        if state.scripts.armed.is_empty() {
            return Vec::new();
        }
        self.look(state, |run| run.armed_words(Eyes::Of(seat)))
    }
}

impl Run<'_> {
    fn armed_words(&self, eyes: Eyes) -> Vec<(String, crate::base::Span)> {
        let told = |kept: &Kept| {
            let arm = self.st.arms.iter().find(|arm| arm.stamp == kept.stamp)?;
            let script = &self.p.rules.scripts[kept.script as usize];
            let may = script.acting.as_ref()?.arms.get(kept.event as usize)?;
            let mut words = match arm.source {
                NIL => script.name.clone(),
                source => format!("{} of {}", script.name, self.name_for(source, eyes)),
            };
            if arm.me != NIL {
                words.push_str(&format!(", armed by {}", self.seat_name(arm.me)));
            }
            words.push_str(&format!(", waits for {}", event_words(self, may.stage, may.event)));
            if let Some(of) = kept.of {
                words.push_str(&format!(" of {}", self.seat_name(of)));
            }
            if kept.left > 1 {
                words.push_str(&format!(", {} times", kept.left));
            }
            let own = eyes == Eyes::All || Seat::try_from(arm.me).is_ok_and(|me| eyes == Eyes::Of(Some(me)));
            if own && self.may_know(kept.script, arm.me, eyes) && kept.data != Plain::Nothing {
                words.push_str(&format!(", with {}", self.told(&kept.data, eyes)));
            }
            Some((words, place_at(script, kept.at.line as usize, kept.at.column as usize)))
        };
        self.st.scripts.armed.iter().filter_map(told).collect()
    }
}
