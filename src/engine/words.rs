//! How things are called: keys of options, labels, values in texts.

use super::api::Seat;
use super::moves::{LAST_UNKNOWN, known_then};
use super::run::Run;
use super::state::{Choice, DONE, PASS, Pending, PendingKind, slot_of};
use crate::model::rules::{FieldValue, Key, KindId, NamePart, PropClass, PropId, Seen, Ty};
use crate::program::{ActionSite, NIL, OfferSite, PropHome, TextPart, TextSite, ent};
use std::collections::BTreeMap;

/// Bytes of a text with values filled in; more is left out.
const LONGEST_TEXT: usize = 8_192;
/// Who reads a text. Names of things are made for somebody, so that nobody reads what they do not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Eyes {
    /// Tests, records and chance: nothing is hidden.
    #[default]
    All,
    /// A seat, or somebody who knows only what all seats know.
    Of(Option<Seat>),
}

impl Eyes {
    /// Those of the player of a word of the memory; all, if there is none.
    pub fn of(player: i64) -> Eyes {
        Seat::try_from(player).map_or(Eyes::All, |seat| Eyes::Of(Some(seat)))
    }
}

/// What an entity is called that its reader does not know.
pub(super) const UNKNOWN: &str = "a card";

impl Run<'_> {
    /// Whether a reader knows what an entity is, or was when it became something else.
    pub fn is_seen(&self, named: i64, eyes: Eyes) -> bool {
        let (Eyes::Of(seat), Some((record, current))) = (eyes, self.record(named)) else { return true };
        if !current {
            let last = self.p.layout.last(slot_of(named).unwrap_or(0));
            let changes = self.st.mem[record + ent::GENERATION] - super::state::generation_of(named);
            return self.sees(known_then(self.st.mem[last + LAST_UNKNOWN], changes), seat);
        }
        self.sees(self.st.mem[record + ent::KNOWN], seat) || self.is_open_top(record)
    }

    /// The seats that know what an entity is, as a bit set: all of them, if it is none.
    pub fn who_knows(&self, named: i64) -> u64 {
        let seats = (0..self.st.players).filter(|seat| self.is_seen(named, Eyes::Of(Some(*seat))));
        let known = seats.fold(0, |known, seat| known | 1 << seat);
        if known == (1 << self.st.players) - 1 { u64::MAX } else { known }
    }

    /// Whether an entity lies at the top of a zone of which everybody sees the top.
    fn is_open_top(&self, record: usize) -> bool {
        let Ok(instance) = usize::try_from(self.st.mem[record + ent::PLACE]) else { return false };
        let zone = self.p.layout.instances[instance].zone;
        self.p.rules.zones[zone.index()].seen == Seen::Top
            && self.is_settled(instance, 0)
            && self.zone_order(instance).first().and_then(|top| self.record(*top)).is_some_and(|(top, _)| top == record)
    }

    /// Whether a seat, or everybody, is among those who know something.
    pub fn sees(&self, known: i64, seat: Option<Seat>) -> bool {
        match seat {
            Some(seat) => (known >> seat) & 1 == 1,
            None => (0..self.st.players).all(|seat| (known >> seat) & 1 == 1),
        }
    }

    /// Whether a reader sees what a card has on it. Who only remembers which card lies in a zone does not: that may have changed
    /// there.
    pub fn sees_marks(&self, named: i64, eyes: Eyes) -> bool {
        let (Eyes::Of(seat), Some((record, true))) = (eyes, self.record(named)) else { return true };
        let Ok(instance) = usize::try_from(self.st.mem[record + ent::PLACE]) else { return true };
        let zone = self.p.layout.instances[instance].zone;
        self.p.rules.zones[zone.index()].seen == Seen::Top || self.sees(self.lookers(instance), seat)
    }

    /// The name of an entity as a reader may know it.
    pub fn name_for(&self, named: i64, eyes: Eyes) -> String {
        if self.is_seen(named, eyes) { self.name_seen(named, eyes) } else { self.unknown(named) }
    }

    /// What an entity is called that its reader does not know: of a piece on a board, what all see of it.
    pub(super) fn unknown(&self, named: i64) -> String {
        self.unknown_of(self.record(named).filter(|(_, current)| *current).and_then(|(record, _)| self.back_of(record)))
    }

    /// What an entity is called of which all see this.
    pub(super) fn unknown_of(&self, back: Option<KindId>) -> String {
        match back {
            Some(kind) => {
                let kind = self.words().label(&self.p.rules.kinds[kind.index()].name);
                let article =
                    if kind.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
                format!("{article} {kind}")
            }
            None => UNKNOWN.to_owned(),
        }
    }

    /// The kind that all see of a piece which lies on a board.
    pub(super) fn back_of(&self, record: usize) -> Option<KindId> {
        let (place, kind) = (self.st.mem[record + ent::PLACE], self.st.mem[record + ent::KIND]);
        let lies = place == ent::ON_BOARD || place <= ent::ENDLESS;
        self.p.rules.kinds.get(usize::try_from(kind).ok().filter(|_| lies)?)?.back.map(|back| back.kind)
    }

    /// The name of a seat.
    pub fn seat_name(&self, seat: i64) -> String {
        match usize::try_from(seat).ok().and_then(|seat| self.words().seats.get(seat)) {
            Some(name) => name.clone(),
            None if seat >= 0 => format!("player {}", seat + 1),
            None => "nobody".to_owned(),
        }
    }

    /// The name of an entity's definition, or what its kind's notation says, or its kind and given fields.
    pub fn entity_name(&self, named: i64) -> String {
        self.name_seen(named, Eyes::All)
    }

    /// The name of an entity whose reader knows which it is.
    pub(super) fn name_seen(&self, named: i64, eyes: Eyes) -> String {
        let Some(slot) = slot_of(named) else { return "nothing".to_owned() };
        let record = self.p.layout.entity(slot);
        if let Some(entry) = self.entry_of(named) {
            return self.words().entries[entry].name.clone();
        }
        let kind = self.st.mem[record + ent::KIND] as usize;
        let notation = &self.words().kinds[kind].notation;
        if !notation.is_empty() {
            return notation.iter().map(|part| self.name_part(part, named, eyes)).collect();
        }
        let mut words = self.words().label(&self.p.rules.kinds[kind].name);
        for prop in &self.p.rules.kinds[kind].props {
            let info = &self.p.rules.props[prop.index()];
            let field = matches!(info.class, PropClass::Field { .. });
            if let (true, Some(offset)) = (field, super::moves::entity_offset(self.p, *prop)) {
                let value = self.kept(named, offset);
                // A flag says by its name that it is set: `man king`.
                let word = match info.ty {
                    Ty::Flag if value == 1 => self.words().label(&info.name),
                    Ty::Flag => continue,
                    _ => self.plain(value, &info.ty),
                };
                words.push(' ');
                words.push_str(&word);
            }
        }
        words
    }

    /// What an entity keeps in a word of its record, or kept when it became another one.
    fn kept(&self, named: i64, offset: usize) -> i64 {
        match self.record(named) {
            Some((record, current)) if current || offset < ent::PROPS => self.st.mem[record + offset],
            Some(_) => super::straight::last_prop(&self.p.layout, &self.st.mem, named, offset as u16),
            None => NIL,
        }
    }

    fn name_part(&self, part: &NamePart, named: i64, eyes: Eyes) -> String {
        match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Prop(prop) => match self.told_in_name(*prop, named, eyes) {
                Some(value) => self.plain(value, &self.p.rules.props[prop.index()].ty),
                None => "?".to_owned(),
            },
            NamePart::Either { prop, is, then, other } => match self.told_in_name(*prop, named, eyes) {
                Some(value) => match if value == *is { &**then } else { &**other } {
                    NamePart::Text(text) => self.said(text).to_owned(),
                    part => self.name_part(part, named, eyes),
                },
                None => "?".to_owned(),
            },
        }
    }

    /// What something keeps or has printed, for a reader who knows which it is; nothing where the reader cannot see that.
    fn told_in_name(&self, prop: PropId, named: i64, eyes: Eyes) -> Option<i64> {
        let info = &self.p.rules.props[prop.index()];
        let printed = matches!(info.class, PropClass::Field { .. } | PropClass::Stat { .. });
        if !printed && !info.open && !self.sees_marks(named, eyes) {
            return None;
        }
        Some(match (super::moves::entity_offset(self.p, prop), &info.class) {
            (Some(offset), _) => self.kept(named, offset),
            // Nobody ever gives another value, so none is kept.
            (None, PropClass::Field { default: Some(FieldValue::Word(value)) }) => *value,
            (None, _) => NIL,
        })
    }

    /// A value that needs no state to be written.
    pub fn plain(&self, value: i64, ty: &Ty) -> String {
        match ty {
            Ty::Enum(id) => {
                let values = &self.words().enums[id.index()].values;
                usize::try_from(value)
                    .ok()
                    .and_then(|value| values.get(value))
                    .map_or("nothing".to_owned(), |value| value.label.clone())
            }
            Ty::Text => self.p.rules.texts.text(value).map_or("nothing", |text| self.said(text)).to_owned(),
            Ty::Flag if value != NIL => if value == 1 { "yes" } else { "no" }.to_owned(),
            Ty::Player => self.seat_name(value),
            Ty::Site(board) => self.site_name(board.index(), value),
            Ty::Direction(board) => {
                let names = &self.words().boards[board.index()].geometry.directions;
                usize::try_from(value).ok().and_then(|way| names.get(way)).map_or("nothing", String::as_str).to_owned()
            }
            Ty::Cause => ["ability", "rule", "cost"].get(value as usize).map_or("nothing", |name| name).to_owned(),
            Ty::Maybe(inner) if value != NIL => self.value_key(value, inner, Eyes::All),
            Ty::Lambda(..) => "a question".to_owned(),
            _ if value == NIL => "nothing".to_owned(),
            _ => value.to_string(),
        }
    }

    /// A single value in words.
    pub fn value_key(&self, value: i64, ty: &Ty, eyes: Eyes) -> String {
        match ty {
            Ty::Entity(_) => self.entity_key(value, eyes),
            Ty::Maybe(inner) => self.value_key(value, inner, eyes),
            _ => self.plain(value, ty),
        }
    }

    /// The key of a value that can be chosen: of a card that the chooser does not know, where it lies.
    pub fn option_key(&self, value: i64, ty: &Ty, eyes: Eyes) -> String {
        let unseen = match ty.bare() {
            Ty::Entity(_) if !self.is_seen(value, eyes) => self.record(value).map(|(record, _)| record),
            _ => None,
        };
        let Some(record) = unseen else { return self.value_key(value, ty, eyes) };
        let back = self.back(value, eyes).map_or(String::new(), |words| format!(" ({words})"));
        match self.back_of(record) {
            Some(_) => format!("{}{back}", self.value_key(value, ty, eyes)),
            None => format!("{UNKNOWN}{back} in {}", self.place_name(record)),
        }
    }

    /// What all may read of a card that they do not see, if there is anything: its `open` marks.
    pub fn back(&self, card: i64, eyes: Eyes) -> Option<String> {
        let rules = &self.p.rules;
        let kind = self.st.mem[self.p.layout.entity(slot_of(card)?) + ent::KIND] as usize;
        let lies = |prop: &&PropId| rules.props[prop.index()].open && rules.props[prop.index()].table.is_none();
        let open = rules.kinds[kind].props.iter().filter(lies);
        let words: Vec<String> = open
            .filter_map(|prop| self.changed_mark(card, kind, *prop, eyes))
            .map(|(name, words)| if words == "yes" { name } else { format!("{name} {words}") })
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// A counter or mark of an entity, or a table of them, by its name and in words, unless it is as it was at first.
    pub fn changed_mark(&self, card: i64, kind: usize, prop: PropId, eyes: Eyes) -> Option<(String, String)> {
        let info = &self.p.rules.props[prop.index()];
        let name = self.words().label(&info.name);
        if let (PropClass::Table(items), Ty::Table(key, item)) = (&info.class, &info.ty) {
            items.iter().find_map(|prop| self.changed_mark(card, kind, *prop, eyes))?;
            let values = items.iter().enumerate().map(|(index, prop)| {
                let offset = super::moves::entity_offset(self.p, *prop);
                let value = self.kept(card, offset?);
                Some((index, self.value_key(value, item, eyes)))
            });
            let values: Vec<(usize, String)> = values.collect::<Option<_>>()?;
            return Some((name, self.table_words(*key, item, values.into_iter())));
        }
        let PropHome::Entity(offset) = self.p.layout.props[prop.index()] else { return None };
        let words = usize::from(self.p.layout.words(&info.ty));
        let start = self.p.layout.entity(slot_of(card)?) + usize::from(offset);
        let value = &self.st.mem[start..start + words];
        let plain = usize::from(offset) - ent::PROPS;
        let same = value == &self.p.kind_defaults[kind][plain..plain + words];
        (!same && !matches!(info.ty, Ty::Lambda(..))).then(|| (name, self.value_words(value, &info.ty, eyes)))
    }

    /// An entity by name, and by place where it lies on a board. What has moved on lies nowhere.
    pub fn entity_key(&self, named: i64, eyes: Eyes) -> String {
        let name = self.name_for(named, eyes);
        let there = slot_of(named).filter(|_| self.record(named).is_some_and(|(_, current)| current));
        match there.and_then(|slot| self.lies_on(slot)) {
            Some((board, site)) => format!("{name} {}", self.site_name(board, site)),
            None => name,
        }
    }

    /// A value of any width, in words; `words` are its memory.
    pub fn value_words(&self, words: &[i64], ty: &Ty, eyes: Eyes) -> String {
        self.value_with(words, ty, ", ", eyes)
    }

    /// A value of any width, with `between` between the members of a set or list.
    fn value_with(&self, words: &[i64], ty: &Ty, between: &str, eyes: Eyes) -> String {
        use crate::program::{Repr, repr};
        let item = match ty {
            Ty::Set(item) | Ty::List(item) => item.as_ref(),
            Ty::Table(key, item) => {
                let values = words.iter().skip(1).take(words.first().map_or(0, |n| *n as usize)).enumerate();
                return self.table_words(*key, item, values.map(|(index, value)| (index, self.plain(*value, item))));
            }
            Ty::PerDirection(item) => {
                let values = words.iter().skip(1).take(words.first().map_or(0, |n| *n as usize));
                return values.map(|value| self.plain(*value, item)).collect();
            }
            other => return self.value_key(words.first().copied().unwrap_or(NIL), other, eyes),
        };
        let mut values: Vec<i64> = match repr(ty) {
            Repr::List => words.iter().skip(1).take(words.first().map_or(0, |n| *n as usize)).copied().collect(),
            Repr::Entities => bits(words).into_iter().map(|slot| self.reference(slot)).collect(),
            _ => bits(words).into_iter().map(|bit| bit as i64).collect(),
        };
        let mut unknown = 0;
        if let (Ty::Set(_), Ty::Entity(_)) = (ty, item.bare()) {
            // Where unknown members stand among the others would tell something of them.
            let all = values.len();
            let lies = |value: i64| self.record(value).is_some_and(|(record, _)| self.back_of(record).is_some());
            values.retain(|value| self.is_seen(*value, eyes) || lies(*value));
            unknown = all - values.len();
        }
        let mut told: Vec<String> = values.into_iter().map(|value| self.value_key(value, item, eyes)).collect();
        match unknown {
            0 => {}
            1 => told.push(UNKNOWN.to_owned()),
            some => told.push(format!("{some} cards")),
        }
        match told.is_empty() {
            // In a notation nothing stands for nothing.
            true if between == " " => String::new(),
            true => "nothing".to_owned(),
            false => told.join(between),
        }
    }

    /// A table in words, of the words of its values: without those that say nothing.
    pub fn table_words(&self, key: Key, item: &Ty, values: impl Iterator<Item = (usize, String)>) -> String {
        let told =
            values.filter(|(_, words)| !matches!(words.as_str(), "0" | "no" | "nothing")).map(|(index, words)| {
                let label = self.words().key_label(key, index);
                match (key, item.bare()) {
                    (_, Ty::Flag) => label,
                    (Key::Enum(_), Ty::Number) => format!("{words} {label}"),
                    _ => format!("{label}: {words}"),
                }
            });
        let told: Vec<String> = told.collect();
        if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
    }

    /// A text with its values filled in from a window, for a reader.
    pub fn text(&self, site: &TextSite, base: usize, eyes: Eyes) -> String {
        self.text_with(site, base, ", ", eyes)
    }

    /// A text with `between` between the members of a set or list.
    pub fn text_with(&self, site: &TextSite, base: usize, between: &str, eyes: Eyes) -> String {
        let mut out = String::new();
        for part in self.parts_said(site).iter() {
            match part {
                TextPart::Text(text) => out.push_str(text),
                TextPart::Value(slot, ty) => {
                    let start = super::run::at(base, *slot);
                    let words = usize::from(self.p.layout.words(ty));
                    out.push_str(&self.value_with(&self.st.mem[start..start + words], ty, between, eyes));
                }
            }
            if out.len() > LONGEST_TEXT {
                let end = (0..=LONGEST_TEXT).rev().find(|at| out.is_char_boundary(*at)).unwrap_or(0);
                out.truncate(end);
                out.push_str(" ...");
                break;
            }
        }
        // In a notation an empty set is not written, but something has to be.
        if out.trim().is_empty() && between == " " { "nothing".to_owned() } else { out }
    }

    /// The type of what is chosen in the decision at hand.
    pub fn pending_type(&self) -> Ty {
        let site = self.st.pending.site as usize;
        match self.st.pending.kind {
            PendingKind::Choose => self.p.sites.chooses[site].ty.clone(),
            PendingKind::Draw => Ty::Entity(crate::model::rules::KindId(0)),
            PendingKind::Random => self.p.sites.randoms[site].ty.clone(),
            PendingKind::Split => self.p.sites.splits[site].takers.1.clone(),
            _ => Ty::Number,
        }
    }

    /// Who reads the decision at hand first: the seat that decides.
    pub fn decider(&self) -> Eyes {
        Eyes::of(self.st.pending.seat)
    }

    /// The key of one candidate, before equal ones are told apart.
    fn choice_key(&self, pending: &Pending, choice: Choice) -> String {
        let (site, eyes) = (pending.site as usize, self.decider());
        match pending.kind {
            _ if choice.branch == DONE => "done".to_owned(),
            PendingKind::Action if choice.branch == PASS => "pass".to_owned(),
            PendingKind::Action => {
                let (site, branch) = (&self.p.sites.actions[site], choice.branch as usize);
                let words = self.act_words(site, branch);
                if choice.value == super::choose::WHOLE {
                    return words;
                }
                format!("{words} {}", self.option_key(choice.value, &self.first_type(site.acts[branch].action), eyes))
            }
            PendingKind::Option => self.said(&self.p.sites.options[site].texts[choice.value as usize]).to_owned(),
            PendingKind::Offer => OfferSite::ANSWERS[choice.value as usize & 3].to_owned(),
            PendingKind::Trigger => self.trigger_key(choice.branch),
            PendingKind::Split => self.split_key(choice.value),
            PendingKind::Ask | PendingKind::May => if choice.value == 1 { "yes" } else { "no" }.to_owned(),
            PendingKind::Announce => if choice.value == 1 { "announce" } else { "stay silent" }.to_owned(),
            PendingKind::Script | PendingKind::Fate => self.script_key(choice.value, eyes),
            _ => self.option_key(choice.value, &self.pending_type(), eyes),
        }
    }

    /// An action that the decision at hand offers: `jump`, and with its arguments where it is offered more than once:
    /// `jump north`. A question that is given has no words.
    // INVARIANT: the arguments have been worked out, so the action does not stand behind an `else` that does not count.
    pub fn act_words(&self, site: &ActionSite, branch: usize) -> String {
        let act = &site.acts[branch];
        let mut words = self.words().label(&self.p.rules.actions[act.action.index()].name);
        if site.acts.iter().filter(|other| other.action == act.action).count() < 2 {
            return words;
        }
        let eyes = self.decider();
        let body = &self.p.rules.procs[self.p.actions[act.action.index()].body.index()];
        let mut from = self.st.frames.last().map_or(0, |frame| super::run::at(frame.base as usize, act.args));
        for param in &body.locals[..usize::from(body.params)] {
            let width = usize::from(self.p.layout.words(&param.ty));
            if let (false, Some(value)) = (is_question(&param.ty), self.st.mem.get(from..from + width)) {
                words.push(' ');
                words.push_str(&self.argument_key(value, &param.ty, eyes));
            }
            from += width;
        }
        words
    }

    /// An argument in the key of an action.
    fn argument_key(&self, words: &[i64], ty: &Ty, eyes: Eyes) -> String {
        match (ty.bare(), words) {
            (Ty::Entity(_), [value]) => self.option_key(*value, ty, eyes),
            _ => self.value_words(words, ty, eyes),
        }
    }

    /// The type of the first choice of an action.
    pub fn first_type(&self, action: crate::model::rules::ActionId) -> Ty {
        crate::program::first_type(&self.p.rules.procs[self.p.rules.actions[action.index()].body.index()])
    }

    /// The keys of all candidates, told apart with `#2` where they are alike.
    pub fn keys(&self) -> Vec<String> {
        let pending = &self.st.pending;
        let options = self.options();
        let mut keys: Vec<String> = options.iter().map(|choice| self.choice_key(pending, *choice)).collect();
        if pending.kind == PendingKind::Choose {
            let sites: Vec<i64> = options.iter().map(|choice| choice.value).filter(|site| *site != NIL).collect();
            self.tell_whose(&self.pending_type(), &sites, &mut keys);
        }
        let mut before: BTreeMap<String, usize> = BTreeMap::new();
        for key in &mut keys {
            let twins = before.get(key.as_str()).copied().unwrap_or(0);
            if twins > 0 {
                *key = format!("{key} #{}", twins + 1);
            }
            *before.entry(base_key(key).to_owned()).or_default() += 1;
        }
        keys
    }
}

