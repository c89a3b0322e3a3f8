//! The less frequent instructions: lists, boards, properties, changes, flow. Decisions are in `choose`, events in
//! `events`.

use super::budget::{MAX_ARMED, price};
use super::check::unread;
use super::hooks::borne;
use super::run::{Flow, R, Run, at};
use super::state::{Arm, Event, Frame, FrameKind, Mode, NONE, Until, generation_of};
use super::straight::{self, last_prop};
use super::words::Eyes;
use crate::base::Code;
use crate::model::rules::{ActionId, FieldValue, KindId, ProcId, PropId};
use crate::program::{ArmUntil, NIL, Op, Repr, Slot, ent, prop_bit, repr, touch};

impl Run<'_> {
    /// Runs one instruction that needs more than memory. `None`: go on with the innermost frame.
    #[inline(never)]
    pub fn statement(&mut self, op: Op, frame: &Frame, base: usize, entry: usize) -> R<Option<Flow>> {
        if straight::fails(op) {
            return Err(self.failed(op, base));
        }
        self.spend(price::STATEMENT)?;
        match op {
            Op::Memo { d, a, site } => {
                let proc = self.p.sites.memos[usize::from(site)].proc;
                self.call(at(base, d), proc, at(base, a), frame)?;
            }
            Op::Call { d, proc, args } => self.call(at(base, d), ProcId(u32::from(proc)), at(base, args), frame)?,
            Op::Verb { site, args } => return self.call_verb(site as usize, at(base, args), frame),
            Op::BatchStart { d } => self.st.mem[at(base, d)] = self.st.batch.len() as i64,
            Op::Propose { site, args } => self.propose(site as usize, at(base, args), frame),
            Op::Commit { from } => return Ok(self.commit(self.word(base, from) as usize, frame)),
            Op::Proceed { site, args } => return self.proceed(site as usize, at(base, args), frame),
            Op::Do { e, f, args } => return self.do_effect(self.word(base, e), f, at(base, args), frame),
            Op::Open { proc, args } => self.open(ProcId(u32::from(proc)), at(base, args), frame)?,
            Op::FirstSeat { d, from, set } => {
                let seats = self.clockwise(self.word(base, from));
                let set = self.word(base, set);
                let first = seats.into_iter().find(|seat| (set >> seat) & 1 == 1);
                self.st.mem[at(base, d)] = first.map_or(NIL, i64::from);
            }
            Op::ChooseOption { site } => return self.choose_option(site as usize, frame, base),
            Op::OfferTo { site, to } => return self.offer_to(site as usize, entry + usize::from(to), frame, base),
            Op::Offer { site } => return self.offer(site as usize, base),
            Op::OpenAgain => self.open_again(),
            Op::Again => self.goes_round(),
            Op::Secret { d } => self.st.mem[at(base, d)] = self.next_pc(),
            Op::ChooseSplit { site } => return self.choose_split(site as usize, frame, base),
            Op::Later { site, to } => {
                if self.asks_later(&self.p.sites.chooses[site as usize]) {
                    self.jump_to(entry + usize::from(to));
                }
            }
            Op::Drawn { action, to } => {
                if self.draws_opening(ActionId(action)) {
                    self.jump_to(entry + usize::from(to));
                }
            }
            Op::TryPrice { gate, to } => {
                if !self.is_affordable(gate)? {
                    self.jump_to(entry + usize::from(to));
                }
            }
            Op::Priced { gate, paid } => return Ok(self.priced(gate, paid)),
            Op::Ask { site, to } => return self.ask_gate(site as usize, entry + usize::from(to), frame, base),
            Op::Requires { a, site } => {
                if self.word(base, a) != 1 {
                    return self.refuse(Some(site), frame);
                }
            }
            Op::Ensure { a } => {
                if self.word(base, a) != 1 {
                    return self.refuse(None, frame);
                }
            }
            Op::Sample { zone, n } => return self.sample(self.word(base, zone), self.word(base, n)),
            Op::Shuffle { zone } => {
                self.spend_on(self.p.layout.capacity / 2)?;
                // A pile of nobody's has no cards.
                if let Ok(zone) = usize::try_from(self.word(base, zone)) {
                    self.shuffle(zone);
                }
            }
            Op::Roll { d, a, b } => return self.roll(at(base, d), self.word(base, a), self.word(base, b)),
            Op::Random { d, site } => return self.random(at(base, d), site as usize, base),
            Op::TurnFirst { site, to } => self.turn_first(site as usize, entry + usize::from(to), base)?,
            // Nobody wins by a set that is empty: that is no draw.
            Op::Win { a } => {
                return Ok(Some(self.word(base, a) as u64).filter(|who| *who != 0).map(|who| self.win(who)));
            }
            Op::Lose { a } => return self.lose(self.word(base, a) as u64),
            Op::EdgeActed => self.st.touch(touch::OTHER),
            Op::SpanOver { site } => self.end_span(site as usize, self.st.frames.len() - 1),
            Op::DrawGame => return Ok(Some(self.win(0))),
            Op::EndGame => return self.end_game(),
            Op::SetGameProp { p, a } => self.set_game_prop(PropId(u32::from(p)), at(base, a)),
            Op::Link { e, a, p } => self.link(self.word(base, e), self.word(base, a), PropId(u32::from(p)))?,
            Op::Unlink { e, p } => self.link(self.word(base, e), NIL, PropId(u32::from(p)))?,
            Op::Reveal { a, to, how } => {
                self.spend_on(self.p.layout.capacity / 2)?;
                let all = (1 << self.st.players) - 1;
                self.reveal(at(base, a), self.word(base, to) & all, how);
            }
            Op::Tell { a, words } => self.note_told(at(base, a), usize::from(words)),
            Op::Arm { site } => self.arm(site as usize, base, frame)?,
            Op::Act { site } => return self.act(site as usize, base, frame),
            Op::Note { site } => {
                self.spend(price::NOTE)?;
                return self.note(site as usize, base);
            }
            Op::Write { site } => {
                self.x.written = self.text_with(&self.p.sites.texts[site as usize], base, " ", Eyes::All)
            }
            Op::CallLambda { d, lambda, args } => {
                return self.call_lambda(at(base, d), self.word(base, lambda), at(base, args), frame);
            }
            Op::CallScript { d, script, args } => self.call_script(at(base, d), usize::from(script), at(base, args))?,
            Op::Can { d, player, site } => {
                let can = self.can(self.word(base, player), usize::from(site), base)?;
                self.st.mem[at(base, d)] = i64::from(can);
            }
            Op::Targetable { d, a, site } => {
                let fine = self.targetable(at(base, a), usize::from(site), frame)?;
                self.st.mem[at(base, d)] = i64::from(fine);
            }
            Op::Stat { d, e, p } => {
                let words = self.p.layout.words(&self.p.rules.props[usize::from(p)].ty);
                self.stat(self.word(base, e), PropId(u32::from(p)))?;
                let d = at(base, d);
                for word in 0..usize::from(words) {
                    self.st.mem[d + word] = self.x.result.get(word).copied().unwrap_or(0);
                }
            }
            _ => self.value_op(op, frame, base)?,
        }
        Ok(None)
    }

    /// The instruction that calls a pure procedure.
    fn call(&mut self, d: usize, proc: ProcId, args: usize, frame: &Frame) -> R<()> {
        let base = frame.base as usize;
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let window = self.push_proc(proc, FrameKind::Proc, me, this, frame)?;
        let words = usize::from(self.p.procs[proc.index()].params);
        self.st.mem.copy_within(args..args + words, window + 2);
        if let Some(top) = self.st.frames.last_mut() {
            top.ret = d as u32;
        }
        Ok(())
    }

    /// The instruction that runs a window.
    fn open(&mut self, proc: ProcId, args: usize, frame: &Frame) -> R<()> {
        let me = self.st.mem[frame.base as usize];
        let window = self.push_proc(proc, FrameKind::Proc, me, NIL, frame)?;
        let words = usize::from(self.p.procs[proc.index()].params);
        self.st.mem.copy_within(args..args + words, window + 2);
        Ok(())
    }

    #[inline]
    pub fn word(&self, base: usize, slot: Slot) -> i64 {
        self.st.mem[at(base, slot)]
    }

    /// Instructions that only work out a value.
    #[inline(never)]
    fn value_op(&mut self, op: Op, frame: &Frame, base: usize) -> R<()> {
        let ents = usize::from(self.p.layout.entity_set);
        match op {
            Op::Prop { n, d, e, at: offset } => {
                let d = at(base, d);
                match self.record(self.word(base, e)) {
                    Some((record, true)) => {
                        let start = record + usize::from(offset);
                        let n = self.width(n, start);
                        self.st.mem.copy_within(start..start + n, d);
                    }
                    Some((_, false)) => {
                        let entity = self.word(base, e);
                        let last = |at| last_prop(&self.p.layout, &self.st.mem, entity, at);
                        let words = if n == 0 { 1 + last(offset).max(0) as usize } else { usize::from(n) };
                        for word in 0..words {
                            self.st.mem[d + word] =
                                last_prop(&self.p.layout, &self.st.mem, entity, offset + word as u16);
                        }
                    }
                    None => self.st.mem[d..d + usize::from(n.max(1))].fill(0),
                }
            }
            Op::FieldList { d, e, f } => {
                let id = PropId(u32::from(f));
                if let Some(shown) = self.shown(self.word(base, e), id) {
                    return self.store_list(at(base, d), &shown);
                }
                let items =
                    self.entry_of(self.word(base, e)).and_then(|entry| self.p.list_fields.get(&(id, entry as u32)));
                self.store_list(at(base, d), items.map_or(&[], Vec::as_slice))?;
            }
            Op::Lazy { d, e, f } => {
                let entity = self.word(base, e);
                let value = self.lazy_field(entity, PropId(u32::from(f)));
                self.st.mem[at(base, d)] = value;
            }
            Op::MakeLambda { d, proc } => {
                let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
                self.st.mem[at(base, d)] = pack(ProcId(proc), me, this);
            }
            Op::Linked { d, e, p } => self.linked(at(base, d), self.word(base, e), PropId(u32::from(p))),
            Op::Entered { d, e } => {
                let entered =
                    self.record(self.word(base, e)).map_or(NIL, |(record, _)| self.st.mem[record + ent::ENTERED]);
                self.st.mem[at(base, d)] = entered;
            }
            Op::EntitiesNamed { d, entry } => {
                self.spend_on(self.p.layout.capacity)?;
                let d = at(base, d);
                self.st.mem[d..d + ents].fill(0);
                for slot in 0..self.p.layout.capacity {
                    let record = self.p.layout.entity(slot);
                    if self.st.mem[record + ent::ENTRY] == i64::from(entry)
                        && self.st.mem[record + ent::PLACE] != ent::NOWHERE
                    {
                        self.st.mem[d + slot / 64] |= 1 << (slot % 64);
                    }
                }
            }
            Op::ZonesOf { d, zone, p: players } => {
                let (d, mut mask) = (at(base, d), self.word(base, players) as u64);
                self.spend_on(ents)?;
                let mut union = vec![0; ents];
                while mask != 0 {
                    let set = self.p.layout.instances[usize::from(zone) + mask.trailing_zeros() as usize].set;
                    for (word, into) in union.iter_mut().enumerate() {
                        *into |= self.st.mem[set + word];
                    }
                    mask &= mask - 1;
                }
                self.st.mem[d..d + ents].copy_from_slice(&union);
            }
            Op::ZoneList { d, zone } => {
                let zone = usize::try_from(self.word(base, zone)).ok();
                let items = zone.map_or_else(Vec::new, |zone| self.zone_order(zone));
                self.spend_on(items.len())?;
                self.store_list(at(base, d), &items)?;
            }
            Op::TopOf { d, zone, n, below } => {
                let n = self.word(base, n).max(0) as usize;
                let zone = usize::try_from(self.word(base, zone)).ok();
                let mut items = zone.map_or_else(Vec::new, |zone| self.known_end(zone, below));
                self.spend_on(items.len())?;
                items.truncate(n);
                self.store_list(at(base, d), &items)?;
            }
            Op::SeatNumber { d, a } => {
                let n = self.word(base, a);
                self.st.mem[at(base, d)] = if (1..=i64::from(self.st.players)).contains(&n) { n - 1 } else { NIL };
            }
            Op::Clockwise { d, a, after } => {
                let (from, d, playing) = (self.word(base, a), at(base, d), self.playing());
                let players = i64::from(self.st.players);
                let mut length = 0;
                for step in i64::from(after)..players {
                    let seat = (from.max(0) + step) % players;
                    if (playing >> seat) & 1 == 1 {
                        length += 1;
                        self.st.mem[d + length] = seat;
                    }
                }
                self.st.mem[d] = length as i64;
            }
            Op::Actor { d } => self.st.mem[at(base, d)] = self.event(frame.event).map_or(NIL, |event| event.actor),
            Op::Source { d } => self.st.mem[at(base, d)] = self.event(frame.event).map_or(NIL, |event| event.source),
            Op::Cause { d } => {
                self.st.mem[at(base, d)] =
                    self.event(frame.event).map_or(i64::from(frame.cause), |event| i64::from(event.cause));
            }
            Op::Changed { d } => {
                self.st.mem[at(base, d)] = self.event(frame.event).map_or(0, |event| i64::from(event.changed));
            }
            _ => self.list_op(op, base)?,
        }
        Ok(())
    }

    /// The lazy field of an entity: a procedure with the entity as `this`.
    pub fn lazy_field(&self, entity: i64, field: PropId) -> i64 {
        let Some(entry) = self.entry_of(entity) else { return NIL };
        let proc = self.p.fields[field.index()][entry];
        if proc == NIL { NIL } else { pack(ProcId(proc as u32), self.holder(entity), entity) }
    }

    /// The entities linked to one.
    fn linked(&mut self, d: usize, entity: i64, one: PropId) {
        let w = usize::from(self.p.layout.entity_set);
        self.st.mem[d..d + w].fill(0);
        for slot in self.linked_slots(entity, one) {
            self.st.mem[d + slot / 64] |= 1 << (slot % 64);
        }
    }

    /// Slots of the entities linked to one.
    pub fn linked_slots(&self, entity: i64, one: PropId) -> Vec<usize> {
        // What is linked to nothing is not linked.
        if entity == NIL {
            return Vec::new();
        }
        let Some(offset) = super::moves::entity_offset(self.p, one) else { return Vec::new() };
        let crate::model::rules::PropOwner::Kind(kind) = self.p.rules.props[one.index()].owner else {
            return Vec::new();
        };
        let set = usize::from(self.p.layout.kind_set(kind).0);
        let mut found = Vec::new();
        for index in 0..self.p.layout.capacity.div_ceil(64) {
            let mut word = self.st.mem[set + index] as u64;
            while word != 0 {
                let slot = index * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                if slot < self.p.layout.capacity && self.st.mem[self.p.layout.entity(slot) + offset] == entity {
                    found.push(slot);
                }
            }
        }
        found
    }

    fn call_lambda(&mut self, d: usize, lambda: i64, args: usize, frame: &Frame) -> R<Option<Flow>> {
        let Some((proc, me, this)) = unpack(lambda) else {
            self.st.mem[d] = 0;
            return Ok(None);
        };
        let this = super::identity::recalled(self.p, self.st, this);
        let window = self.push_proc(proc, FrameKind::Proc, me, this, frame)?;
        let words = usize::from(self.p.procs[proc.index()].params);
        self.st.mem.copy_within(args..args + words, window + 2);
        if let Some(top) = self.st.frames.last_mut() {
            top.ret = d as u32;
        }
        Ok(Some(Flow::Go))
    }

    fn do_effect(&mut self, entity: i64, field: u16, args: usize, frame: &Frame) -> R<Option<Flow>> {
        let field = PropId(u32::from(field));
        let Some(entry) = self.entry_of(entity) else { return Ok(None) };
        let has = matches!(
            self.p.rules.entries[entry].fields.iter().find(|(prop, _)| *prop == field),
            Some((_, Some(FieldValue::Proc(_))))
        );
        let proc = self.p.fields[field.index()][entry];
        if !has || proc == NIL {
            return Ok(None);
        }
        let proc = ProcId(proc as u32);
        let window = self.push_proc(proc, FrameKind::Proc, self.st.mem[args], entity, frame)?;
        let (first, words) = (args + 1, usize::from(self.p.procs[proc.index()].params));
        self.st.mem.copy_within(first..first + words, window + 2);
        if let Some(top) = self.st.frames.last_mut() {
            top.cause = 0;
            top.source = entity;
        }
        Ok(Some(Flow::Go))
    }

    fn arm(&mut self, site: usize, base: usize, frame: &Frame) -> R<()> {
        let site = &self.p.sites.arms[site];
        if self.st.arms.len() + site.clauses.len() > MAX_ARMED {
            let message = format!("more than {MAX_ARMED} rules are armed at a time");
            return Err(self.error(Code::TooManyEntities, message));
        }
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let until = match site.span {
            ArmUntil::WhileHere => Until::Gone,
            ArmUntil::EndOf(span) => Until::EndOf(span.index() as u32),
            ArmUntil::StartOf(span, slot) => Until::StartOf(span.index() as u32, self.word(base, slot)),
            ArmUntil::While(proc) => Until::While(proc.index() as u32),
            ArmUntil::ForGood => Until::Never,
        };
        for (clause, captured) in &site.clauses {
            let start = self.st.arm_words.len();
            for (slot, words) in captured {
                let from = at(base, *slot);
                self.st.arm_words.extend_from_slice(&self.st.mem[from..from + usize::from(*words)]);
            }
            self.st.stamp += 1;
            let arm = Arm {
                clause: clause.index() as u32,
                source: if this == NIL { frame.source } else { this },
                me,
                stamp: self.st.stamp as u32,
                until,
                void: false,
                bound: until == Until::Gone && this != NIL,
                at: start as u32,
                words: (self.st.arm_words.len() - start) as u16,
            };
            self.st.arms.push(arm);
        }
        self.st.touch(touch::OTHER);
        Ok(())
    }

    /// Gives an entity a value for a stored property.
    pub fn set_entity_prop(&mut self, entity: i64, prop: PropId, from: usize) {
        let Some((record, true)) = self.record(entity) else {
            if self.has_left(entity) {
                self.note_upshot(super::api::Upshot::Gone);
            }
            return;
        };
        if self.st.mem[record + ent::PLACE] == ent::NOWHERE {
            return;
        }
        self.note_upshot(super::api::Upshot::Done);
        if super::moves::is_owner(self.p, prop) {
            let owner = self.st.mem[from];
            return self.set_owner(entity, owner);
        }
        if self.p.rules.turn == Some(prop) {
            let turn = self.st.mem[from];
            return self.set_turn(entity, turn);
        }
        let Some(offset) = super::moves::entity_offset(self.p, prop) else { return };
        let words = usize::from(self.p.layout.words(&self.p.rules.props[prop.index()].ty));
        let before = self.st.mem[record + offset];
        let after = self.clamped(prop, from, before);
        if words > 1 {
            self.st.mem.copy_within(from..from + words, record + offset);
            self.blank(prop, record + offset);
            self.st.touch(prop_bit(prop));
        } else if before != after {
            self.st.mem[record + offset] = after;
            self.st.touch(prop_bit(prop));
        }
        self.trace_prop(Some(entity), None, prop, before, after);
    }

    pub fn set_player_prop(&mut self, player: i64, prop: PropId, from: usize) {
        let crate::program::PropHome::Player(offset) = self.p.layout.props[prop.index()] else { return };
        if player < 0 {
            return;
        }
        let start = self.p.layout.players + player as usize * self.p.layout.player_words + usize::from(offset);
        self.store_prop(Some(player), prop, start, from);
    }

    fn set_game_prop(&mut self, prop: PropId, from: usize) {
        let crate::program::PropHome::Game(start) = self.p.layout.props[prop.index()] else { return };
        self.store_prop(None, prop, usize::from(start), from);
    }

    /// Writes a property of a player, or of the game, at its address.
    fn store_prop(&mut self, player: Option<i64>, prop: PropId, start: usize, from: usize) {
        let words = usize::from(self.p.layout.words(&self.p.rules.props[prop.index()].ty));
        let before = self.st.mem[start];
        let after = self.clamped(prop, from, before);
        self.st.mem.copy_within(from..from + words, start);
        if words == 1 {
            self.st.mem[start] = after;
        } else {
            self.blank(prop, start);
        }
        self.st.touch(prop_bit(prop));
        self.trace_prop(None, player, prop, before, after);
    }

    /// Equal lists are equal word for word: what lay behind the last item where one was worked out is not kept.
    fn blank(&mut self, prop: PropId, start: usize) {
        let ty = &self.p.rules.props[prop.index()].ty;
        if repr(ty) == Repr::List {
            let (words, length) = (usize::from(self.p.layout.words(ty)), self.st.mem[start].max(0) as usize);
            self.st.mem[(start + 1 + length).min(start + words)..start + words].fill(0);
        }
    }

    /// Ends the game.
    pub fn win(&mut self, winners: u64) -> Flow {
        self.st.over = Some(winners);
        self.trace_outcome(winners);
        Flow::Over
    }

    fn lose(&mut self, losers: u64) -> R<Option<Flow>> {
        let playing = usize::from(self.p.layout.playing);
        let losers = losers & self.st.mem[playing] as u64;
        if losers == 0 {
            return Ok(None);
        }
        self.st.eliminated.extend((0..self.st.players).filter(|seat| (losers >> seat) & 1 == 1));
        self.st.mem[playing] &= !(losers as i64);
        self.st.touch(touch::PLAYING);
        let left = self.st.mem[playing] as u64;
        Ok((left.count_ones() <= 1).then(|| self.win(left)))
    }

    /// Ends the game: the best score of those who still play wins.
    pub fn end_game(&mut self) -> R<Option<Flow>> {
        let Some(scores) = self.scores()? else { return Ok(Some(self.win(0))) };
        let playing = self.playing() as u64;
        let best = scores
            .iter()
            .enumerate()
            .filter(|(seat, _)| (playing >> seat) & 1 == 1)
            .map(|(_, score)| score)
            .max()
            .cloned();
        let winners = scores
            .iter()
            .enumerate()
            .filter(|(seat, score)| (playing >> seat) & 1 == 1 && Some(*score) == best.as_ref())
            .fold(0, |mask, (seat, _)| mask | 1 << seat);
        Ok(Some(self.win(winners)))
    }

    /// The score of each seat, one or several numbers.
    pub fn scores(&mut self) -> R<Option<Vec<Vec<i64>>>> {
        let Some(score) = self.p.rules.score else { return Ok(None) };
        let listed = match &self.p.rules.procs[score.index()].body {
            crate::model::rules::ProcBody::Expr(expr) => repr(&expr.ty) == Repr::List,
            crate::model::rules::ProcBody::Block(_) => false,
        };
        let mut scores = Vec::new();
        for seat in 0..i64::from(self.st.players) {
            self.eval(score, seat, NIL, NONE, &[seat])?;
            let words = &self.x.result;
            scores.push(if listed {
                words.get(1..=words.first().map_or(0, |n| *n as usize)).unwrap_or_default().to_vec()
            } else {
                words.first().map(|word| vec![if *word == NIL { 0 } else { *word }]).unwrap_or_default()
            });
        }
        Ok(Some(scores))
    }

    /// Notes that it is another's turn; where a condition that is looked at may ask for that, it is a change.
    pub fn touch_turn(&mut self) {
        let asked = !self.st.arms.is_empty() || !unread(self.p, &self.st.mem, touch::TURN);
        self.st.touched |= if asked { touch::TURN | touch::ANY } else { touch::TURN };
    }

    fn turn_first(&mut self, site: usize, end: usize, base: usize) -> R<()> {
        let turn = &self.p.sites.turns[site];
        let player = at(base, turn.player);
        let among =
            if turn.among == Slot::NONE { self.playing() } else { self.word(base, turn.among) & self.playing() };
        if turn.rounds != Slot::NONE && self.word(base, turn.rounds) <= 0 {
            self.jump_to(end);
            return Ok(());
        }
        self.touch_turn();
        let mut from = self.st.mem[player];
        if turn.outermost
            && let Some(begins) = self.st.begins
        {
            from = self.eval(ProcId(begins), NIL, NIL, NONE, &[])?;
        }
        if from < 0 && among != 0 {
            let name = &self.p.rules.spans[turn.span.index()].name;
            return Err(self.error(Code::NobodyBegins, format!("nobody is to begin with `turns {name}`")));
        }
        match self.clockwise(from.max(0)).into_iter().find(|seat| (among >> seat) & 1 == 1) {
            Some(seat) => {
                self.st.mem[player] = i64::from(seat);
                if turn.next != Slot::NONE {
                    self.st.mem[at(base, turn.next.offset(1))] = 1 << seat;
                }
                if turn.outermost {
                    self.note_beginning(i64::from(seat), among);
                    self.st.begins = None;
                    self.st.mem[usize::from(self.p.layout.mover)] = i64::from(seat);
                    self.st.mem[usize::from(self.p.layout.round)] = 1;
                }
            }
            None => self.jump_to(end),
        }
        Ok(())
    }

    #[inline(never)]
    pub fn turn_next(&mut self, site: usize, end: usize, base: usize) {
        let turn = &self.p.sites.turns[site];
        let player = at(base, turn.player);
        let among =
            if turn.among == Slot::NONE { self.playing() } else { self.word(base, turn.among) & self.playing() };
        if turn.outermost {
            self.note_arrangements();
        }
        let (before, first, players) =
            (self.st.mem[player], self.word(base, turn.first).max(0), i64::from(self.st.players));
        let asked = if turn.next == Slot::NONE { NIL } else { self.word(base, turn.next) };
        // Division takes longer than all the rest.
        let after = |seat: i64| if seat + 1 < players { seat + 1 } else { 0 };
        let mut next = if asked < 0 { after(before) } else { asked };
        let from = next;
        while (among >> next) & 1 == 0 {
            next = after(next);
            if next == from {
                return self.jump_to(end);
            }
        }
        let place = |seat: i64| if seat < first { seat - first + players } else { seat - first };
        let mut new_round = place(next) <= place(before);
        if turn.next != Slot::NONE {
            // Who has had a turn in this round; another one right after it is of the same round.
            let had = at(base, turn.next.offset(1));
            new_round = (self.st.mem[had] >> next) & 1 == 1 && (next != before || asked < 0);
            self.st.mem[had] = if new_round { 0 } else { self.st.mem[had] } | 1 << next;
        }
        if new_round && turn.rounds != Slot::NONE {
            let left = at(base, turn.rounds);
            self.st.mem[left] -= 1;
            if self.st.mem[left] <= 0 {
                return self.jump_to(end);
            }
        }
        self.st.mem[player] = next;
        self.touch_turn();
        if turn.outermost && new_round {
            self.st.mem[usize::from(self.p.layout.round)] += 1;
        }
    }

    /// Ends a turn and begins the next, if nothing hooks that, waits or listens; else nothing has changed.
    #[inline(never)]
    pub fn turn_pass(&mut self, site: usize, base: usize) -> R<bool> {
        let turn = &self.p.sites.turns[site];
        let hooking = &self.p.span_hooked[turn.span.index()];
        let quiet = self.st.arms.is_empty()
            && self.x.heard.is_none()
            && self.x.trace.is_none()
            && self.p.repeats.is_empty()
            && !hooking.iter().any(|bearing| borne(self.p, &self.st.mem, bearing))
            && (self.p.quiet || self.is_calm()?);
        let player = at(base, turn.player);
        let (before, playing, players) = (self.st.mem[player], self.playing(), i64::from(self.st.players));
        let next = if before + 1 < players { before + 1 } else { 0 };
        if !quiet || before < 0 || (playing >> next) & 1 == 0 || next == before {
            return Ok(false);
        }
        self.st.mem[player] = next;
        self.st.mem[base] = next;
        self.touch_turn();
        if turn.outermost {
            self.st.turns += 1;
            self.st.mem[usize::from(self.p.layout.mover)] = next;
            let first = self.word(base, turn.first).max(0);
            let place = |seat: i64| if seat < first { seat - first + players } else { seat - first };
            if place(next) <= place(before) {
                self.st.mem[usize::from(self.p.layout.round)] += 1;
            }
        }
        Ok(true)
    }

    /// Goes on elsewhere in the innermost frame.
    pub fn jump_to(&mut self, pc: usize) {
        if let Some(frame) = self.st.frames.last_mut() {
            frame.pc = pc as u32;
        }
    }

    /// Whether a kind of entity is another.
    pub fn is_kind(&self, slot: usize, kind: KindId) -> bool {
        let set = usize::from(self.p.layout.kind_set(kind).0);
        (self.st.mem[set + slot / 64] >> (slot % 64)) & 1 == 1
    }

    /// An action cannot go on: not offered, or a dead end.
    fn refuse(&mut self, reason: Option<u32>, frame: &Frame) -> R<Option<Flow>> {
        self.x.refusal = reason;
        if frame.mode == Mode::Collect {
            self.pop();
            return Ok(Some(Flow::Collected));
        }
        if self.x.probing > 0 {
            self.note_dead_end();
            return Ok(Some(Flow::Collected));
        }
        if reason.is_some_and(|reason| self.p.sites.reasons[reason as usize].1) {
            return Ok(None);
        }
        Err(self.error(Code::DeadEnd, "an action came to a dead end although it was offered".to_owned()))
    }

    /// Arguments of an event.
    pub fn event_args(&self, event: &Event) -> &[i64] {
        let start = event.args as usize;
        &self.st.mem[start..start + usize::from(event.words)]
    }
}

