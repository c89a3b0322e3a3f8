//! The one authority on what a seat sees: a whitelist over zones, knowledge and properties. Nothing else shows a state
//! to anybody.

use super::api::{CardView, PlayerView, Seat, View, WindowView, ZoneView};
use super::run::Run;
use super::state::{NONE, PendingKind, slot_of};
use super::words::{Eyes, UNKNOWN, by_name};
use crate::model::rules::{FieldValue, LookTarget, Prop, PropClass, PropId, RootKind, Seen, Ty, ZoneOrder};
use crate::program::{NIL, PropHome, ent};

/// Whether a property is printed and its values have an order.
fn is_rank(prop: &Prop) -> bool {
    matches!(prop.class, PropClass::Field { .. }) && matches!(prop.ty.bare(), Ty::Number | Ty::Enum(_) | Ty::Flag)
}

impl Run<'_> {
    /// What a reader sees.
    pub fn view(&mut self, eyes: Eyes) -> View {
        self.x.eyes = eyes;
        let view = self.spoken(|run| run.seen_by(eyes));
        self.x.eyes = Eyes::All;
        view
    }

    fn seen_by(&mut self, eyes: Eyes) -> View {
        let mover = self.st.mem[usize::from(self.p.layout.mover)];
        let rules = self.p.rules.clone();
        let game = self.listed(LookTarget::Game, &rules.game_props, NIL);
        let lines = self.look_lines(LookTarget::Game, NIL);
        let mut players = Vec::new();
        for player in 0..self.st.players {
            let subject = i64::from(player);
            let props = self.listed(LookTarget::Player, &rules.player_props, subject);
            let lines = self.look_lines(LookTarget::Player, subject);
            let zones = self.zones_of(Some(player), eyes);
            let playing = (self.playing() >> player) & 1 == 1;
            let colour = self.seat_colour(subject);
            players.push(PlayerView { name: self.seat_name(subject), colour, playing, lines, props, zones });
        }
        let boards = self.board_views();
        let zones = self.zones_of(None, eyes);
        let deciding = if self.st.over.is_none() { u8::try_from(self.st.pending.seat).ok() } else { None };
        View {
            seat: if let Eyes::Of(seat) = eyes { seat } else { None },
            mover: u8::try_from(mover).ok(),
            turns: self.st.turns,
            round: u32::try_from(self.st.mem[usize::from(self.p.layout.round)]).unwrap_or(0),
            lines,
            game,
            window: self.window_view(),
            players,
            zones,
            boards,
            deciding,
            decision: None,
            outcome: None,
        }
    }

    /// The properties of the game or of a player that are listed: those that the look names; else all but marks that
    /// are what they were at the start, and stats that say nothing.
    fn listed(&mut self, target: LookTarget, all: &[PropId], player: i64) -> Vec<(String, String)> {
        let named = self.shown_of(target).map(<[PropId]>::to_vec);
        let mut listed = Vec::new();
        for prop in named.as_deref().unwrap_or(all) {
            if self.p.rules.props[prop.index()].table.is_some() {
                continue;
            }
            if named.is_some() || self.differs(*prop, player) {
                let stat = self.is_worked_out(*prop);
                let told = self.prop_words(player, *prop);
                listed.extend(
                    told.filter(|(_, words)| named.is_some() || !stat || !matches!(words.as_str(), "no" | "nothing")),
                );
            }
        }
        listed
    }

    /// Whether a property is a stat, or a table of them.
    fn is_worked_out(&self, prop: PropId) -> bool {
        match &self.p.rules.props[prop.index()].class {
            PropClass::Stat { .. } => true,
            PropClass::Table(items) => items.first().is_some_and(|item| self.is_worked_out(*item)),
            _ => false,
        }
    }

    /// Whether a property of the game or of a player is no mark, or not what it was at the start.
    fn differs(&self, prop: PropId, player: i64) -> bool {
        let info = &self.p.rules.props[prop.index()];
        if let PropClass::Table(items) = &info.class {
            return items.iter().any(|item| self.differs(*item, player));
        }
        let (true, words) = (matches!(info.class, PropClass::Mark { .. }), usize::from(self.p.layout.words(&info.ty)))
        else {
            return true;
        };
        match self.p.layout.props[prop.index()] {
            PropHome::Player(offset) => {
                let offset = usize::from(offset);
                let start = self.p.layout.players + player as usize * self.p.layout.player_words + offset;
                self.st.mem[start..start + words] != self.p.player_defaults[offset..offset + words]
            }
            PropHome::Game(start) => {
                let start = usize::from(start);
                let given = self.p.game_defaults.iter().find(|(at, _)| *at == start).map_or(0, |(_, word)| *word);
                self.st.mem[start] != given || self.st.mem[start + 1..start + words].iter().any(|word| *word != 0)
            }
            _ => true,
        }
    }

    /// How far the window is that asks now.
    fn window_view(&self) -> Option<WindowView> {
        if self.st.over.is_some() || self.st.pending.kind != PendingKind::Action {
            return None;
        }
        let response = self.p.sites.actions.get(self.st.pending.site as usize)?.response.as_ref()?;
        let base = self.st.frames.last()?.base as usize;
        let seats = |slot| super::words::bits(&self.st.mem[super::run::at(base, slot)..][..1]);
        let next = usize::try_from(self.st.pending.seat).ok()?;
        let all = usize::from(self.st.players);
        let mut asked: Vec<usize> = seats(response.asked);
        asked.sort_by_key(|seat| (seat + all - next) % all);
        let words = |seats: Vec<usize>| seats.into_iter().filter_map(|seat| Seat::try_from(seat).ok()).collect();
        Some(WindowView { passed: words(seats(response.passed)), asked: words(asked) })
    }

    /// The zones of a player, or of nobody, as they are declared: those of one key lie side by side.
    fn zones_of(&mut self, player: Option<u8>, eyes: Eyes) -> Vec<ZoneView> {
        let instances = &self.p.layout.instances;
        let mut found: Vec<usize> = (0..instances.len()).filter(|at| instances[*at].player == player).collect();
        found.sort_by_key(|at| instances[*at].declared);
        found.into_iter().map(|instance| self.zone_view(instance, eyes)).collect()
    }

    fn zone_view(&mut self, instance: usize, eyes: Eyes) -> ZoneView {
        let rules = self.p.rules.clone();
        let zone = &rules.zones[self.p.layout.instances[instance].zone.index()];
        let order = self.zone_order(instance);
        let count = order.len();
        let (mut cards, mut backs) = (Vec::new(), Vec::new());
        for (index, card) in order.into_iter().enumerate() {
            let visible = match zone.seen {
                Seen::All => true,
                Seen::Top => eyes == Eyes::All || index == 0 && self.is_settled(instance, 0),
                Seen::Holder | Seen::Others | Seen::None => self.is_seen(card, eyes),
            };
            if visible {
                let place = self.is_place_seen(instance, index, eyes).then_some(index);
                cards.push((self.rank(card), self.card_view(card), place));
            } else {
                backs.extend(self.back(card, eyes));
            }
        }
        // Where the order is not seen, cards that are known are told by kind, printed values and name.
        if zone.order == ZoneOrder::None || zone.seen == Seen::None {
            cards.sort_by(|(one, a, _), (other, b, _)| {
                let order = by_name(&a.kind, &b.kind).then_with(|| one.cmp(other));
                order.then_with(|| by_name(&a.name, &b.name)).then(a.handle.cmp(&b.handle))
            });
        }
        let (cards, places): (Vec<_>, Vec<_>) = cards.into_iter().map(|(_, card, place)| (card, place)).unzip();
        let queue = zone.order == ZoneOrder::Queue && places.len() == count && places.iter().all(Option::is_some);
        // Which of them lies where is not told.
        backs.sort();
        ZoneView {
            name: self.words().label(&zone.name),
            pile: zone.order != ZoneOrder::None && !queue,
            queue,
            private: zone.seen == Seen::Holder,
            count,
            cards,
            places,
            backs,
            look: self.zone_look(self.p.layout.instances[instance].zone),
        }
    }

    /// Where a card lies among those of its kind: what is printed on it, in the order in which the fields are declared.
    fn rank(&self, card: i64) -> Vec<i64> {
        let Some((record, _)) = self.record(card) else { return Vec::new() };
        let entry = self.entry_of(card).map(|entry| &self.p.rules.entries[entry]);
        let kind = &self.p.rules.kinds[self.st.mem[record + ent::KIND] as usize];
        let printed = |prop: &PropId| {
            let info = &self.p.rules.props[prop.index()];
            if !is_rank(info) {
                return None;
            }
            if let PropHome::Entity(offset) = self.p.layout.props[prop.index()] {
                return Some(self.st.mem[record + usize::from(offset)]);
            }
            let given = entry?.fields.iter().find(|(found, _)| found == prop).and_then(|(_, value)| value.as_ref());
            match (given, &info.class) {
                (Some(FieldValue::Word(word)), _)
                | (None, PropClass::Field { default: Some(FieldValue::Word(word)) }) => Some(*word),
                _ => None,
            }
        };
        kind.props.iter().map(|prop| printed(prop).unwrap_or(NIL)).collect()
    }

    /// Whether a reader sees at which place of a zone's order a card lies: not where the order is not seen, nor among
    /// those that are still shuffled.
    fn is_place_seen(&self, instance: usize, index: usize, eyes: Eyes) -> bool {
        let info = self.p.layout.instances[instance];
        let zone = &self.p.rules.zones[info.zone.index()];
        let open = match (zone.seen, eyes) {
            _ if zone.order == ZoneOrder::None => false,
            (_, Eyes::All) | (Seen::All | Seen::Top, _) => true,
            (Seen::Holder, Eyes::Of(seat)) => seat.is_some() && seat == info.player,
            (Seen::Others, Eyes::Of(seat)) => seat.is_some() && seat != info.player,
            (Seen::None, _) => false,
        };
        open && self.is_settled(instance, index)
    }

    /// A card or piece that the reader of the view sees.
    pub fn card_view(&mut self, card: i64) -> CardView {
        let rules = self.p.rules.clone();
        let slot = slot_of(card).unwrap_or(0);
        let record = self.p.layout.entity(slot);
        let kind = self.st.mem[record + ent::KIND] as usize;
        let mut fields = Vec::new();
        let mut props = Vec::new();
        let mut host = None;
        let all = &rules.kinds[kind].props;
        let named = self.shown_of_kind(kind);
        let chosen = named.is_some();
        let mut shown = named.unwrap_or(all).to_vec();
        // Texts are there to be read; no look leaves them out.
        let printed = |prop: &Prop| prop.ty == Ty::Text && matches!(prop.class, PropClass::Field { .. });
        let texts = all.iter().filter(|prop| printed(&rules.props[prop.index()]) && !shown.contains(prop));
        shown.extend(texts.copied().collect::<Vec<_>>());
        for prop in &shown {
            let info = &rules.props[prop.index()];
            match &info.class {
                _ if info.table.is_some() => {}
                PropClass::Table(items) if matches!(rules.props[items[0].index()].class, PropClass::Field { .. }) => {
                    let words = self.printed_table(card, items, &info.ty).filter(|words| !chosen || words != "nothing");
                    fields.extend(words.map(|words| (self.words().label(&info.name), words)));
                }
                PropClass::Field { default } => {
                    // Where a look has chosen, or no more is printed on anything, 0 goes unsaid as `no` and nothing do.
                    let unsaid = chosen || matches!(default, Some(FieldValue::Word(0)));
                    let words = self.field_words(card, *prop).filter(|words| !unsaid || words != "0");
                    fields.extend(words.map(|words| (self.words().label(&info.name), words)));
                }
                PropClass::LinkOne(_) => {}
                PropClass::Stat { .. } => props.extend(self.changed_prop(card, kind, *prop)),
                _ if !info.open && !self.sees_marks(card, self.x.eyes) => {}
                _ => props.extend(self.changed_prop(card, kind, *prop)),
            }
        }
        for prop in all {
            if matches!(rules.props[prop.index()].class, PropClass::LinkOne(_)) {
                let linked =
                    super::moves::entity_offset(self.p, *prop).map_or(NIL, |offset| self.st.mem[record + offset]);
                host = host.or(slot_of(linked).filter(|_| self.is_seen(linked, self.x.eyes)).map(|slot| slot as u32));
            }
        }
        let owner = u8::try_from(self.st.mem[record + ent::OWNER]).ok();
        let mut markers = Vec::new();
        for arm in &self.st.arms {
            if arm.bound && arm.source == card {
                markers.push(if arm.void { "void" } else { "armed" }.to_owned());
            }
        }
        markers.dedup();
        CardView {
            handle: slot as u32,
            name: self.name_seen(card, self.x.eyes),
            kind: self.words().label(&rules.kinds[kind].name),
            piece: rules.kinds[kind].root == RootKind::Piece,
            chosen,
            defined: self.entry_of(card).is_some(),
            fields,
            props,
            host,
            markers,
            owner,
            look: self.card_look(card),
        }
    }

    /// What a reader sees of what lies on a board: of a piece that this reader does not know, its back.
    pub fn piece_view(&mut self, piece: i64, (board, site): (usize, i64), depth: usize) -> CardView {
        let known = self.is_seen(piece, self.x.eyes);
        let back = self.record(piece).filter(|_| !known).and_then(|(record, _)| Some((record, self.back_of(record)?)));
        let Some((record, kind)) = back else { return self.card_view(piece) };
        let rules = self.p.rules.clone();
        let (name, real) =
            (self.words().label(&rules.kinds[kind.index()].name), self.st.mem[record + ent::KIND] as usize);
        let open = rules.kinds[kind.index()].props.iter().filter(|prop| rules.props[prop.index()].open);
        let there = ((board as u32) << 24)
            .wrapping_add((site.unsigned_abs() as u32).wrapping_mul(64))
            .wrapping_add(depth as u32);
        CardView {
            // Which it is among all things, its number would tell.
            handle: u32::MAX - there % (u32::MAX / 2),
            name: name.clone(),
            kind: name,
            piece: true,
            chosen: false,
            defined: false,
            fields: Vec::new(),
            props: open.filter_map(|prop| self.changed_mark(piece, real, *prop, self.x.eyes)).collect(),
            host: None,
            markers: Vec::new(),
            owner: u8::try_from(self.st.mem[record + ent::OWNER]).ok(),
            look: self.back_look(piece, kind),
        }
    }

    /// A printed table in words.
    fn printed_table(&self, card: i64, items: &[PropId], ty: &Ty) -> Option<String> {
        let Ty::Table(key, item) = ty else { return None };
        let values = items.iter().enumerate().filter_map(|(index, item)| Some((index, self.field_words(card, *item)?)));
        Some(self.table_words(*key, item, values))
    }

    /// A printed field in words, unless it is text to be carried out.
    pub(super) fn field_words(&self, card: i64, prop: PropId) -> Option<String> {
        let info = &self.p.rules.props[prop.index()];
        if let PropHome::Entity(offset) = self.p.layout.props[prop.index()] {
            let (record, _) = self.record(card)?;
            return Some(self.value_key(self.st.mem[record + usize::from(offset)], &info.ty, self.x.eyes));
        }
        if let Some(shown) = self.shown(card, prop) {
            let words: Vec<i64> = std::iter::once(shown.len() as i64).chain(shown).collect();
            return Some(self.value_words(&words, &info.ty, self.x.eyes));
        }
        let entry = &self.p.rules.entries[self.entry_of(card)?];
        let PropClass::Field { default } = &info.class else { return None };
        let given = entry.fields.iter().find(|(found, _)| *found == prop).and_then(|(_, value)| value.as_ref());
        match given.or(default.as_ref())? {
            FieldValue::Word(word) if matches!(info.ty, Ty::Flag) && *word == 0 => None,
            FieldValue::Word(word) => Some(self.value_key(*word, &info.ty, self.x.eyes)),
            FieldValue::Mask(mask) => Some(self.value_words(&[*mask as i64], &info.ty, self.x.eyes)),
            FieldValue::List(items) => {
                let mut words = vec![items.len() as i64];
                words.extend(items);
                Some(self.value_words(&words, &info.ty, self.x.eyes))
            }
            FieldValue::Text(text) => Some(self.said(text).to_owned()),
            FieldValue::Proc(_) => None,
        }
    }

    /// A counter, mark or stat of an entity that differs from its start.
    fn changed_prop(&mut self, card: i64, kind: usize, prop: PropId) -> Option<(String, String)> {
        let rules = self.p.rules.clone();
        let info = &rules.props[prop.index()];
        let name = self.words().label(&info.name);
        match (&info.class, self.p.layout.props[prop.index()]) {
            (PropClass::Table(items), _) => {
                let Ty::Table(key, item) = &info.ty else { return None };
                if items.iter().any(|prop| super::moves::entity_offset(self.p, *prop).is_some()) {
                    return self.changed_mark(card, kind, prop, self.x.eyes);
                }
                if items.iter().all(|prop| self.changed_prop(card, kind, *prop).is_none()) {
                    return None;
                }
                let words = |(index, prop): (usize, &PropId)| Some((index, self.changed_prop(card, kind, *prop)?.1));
                let values = items.iter().enumerate().map(words);
                let values: Vec<(usize, String)> = values.collect::<Option<_>>()?;
                Some((name, self.table_words(*key, item, values.into_iter())))
            }
            (PropClass::Counter { .. } | PropClass::Mark { .. }, _) => self.changed_mark(card, kind, prop, self.x.eyes),
            (PropClass::Stat { .. }, _) => {
                self.stat(card, prop).ok()?;
                let words = self.x.result.clone();
                let silent = matches!(info.ty, Ty::Flag) && words.first() == Some(&0);
                (!silent).then(|| (name, self.value_words(&words, &info.ty, self.x.eyes)))
            }
            _ => None,
        }
    }

    /// A property of a player or of the game in words.
    fn prop_words(&mut self, player: i64, prop: PropId) -> Option<(String, String)> {
        let rules = self.p.rules.clone();
        let info = &rules.props[prop.index()];
        let name = self.words().label(&info.name);
        let words = usize::from(self.p.layout.words(&info.ty));
        if matches!(info.ty, Ty::Lambda(..)) {
            return None;
        }
        if let (PropClass::Table(items), Ty::Table(key, item)) = (&info.class, &info.ty) {
            let values: Vec<String> = items.iter().filter_map(|item| Some(self.prop_words(player, *item)?.1)).collect();
            return Some((name, self.table_words(*key, item, values.into_iter().enumerate())));
        }
        let value = match (&info.class, self.p.layout.props[prop.index()]) {
            (PropClass::Stat { .. }, _) => {
                self.stat(player, prop).ok()?;
                self.x.result.clone()
            }
            (_, PropHome::Player(offset)) => {
                let start = self.p.layout.players + player as usize * self.p.layout.player_words + usize::from(offset);
                self.st.mem[start..start + words].to_vec()
            }
            (_, PropHome::Game(start)) => self.st.mem[usize::from(start)..usize::from(start) + words].to_vec(),
            _ => return None,
        };
        // What points at a hidden card is told to who knows the card; where that it is this one tells of others, only if all know it.
        let eyes = if info.derived { Eyes::Of(None) } else { self.x.eyes };
        if let Ty::Entity(_) | Ty::Maybe(_) = info.ty {
            let named = value.first().filter(|word| slot_of(**word).is_some() && entity_type(&info.ty));
            if named.is_some_and(|word| !self.is_seen(*word, eyes)) {
                return Some((name, UNKNOWN.to_owned()));
            }
        }
        if hides_entities(&info.ty) {
            return None;
        }
        Some((name, self.value_words(&value, &info.ty, self.x.eyes)))
    }

    /// Scores of the seats for people: the first number of each.
    pub fn plain_scores(&mut self) -> Option<Vec<i64>> {
        let scores = self.scores().ok()??;
        Some(scores.into_iter().map(|score| score.first().copied().unwrap_or(0)).collect())
    }

    /// A pure procedure without parameters, in words and as its words.
    pub fn eval_words(&mut self, proc: crate::model::rules::ProcId) -> super::run::R<(Vec<i64>, String)> {
        let me = self.mover();
        self.eval(proc, me, NIL, NONE, &[])?;
        let words = self.x.result.clone();
        let text = match &self.p.rules.procs[proc.index()].body {
            crate::model::rules::ProcBody::Expr(expr) => self.value_words(&words, &expr.ty, Eyes::All),
            crate::model::rules::ProcBody::Block(_) => String::new(),
        };
        Ok((words, text))
    }
}

fn entity_type(ty: &Ty) -> bool {
    match ty {
        Ty::Entity(_) => true,
        Ty::Maybe(inner) => entity_type(inner),
        _ => false,
    }
}

/// Whether a property is a set or list of entities, whose members may be hidden.
fn hides_entities(ty: &Ty) -> bool {
    matches!(ty, Ty::Set(item) | Ty::List(item) if entity_type(item))
}
