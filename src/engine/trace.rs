//! The record of changes with their causes, kept only while somebody asks for it.

use super::api::{CauseLink, Change};
use super::moves::{Before, Goal};
use super::run::{Flow, R, Run};
use super::state::{Event, Frame, FrameKind, Hook, slot_of};
use super::words::Eyes;
use crate::base::{Span, possessive};
use crate::model::rules::{ClauseHome, KindId, LookTarget, Proc, PropClass, PropId, Ty, WordingPart, ZoneId};
use crate::program::{NIL, OfferSite, ent};

/// Recorded changes, and how many seats read them.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub changes: Vec<Change>,
    /// How much they take, in bytes.
    pub bytes: usize,
    /// What the last of them tell of: things that one statement has moved.
    moves: Moves,
}

/// Things that one statement has moved to one zone, in the order in which it is told of them.
#[derive(Clone, Debug, Default)]
struct Moves {
    /// The frame, the instruction, the place where they lay, and the zone.
    by: (usize, u32, i64, usize),
    /// Their slots, and which change tells of the first of them.
    slots: Vec<usize>,
    first: usize,
}

/// Bytes of changes that are kept of one step. What goes beyond is left out, since a game must not end otherwise where
/// somebody reads its log.
const MOST_BYTES: usize = crate::base::limits::LOG_BYTES;

impl Trace {
    /// Gives what was recorded and begins anew.
    pub fn take(&mut self) -> Vec<Change> {
        self.bytes = 0;
        self.moves.slots.clear();
        std::mem::take(&mut self.changes)
    }

    fn is_full(&self) -> bool {
        self.bytes > MOST_BYTES
    }

    fn push(&mut self, change: Change) {
        let links = change.causes.iter().map(|cause| size_of::<CauseLink>() + cause.what.len());
        let texts = change.text.iter().map(|text| size_of::<String>() + text.len());
        self.bytes += size_of::<Change>() + change.full.len() + links.sum::<usize>() + texts.sum::<usize>();
        self.changes.push(change);
        if self.is_full()
            && let Some(last) = self.changes.last_mut()
        {
            last.full = "... and more than the log holds".to_owned();
            let full = &last.full;
            last.text.iter_mut().for_each(|text| text.clone_from(full));
        }
    }
}

