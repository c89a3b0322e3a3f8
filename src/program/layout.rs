//! Where everything lies in the state's memory: one array of words, laid out once.
//!
//! `constants | scalars | game | players | kinds | zones | boards | entities | regions | windows`

use super::board::Topology;
use super::op::Slot;
use crate::base::limits;
use crate::model::rules::{
    BuiltinProp, EnumId, Kind, KindId, PropClass, PropId, PropOwner, RootKind, Rules, Seen, StmtKind, Ty, ZoneId,
    ZoneOrder,
};
use std::borrow::Cow;

/// Offsets within an entity's record.
pub mod ent {
    /// Definition, or -1 for none.
    pub const ENTRY: usize = 0;
    /// Kind.
    pub const KIND: usize = 1;
    /// Zone instance, or one of the values below.
    pub const PLACE: usize = 2;
    /// Site, for pieces on boards: board * 4096 + site.
    pub const SITE: usize = 3;
    /// How often its identity has changed.
    pub const GENERATION: usize = 4;
    /// When it entered its place.
    pub const ENTERED: usize = 5;
    /// The player it belongs to, or missing.
    pub const OWNER: usize = 6;
    /// Seats that know what it is; from bit [`super::QUIETLY`] on, those of whom nobody else has read that they know. -1 if it is open.
    pub const KNOWN: usize = 7;
    /// The entity beneath it on its site, or -1.
    pub const BENEATH: usize = 8;
    /// First stored property.
    pub const PROPS: usize = 9;
    /// [`PLACE`] of a slot that holds no entity.
    pub const NOWHERE: i64 = -1;
    /// [`PLACE`] of a piece on a board.
    pub const ON_BOARD: i64 = -2;
    /// [`PLACE`] of a thing.
    pub const PLACELESS: i64 = -3;
    /// [`PLACE`] of a piece on an endless board: this, less the number of the board.
    pub const ENDLESS: i64 = -16;
}

/// The bit of [`ent::KNOWN`] from which on the seats stand to whom something was shown quietly.
pub const QUIETLY: u32 = crate::base::limits::PLAYERS as u32;

/// How a value lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repr {
    /// One word.
    Word,
    /// A set in one word: players, enum values, directions.
    Mask,
    /// A set of entities.
    Entities,
    /// A set of sites.
    Sites,
    /// A length and words.
    List,
}

/// Where a stored property lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropHome {
    /// Not stored.
    None,
    /// Offset in an entity's record.
    Entity(u16),
    /// Offset in a player's record.
    Player(u16),
    /// Fixed address.
    Game(u16),
}

/// The layout of a game's memory.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Constants at address 0.
    pub constants: Vec<i64>,
    /// Address of as many zeros as the widest value has words.
    pub zero: u16,
    /// Address of what decides in which order cards come that not all see, what the first draw said and how often something was
    /// shuffled; 0 where all see all.
    pub salt: u16,
    /// Address of the player on turn.
    pub mover: u16,
    /// Address of the round.
    pub round: u16,
    /// Address of the mask of players still in the game.
    pub playing: u16,
    /// First player record and its words.
    pub players: usize,
    /// Words of a player record.
    pub player_words: usize,
    /// Set of existing entities of each kind, subkinds included.
    pub kinds: usize,
    /// Set of entities in play.
    pub in_play: u16,
    /// First zone instance of each zone.
    pub zone_first: Vec<u16>,
    /// For each instance: zone, player or `None`, address of its set, address of its list.
    pub instances: Vec<Instance>,
    /// For each board: address of the occupied set, of the tops.
    pub boards: Vec<BoardLayout>,
    /// Entity records, each with what was last known of the entity behind it.
    pub entities: usize,
    /// Words of a record.
    pub entity_words: usize,
    /// For each kind of pieces, the words of a record that are none of an arrangement.
    pub aside: Vec<Vec<usize>>,
    /// Words from a record to the next.
    pub stride: usize,
    /// For each property, where behind what is last known of an entity the stat is kept that it had; 0 if it is not.
    pub kept_stats: Vec<u16>,
    /// How many entities fit.
    pub capacity: usize,
    /// How many of them are room for what is created in play and needs no site of its own.
    pub room: usize,
    /// Whether sets can outlive a change of identity. A set then has a second bit for each slot, `capacity` above the
    /// first: for what the entity there was before it changed.
    pub former: bool,
    /// First of the sets of sites that never change.
    pub regions: usize,
    /// Where windows begin.
    pub fixed: usize,
    /// Words of a set of entities.
    pub entity_set: u16,
    /// Words of a set of sites.
    pub site_set: u16,
    /// Items of a list.
    pub list_items: u16,
    /// Where each property lies.
    pub props: Vec<PropHome>,
    /// Seats.
    pub seats: usize,
    /// Whether entities can be alike.
    pub alike: bool,
    /// Whether there are zones that not everybody sees.
    pub closed: bool,
    /// By kind, where cards can be mixed up that were made one after another: address in the record, words, and whether
    /// it is a list, of each value that is printed on one and kept there; none for things, which lie nowhere. Else empty.
    pub print: Vec<Option<Vec<(u16, u16, bool)>>>,
    /// For each kind of piece, its row in the boards' tables of owned sites.
    pub piece_row: Vec<Option<u16>>,
    /// How many kinds of piece have a row.
    pub piece_rows: u16,
    /// For each kind, the rows of those kinds of piece, itself and its subkinds, of which there can be any.
    pub rows: Vec<Vec<u16>>,
}