/// Whether an instruction changes the game or asks for chance, so that an action's first choice cannot lie behind it.
pub(super) fn acts(op: Op) -> bool {
    matches!(
        op,
        Op::Verb { .. }
            | Op::VerbOpen { .. }
            | Op::Proceed { .. }
            | Op::BatchStart { .. }
            | Op::Do { .. }
            | Op::Sample { .. }
            | Op::Shuffle { .. }
            | Op::Roll { .. }
            | Op::Random { .. }
            | Op::Move { .. }
            | Op::Create { .. }
            | Op::SetProp { .. }
            | Op::SetPlayerProp { .. }
            | Op::SetGameProp { .. }
            | Op::Link { .. }
            | Op::Unlink { .. }
            | Op::Reveal { .. }
            | Op::Tell { .. }
            | Op::Arm { .. }
            | Op::SpanStart { .. }
            | Op::EdgeOpen { .. }
            | Op::TurnFirst { .. }
            | Op::Open { .. }
            | Op::Act { .. }
            | Op::OpenAgain
            | Op::Win { .. }
            | Op::Lose { .. }
            | Op::DrawGame
            | Op::EndGame
            | Op::Note { .. }
    )
}

/// So many generations a packed question tells apart.
pub(super) const GENERATIONS: i64 = 0x7fff;

/// A question or amount as one word: procedure, seat, and whom it is about: a player, or an entity with what its
/// generation leaves when divided (0 is no generation, so that a player is not taken for an entity).
pub(super) fn pack(proc: ProcId, me: i64, this: i64) -> i64 {
    let me = if me < 0 { 0xff } else { me & 0xff };
    let this = match (this, generation_of(this)) {
        (..0, _) => 0xffff,
        (player, ..1) => player & 0xffff,
        (about, generation) => (about & 0xffff) | kept_of(generation) << 16,
    };
    (proc.index() as i64 & 0xff_ffff) | me << 24 | this << 32
}

/// What a packed word keeps of a generation: 1 to 32,767.
pub(super) fn kept_of(generation: i64) -> i64 {
    (generation - 1) % GENERATIONS + 1
}

/// The parts of a packed word.
pub(super) fn unpack(lambda: i64) -> Option<(ProcId, i64, i64)> {
    if lambda == NIL {
        return None;
    }
    let me = (lambda >> 24) & 0xff;
    let this = (lambda >> 32) & 0x7fff_ffff;
    Some((
        ProcId((lambda & 0xff_ffff) as u32),
        if me == 0xff { NIL } else { me },
        if this == 0xffff { NIL } else { this },
    ))
}