impl Run<'_> {
    /// Says of cards and pieces whose keys are alike, but for their numbers, in which zones they lie and whose they are, where that tells
    /// them apart.
    pub fn tell_where(&self, keys: &[String], labels: &mut [String]) {
        let options = self.options();
        let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, key) in keys.iter().enumerate() {
            alike.entry(base_key(key)).or_default().push(index);
        }
        let record = |index: usize| {
            let named = self.offered_entity(options[index])?;
            Some((named, self.p.layout.entity(self.current_slot(named)?)))
        };
        let lies = |index: usize| {
            let (_, record) = record(index)?;
            Some(self.place_name(record)).filter(|_| self.st.mem[record + ent::PLACE] >= 0)
        };
        let whose = |index: usize| {
            let (named, record) = record(index)?;
            let seen = self.is_seen(named, self.decider()) && self.st.mem[record + ent::PLACE] >= 0;
            let owner = self.st.mem[record + ent::OWNER];
            (seen && owner >= 0).then(|| crate::base::possessive(&self.seat_name(owner)))
        };
        let tells: [&dyn Fn(usize) -> Option<String>; 2] = [&lies, &whose];
        let mut told = Vec::new();
        for twins in alike.into_values().filter(|twins| twins.len() > 1) {
            for tell in tells {
                let words: Vec<Option<String>> = twins.iter().map(|index| tell(*index)).collect();
                if words.windows(2).any(|pair| pair[0] != pair[1]) {
                    told.extend(twins.iter().copied().zip(words));
                }
            }
        }
        for (index, place) in told {
            if let Some(place) = place {
                labels[index].push_str(&format!(" ({place})"));
            }
        }
    }

    /// The card, piece or thing that an option of the decision at hand is.
    fn offered_entity(&self, choice: Choice) -> Option<i64> {
        let pending = &self.st.pending;
        let ty = match pending.kind {
            PendingKind::Choose => self.pending_type(),
            PendingKind::Action if choice.branch >= 0 && choice.value != super::choose::WHOLE => {
                self.first_type(self.p.sites.actions[pending.site as usize].acts[choice.branch as usize].action)
            }
            _ => return None,
        };
        (choice.branch != DONE && matches!(ty.bare(), Ty::Entity(_))).then_some(choice.value)
    }
}

