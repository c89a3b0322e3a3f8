//! Checks of the model as a whole: what can never be reached, what is never used, and what would never end.

use std::collections::{BTreeMap, BTreeSet};

use super::body::Callee;
use super::check::{Checker, DefineState};
use super::rules::walk::{constant, each_listing};
use super::rules::{
    ActionId, ClauseHome, ClauseKind, Entry, EntryId, Expr, ExprKind, HookEvent, KindId, LocalId, ProcBody, ProcId,
    ProcRole, PropClass, PropId, RootKind, Rules, Stage, Ty, VerbId, WindowId, ZoneId,
};
use crate::base::{Code, Diagnostic, Span, limits};

impl Checker<'_> {
    /// All checks that need the whole model.
    pub(super) fn check_whole(&mut self) {
        self.settle_wholes();
        self.check_stat_cycles();
        self.check_suspension();
        self.check_can();
        self.check_unguarded();
        self.check_asked_before();
        self.check_endless_verbs();
        self.check_greedy();
        self.check_homes();
        self.check_zones_filled();
        self.check_used();
        self.ask_for_enough();
        self.move_piles();
        self.check_ranges();
        self.check_free_prices();
        self.ask_for_prices();
        self.check_limits();
        self.check_traps();
        self.check_colours();
        self.check_texts();
        self.laid = super::homes::homes(&self.rules);
        self.check_in_play();
        self.check_missing();
        self.check_group_firsts();
        self.check_unset();
        let bound = self.bound();
        self.check_strayed(bound.clone());
        self.check_apart(bound);
        self.check_unshuffled();
        self.check_arranged();
        self.check_idle_modifiers();
        self.check_delayed();
        self.check_unled();
        self.check_secrets();
        self.check_secret_blocks();
        self.check_hides();
        self.ask_for_somebody();
    }

    /// Verbs that speak of `me`, themselves or by others that they perform, and are performed where nobody acts: in `setup`, and in the `flow`
    /// outside of `turns`. In a scenario a verb may be tried out as the first player would perform it.
    fn check_unled(&mut self) {
        let body = |verb: VerbId| self.rules.verbs.get(verb.index()).map(|verb| verb.body);
        let performs =
            |proc: ProcId| self.logs.get(proc.index()).into_iter().flat_map(|log| log.performs.iter().copied());
        let procs = || (0..self.logs.len() as u32).map(ProcId);
        let mut about_me: BTreeSet<ProcId> = procs().filter(|proc| self.needs_me(*proc)).collect();
        loop {
            let by_others =
                |proc: &ProcId| performs(*proc).filter_map(|(verb, _)| body(verb)).any(|body| about_me.contains(&body));
            let more: Vec<ProcId> = procs().filter(|proc| !about_me.contains(proc) && by_others(proc)).collect();
            if more.is_empty() {
                break;
            }
            about_me.extend(more);
        }
        let staged = self.staged();
        let unled = |proc: &ProcId| {
            !staged.contains(proc) && self.rules.procs.get(proc.index()).is_some_and(|proc| proc.role == ProcRole::Flow)
        };
        let found: Vec<Diagnostic> = procs()
            .filter(unled)
            .flat_map(performs)
            .filter(|(verb, _)| body(*verb).is_some_and(|body| about_me.contains(&body)))
            .filter_map(|(id, span)| {
                let verb = self.rules.verbs.get(id.index())?;
                let message = format!("`{}` is about `me`, and nobody in particular acts here", verb.name);
                let help = format!(
                    "give it a player: `verb {} for p: player = me {{ ... }}`, with `p` in the place of `me`, and say who: `for p`",
                    verb.name
                );
                Some(Diagnostic::new(Code::NoPlayer, span, message).label(verb.span, "declared here").help(help))
            })
            .collect();
        found.into_iter().for_each(|found| self.report(found));
    }

    /// What a procedure runs or reads, by procedure.
    pub(super) fn calls(&self, proc: ProcId) -> impl Iterator<Item = (Callee, Span)> + '_ {
        self.logs.get(proc.index()).into_iter().flat_map(|log| log.calls.iter().copied())
    }

    /// The procedures behind what is called.
    pub(super) fn behind(&self, callee: Callee) -> Vec<ProcId> {
        match callee {
            Callee::Proc(proc) => vec![proc],
            Callee::Verb(id) => self.rules.verbs.get(id.index()).map(|verb| verb.body).into_iter().collect(),
            Callee::Action(id) | Callee::Can(id) => {
                self.rules.actions.get(id.index()).map(|action| action.body).into_iter().collect()
            }
            Callee::Window(id) => self.rules.windows.get(id.index()).map(|window| window.body).into_iter().collect(),
            Callee::Effect(prop) => self.effect_procs.get(&prop).cloned().unwrap_or_default(),
            Callee::Script(id) => {
                let acting = self.rules.scripts.get(id.index()).and_then(|script| script.acting.as_ref());
                acting.map(|acting| acting.procs().collect()).unwrap_or_default()
            }
            Callee::Stat(prop) => self.stat_procs(prop),
        }
    }

    /// The formula of a stat and what its modifiers are worked out from.
    fn stat_procs(&self, stat: PropId) -> Vec<ProcId> {
        let mut procs = Vec::new();
        if let Some(prop) = self.rules.props.get(stat.index())
            && let PropClass::Stat { formula } = prop.class
        {
            procs.push(formula);
        }
        procs.extend(self.modifiers.get(&stat).into_iter().flatten());
        procs
    }

    /// A stat may not depend on itself.
    fn check_stat_cycles(&mut self) {
        for clause in &self.rules.clauses {
            if let ClauseKind::Modify { stat, of, value, when, .. } = &clause.kind {
                let procs = [Some(*of), Some(*value), *when];
                self.modifiers.entry(*stat).or_default().extend(procs.into_iter().flatten());
            }
        }
        let stats: Vec<PropId> = (0..self.rules.props.len())
            .map(|index| PropId(index as u32))
            .filter(|id| {
                self.rules.props.get(id.index()).is_some_and(|prop| matches!(prop.class, PropClass::Stat { .. }))
            })
            .collect();
        let mut reported: BTreeSet<PropId> = BTreeSet::new();
        for stat in stats {
            if reported.contains(&stat) {
                continue;
            }
            let Some(path) = self.path_back(stat) else { continue };
            let names: Vec<String> = path.iter().map(|(id, _)| format!("`{}`", self.prop_name(*id))).collect();
            let name = self.prop_name(stat).to_owned();
            let span = self.prop_span(stat).unwrap_or_default();
            let mut found = Diagnostic::new(Code::StatCycle, span, format!("the stat `{name}` depends on itself"))
                .help("a stat is not worked out from itself, not even from that of other cards: read what that is worked out from, or add it in a `define`");
            if names.len() > 1 {
                found = found.note(format!(
                    "through {}",
                    names.iter().take(names.len() - 1).cloned().collect::<Vec<_>>().join(", then ")
                ));
            }
            if let Some((_, at)) = path.last() {
                found = found.label(*at, "it is read here");
            }
            reported.extend(path.iter().map(|(id, _)| *id));
            self.report(found);
        }
    }

    /// The stats on a way from a stat back to itself, each with the place where it is read.
    fn path_back(&self, from: PropId) -> Option<Vec<(PropId, Span)>> {
        let mut came: BTreeMap<PropId, (PropId, Span)> = BTreeMap::new();
        let mut queue = vec![from];
        while let Some(stat) = queue.pop() {
            for (next, span) in self.stats_read(stat) {
                if next == from {
                    let mut path = vec![(from, span)];
                    let mut at = stat;
                    while at != from
                        && let Some((before, span)) = came.get(&at)
                    {
                        path.push((at, *span));
                        at = *before;
                    }
                    path.reverse();
                    return Some(path);
                }
                if let std::collections::btree_map::Entry::Vacant(slot) = came.entry(next) {
                    slot.insert((stat, span));
                    queue.push(next);
                }
            }
        }
        None
    }

    /// Stats that a stat reads, also through definitions.
    fn stats_read(&self, stat: PropId) -> Vec<(PropId, Span)> {
        let mut found = Vec::new();
        let mut seen: BTreeSet<ProcId> = BTreeSet::new();
        let mut queue: Vec<(ProcId, Option<Span>)> =
            self.stat_procs(stat).into_iter().map(|proc| (proc, None)).collect();
        while let Some((proc, from)) = queue.pop() {
            if !seen.insert(proc) {
                continue;
            }
            for (callee, span) in self.calls(proc) {
                // A reader sees the text of the stat, not the inside of a definition.
                let span = from.unwrap_or(span);
                match callee {
                    Callee::Stat(next) => found.push((next, span)),
                    Callee::Proc(next) => queue.push((next, Some(span))),
                    Callee::Verb(_)
                    | Callee::Action(_)
                    | Callee::Can(_)
                    | Callee::Window(_)
                    | Callee::Effect(_)
                    | Callee::Script(_) => {}
                }
            }
        }
        found
    }

    /// `before` hooks may not ask or wait for chance.
    fn check_suspension(&mut self) {
        let bodies: Vec<ProcId> = self
            .rules
            .clauses
            .iter()
            .filter_map(|clause| match &clause.kind {
                ClauseKind::Hook { stage: Stage::Before, body: Some(body), .. } => Some(*body),
                _ => None,
            })
            .collect();
        if bodies.is_empty() {
            return;
        }
        let asking = self.asking();
        for body in bodies.into_iter().filter(|body| asking.contains(body)) {
            if let Some((at, word, cause)) = self.suspends(body) {
                let mut found = Diagnostic::new(Code::SuspendsHere, at, "a `before` may not ask or wait for chance")
                    .help("do it in an `after`, or ask in the verb itself");
                if cause != at {
                    found = found.label(cause, format!("`{word}` stands here"));
                }
                self.report(found);
            }
        }
    }

    /// All procedures that lead to a question or to chance.
    fn asking(&self) -> BTreeSet<ProcId> {
        let mut callers: BTreeMap<ProcId, Vec<ProcId>> = BTreeMap::new();
        let mut effects: BTreeMap<PropId, Vec<ProcId>> = BTreeMap::new();
        let mut asking: BTreeSet<ProcId> = BTreeSet::new();
        for (index, log) in self.logs.iter().enumerate() {
            let caller = ProcId(index as u32);
            if log.suspends.is_some() {
                asking.insert(caller);
            }
            for (callee, _) in &log.calls {
                match callee {
                    Callee::Verb(_) | Callee::Script(_) => {
                        for proc in self.behind(*callee) {
                            callers.entry(proc).or_default().push(caller);
                        }
                    }
                    Callee::Effect(prop) => effects.entry(*prop).or_default().push(caller),
                    Callee::Proc(_) | Callee::Action(_) | Callee::Window(_) | Callee::Can(_) | Callee::Stat(_) => {}
                }
            }
        }
        let fields: BTreeMap<ProcId, PropId> =
            self.effect_procs.iter().flat_map(|(prop, procs)| procs.iter().map(|proc| (*proc, *prop))).collect();
        let mut queue: Vec<ProcId> = asking.iter().copied().collect();
        while let Some(proc) = queue.pop() {
            let through = fields.get(&proc).and_then(|prop| effects.remove(prop)).unwrap_or_default();
            for caller in callers.remove(&proc).unwrap_or_default().into_iter().chain(through) {
                if asking.insert(caller) {
                    queue.push(caller);
                }
            }
        }
        asking
    }

    /// Where a procedure leads to a question or to chance: the place in it, the word and its place.
    fn suspends(&self, proc: ProcId) -> Option<(Span, &'static str, Span)> {
        let mut seen: BTreeSet<ProcId> = BTreeSet::new();
        let mut queue: Vec<(ProcId, Option<Span>)> = vec![(proc, None)];
        while let Some((proc, from)) = queue.pop() {
            if !seen.insert(proc) {
                continue;
            }
            if let Some((span, word)) = self.logs.get(proc.index()).and_then(|log| log.suspends) {
                return Some((from.unwrap_or(span), word, span));
            }
            for (callee, span) in self.calls(proc) {
                // `can` is tried on a scratch state, so what an action asks does not count.
                if matches!(callee, Callee::Verb(_) | Callee::Effect(_) | Callee::Script(_)) {
                    queue.extend(self.behind(callee).into_iter().map(|next| (next, Some(from.unwrap_or(span)))));
                }
            }
        }
        None
    }

    /// A choice whose thing goes to a verb that rules forbid for some things should leave those out.
    fn check_unguarded(&mut self) {
        let forbidden: BTreeMap<VerbId, Span> = self
            .rules
            .clauses
            .iter()
            .filter(|clause| !matches!(clause.home, ClauseHome::Armed))
            .filter_map(|clause| match &clause.kind {
                ClauseKind::Hook { stage: Stage::Cannot, event: HookEvent::Verb(verb), cond: Some(cond), .. } => {
                    self.reads_first_or_actor(*cond).then_some((*verb, clause.span))
                }
                _ => None,
            })
            .collect();
        for (verb, span) in std::mem::take(&mut self.unguarded) {
            let (Some(rule), Some(verb)) = (forbidden.get(&verb), self.rules.verbs.get(verb.index())) else { continue };
            let message = format!("what is chosen goes to `{}`, which a rule may forbid", verb.name);
            let found = Diagnostic::new(Code::ChooseWithoutFor, span, message)
                .label(*rule, "by this rule")
                .help(format!("leave such things out: `choose ... for {}`", verb.name));
            self.report(found);
        }
    }

    /// Whether a condition asks something of the first parameter, or who acts.
    fn reads_first_or_actor(&self, cond: ProcId) -> bool {
        let Some(ProcBody::Expr(expr)) = self.rules.procs.get(cond.index()).map(|proc| &proc.body) else {
            return false;
        };
        let mut found = false;
        expr.walk(&mut |part| found |= part.is_local(LocalId(0)) || matches!(part.kind, ExprKind::Actor));
        found
    }

    /// Whether an action could be done is tried by doing it, so an action may not ask that of itself.
    fn check_can(&mut self) {
        for index in 0..self.rules.actions.len() {
            let id = ActionId(index as u32);
            let mut seen: BTreeSet<ProcId> = BTreeSet::new();
            let mut queue: Vec<(ProcId, Option<Span>)> =
                self.rules.actions.get(index).map(|action| (action.body, None)).into_iter().collect();
            let mut at = None;
            while let Some((proc, from)) = queue.pop() {
                if !seen.insert(proc) {
                    continue;
                }
                for (callee, span) in self.calls(proc) {
                    let span = from.unwrap_or(span);
                    if callee == Callee::Can(id) {
                        at = Some(span);
                    }
                    queue.extend(self.behind(callee).into_iter().map(|next| (next, Some(span))));
                }
            }
            if let (Some(at), Some(action)) = (at, self.rules.actions.get(index)) {
                let message = format!("`{}` would ask whether it can itself be done", action.name);
                let found = Diagnostic::new(Code::NotPure, at, message)
                    .label(action.span, "declared here")
                    .help("test the conditions of the action instead");
                self.report(found);
            }
        }
    }

    /// A verb whose first statements perform it again without any condition.
    fn check_endless_verbs(&mut self) {
        use super::rules::StmtKind;
        let mut endless = Vec::new();
        for (index, verb) in self.rules.verbs.iter().enumerate() {
            let id = VerbId(index as u32);
            let Some(ProcBody::Block(stmts)) = self.rules.procs.get(verb.body.index()).map(|proc| &proc.body) else {
                continue;
            };
            let again = stmts
                .iter()
                .take_while(|stmt| !matches!(stmt.kind, StmtKind::Stop))
                .find(|stmt| matches!(&stmt.kind, StmtKind::Call { verb, .. } if *verb == id));
            if let Some(stmt) = again {
                endless.push((verb.name.clone(), verb.span, stmt.span));
            }
        }
        for (name, declared, span) in endless {
            let found =
                Diagnostic::new(Code::EndlessVerb, span, format!("`{name}` performs itself without any condition"))
                    .label(declared, "declared here");
            self.report(found);
        }
    }

    /// What greedy bots look at is a number of players.
    fn check_greedy(&mut self) {
        let Some(header) = self.game_package().map(|package| &package.header) else { return };
        let Some((name, at)) = &header.greedy else { return };
        let at = *at;
        let prop = self.player_prop(name);
        if let Some(id) = prop
            && *self.prop_type(id).bare() == Ty::Number
        {
            self.uses.props.insert(id);
            return;
        }
        let message = match prop {
            Some(_) => format!("greedy bots look at `{name}`, which is not a number"),
            None => format!("greedy bots look at `{name}`, which players do not have"),
        };
        let names: Vec<String> = self.members_of(&Ty::Player);
        let found = Diagnostic::new(Code::UnknownProperty, at, message).suggest(name, names.iter().map(String::as_str));
        self.report(found);
    }

    /// Every kind of card has a zone that holds it, and every definition a way into the game.
    fn check_homes(&mut self) {
        let used: BTreeSet<KindId> = self.rules.entries.iter().map(|entry| entry.kind).collect();
        for kind in used {
            let Some(found) = self.rules.kinds.get(kind.index()) else { continue };
            let (name, span, root) = (found.name.clone(), found.span, found.root);
            let held = self.rules.zones.iter().any(|zone| {
                zone.holds.is_empty()
                    || zone
                        .holds
                        .iter()
                        .any(|held| self.rules.is_below(kind, *held) || self.rules.is_below(*held, kind))
            });
            if root == RootKind::Card && !held && !self.is_open(&super::rules::Ty::Entity(kind)) {
                let found = Diagnostic::new(Code::NoHome, span, format!("no zone holds a `{name}`"))
                    .help(format!("add a zone: `zone deck {{ holds: {name} }}`"));
                self.report(found);
                continue;
            }
            if self.rules.begins_in(kind).is_some() || self.created.contains(&kind) {
                continue;
            }
            let stray: Vec<EntryId> = (0..self.rules.entries.len())
                .map(|index| EntryId(index as u32))
                .filter(|id| !self.created_entries.contains(id))
                .filter(|id| self.rules.entries.get(id.index()).is_some_and(|entry| entry.kind == kind))
                .collect();
            let first = stray.first().and_then(|id| self.rules.entries.get(id.index()));
            if let Some(entry) = first {
                let count = stray.len();
                let message = if count == 1 {
                    format!("`{name} \"{}\"` is never in the game", entry.name)
                } else {
                    format!("`{name} \"{}\"` and {} more are never in the game", entry.name, count - 1)
                };
                let found = Diagnostic::new(Code::NeverInGame, entry.span, message)
                    .help(format!("let them begin in a zone: `starts: {name}`, or `create` them"));
                self.report(found);
            }
        }
    }

    /// Zones nothing is ever put into: those of all keys are one mistake.
    fn check_zones_filled(&mut self) {
        for index in 0..self.rules.zones.len() {
            let id = ZoneId(index as u32);
            let Some(zone) = self.rules.zones.get(index) else { continue };
            if zone.holds.is_empty() || self.zones_with(id).first() != Some(&id) {
                // What it holds could not be told: that was reported.
                continue;
            }
            let refilled = zone.refill.is_some_and(|from| self.uses.filled.contains(&from));
            if self.uses.filled.contains(&id) || refilled {
                continue;
            }
            let message = format!("nothing is ever put into `{}`", self.declared_name(id));
            let mut found = Diagnostic::new(Code::EmptyZone, zone.span, message)
                .help("let cards begin there with `starts`, or move them there");
            if let Some(read) = self.uses.zones_read.get(&id) {
                found = found.label(*read, "but it is read here");
            }
            self.report(found);
        }
    }

    /// Declared things that nothing uses.
    fn check_used(&mut self) {
        let mut found = Vec::new();
        self.read_prices();
        for (index, verb) in self.rules.verbs.iter().enumerate() {
            if !self.uses.verbs.contains(&VerbId(index as u32)) {
                found.push(Diagnostic::new(Code::UnusedVerb, verb.span, format!("nothing performs `{}`", verb.name)));
            }
        }
        for (index, action) in self.rules.actions.iter().enumerate() {
            if !self.uses.actions.contains(&ActionId(index as u32)) {
                let unused =
                    Diagnostic::new(Code::UnusedVerb, action.span, format!("nothing offers `{}`", action.name));
                found.push(unused.help(format!("offer it: `choose action {}`", action.name)));
            }
        }
        for (index, window) in self.rules.windows.iter().enumerate() {
            if !self.uses.windows.contains(&WindowId(index as u32)) {
                let message = format!("nothing opens `{}`", window.name);
                found.push(Diagnostic::new(Code::UnopenedWindow, window.span, message));
            }
        }
        for (index, prop) in self.rules.props.iter().enumerate() {
            let id = PropId(index as u32);
            if matches!(prop.class, PropClass::Field { .. }) && matches!(prop.ty, Ty::Effect(_)) {
                if !self.uses.effects_done.contains(&id) && self.effect_procs.contains_key(&id) {
                    let message = format!("no `do` ever runs `{}`", prop.name);
                    found.push(Diagnostic::new(Code::UndoneEffect, prop.span, message));
                }
                continue;
            }
            // A text is read by whoever looks at the card.
            // So are marks on the backs of cards, which are open to all.
            let printed = prop.ty == Ty::Text && matches!(prop.class, PropClass::Field { .. });
            let read = printed || prop.open || self.uses.sides && matches!(prop.ty, Ty::PerDirection(_));
            if !self.uses.props.contains(&id) && !read && prop.table.is_none() {
                found.push(Diagnostic::new(Code::UnusedProperty, prop.span, format!("nothing reads `{}`", prop.name)));
            }
        }
        for (index, item) in self.rules.enums.iter().enumerate() {
            if !self.uses.enums.contains(&super::rules::EnumId(index as u32)) {
                found.push(Diagnostic::new(
                    Code::UnusedDefinition,
                    item.span,
                    format!("nothing uses the enum `{}`", item.name),
                ));
            }
        }
        let called: BTreeSet<ProcId> = self
            .logs
            .iter()
            .flat_map(|log| log.calls.iter())
            .filter_map(|(callee, _)| match callee {
                Callee::Proc(proc) => Some(*proc),
                _ => None,
            })
            .collect();
        for (define, state) in self.items.defines.iter().zip(&self.defines) {
            if let DefineState::Done { proc, .. } = state
                && !called.contains(proc)
                && define.name.text != "score"
            {
                let message = format!("nothing uses the definition `{}`", define.name.text);
                found.push(Diagnostic::new(Code::UnusedDefinition, define.name.span, message));
            }
        }
        self.diagnostics.extend(found);
    }

    /// Ranges of numbers for which no list has room.
    fn check_long_ranges(&mut self) {
        let mut found = Vec::new();
        let mut of = |rules: &Rules, expr: &Expr| {
            let mut compared = Vec::new();
            expr.walk(&mut |part| {
                // Of those that a filter leaves, nobody knows how many they are; what only counts, or adds up, lists none.
                if let ExprKind::In(_, range)
                | ExprKind::Where { over: range, .. }
                | ExprKind::Fold { over: range, .. }
                | ExprKind::Any { over: range, .. }
                | ExprKind::All { over: range, .. } = &part.kind
                {
                    compared.push(range.bare().span);
                }
                let ExprKind::Range(low, high) = &part.kind else { return };
                let numbers =
                    constant(rules, low).zip(constant(rules, high)).map(|(low, high)| high.saturating_sub(low));
                if numbers.is_some_and(|numbers| numbers >= limits::LISTED as i64) && !compared.contains(&part.span) {
                    found.push(part.span);
                }
            });
        };
        for proc in &self.rules.procs {
            each_listing(proc, is_range, &mut |expr| of(&self.rules, expr));
        }
        for span in found {
            let message = format!("a list has room for {} numbers at the most", limits::LISTED);
            let help = "compare the number instead, `n >= LOW and n <= HIGH`; a range that is chosen from as it stands has more room";
            self.report(Diagnostic::new(Code::ListTooLong, span, message).help(help));
        }
    }

    /// Zones in which more cards begin than they take.
    fn check_beginnings(&mut self) {
        let mut found = Vec::new();
        for (index, zone) in self.rules.zones.iter().enumerate() {
            for (kind, limit) in &zone.limits {
                let begins = |entry: &&Entry| {
                    self.rules.begins_in(entry.kind) == Some(ZoneId(index as u32))
                        && self.rules.is_below(entry.kind, *kind)
                };
                let begun: i64 = self.rules.entries.iter().filter(begins).map(|entry| i64::from(entry.copies)).sum();
                if begun > *limit {
                    let message = format!("`{}` takes {limit}, and {begun} begin in it", zone.name);
                    let help = "let them begin in a zone without a limit, and move there what fits in `setup`";
                    found.push(Diagnostic::new(Code::BadSetting, zone.span, message).help(help));
                }
            }
        }
        found.into_iter().for_each(|found| self.report(found));
    }

    /// Limits of the size of a game.
    fn check_limits(&mut self) {
        self.check_long_ranges();
        self.check_beginnings();
        const MOST: usize = 4000;
        let started: usize = self
            .rules
            .entries
            .iter()
            .filter(|entry| self.rules.begins_in(entry.kind).is_some())
            .map(|entry| usize::from(entry.copies))
            .sum();
        if started > MOST {
            let span = self.rules.entries.first().map_or(Span::default(), |entry| entry.span);
            let message = format!("a game begins with at most {MOST} cards and pieces, and this one with {started}");
            self.error(Code::TooManyEntities, span, message);
        }
    }
}

/// Whether an expression is a range of numbers, perhaps with some left out.
fn is_range(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Range(..) => true,
        ExprKind::Where { over, .. } => is_range(over),
        _ => false,
    }
}