/// A zone instance.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// The zone.
    pub zone: ZoneId,
    /// The first zone of its declaration, which may make one for each key.
    pub declared: ZoneId,
    /// Whose it is.
    pub player: Option<u8>,
    /// Address of its set.
    pub set: usize,
    /// Address of its list: length, position of the unsampled part, items from the bottom; 0 if unordered.
    pub list: usize,
}

/// A board's part of the memory.
#[derive(Clone, Copy, Debug)]
pub struct BoardLayout {
    /// Occupied sites; of an endless board the set of the entities on it.
    pub occupied: usize,
    /// The top entity of each site, or -1; of an endless board the index by place, of entities and one, or 0.
    pub tops: usize,
    /// Places in the index of an endless board, a power of two.
    pub places: usize,
    /// Address of how many pieces have others on them; none of a board without an end.
    pub covered: u16,
    /// Sites of the pieces of each kind and owner: kind row, then owner (the last: nobody).
    pub owned: usize,
}

/// Sites of the largest board.
fn most_sites(rules: &Rules) -> usize {
    rules.boards.iter().map(|board| board.geometry.sites()).max().unwrap_or(0)
}

/// Words of a set of sites.
pub(super) fn site_words(rules: &Rules) -> usize {
    most_sites(rules).div_ceil(64).max(1)
}