/// Whether a value is a question that the rules ask, which has no words.
fn is_question(ty: &Ty) -> bool {
    matches!(ty.bare(), Ty::Lambda(..) | Ty::Effect(_))
}

/// Who has won: `red wins`, `red, blue and green win`.
pub fn winners(names: &[String]) -> String {
    match names {
        [] => "a draw".to_owned(),
        [one] => format!("{one} wins"),
        [firsts @ .., last] => format!("{} and {last} win", firsts.join(", ")),
    }
}

/// That all have lost: `red has lost` where nobody else plays.
pub fn losers(names: &[String]) -> String {
    match names {
        [one] => format!("{one} has lost"),
        _ => "all have lost".to_owned(),
    }
}

/// A key without its `#2`.
fn base_key(key: &str) -> &str {
    match key.rsplit_once(" #") {
        Some((base, number)) if number.chars().all(|digit| digit.is_ascii_digit()) => base,
        _ => key,
    }
}

/// The order of names, in which numbers count as numbers: `lamp 2` stands before `lamp 10`.
pub(super) fn by_name(a: &str, b: &str) -> std::cmp::Ordering {
    let (mut one, mut other) = (a, b);
    loop {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (m, n) = (digits(one), digits(other));
        if m > 0 && n > 0 {
            let (left, right) = (one[..m].trim_start_matches('0'), other[..n].trim_start_matches('0'));
            let order = left.len().cmp(&right.len()).then(left.cmp(right));
            if order.is_ne() {
                return order;
            }
            (one, other) = (&one[m..], &other[n..]);
            continue;
        }
        match (one.chars().next(), other.chars().next()) {
            (Some(x), Some(y)) if x == y => (one, other) = (&one[x.len_utf8()..], &other[y.len_utf8()..]),
            (x, y) => return x.cmp(&y).then(a.cmp(b)),
        }
    }
}

/// Positions of the bits of a set.
pub(super) fn bits(words: &[i64]) -> Vec<usize> {
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let mut word = *word as u64;
        while word != 0 {
            found.push(index * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
    found
}
