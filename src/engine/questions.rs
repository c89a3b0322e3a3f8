//! What a decision asks in words, and whether the keys of its options say it already.

use super::Machine;
use super::api::Question;
use super::run::{Run, at};
use super::state::{PendingKind, State};
use super::words::Eyes;
use crate::base::Span;
use crate::model::rules::walk::may_ask;
use crate::model::rules::{ActionId, ProcBody, Qty, Rules, StmtKind, Ty};
use crate::program::{NIL, Program, Slot, TextPart, TextSite};

impl Program {
    /// Where an action asks first, if it does so by a choice of one thing that is made by whoever does it.
    fn first_choice(&self, action: ActionId) -> Option<Span> {
        let body = self.rules.actions.get(action.index())?.body;
        let ProcBody::Block(stmts) = &self.rules.procs.get(body.index())?.body else { return None };
        match &stmts.iter().find(|stmt| may_ask(stmt))?.kind {
            StmtKind::Choose(choose) if choose.by.is_none() && matches!(choose.qty, Qty::One) => Some(choose.span),
            _ => None,
        }
    }
}

/// So many options are named in a question that has no words of its own.
const FEW: usize = 3;

impl Machine {
    /// What is asked in the decision at hand, where the keys of its options do not say it: none for actions and offers,
    /// for sites, nor for cards and players where the content gives no words for it.
    pub fn question(&mut self, state: &State) -> Option<Question> {
        self.question_in(state, false)
    }

    /// The same question, in the language that the machine speaks.
    pub fn question_read(&mut self, state: &State) -> Option<Question> {
        self.question_in(state, true)
    }

    /// What all read of the question at hand and of an option that is taken, in the language that the machine speaks: of the question
    /// nothing if its words are not for all. None if not all may read the answer.
    pub fn answer_to_all(&mut self, state: &State, option: usize) -> Option<(String, String)> {
        let told = |run: &mut Run<'_>| {
            let question = run.open_question()?;
            let answer = match run.st.pending.kind {
                PendingKind::Action => run.action_name(run.option(option)?.branch)?,
                _ => run.keys().into_iter().nth(option)?,
            };
            Some((question, answer))
        };
        self.look(state, |run| run.spoken(told))
    }

    /// What all read of the words that an option begins an action with: the question, and the answer. None if it begins with none, or not
    /// all may read them.
    pub fn begins_in_words(&mut self, state: &State, option: usize) -> Option<(String, String)> {
        if !self.offers_actions(state) {
            return None;
        }
        let told = |run: &mut Run<'_>| {
            let chosen = run.option(option).filter(|chosen| chosen.value != NIL)?;
            run.open_question()?;
            let act =
                run.p.sites.actions[run.st.pending.site as usize].acts.get(usize::try_from(chosen.branch).ok()?)?;
            let span = run.p.first_choice(act.action).filter(|span| run.p.rules.openly.contains(span))?;
            let site = run.p.sites.chooses.iter().find(|site| site.span == span)?;
            let says_all = |prompt: &&TextSite| prompt.parts.iter().all(|part| matches!(part, TextPart::Text(_)));
            let prompt = site.prompt.as_ref().filter(says_all);
            let question = prompt.map_or_else(String::new, |prompt| run.text(prompt, 0, Eyes::Of(None)));
            Some((question, run.value_key(chosen.value, &site.ty, Eyes::Of(None))))
        };
        self.look(state, |run| run.spoken(told))
    }

    /// Whether an action was chosen in a state that is done in another: nothing is left of it to be decided.
    pub fn has_acted(&self, before: &State, after: &State) -> bool {
        before.pending.kind == PendingKind::Action && after.frames.len() <= before.frames.len()
    }

    /// Whether an action is to be chosen.
    pub fn offers_actions(&self, state: &State) -> bool {
        state.over.is_none() && state.pending.kind == PendingKind::Action
    }

    fn question_in(&mut self, state: &State, read: bool) -> Option<Question> {
        let (over, pending) = (state.over.is_some(), &state.pending);
        if over || matches!(pending.kind, PendingKind::Action | PendingKind::Offer | PendingKind::None) {
            return None;
        }
        let eyes = Eyes::of(pending.seat);
        let use_it = matches!(pending.kind, PendingKind::Ask | PendingKind::Announce | PendingKind::May)
            || pending.kind == PendingKind::Script && state.scripts.asks_yes_or_no();
        self.look(state, |run| {
            run.in_tongue(read, |run| {
                run.asks_in_words().then(|| Question { text: run.prompt(eyes), source: run.asking_card(eyes), use_it })
            })
        })
    }
}