impl Layout {
    /// Lays out the memory of a game whose constants are known, and how many numbers are listed at the most.
    pub fn new(rules: &Rules, boards: &[Topology], constants: Vec<i64>, numbers: usize) -> Layout {
        let mut layout = Layout { seats: usize::from(rules.players.1), ..Layout::default() };
        (layout.capacity, layout.room) = super::capacity::capacity(rules, boards);
        layout.former = super::live::outlives(rules);
        layout.alike = rules.entries.iter().any(|entry| entry.copies > 1) || rules.procs.iter().any(creates);
        layout.closed = rules.hides();
        layout.entity_set = layout.set_bits().div_ceil(64).max(1) as u16;
        layout.site_set = site_words(rules) as u16;
        let sites = most_sites(rules);
        let spots = super::endless::most_sites(rules, layout.capacity);
        layout.list_items =
            layout.capacity.max(sites).clamp(limits::LEAST_LISTED, limits::LISTED).max(spots).max(numbers) as u16;
        layout.props = vec![PropHome::None; rules.props.len()];
        let created = created_fields(rules);
        let mut top = constants.len();
        layout.constants = constants;
        let mut take = |words: usize| {
            let at = top;
            top += words;
            at
        };
        layout.zero = take(usize::from(layout.entity_set.max(layout.site_set)).max(2)) as u16;
        if rules.hides() {
            layout.salt = take(2) as u16;
        }
        layout.mover = take(1) as u16;
        layout.round = take(1) as u16;
        layout.playing = take(1) as u16;
        let covered = take(rules.boards.len());
        for prop in rules.game_props.iter().filter(|prop| stored(rules, &created, **prop)) {
            let words = layout.words(&rules.props[prop.index()].ty);
            layout.props[prop.index()] = PropHome::Game(take(usize::from(words)) as u16);
        }
        for prop in &rules.player_props {
            if stored(rules, &created, *prop) {
                layout.props[prop.index()] = PropHome::Player(layout.player_words as u16);
                layout.player_words += usize::from(layout.words(&rules.props[prop.index()].ty));
            }
        }
        layout.players = take(layout.player_words * layout.seats);
        layout.kinds = take(rules.kinds.len() * usize::from(layout.entity_set));
        layout.in_play = take(usize::from(layout.entity_set)) as u16;
        for (index, zone) in rules.zones.iter().enumerate() {
            layout.zone_first.push(layout.instances.len() as u16);
            let declared = rules.zones.iter().position(|other| other.span == zone.span).unwrap_or(index);
            let declared = ZoneId(declared as u32);
            for player in 0..if zone.per_player { layout.seats } else { 1 } {
                let set = take(usize::from(layout.entity_set));
                let list = if zone.order == ZoneOrder::None { 0 } else { take(2 + layout.capacity) };
                let player = zone.per_player.then_some(player as u8);
                layout.instances.push(Instance { zone: ZoneId(index as u32), declared, player, set, list });
            }
        }
        let mut rows = 0;
        for kind in &rules.kinds {
            layout.piece_row.push((kind.root == RootKind::Piece && !rules.boards.is_empty()).then_some(rows));
            rows += u16::from(kind.root == RootKind::Piece);
        }
        let exist = rules.kinds_that_exist(&rules.procs);
        layout.piece_rows = rows;
        layout.rows = (0..rules.kinds.len() as u32)
            .map(|kind| {
                let below = |other: &&KindId| rules.is_below(**other, KindId(kind));
                let found: Vec<u16> =
                    exist.iter().filter(below).filter_map(|kind| layout.piece_row[kind.index()]).collect();
                if found.is_empty() { layout.piece_row[kind as usize].into_iter().collect() } else { found }
            })
            .collect();
        let places = (2 * super::endless::most_pieces(rules, layout.capacity) + 1).next_power_of_two();
        for (index, board) in rules.boards.iter().enumerate() {
            let covered = (covered + index) as u16;
            if board.endless() {
                let (occupied, tops) = (take(layout.capacity.div_ceil(64)), take(places));
                layout.boards.push(BoardLayout { occupied, tops, places, covered, owned: 0 });
                continue;
            }
            let occupied = take(usize::from(layout.site_set));
            let tops = take(board.geometry.sites());
            let owned = take(usize::from(rows) * (layout.seats + 1) * usize::from(layout.site_set));
            layout.boards.push(BoardLayout { occupied, tops, places: 0, covered, owned });
        }
        let mut words = ent::PROPS;
        let mut offsets = vec![0; rules.kinds.len()];
        // Subkinds go on behind the properties of their parents, wherever in the text these stand.
        let depth = |kind: &Kind| std::iter::successors(kind.parent, |id| rules.kinds[id.index()].parent).count();
        let mut order: Vec<(usize, &Kind)> = rules.kinds.iter().enumerate().collect();
        order.sort_by_key(|(_, kind)| depth(kind));
        for (index, kind) in order {
            let mut offset = kind.parent.map_or(ent::PROPS, |parent| offsets[parent.index()]);
            for prop in &kind.props {
                if rules.props[prop.index()].owner == PropOwner::Kind(KindId(index as u32))
                    && stored(rules, &created, *prop)
                {
                    layout.props[prop.index()] = PropHome::Entity(offset as u16);
                    offset += usize::from(layout.words(&rules.props[prop.index()].ty));
                }
            }
            offsets[index] = offset;
            words = words.max(offset);
        }
        if mixes(rules) {
            layout.print = rules
                .kinds
                .iter()
                .map(|kind| (kind.root != RootKind::Thing).then(|| layout.printed(rules, kind)))
                .collect();
        }
        layout.entity_words = words;
        layout.aside = rules.kinds.iter().map(|kind| layout.words_aside(rules, kind)).collect();
        let known = 3 + words - ent::PROPS;
        let mut kept = known;
        let offset = |is_kept| {
            kept += usize::from(is_kept);
            if is_kept { (kept - 1) as u16 } else { 0 }
        };
        layout.kept_stats = super::gone::kept_stats(rules).into_iter().map(offset).collect();
        layout.stride = words + kept;
        layout.entities = take(layout.stride * layout.capacity);
        layout.regions = top;
        layout.fixed = top;
        layout
    }