impl Run<'_> {
    /// Whether what happens now is recorded.
    fn traces(&self) -> bool {
        self.x.trace.as_ref().is_some_and(|trace| !trace.is_full())
    }

    /// The procedures that have led to what happens now, from the innermost, and the line of each that did.
    pub fn causing(&self) -> impl Iterator<Item = (&Frame, &Proc, Span)> {
        let frames =
            self.st.frames.iter().rev().filter(|frame| matches!(frame.kind, FrameKind::Proc | FrameKind::Eval));
        frames.filter_map(|frame| {
            let proc = self.p.rules.procs.get(frame.proc as usize)?;
            // The next instruction stands behind the one at hand, but where nothing was done yet.
            let entry = self.p.procs.get(frame.proc as usize).map_or(0, |code| code.entry);
            let pc = frame.pc.saturating_sub(1).max(entry) as usize;
            Some((frame, proc, self.p.spans.get(pc).copied().unwrap_or(proc.span)))
        })
    }

    /// The chain of causes of what happens now, from the nearest.
    pub fn causes(&self) -> Vec<CauseLink> {
        let mut causes = Vec::new();
        let mut scripts = self.script_lines();
        for (frame, proc, span) in self.causing() {
            let above = scripts.iter().take_while(|(base, _)| *base >= frame.base).count();
            causes.extend(scripts.drain(..above).map(|(_, cause)| cause));
            if scripts.first().is_some_and(|(base, _)| *base + 2 == frame.base) {
                // What it does for a script stands in the script.
                continue;
            }
            let this = self.st.mem.get(frame.base as usize + 1).copied().unwrap_or(NIL);
            let what = match slot_of(this) {
                Some(_) if !proc.name.contains('"') => format!("{} ({})", self.entity_name(this), proc.name),
                _ => proc.name.clone(),
            };
            causes.push(CauseLink { what, known: self.who_knows(this), span });
        }
        causes.extend(scripts.into_iter().map(|(_, cause)| cause));
        causes
    }

    /// Records a change that each seat reads in its own words; the last reader is a spectator. Gives what was recorded.
    fn record_change(&mut self, full: String, text: impl Fn(&Self, Option<u8>) -> String) -> Option<&mut Change> {
        if !self.traces() || self.x.probing > 0 {
            return None;
        }
        let texts = self.spoken(|run| {
            let seats = (0..run.st.players).map(Some).chain([None]);
            seats.map(|seat| text(run, seat)).collect::<Vec<String>>()
        });
        let causes: Vec<CauseLink> = self.causes();
        let depth =
            self.st.frames.iter().filter(|frame| matches!(frame.kind, FrameKind::Event | FrameKind::Proceed)).count();
        let change = Change { full, text: texts, depth: depth as u16, causes, ..Change::default() };
        self.note_turns();
        let trace = self.x.trace.as_mut()?;
        trace.push(change);
        trace.changes.last_mut()
    }

    /// Records a change in words that are made for each reader.
    fn record_for(&mut self, words: impl Fn(&Self, Eyes) -> String) -> Option<&mut Change> {
        let full = words(self, Eyes::All);
        self.record_change(full, |run, seat| words(run, Eyes::Of(seat)))
    }

    fn record_open(&mut self, words: impl Fn(&Self) -> String) -> Option<&mut Change> {
        let full = words(self);
        self.record_change(full, |run, _| words(run))
    }

    /// Records a change that no seat reads.
    fn record_unread(&mut self, full: String) -> Option<&mut Change> {
        self.record_change(full, |_, _| String::new())
    }

    /// Where an entity is, in words.
    pub fn place_name(&self, record: usize) -> String {
        self.place_words((self.st.mem[record + ent::PLACE], self.st.mem[record + ent::SITE]))
    }

    /// Where something is whose record says so by these words.
    fn place_words(&self, (place, site): (i64, i64)) -> String {
        match place {
            ent::ON_BOARD => self.site_name((site / 4096) as usize, site % 4096),
            place if place <= ent::ENDLESS => self.site_name((ent::ENDLESS - place) as usize, site),
            place => usize::try_from(place).map_or("nowhere".to_owned(), |instance| self.zone_name(instance)),
        }
    }

    /// `red's hand`, `deck`.
    pub fn zone_name(&self, instance: usize) -> String {
        let info = self.p.layout.instances[instance];
        let zone = self.words().label(&self.p.rules.zones[info.zone.index()].name);
        match info.player {
            Some(player) => format!("{} {zone}", possessive(&self.seat_name(i64::from(player)))),
            None => self.zone_title(info.zone).map_or(zone, str::to_owned),
        }
    }

    /// What a zone is headed by on every screen, if that is always the same.
    fn zone_title(&self, zone: ZoneId) -> Option<&str> {
        let look = self.words().looks.iter().find(|look| look.target == LookTarget::Zone(zone))?;
        let case = look.title.first().filter(|case| case.when.is_none())?;
        match case.value.as_slice() {
            [WordingPart::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// `red's ` before what belongs to a player.
    fn owned_by(&self, owner: i64) -> String {
        if owner == NIL { String::new() } else { format!("{} ", possessive(&self.seat_name(owner))) }
    }

    /// What something that its reader does not know is called, behind whose it is: `red's man`, and not `red's a man`.
    fn unknown_beside(&self, back: Option<KindId>, owner: i64) -> String {
        let name = self.unknown_of(back);
        match name.split_once(' ').filter(|_| owner != NIL) {
            Some((_article, name)) => name.to_owned(),
            None => name,
        }
    }

    fn goal_name(&self, goal: Goal) -> String {
        match goal {
            Goal::Nowhere | Goal::Placeless => "nowhere".to_owned(),
            Goal::Zone(instance, _) => self.zone_name(instance),
            Goal::Site(board, site) => self.site_name(board, site as i64),
            Goal::Spot(board, site) => self.site_name(board, site),
        }
    }

    /// The name of an entity for those of `known` seats, else what can be said of it.
    fn seen_name(&self, named: i64, known: i64, seat: Option<u8>) -> String {
        if self.sees(known, seat) { self.entity_name(named) } else { self.unknown(named) }
    }

    /// A move of what is now `moved`, and is called what it was before.
    pub fn trace_move(&mut self, was: i64, moved: i64, known: i64, from: &Before, goal: Goal) {
        if !self.traces() {
            return;
        }
        let Some((record, _)) = self.record(moved) else { return };
        let Before { place: Some(from), back, owner } = *from else { return };
        if self.place_words(from) == "nowhere" {
            return;
        }
        let now = if goal == Goal::Nowhere { known } else { self.st.mem[record + ent::KNOWN] };
        let known = known | now;
        // Pieces of one kind on a board belong to several players; the zones of players say whose things lie there.
        let own = |instance: usize| self.p.layout.instances[instance].player.map(i64::from) == Some(owner);
        let told = match (usize::try_from(from.0), goal) {
            (Ok(instance), Goal::Site(..) | Goal::Spot(..)) => own(instance),
            (Err(_), Goal::Zone(instance, _)) => own(instance),
            (Ok(_), _) => true,
            (Err(_), _) => false,
        };
        let owner = if told { NIL } else { owner };
        let line = |run: &Self, name: String| {
            format!("{}{name}: {} -> {}", run.owned_by(owner), run.place_words(from), run.goal_name(goal))
        };
        let turned = self.turned_words(moved);
        let full = line(self, self.entity_name(was)) + turned.as_str();
        let recorded = self.record_change(full, |run, seat| match run.sees(known, seat) {
            true => line(run, run.entity_name(was)) + turned.as_str(),
            false => line(run, run.unknown_beside(back, owner)),
        });
        if recorded.is_some() {
            self.hide_order(moved, from.0, goal);
        }
    }

    /// What is moved together to where not everybody sees the order is told of in an order that says nothing of it.
    fn hide_order(&mut self, moved: i64, from: i64, goal: Goal) {
        let (p, st) = (self.p, &*self.st);
        let (Goal::Zone(instance, _), Some(slot)) = (goal, slot_of(moved)) else { return };
        let info = &p.layout.instances[instance];
        let (Some(frame), Some(trace)) = (st.frames.last(), self.x.trace.as_mut()) else { return };
        if info.list == 0 || !p.rules.zones[info.zone.index()].seen.is_closed() {
            return;
        }
        let (Trace { changes, moves, .. }, by) = (trace, (st.frames.len(), frame.pc, from, instance));
        if moves.by != by || moves.first + moves.slots.len() + 1 != changes.len() {
            *moves = Moves { by, slots: Vec::new(), first: changes.len() - 1 };
        }
        moves.slots.push(slot);
        let comes_first = |one: usize, other: usize| super::order::told(&p.layout, &st.mem, one, other).is_lt();
        for at in (1..moves.slots.len()).rev() {
            if !comes_first(moves.slots[at], moves.slots[at - 1]) {
                break;
            }
            moves.slots.swap(at, at - 1);
            changes.swap(moves.first + at, moves.first + at - 1);
        }
    }

    pub fn trace_create(&mut self, made: i64, goal: Goal) {
        if !self.traces() || goal == Goal::Placeless {
            return;
        }
        let known = self.record(made).map_or(0, |(record, _)| self.st.mem[record + ent::KNOWN]);
        let owner = self.record(made).map_or(NIL, |(record, _)| self.st.mem[record + ent::OWNER]);
        let line = |run: &Self, name: String| format!("{}{name} appears: {}", run.owned_by(owner), run.goal_name(goal));
        let full = line(self, self.entity_name(made));
        let back = self.record(made).and_then(|(record, _)| self.back_of(record));
        self.record_change(full, |run, seat| match run.sees(known, seat) {
            true => line(run, run.entity_name(made)),
            false => line(run, run.unknown_beside(back, owner)),
        });
    }

    pub fn trace_prop(&mut self, of: Option<i64>, player: Option<i64>, prop: PropId, before: i64, after: i64) {
        let recorded = |run: &Self| run.x.trace.as_ref().map_or(0, |trace| trace.changes.len());
        let already = recorded(self);
        // What is called by what it keeps is called what it was before.
        let called = of.filter(|_| self.traces()).and_then(|named| self.kept_in_name(named, prop));
        if let Some(at) = called {
            self.st.mem[at] = before;
        }
        self.trace_stored(of, player, prop, before, after);
        if let Some(at) = called {
            self.st.mem[at] = after;
        }
        if recorded(self) > already
            && let Some(change) = self.x.trace.as_mut().and_then(|trace| trace.changes.last_mut())
        {
            change.stored = Some((of.or(player).unwrap_or(NIL), prop));
        }
    }

    /// Where something that is there keeps a property which its name tells.
    fn kept_in_name(&self, named: i64, prop: PropId) -> Option<usize> {
        let (record, current) = self.record(named)?;
        let kind = usize::try_from(self.st.mem[record + ent::KIND]).ok()?;
        let told = self.words().kinds[kind].notation.iter().any(|part| part.props().contains(&prop));
        let offset = super::moves::entity_offset(self.p, prop)?;
        (current && told).then_some(record + offset)
    }

    fn trace_stored(&mut self, of: Option<i64>, player: Option<i64>, prop: PropId, before: i64, after: i64) {
        // Two games are compared by what they store, though it be what is there already.
        if !self.traces() || before == after && self.x.way.is_none() {
            return;
        }
        let info = &self.p.rules.props[prop.index()];
        if matches!(info.ty, Ty::Set(_) | Ty::List(_) | Ty::Lambda(..)) {
            return;
        }
        let mark = matches!(info.class, PropClass::Mark { .. });
        let linked = matches!(info.class, PropClass::LinkOne(_));
        let (name, ty, open) = (&info.name, &info.ty, info.open);
        self.note_whose(of, player, if open { before } else { NIL });
        let line = |run: &Self, whose: &dyn Fn(&Self) -> String, eyes: Eyes| {
            let (before, after) = (run.value_key(before, ty, eyes), run.value_key(after, ty, eyes));
            format!("{}{}: {before} -> {after}", whose(run), run.words().label(name))
        };
        let Some(entity) = of else {
            let whose = |run: &Self| player.map_or(String::new(), |player| format!("{} ", run.seat_name(player)));
            let target = if player.is_some() { LookTarget::Player } else { LookTarget::Game };
            if !self.log_tells(target, prop) {
                self.record_kept(line(self, &whose, Eyes::All));
            } else if mark {
                // A rule's own notes about the game or a player are for records, not for players.
                self.record_unread(line(self, &whose, Eyes::All));
            } else {
                self.record_for(|run, eyes| line(run, &whose, eyes));
            }
            return;
        };
        let record = self.record(entity).map_or(0, |(record, _)| record);
        let (known, kind) = (self.st.mem[record + ent::KNOWN], self.st.mem[record + ent::KIND] as usize);
        // Pieces without a definition are told from each other by where they lie.
        let whose = |run: &Self| match run.entry_of(entity) {
            Some(_) => format!("{} ", run.entity_name(entity)),
            None => format!("{} ", run.entity_key(entity, Eyes::All)),
        };
        let left_out = self.shown_of_kind(kind).is_some_and(|shown| !shown.contains(&prop));
        if left_out && !linked {
            self.record_kept(line(self, &whose, Eyes::All));
            return;
        }
        // What happens to a card that is not seen is not told, but for what all may read.
        let sees = |run: &Self, seat| run.sees(known, seat) && (open || run.sees_marks(entity, Eyes::Of(seat)));
        self.record_change(line(self, &whose, Eyes::All), |run, seat| match sees(run, seat) {
            true => line(run, &whose, Eyes::Of(seat)),
            false if open => {
                line(run, &|run: &Self| format!("{} ", run.entity_key(entity, Eyes::Of(seat))), Eyes::Of(seat))
            }
            false => String::new(),
        });
    }

    /// Records a change of a property that no look names.
    fn record_kept(&mut self, full: String) {
        if let Some(change) = self.record_unread(full) {
            change.kept = true;
        }
    }

    /// The value at an address as a property keeps it.
    pub fn clamped(&mut self, prop: PropId, from: usize, before: i64) -> i64 {
        let wanted = self.st.mem[from];
        let info = &self.p.rules.props[prop.index()];
        if wanted == NIL && info.ty == Ty::Flag {
            // A flag of nothing does not hold.
            return 0;
        }
        let kept = matches!(info.class, PropClass::Counter { .. } | PropClass::Mark { .. });
        if wanted == NIL && kept && info.ty == Ty::Number {
            // What is always a number stays what it was.
            self.note_clamp(prop, wanted, before);
            return before;
        }
        let Some((low, high)) = info.range.filter(|_| wanted != NIL && *info.ty.bare() == Ty::Number) else {
            return wanted;
        };
        let kept = wanted.clamp(low, high.max(low));
        if kept != wanted && !info.clamped {
            self.note_clamp(prop, wanted, kept);
        }
        kept
    }

    fn note_clamp(&mut self, prop: PropId, wanted: i64, kept: i64) {
        self.falls_short();
        if self.x.clamps.is_some() && self.x.probing == 0 {
            let span = self.causes().first().map_or(self.p.rules.props[prop.index()].span, |cause| cause.span);
            let clamps = self.x.clamps.get_or_insert_default();
            clamps.push(super::api::Clamp { prop, wanted, kept, span });
        }
    }

    pub fn trace_reveal(&mut self, shown: i64, to: i64, quietly: bool) {
        if !self.traces() {
            return;
        }
        let known = self.record(shown).map_or(0, |(record, _)| self.st.mem[record + ent::KNOWN]) | to;
        let all = self.st.mem[usize::from(self.p.layout.playing)];
        let seats = (0..i64::from(self.st.players)).filter(|seat| (to >> seat) & 1 == 1);
        let seats: Vec<i64> = seats.collect();
        let whom = |run: &Self| {
            let names = seats.iter().map(|seat| run.seat_name(*seat)).collect::<Vec<_>>().join(", ");
            if to & all == all { String::new() } else { format!(" to {names}") }
        };
        let full = format!("{} is shown{}", self.entity_name(shown), whom(self));
        self.record_change(full, |run, seat| {
            let reads = |seat: u8| (to >> seat) & 1 == 1;
            match quietly && !seat.is_some_and(reads) {
                true => String::new(),
                false => format!("{} is shown{}", run.seen_name(shown, known, seat), whom(run)),
            }
        });
    }

    pub fn trace_shuffle(&mut self, instance: usize) {
        if self.traces() {
            self.record_open(|run| format!("{} is shuffled", run.zone_name(instance)));
        }
    }

    pub fn trace_refill(&mut self, from: usize, to: usize) {
        if self.traces() {
            self.record_open(|run| format!("{} becomes {}", run.zone_name(from), run.zone_name(to)));
        }
    }

    pub fn trace_roll(&mut self, value: i64) {
        self.note_roll(value);
        if self.traces() {
            self.record_open(|_| format!("a roll of {value}"));
        }
    }

    pub fn trace_turn(&mut self, player: i64) {
        if self.traces() {
            self.record_open(|run| format!("-- {} turn", possessive(&run.seat_name(player))));
        }
    }

    pub fn trace_stopped(&mut self, event: &Event, by: &Hook) {
        if !self.traces() {
            return;
        }
        let verb = |run: &Self| run.words().label(&run.p.rules.verbs[event.verb as usize].name);
        let target = self.st.mem.get(event.args as usize).copied().unwrap_or(NIL);
        let entity = matches!(
            self.p.rules.verbs[event.verb as usize].params.first().map(|param| &param.ty),
            Some(Ty::Entity(_))
        );
        let known = self.record(target).filter(|_| entity).map_or(-1, |(record, _)| self.st.mem[record + ent::KNOWN]);
        let name = move |run: &Self, seat: Option<u8>| {
            if entity { format!(" {}", run.seen_name(target, known, seat)) } else { String::new() }
        };
        let named = if entity { format!(" {}", self.entity_name(target)) } else { String::new() };
        let full = format!("cannot {}{named}", verb(self));
        let cause = self.forbidding(by, &verb(self));
        if let Some(change) = self.record_change(full, |run, seat| format!("cannot {}{}", verb(run), name(run, seat))) {
            change.causes.insert(0, cause);
        }
    }

    /// What forbids a verb.
    fn forbidding(&self, by: &Hook, verb: &str) -> CauseLink {
        let clause = &self.p.rules.clauses[by.clause as usize];
        let whose = match (slot_of(by.source), clause.home) {
            (Some(_), _) => self.entity_name(by.source),
            (None, ClauseHome::Rule(group)) => format!("rule {}", self.p.rules.groups[group.index()].name),
            (None, _) => "something that was armed".to_owned(),
        };
        CauseLink { what: format!("{whose} (cannot {verb})"), known: self.who_knows(by.source), span: clause.span }
    }

    pub fn trace_void(&mut self, hook: &Hook) {
        if self.traces() && slot_of(hook.source).is_some() {
            let line = |run: &Self, eyes| format!("{} is void", run.name_for(hook.source, eyes));
            self.record_for(line);
        }
    }

    pub fn trace_outcome(&mut self, winners: u64) {
        if !self.traces() {
            return;
        }
        let lost = winners == 0 && self.playing() == 0;
        let seats = (0..i64::from(self.st.players)).filter(|seat| lost || (winners >> seat) & 1 == 1);
        let seats: Vec<i64> = seats.collect();
        self.record_open(|run| {
            let names: Vec<String> = seats.iter().map(|seat| run.seat_name(*seat)).collect();
            if lost { super::words::losers(&names) } else { super::words::winners(&names) }
        });
    }

    /// Somebody passes in a window.
    pub fn trace_pass(&mut self, seat: i64) {
        if self.traces()
            && let Some(change) = self.record_open(|run| format!("{} passes", run.seat_name(seat)))
        {
            change.pass = true;
        }
    }

    /// An offer: its terms for the two whom it is about, and for others that there is one.
    pub fn trace_offer(&mut self, site: usize, base: usize) {
        if !self.traces() {
            return;
        }
        let (maker, answers) = self.offer_seats(site, base);
        let open = |run: &Self| format!("{} makes {} an offer", run.seat_name(maker), run.seat_name(answers));
        self.record_for(|run, eyes| match eyes {
            Eyes::Of(seat) if !seat.is_some_and(|seat| [maker, answers].contains(&i64::from(seat))) => open(run),
            eyes => super::offers::on_one_line(&open(run), &run.offer_terms(site, base, eyes)),
        });
    }

    /// What became of an offer.
    pub fn trace_answer(&mut self, site: usize, base: usize, answer: i64) {
        if !self.traces() {
            return;
        }
        let (maker, answers) = self.offer_seats(site, base);
        let who = if answer == OfferSite::WITHDRAW { maker } else { answers };
        let word = match answer {
            OfferSite::ACCEPT => "accepts",
            OfferSite::REFUSE => "refuses",
            OfferSite::COUNTER => "counters",
            _ => "withdraws the offer",
        };
        self.record_open(|run| format!("{} {word}", run.seat_name(who)));
    }

    /// The instruction `note`.
    /// A line that a script writes.
    pub fn trace_said(&mut self, parts: &[super::plain::Plain]) {
        if self.traces()
            && let Some(change) = self.record_for(|run, eyes| run.told_parts(parts, eyes))
        {
            change.said = true;
        }
    }

    pub fn note(&mut self, site: usize, base: usize) -> R<Option<Flow>> {
        if let Some(flow) = self.try_note(site, base)? {
            return Ok(Some(flow));
        }
        if self.traces()
            && let Some(change) = self.record_for(|run, eyes| run.text(&run.p.sites.texts[site], base, eyes))
        {
            change.said = true;
        }
        Ok(None)
    }
}