impl Run<'_> {
    /// Whether the question at hand says something that the key of the answer does not.
    fn asks_in_words(&self) -> bool {
        let pending = &self.st.pending;
        let site = pending.site as usize;
        match pending.kind {
            PendingKind::Choose => {
                let info = &self.p.sites.chooses[site];
                let worded = info.prompt.is_some() || info.for_verb.is_some();
                let says_it = match info.ty.bare() {
                    Ty::Site(_) => true,
                    Ty::Entity(_) | Ty::Player => !worded,
                    _ => false,
                };
                pending.picked.is_empty() && !says_it
            }
            PendingKind::Option => self.p.sites.options[site].prompt.is_some(),
            PendingKind::Ask
            | PendingKind::Announce
            | PendingKind::May
            | PendingKind::Trigger
            | PendingKind::Split
            | PendingKind::Script => true,
            _ => false,
        }
    }

    /// What all may read of the question at hand, if all may read what is answered: nothing where its words name more than
    /// things which everybody sees, since a number in it might come from what only the one who is asked knows.
    fn open_question(&self) -> Option<String> {
        let (pending, sites) = (&self.st.pending, &self.p.sites);
        let at_hand = pending.site as usize;
        let (prompt, use_it) = match pending.kind {
            PendingKind::Ask => (sites.asks[at_hand].prompt.as_ref(), "use it?"),
            PendingKind::Option => (sites.options[at_hand].prompt.as_ref(), ""),
            PendingKind::Choose => (sites.chooses[at_hand].prompt.as_ref(), ""),
            PendingKind::Action if sites.actions[at_hand].response.is_none() => (None, ""),
            _ => return None,
        };
        // No card that somebody does not see may have led to it.
        let led = self.causes().iter().all(|cause| cause.is_open_to(None));
        let line = match pending.kind {
            PendingKind::Action => sites.actions[at_hand].span,
            _ => self.asking_line(),
        };
        if !led || !self.p.rules.openly.contains(&line) {
            return None;
        }
        let (Some(text), Some(frame)) = (prompt, self.st.frames.last()) else { return Some(use_it.to_owned()) };
        let base = frame.base as usize;
        let seen = |part: &TextPart| match part {
            TextPart::Text(_) => true,
            TextPart::Value(slot, ty) => {
                let value = self.st.mem[at(base, *slot)];
                match ty.bare() {
                    Ty::Entity(_) => value != NIL && self.is_seen(value, Eyes::Of(None)),
                    ty => *ty == Ty::Player,
                }
            }
        };
        Some(if text.parts.iter().all(seen) { self.text(text, base, Eyes::Of(None)) } else { use_it.to_owned() })
    }

    /// What an action is called that the decision at hand offers, without its arguments.
    fn action_name(&self, branch: i32) -> Option<String> {
        let site = &self.p.sites.actions[self.st.pending.site as usize];
        let action = site.acts.get(usize::try_from(branch).ok()?)?.action;
        Some(self.words().label(&self.p.rules.actions[action.index()].name))
    }

    /// The question at hand.
    pub fn prompt(&mut self, eyes: Eyes) -> String {
        let (kind, site) = (self.st.pending.kind, self.st.pending.site as usize);
        let base = self.st.frames.last().map_or(0, |frame| frame.base as usize);
        match kind {
            PendingKind::Choose => self.choice_prompt(site, base, eyes),
            PendingKind::Ask => {
                let asked = self.p.sites.asks[site].prompt.clone();
                asked.map_or("use it?".to_owned(), |text| self.text(&text, base, eyes))
            }
            PendingKind::Announce | PendingKind::May => {
                let source = self.st.pending.picked.first().copied().unwrap_or(NIL);
                format!("announce {}?", self.name_for(source, eyes))
            }
            PendingKind::Action => {
                let info = &self.p.sites.actions[site];
                match (&info.prompt, &info.response) {
                    (Some(text), _) => self.text(text, base, eyes),
                    (None, Some(_)) => self.action_prompt("respond?"),
                    (None, None) => self.action_prompt("choose an action"),
                }
            }
            PendingKind::Option => match (&self.p.sites.options[site].prompt, self.keys()) {
                (Some(text), _) => self.text(text, base, eyes),
                (None, keys) if keys.len() <= FEW => format!("{}?", keys.join(" or ")),
                (None, _) => "choose one".to_owned(),
            },
            PendingKind::Trigger => "which acts next?".to_owned(),
            PendingKind::Offer => self.offer_prompt(site, base, eyes),
            PendingKind::Split => self.split_prompt(),
            PendingKind::Draw => format!("the next card of {}", self.zone_name(site)),
            PendingKind::Roll => "a roll".to_owned(),
            PendingKind::Random => "a random pick".to_owned(),
            PendingKind::Script | PendingKind::Fate => self.script_prompt(eyes),
            PendingKind::None => String::new(),
        }
    }

    fn choice_prompt(&mut self, site: usize, base: usize, eyes: Eyes) -> String {
        let info = &self.p.sites.chooses[site];
        match (&info.prompt, info.for_verb) {
            (Some(text), _) => self.text(text, base, eyes),
            (None, Some(verb)) => {
                format!("choose what to {}", self.words().label(&self.p.rules.verbs[verb.index()].name))
            }
            (None, None) => format!("choose {}", kind_word(self.words(), &info.ty)),
        }
    }

    /// What follows the question where several are picked or put in order: how many, and which were.
    pub fn picked_so_far(&self, eyes: Eyes) -> String {
        let pending = &self.st.pending;
        match pending.kind {
            PendingKind::Choose => {}
            PendingKind::Script if !pending.picked.is_empty() => {
                let picked = pending.picked.iter().map(|word| self.script_key(*word, eyes));
                return format!(" (so far {})", picked.collect::<Vec<_>>().join(", "));
            }
            _ => return String::new(),
        }
        let info = &self.p.sites.chooses[pending.site as usize];
        let picked = pending.picked.iter().map(|value| self.value_words(&[*value], &info.ty, eyes));
        let picked = picked.collect::<Vec<_>>().join(", ");
        if info.many.is_some() {
            format!(" ({})", how_many(&picked, pending.least, pending.most))
        } else if info.order && !picked.is_empty() {
            format!(" (so far {picked})")
        } else {
            String::new()
        }
    }

    /// The content line that asks.
    pub fn asking_line(&self) -> Span {
        let site = self.st.pending.site as usize;
        match self.st.pending.kind {
            PendingKind::Choose => self.p.sites.chooses[site].span,
            PendingKind::Ask => self.p.sites.asks[site].span,
            PendingKind::Announce | PendingKind::May => self.p.rules.clauses[site].span,
            PendingKind::Offer => self.p.sites.offers[site].span,
            PendingKind::Split => self.p.sites.splits[site].span,
            PendingKind::Script | PendingKind::Fate => self.script_line(),
            PendingKind::Option => self.p.sites.options[site].span,
            _ => self.causes().first().map(|cause| cause.span).unwrap_or_default(),
        }
    }

    /// The card whose text asks.
    pub fn asking_card(&self, eyes: Eyes) -> Option<String> {
        let source = self.st.frames.last().map(|frame| frame.source)?;
        (source != NIL).then(|| self.name_for(source, eyes))
    }

    /// The questions of the first choices of the actions that are offered: alone, where there is but one, else behind
    /// some words, each with its action.
    fn action_prompt(&mut self, words: &str) -> String {
        let site = &self.p.sites.actions[self.st.pending.site as usize];
        let mut branches: Vec<(i32, bool)> = Vec::new();
        for choice in self.options().iter() {
            match branches.iter_mut().find(|(branch, _)| *branch == choice.branch) {
                Some((_, picks)) => *picks |= choice.value != NIL,
                None => branches.push((choice.branch, choice.value != NIL)),
            }
        }
        let mut asked: Vec<(usize, String)> = Vec::new();
        for (branch, _) in branches.iter().filter(|(_, picks)| *picks) {
            let Some((index, act)) = usize::try_from(*branch).ok().and_then(|at| Some((at, site.acts.get(at)?))) else {
                continue;
            };
            let prompt = self.first_prompt(act.action, act.args);
            asked.extend(
                prompt.filter(|prompt| asked.iter().all(|(_, other)| other != prompt)).map(|text| (index, text)),
            );
        }
        match asked.as_slice() {
            [] => words.to_owned(),
            [(_, only)] if branches.len() == 1 => only.clone(),
            several => {
                let name = |index: &usize| {
                    let action = site.acts.get(*index).and_then(|act| self.p.rules.actions.get(act.action.index()));
                    action.map_or(String::new(), |action| self.words().label(&action.name))
                };
                let told: Vec<String> =
                    several.iter().map(|(index, text)| format!("{}: {text}", name(index))).collect();
                format!("{words} ({})", told.join("; "))
            }
        }
    }

    /// The question of the first choice of an action.
    fn first_prompt(&mut self, action: ActionId, args: Slot) -> Option<String> {
        let frame = self.st.frames.last().copied()?;
        let (by, args) = (self.st.pending.seat, at(frame.base as usize, args));
        self.x.asking = true;
        let seen = self.openings(action, by, args, frame.event, &mut Vec::new());
        self.x.asking = false;
        let prompt = self.x.prompt.take();
        seen.ok().and(prompt)
    }
}

/// How many are to be picked, and which are, in words.
fn how_many(picked: &str, least: u32, most: u32) -> String {
    let range = match (least, most) {
        (least, most) if least == most => format!("exactly {most}"),
        (0, most) => format!("up to {most}"),
        (least, most) => format!("{least} to {most}"),
    };
    if picked.is_empty() { range } else { format!("{range}; so far {picked}") }
}

/// What is chosen, in a word.
fn kind_word(rules: &Rules, ty: &Ty) -> String {
    match ty {
        Ty::Entity(kind) => rules.label(&rules.kinds[kind.index()].name),
        Ty::Player => "a player".to_owned(),
        Ty::Site(_) => "a site".to_owned(),
        Ty::Number => "a number".to_owned(),
        Ty::Text => "a text".to_owned(),
        Ty::Enum(id) => rules.label(&rules.enums[id.index()].name),
        Ty::Direction(_) => "a direction".to_owned(),
        Ty::Maybe(inner) => kind_word(rules, inner),
        _ => "one".to_owned(),
    }
}