    /// The words of properties that are none of an arrangement.
    fn words_aside(&self, rules: &Rules, kind: &Kind) -> Vec<usize> {
        let aside = kind.props.iter().map(|prop| prop.index()).filter(|prop| rules.props[*prop].aside);
        let words = aside.filter_map(|prop| match self.props[prop] {
            PropHome::Entity(at) => {
                let at = usize::from(at);
                Some(at..at + usize::from(self.words(&rules.props[prop].ty)))
            }
            _ => None,
        });
        words.flatten().collect()
    }

    /// What of the properties of a piece belongs to the arrangement of a board.
    pub fn arranged<'m>(&self, record: &'m [i64]) -> Cow<'m, [i64]> {
        let props = &record[ent::PROPS..];
        let kind = usize::try_from(record[ent::KIND]).ok().and_then(|kind| self.aside.get(kind));
        match kind {
            Some(aside) if !aside.is_empty() => {
                let kept = (ent::PROPS..).zip(props).filter(|(at, _)| !aside.contains(at));
                Cow::Owned(kept.map(|(_, word)| *word).collect())
            }
            _ => Cow::Borrowed(props),
        }
    }

    /// Where what is printed on a card of a kind is kept with it.
    fn printed(&self, rules: &Rules, kind: &Kind) -> Vec<(u16, u16, bool)> {
        let fields = kind.props.iter().filter_map(|prop| {
            let info = &rules.props[prop.index()];
            match (&info.class, self.props[prop.index()]) {
                (PropClass::Field { .. }, PropHome::Entity(at)) => {
                    Some((at, self.words(&info.ty), repr(&info.ty) == Repr::List))
                }
                _ => None,
            }
        });
        fields.collect()
    }

    /// Whether cards can be mixed up of which it tells something when they were made.
    pub fn mixes(&self) -> bool {
        !self.print.is_empty()
    }

    /// Whether two instances are of one declaration: what moves between them stays what it is.
    pub fn is_one_declaration(&self, one: usize, other: usize) -> bool {
        self.instances[one].declared == self.instances[other].declared
    }

    /// Whether cards or pieces of a kind come in an order that tells nothing of hidden ones: not as they were made.
    pub fn comes_as_shown(&self, rules: &Rules, kind: KindId) -> bool {
        match rules.kinds.get(kind.index()).map(|kind| kind.root) {
            Some(RootKind::Card) => self.closed,
            Some(RootKind::Piece) => (0..rules.kinds.len() as u32).map(KindId).any(|other| {
                let related = rules.is_below(other, kind) || rules.is_below(kind, other);
                related && rules.kinds[other.index()].back.is_some()
            }),
            _ => false,
        }
    }

    /// Slots in a word of a list of the next members of a set.
    pub const PACKED: usize = 4;
    /// The most members that such a list has.
    const MOST_SHOWN: usize = 64;

    /// How many members a list of the next ones has room for.
    pub fn shown_room(&self) -> usize {
        self.capacity.min(Self::MOST_SHOWN)
    }

    /// Words of such a list: how many there are and how many of them were taken, and the members.
    pub fn shown_words(&self) -> u16 {
        1 + self.shown_room().div_ceil(Self::PACKED) as u16
    }

    /// Words a value of a type takes.
    pub fn words(&self, ty: &Ty) -> u16 {
        if let Ty::Split(..) = ty {
            return 2 * (self.list_items + 1);
        }
        match repr(ty) {
            Repr::Word | Repr::Mask => 1,
            Repr::Entities => self.entity_set,
            Repr::Sites => self.site_set,
            Repr::List => self.list_items + 1,
        }
    }

    /// Words of a value as instructions say it: 0 of a list too long for that, which says itself how long it is.
    pub fn width(&self, ty: &Ty) -> u8 {
        u8::try_from(self.words(ty)).unwrap_or(0)
    }

    /// Bits of a set of entities.
    pub fn set_bits(&self) -> usize {
        self.capacity * if self.former { 2 } else { 1 }
    }

    /// Words of a set.
    pub fn set_words(&self, repr: Repr) -> u8 {
        match repr {
            Repr::Entities => self.entity_set as u8,
            Repr::Sites => self.site_set as u8,
            Repr::Word | Repr::Mask | Repr::List => 1,
        }
    }

    /// The set of existing entities of a kind.
    pub fn kind_set(&self, kind: KindId) -> Slot {
        Slot((self.kinds + kind.index() * usize::from(self.entity_set)) as u16)
    }

    /// Address of what was last known of an entity.
    pub fn last(&self, index: usize) -> usize {
        self.entity(index) + self.entity_words
    }

    /// Address of an entity's record.
    pub fn entity(&self, index: usize) -> usize {
        self.entities + index * self.stride
    }

    /// The number of a row of a board, for instructions.
    pub fn row_on(&self, board: u16, row: u16) -> Option<u16> {
        board.checked_mul(self.piece_rows)?.checked_add(row)
    }

    /// Address of the set of sites on which pieces of an owner lie, of a row of a board.
    pub fn owned_on(&self, row: u16, owner: usize) -> usize {
        let rows = self.piece_rows.max(1);
        self.owned(usize::from(row / rows), row % rows, owner)
    }

    /// Address of the set of sites on which pieces of a kind and owner (or nobody: the number of seats) lie.
    pub fn owned(&self, board: usize, row: u16, owner: usize) -> usize {
        self.boards[board].owned + (usize::from(row) * (self.seats + 1) + owner) * usize::from(self.site_set)
    }
}

/// How a value of a type lies in memory.
pub fn repr(ty: &Ty) -> Repr {
    match ty {
        Ty::Set(item) => match item.as_ref() {
            Ty::Entity(_) => Repr::Entities,
            Ty::Site(board) if board.endless() => Repr::List,
            Ty::Site(_) => Repr::Sites,
            Ty::Player | Ty::Enum(_) | Ty::Direction(_) | Ty::Flag | Ty::Cause => Repr::Mask,
            _ => Repr::List,
        },
        // A split: the things and whose each of them is, two lists, one after the other.
        Ty::List(_) | Ty::PerDirection(_) | Ty::Table(..) | Ty::Split(..) => Repr::List,
        Ty::Maybe(item) => repr(item),
        _ => Repr::Word,
    }
}

/// Printed fields that some `create` gives a value, and that are therefore stored with each entity.
fn created_fields(rules: &Rules) -> Vec<PropId> {
    let mut found = Vec::new();
    for proc in &rules.procs {
        super::walk::each_stmt(proc, &mut |stmt| {
            if let StmtKind::Create { fields, .. } = &stmt.kind {
                let printed = |prop: &PropId| matches!(rules.props[prop.index()].class, PropClass::Field { .. });
                found.extend(fields.iter().map(|(prop, _)| *prop).filter(printed));
            }
        });
    }
    found
}

/// Whether a property has words of its own.
fn stored(rules: &Rules, created: &[PropId], prop: PropId) -> bool {
    if rules.turn == Some(prop) {
        return super::tiles::turned(rules);
    }
    created.contains(&prop)
        || matches!(
            rules.props[prop.index()].class,
            PropClass::Counter { .. } | PropClass::Mark { .. } | PropClass::LinkOne(_)
        )
}

/// Whether a property is the built-in one.
pub fn is_builtin(rules: &Rules, prop: PropId, builtin: BuiltinProp) -> bool {
    matches!(rules.props[prop.index()].class, PropClass::Builtin(found) if found == builtin)
}

/// How many values an enum or a range has.
pub fn value_count(rules: &Rules, ty: &Ty, range: Option<(i64, i64)>) -> usize {
    match ty {
        Ty::Enum(EnumId(index)) => rules.enums[*index as usize].values.len(),
        Ty::Flag => 2,
        Ty::Player => usize::from(rules.players.1),
        _ => range.map_or(1, |(low, high)| high.saturating_sub(low).saturating_add(1).clamp(0, 4096) as usize),
    }
}

/// Whether cards can be mixed up that were made one after another: definitions have their cards in order.
fn mixes(rules: &Rules) -> bool {
    let own = |zone: &crate::model::rules::Zone| zone.per_player && !zone.starts.is_empty();
    let made = rules.procs.iter().any(creates) || rules.zones.iter().any(own);
    let forgets = |zone: &crate::model::rules::Zone| zone.seen != Seen::All && !zone.memory;
    let mut mixed = rules.zones.iter().any(forgets);
    for proc in rules.procs.iter().filter(|_| rules.hides()) {
        super::walk::each_stmt(proc, &mut |stmt| mixed |= matches!(stmt.kind, StmtKind::Shuffle { .. }));
    }
    made && mixed
}

fn creates(proc: &crate::model::rules::Proc) -> bool {
    let mut found = false;
    super::walk::each_stmt(proc, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Create { .. }));
    found
}
