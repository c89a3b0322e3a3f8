//! The first pass: every declared name gets its index, and clashes are reported with both places. Everything global
//! shares one namespace, so that a bare name never changes its meaning when a package is added.

use super::check::Checker;
use super::gaps::member_name;
use super::geometry::Geometry;
use super::rules::{
    ActionId, Board, BoardId, BoardShape, CARD, Entry, EntryId, Enum, EnumId, EnumValue, Group, GroupId, Kind, KindId,
    OptionId, PIECE, Per, Places, RootKind, ScriptId, Seen, SpanId, SpanName, THING, Ty, VerbId, WindowId, Zone,
    ZoneId, ZoneOrder,
};
use super::types::TYPE_WORDS;
use super::walk;
use crate::base::{Code, Diagnostic, Span, listed, nearest, spoken};
use crate::syntax::ast::{self, Ident, ItemKind};
use crate::syntax::{begins_a_statement, begins_an_item};

/// What a global name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decl {
    Enum(EnumId),
    Option(OptionId),
    Kind(KindId),
    Zone(ZoneId),
    Board(BoardId),
    Define(usize),
    Verb(VerbId),
    Action(ActionId),
    Window(WindowId),
    Rule(GroupId),
    Script(ScriptId),
    Span(SpanId),
}

impl Decl {
    /// What messages call it.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Decl::Enum(_) => "an enum",
            Decl::Option(_) => "an option",
            Decl::Kind(_) => "a kind",
            Decl::Zone(_) => "a zone",
            Decl::Board(_) => "a board",
            Decl::Define(_) => "a definition",
            Decl::Verb(_) => "a verb",
            Decl::Action(_) => "an action",
            Decl::Window(_) => "a window",
            Decl::Rule(_) => "a rule",
            Decl::Script(_) => "a script function",
            Decl::Span(_) => "a turn or phase",
        }
    }

    /// Whether locals and properties may have this name, too. That of an enum or kind mostly stands where a type does; where
    /// it stands for the values, what is nearer hides it.
    pub(super) fn may_be_hidden(self) -> bool {
        !self.is_value() || matches!(self, Decl::Enum(_) | Decl::Kind(_))
    }

    /// Whether the name can stand in an expression.
    pub(super) fn is_value(self) -> bool {
        !matches!(
            self,
            Decl::Verb(_) | Decl::Action(_) | Decl::Window(_) | Decl::Rule(_) | Decl::Span(_) | Decl::Script(_)
        )
    }
}

/// Names that have a meaning without being declared.
pub(super) const BUILTIN_NAMES: [&str; 20] = [
    "me",
    "this",
    "it",
    "mover",
    "actor",
    "source",
    "cause",
    "changed",
    "round",
    "players",
    "opponents",
    "seat",
    "holder",
    "owner",
    "entered",
    "true",
    "false",
    "nothing",
    "nowhere",
    "game",
];

/// The items of all packages by what they declare, in the order of the tables of the rules.
#[derive(Default)]
pub(super) struct Items<'a> {
    pub options: Vec<(&'a Ident, &'a ast::Type, &'a ast::Expr)>,
    pub kinds: Vec<(KindId, &'a [ast::Member])>,
    pub player: Vec<&'a [ast::Member]>,
    pub game: Vec<&'a [ast::Member]>,
    pub zones: Vec<&'a [ast::Prop]>,
    pub zone_keys: Vec<Option<&'a ast::Type>>,
    pub boards: Vec<(Option<&'a Ident>, &'a [ast::Prop])>,
    pub links: Vec<LinkItem<'a>>,
    pub defines: Vec<DefineItem<'a>>,
    pub verbs: Vec<(&'a [ast::VerbParam], &'a ast::Block)>,
    pub actions: Vec<(&'a Ident, &'a [ast::Param], &'a ast::Block)>,
    pub windows: Vec<WindowItem<'a>>,
    pub groups: Vec<(Option<&'a ast::Expr>, &'a [ast::Clause])>,
    pub scripts: Vec<ScriptItem<'a>>,
    pub looks: Vec<(&'a Ident, &'a [ast::Prop], Span)>,
    pub entries: Vec<&'a [ast::EntryField]>,
    pub setups: Vec<(&'a ast::Block, Span)>,
    pub flows: Vec<(&'a ast::Block, Span)>,
    pub scenarios: Vec<(&'a Ident, &'a [Ident], &'a [ast::ScenarioStep], Span)>,
    /// Where each global name was declared.
    pub spans: std::collections::BTreeMap<String, Span>,
}

/// A `link` item.
pub(super) struct LinkItem<'a> {
    pub from_kind: &'a Ident,
    pub from_prop: &'a Ident,
    pub to_kind: &'a Ident,
    pub to_prop: &'a Ident,
    pub orphan: Option<&'a (Ident, ast::Block)>,
    pub span: Span,
}

/// A `window` item.
#[derive(Clone, Copy)]
pub(super) struct WindowItem<'a> {
    pub name: &'a Ident,
    pub params: &'a [ast::Param],
    pub from: &'a ast::Expr,
    pub among: Option<&'a ast::Expr>,
    pub until: Option<&'a ast::Expr>,
    pub prompt: Option<&'a Ident>,
    pub parts: &'a [ast::WindowPart],
    pub span: Span,
}

/// A `script` item.
#[derive(Clone, Copy)]
pub(super) struct ScriptItem<'a> {
    pub name: &'a Ident,
    pub params: &'a [ast::Param],
    pub ty: Option<&'a ast::Type>,
    pub sees: Option<&'a Ident>,
    pub may: &'a [ast::May],
    pub file: &'a Ident,
}

/// A `define` item.
pub(super) struct DefineItem<'a> {
    pub name: &'a Ident,
    pub params: &'a [ast::Param],
    pub ty: Option<&'a ast::Type>,
    pub body: &'a ast::Expr,
}

/// Values of an enum at the most: a set of them is one word.
const MOST_VALUES: usize = crate::base::limits::ENUM_VALUES;
/// Unknown names that are compared with all names of the game.
const MOST_SUGGESTED: u32 = 100;

impl<'a> Checker<'a> {
    /// Collects all declared names.
    pub(super) fn collect(&mut self) {
        for (id, name, root) in
            [(CARD, "card", RootKind::Card), (PIECE, "piece", RootKind::Piece), (THING, "thing", RootKind::Thing)]
        {
            self.rules.kinds.push(Kind {
                name: name.to_owned(),
                parent: None,
                root,
                props: Vec::new(),
                clauses: Vec::new(),
                stands_when: None,
                notation: Vec::new(),
                back: None,
                span: Span::default(),
            });
            self.names.insert(name.to_owned(), Decl::Kind(id));
        }
        let files: Vec<&'a ast::File> =
            self.packages.iter().flat_map(|package| package.files.iter().map(|(_, file)| file)).collect();
        let items = || files.iter().flat_map(|file| file.items.iter());
        for item in items() {
            self.collect_item(item);
        }
        self.collect_kinds(items());
        for item in items() {
            self.collect_entry(item);
        }
        self.collect_spans();
    }

    /// Takes a global name, or reports who has it.
    fn claim(&mut self, name: &Ident, decl: Decl) -> bool {
        self.claim_called(name, decl, false)
    }

    /// The same for what is `called` with arguments. It may hide a function of the language, but not where another package may
    /// call that.
    fn claim_called(&mut self, name: &Ident, decl: Decl, called: bool) -> bool {
        let text = name.text.as_str();
        let builtin = BUILTIN_NAMES.contains(&text)
            || TYPE_WORDS.contains(&text)
            || (called
                && super::builtins::named(text).is_some()
                && self.package_of(name.span).is_some_and(|package| package.expansion))
            || matches!(text, "card" | "piece" | "thing");
        if builtin {
            let found =
                Diagnostic::new(Code::BuiltinName, name.span, format!("`{text}` is built in and cannot be declared"))
                    .help(format!("choose another name, such as `{text}_`"));
            self.report(found);
            self.lost_names.insert(text.to_owned());
            // What is said of a kind that is called like a root is meant of that kind.
            let root = matches!((decl, self.names.get(text)), (Decl::Kind(_), Some(Decl::Kind(_))));
            if root {
                self.names.insert(text.to_owned(), decl);
            }
            return root;
        }
        let what = match decl {
            Decl::Verb(_) if begins_a_statement(text) => Some("a statement, and cannot be the name of a verb"),
            Decl::Kind(_) if begins_an_item(text) => Some("an item, and cannot be the name of a kind"),
            _ => None,
        };
        if let Some(what) = what {
            let found = Diagnostic::new(Code::ReservedWord, name.span, format!("`{text}` begins {what}"));
            self.report(found.help("choose another name: this word can be that of other things only"));
        }
        if let Some(other) = self.names.get(text) {
            let message = format!("`{text}` is already {}", other.noun());
            let mut found = Diagnostic::new(Code::Duplicate, name.span, message);
            if let Some(span) = self.items.spans.get(text) {
                found = found.label(*span, "first declared here");
            }
            self.report(found);
            return false;
        }
        self.names.insert(text.to_owned(), decl);
        self.items.spans.insert(text.to_owned(), name.span);
        true
    }

    /// Notes what players read in the place of names.
    fn collect_labels(&mut self, item: &'a ast::Item) {
        let (name, members) = match &item.kind {
            ItemKind::Kind { name, members, .. } => (Some(name), members.as_slice()),
            ItemKind::Player { members } | ItemKind::Game { members } => (None, members.as_slice()),
            ItemKind::Enum { name, .. }
            | ItemKind::Zone { name, .. }
            | ItemKind::Board { name, .. }
            | ItemKind::Verb { name, .. }
            | ItemKind::Action { name, .. } => (Some(name), &[][..]),
            _ => return,
        };
        let own = name.zip(item.label.as_ref()).map(|(name, label)| (name.text.as_str(), label));
        let of_members = members.iter().filter_map(|member| Some((member_name(member)?, member.label.as_ref()?)));
        for (name, label) in own.into_iter().chain(of_members) {
            match self.rules.labels.insert(name.to_owned(), label.text.clone()) {
                Some(other) if other != label.text => {
                    let message = format!("`{name}` is called \"{other}\" already");
                    let help = "one name has one label, on whichever kind it stands";
                    self.report(Diagnostic::new(Code::Duplicate, label.span, message).help(help));
                }
                _ => {}
            }
        }
    }

    fn collect_item(&mut self, item: &'a ast::Item) {
        let before = self.diagnostics.len();
        self.collect_named(item);
        // What is declared twice is left out with all that it would have declared.
        if self.diagnostics.iter().skip(before).any(|found| found.code == Code::Duplicate) {
            super::gaps::declares(item, &mut self.lost_names);
        }
    }

    fn collect_named(&mut self, item: &'a ast::Item) {
        self.collect_labels(item);
        match &item.kind {
            ItemKind::Enum { name, values } => self.collect_enum(name, values),
            ItemKind::Option { name, ty, default } => {
                if self.claim(name, Decl::Option(OptionId(self.items.options.len() as u32))) {
                    self.items.options.push((name, ty, default));
                }
            }
            ItemKind::Player { members } => self.items.player.push(members),
            ItemKind::Game { members } => self.items.game.push(members),
            ItemKind::Zone { name, per_player, per, props } => {
                self.collect_zone(name, *per_player, per.as_ref(), props);
            }
            ItemKind::Board { name, per, props } => self.collect_board(name, per.as_ref(), props),
            ItemKind::Link { from_kind, from_prop, to_kind, to_prop, orphan } => {
                let orphan = orphan.as_ref();
                self.items.links.push(LinkItem { from_kind, from_prop, to_kind, to_prop, orphan, span: item.span });
            }
            ItemKind::Define { name, params, ty, body } => {
                if self.claim_called(name, Decl::Define(self.items.defines.len()), !params.is_empty()) {
                    self.items.defines.push(DefineItem { name, params, ty: ty.as_ref(), body });
                }
            }
            ItemKind::Verb { name, params, body } => {
                if self.claim(name, Decl::Verb(VerbId(self.items.verbs.len() as u32))) {
                    self.items.verbs.push((params, body));
                    self.add_verb(name);
                }
            }
            ItemKind::Action { name, params, body } => {
                if self.claim(name, Decl::Action(ActionId(self.items.actions.len() as u32))) {
                    self.items.actions.push((name, params, body));
                }
            }
            ItemKind::Window { name, params, from, among, until, prompt, parts } => {
                if self.claim(name, Decl::Window(WindowId(self.items.windows.len() as u32))) {
                    let (among, until, prompt) = (among.as_ref(), until.as_ref(), prompt.as_ref());
                    let span = item.span;
                    self.items.windows.push(WindowItem { name, params, from, among, until, prompt, parts, span });
                }
            }
            ItemKind::Rule { absolute, name, when, clauses } => {
                let id = GroupId(self.rules.groups.len() as u32);
                if self.claim(name, Decl::Rule(id)) {
                    self.items.groups.push((when.as_ref(), clauses));
                    let name = name.text.clone();
                    let clauses = Vec::new();
                    self.rules.groups.push(Group { name, absolute: *absolute, when: None, clauses, span: item.span });
                }
            }
            ItemKind::Script { name, params, ty, sees, may, file } => {
                if self.claim_called(name, Decl::Script(ScriptId(self.items.scripts.len() as u32)), true) {
                    let (ty, sees) = (ty.as_ref(), sees.as_ref());
                    self.items.scripts.push(ScriptItem { name, params, ty, sees, may, file });
                }
            }
            ItemKind::Look { name, props } => self.items.looks.push((name, props, item.span)),
            ItemKind::Setup { body } => self.items.setups.push((body, item.span)),
            ItemKind::Flow { body } => self.items.flows.push((body, item.span)),
            ItemKind::Scenario { title, covers, steps } => {
                self.items.scenarios.push((title, covers, steps, item.span));
            }
            ItemKind::Patch { .. } | ItemKind::Replace { .. } | ItemKind::Remove { .. } => {
                let message = "this changes another package, which only an expansion does";
                let found = Diagnostic::new(Code::ChangeOutsideExpansion, item.span, message).help(
                    "change the item itself, or move this into an expansion: `kind = \"expansion\"` in its manifest",
                );
                self.report(found);
            }
            // What tables give stands among the definitions.
            ItemKind::Kind { .. } | ItemKind::Entry { .. } | ItemKind::Cards { .. } => {}
        }
    }

    fn add_verb(&mut self, name: &Ident) {
        let body = super::rules::ProcId(0);
        self.rules.verbs.push(super::rules::Verb {
            name: name.text.clone(),
            params: Vec::new(),
            body,
            span: name.span,
        });
    }

    fn collect_enum(&mut self, name: &Ident, written: &[ast::EnumValue]) {
        let id = EnumId(self.rules.enums.len() as u32);
        if !self.claim(name, Decl::Enum(id)) {
            return;
        }
        let mut values: Vec<EnumValue> = Vec::new();
        if written.is_empty() || written.len() > MOST_VALUES {
            let message = format!("an enum has 1 to {MOST_VALUES} values, and `{}` has {}", name.text, written.len());
            self.error(Code::EnumSize, name.span, message);
        }
        for value in written.iter().take(MOST_VALUES) {
            if let Some(other) = values.iter().find(|other| other.name == value.name.text) {
                let message = format!("`{}` is already a value of this enum", value.name.text);
                let found =
                    Diagnostic::new(Code::Duplicate, value.name.span, message).label(other.span, "first written here");
                self.report(found);
                continue;
            }
            if BUILTIN_NAMES.contains(&value.name.text.as_str()) {
                let message = format!("`{}` is built in and cannot be the value of an enum", value.name.text);
                self.error(Code::BuiltinName, value.name.span, message);
                continue;
            }
            let label = value.label.as_ref().map_or_else(|| spoken(&value.name.text), |label| label.text.clone());
            let places = self.enum_values.entry(value.name.text.clone()).or_default();
            places.push((id, values.len() as i64));
            values.push(EnumValue {
                name: value.name.text.clone(),
                label,
                colour: None,
                thickness: 1,
                span: value.name.span,
            });
        }
        self.rules.enums.push(Enum { name: name.text.clone(), values, span: name.span });
    }

    fn collect_zone(&mut self, name: &Ident, per_player: bool, per: Option<&'a ast::Type>, props: &'a [ast::Prop]) {
        let id = ZoneId(self.rules.zones.len() as u32);
        if !self.claim(name, Decl::Zone(id)) {
            return;
        }
        self.items.zones.push(props);
        self.items.zone_keys.push(per);
        self.rules.zones.push(Zone {
            name: name.text.clone(),
            per_player,
            holds: Vec::new(),
            order: ZoneOrder::None,
            seen: Seen::All,
            in_play: false,
            limits: Vec::new(),
            refill: None,
            refills_late: false,
            starts: Vec::new(),
            memory: true,
            span: name.span,
        });
    }

    fn collect_board(&mut self, name: &Ident, per: Option<&'a Ident>, props: &'a [ast::Prop]) {
        let endless = super::endless::is_endless(props);
        let id = BoardId::new(self.rules.boards.len(), endless);
        if !self.claim(name, Decl::Board(id)) {
            return;
        }
        self.items.boards.push((per, props));
        self.rules.boards.push(Board {
            name: name.text.clone(),
            per: Per::Game,
            shape: if endless {
                BoardShape::Endless { hexes: false }
            } else {
                BoardShape::Square { columns: 1, rows: 1 }
            },
            places: Places::default(),
            neighbours: 8,
            geometry: Geometry::default(),
            span: name.span,
        });
    }

    /// Declares all kinds first and their parents after that, so that their order in the text does not matter.
    fn collect_kinds(&mut self, items: impl Iterator<Item = &'a ast::Item>) {
        let mut parents: Vec<(KindId, &'a Ident)> = Vec::new();
        for item in items {
            let ItemKind::Kind { name, parent, members } = &item.kind else { continue };
            let id = KindId(self.rules.kinds.len() as u32);
            if !self.claim(name, Decl::Kind(id)) {
                super::gaps::declares(item, &mut self.lost_names);
                continue;
            }
            self.rules.kinds.push(Kind {
                name: name.text.clone(),
                parent: None,
                root: RootKind::Card,
                props: Vec::new(),
                clauses: Vec::new(),
                stands_when: None,
                notation: Vec::new(),
                back: None,
                span: name.span,
            });
            self.items.kinds.push((id, members));
            parents.push((id, parent));
        }
        for (id, parent) in &parents {
            self.set_parent(*id, parent);
        }
        self.cut_loops(&parents);
        for (id, _) in &parents {
            let root = [CARD, PIECE, THING].into_iter().find(|root| self.rules.is_below(*id, *root)).unwrap_or(CARD);
            let root = self.rules.kinds.get(root.index()).map_or(RootKind::Card, |kind| kind.root);
            if let Some(kind) = self.rules.kinds.get_mut(id.index()) {
                kind.root = root;
            }
        }
        self.order_kinds();
    }

    fn set_parent(&mut self, id: KindId, parent: &Ident) {
        let mut found = self.kind_named(&parent.text);
        if found.is_none() {
            let names: Vec<String> = self.rules.kinds.iter().map(|kind| kind.name.clone()).collect();
            if self.is_asked(&parent.text) {
                self.could_be_named(names.iter().map(String::as_str));
            }
            let message = format!("there is no kind `{}`", parent.text);
            let unknown = Diagnostic::new(Code::UnknownKind, parent.span, message)
                .note("a kind is a `card`, a `piece`, a `thing` or another kind")
                .suggest(&parent.text, names.iter().map(String::as_str));
            self.report(unknown);
            self.open_kinds.insert(id);
            // What it seems to be goes on: whether it is a card or a piece is not asked again.
            let own = self.kind_name(id).to_owned();
            self.lost_names.insert(own.clone());
            let best = nearest(&parent.text, names.iter().map(String::as_str).filter(|name| *name != own));
            found = best.and_then(|best| self.kind_named(best));
        }
        self.means(parent);
        self.means_builtin(&parent.text, parent.span);
        if let Some(kind) = self.rules.kinds.get_mut(id.index()) {
            kind.parent = Some(found.unwrap_or(CARD));
        }
    }

    fn cut_loops(&mut self, parents: &[(KindId, &'a Ident)]) {
        for (id, parent) in parents {
            let mut at = self.rules.kinds.get(id.index()).and_then(|kind| kind.parent);
            let mut steps = 0;
            while let Some(here) = at
                && here != *id
                && steps <= self.rules.kinds.len()
            {
                at = self.rules.kinds.get(here.index()).and_then(|kind| kind.parent);
                steps += 1;
            }
            if at == Some(*id) {
                let message = format!("the kind `{}` descends from itself", self.kind_name(*id));
                let found = Diagnostic::new(Code::KindCycle, parent.span, message)
                    .help("let one of them be a `card`, a `piece` or a `thing`");
                self.report(found);
                if let Some(kind) = self.rules.kinds.get_mut(id.index()) {
                    kind.parent = Some(CARD);
                }
            }
        }
    }

    /// Puts kinds after their parents, in which order their properties are inherited.
    fn order_kinds(&mut self) {
        let depth = |id: KindId| {
            let mut at = Some(id);
            let mut depth = 0;
            while let Some(here) = at {
                at = self.rules.kinds.get(here.index()).and_then(|kind| kind.parent);
                depth += 1;
            }
            depth
        };
        let mut kinds = std::mem::take(&mut self.items.kinds);
        kinds.sort_by_key(|(id, _)| depth(*id));
        self.items.kinds = kinds;
    }

    fn collect_entry(&mut self, item: &'a ast::Item) {
        let ItemKind::Entry { kind: kind_name, name, fields } = &item.kind else { return };
        let Some(kind) = self.kind_named(&kind_name.text) else {
            self.lost_entries.insert(name.text.clone());
            self.unknown_entry_kind(kind_name);
            return;
        };
        if matches!(kind, CARD | PIECE | THING) {
            let message = format!("`{}` is built in: a definition needs a kind of its own", kind_name.text);
            self.error(Code::UnknownKind, kind_name.span, message);
            return;
        }
        if let Some(other) = self.entry_names.get(&(kind, name.text.clone())) {
            let span = self.rules.entries.get(other.index()).map_or(name.span, |entry| entry.span);
            let message = format!("`{} \"{}\"` is defined twice", kind_name.text, name.text);
            let found = Diagnostic::new(Code::DuplicateEntry, name.span, message)
                .label(span, "first defined here")
                .help("give it another name, or `copies: 2` to the first");
            self.report(found);
            return;
        }
        self.means(kind_name);
        let id = EntryId(self.rules.entries.len() as u32);
        self.entry_names.insert((kind, name.text.clone()), id);
        self.items.entries.push(fields);
        self.rules.texts.add(&name.text);
        self.rules.entries.push(Entry {
            name: name.text.clone(),
            kind,
            fields: Vec::new(),
            clauses: Vec::new(),
            supersedes: Vec::new(),
            copies: 1,
            field_spans: Vec::new(),
            span: name.span,
        });
    }

    fn unknown_entry_kind(&mut self, name: &Ident) {
        let found = match self.names.get(&name.text) {
            Some(other) => Diagnostic::new(
                Code::UnknownKind,
                name.span,
                format!("`{}` is {}, not a kind", name.text, other.noun()),
            ),
            None => Diagnostic::new(Code::UnknownKind, name.span, format!("there is no kind `{}`", name.text)),
        };
        let found = self.suggest(found, &name.text, self.rules.kinds.iter().map(|kind| kind.name.as_str()));
        self.report(found);
    }

    /// Names the `turns` and `phase` blocks of all bodies. One name may stand for several blocks.
    fn collect_spans(&mut self) {
        let flows: Vec<&'a ast::Block> =
            self.items.setups.iter().chain(&self.items.flows).map(|(block, _)| *block).collect();
        let others: Vec<&'a ast::Block> = self
            .items
            .verbs
            .iter()
            .map(|(_, block)| *block)
            .chain(self.items.actions.iter().map(|(_, _, block)| *block))
            .collect();
        let mut found: Vec<(&'a Ident, bool, bool)> = Vec::new();
        for block in flows {
            walk::spans(block, false, &mut |name, turns, nested| found.push((name, turns, !nested)));
        }
        let in_flow = found.iter().any(|(_, turns, _)| *turns);
        for block in others {
            walk::spans(block, false, &mut |name, turns, nested| found.push((name, turns, !nested && !in_flow)));
        }
        for (name, turns, outermost) in found {
            self.add_span(name, turns, turns && outermost);
        }
    }

    fn add_span(&mut self, name: &Ident, turns: bool, outermost: bool) {
        if let Some(Decl::Span(id)) = self.names.get(&name.text).copied() {
            self.means(name);
            if let Some(known) = self.rules.spans.get_mut(id.index())
                && known.turns == turns
            {
                known.outermost |= outermost;
                return;
            }
            let message = format!("`{}` is already the name of a {}", name.text, if turns { "phase" } else { "turns" });
            self.error(Code::Duplicate, name.span, message);
            return;
        }
        let id = SpanId(self.rules.spans.len() as u32);
        if self.claim(name, Decl::Span(id)) {
            self.rules.spans.push(SpanName { name: name.text.clone(), turns, outermost, span: name.span });
        }
    }

    /// Adds the nearest of some names as advice.
    pub(super) fn nearest_of(&self, name: &str, wanted: impl Fn(Decl) -> bool) -> Option<String> {
        self.offer_declared(name, &wanted);
        if !self.may_suggest() {
            return None;
        }
        let names = self.names.iter().filter(|(_, decl)| wanted(**decl)).map(|(name, _)| name.as_str());
        nearest(name, names).map(str::to_owned)
    }

    /// Adds as advice the nearest of what is declared of a sort, else a list of it.
    pub(super) fn or_declared(
        &self,
        found: Diagnostic,
        name: &str,
        sort: &str,
        wanted: impl Fn(Decl) -> bool,
    ) -> Diagnostic {
        self.offer_declared(name, &wanted);
        if !self.may_suggest() {
            return found;
        }
        let names = || self.names.iter().filter(|(_, decl)| wanted(**decl)).map(|(name, _)| name.as_str());
        match nearest(name, names()) {
            Some(best) => found.did_you_mean(best),
            None if names().next().is_some() => found.help(format!("the {sort} are {}", listed(names()))),
            None => found,
        }
    }

    /// Adds the nearest of some names as advice, as long as names are compared.
    pub(super) fn suggest<'n>(
        &self,
        found: Diagnostic,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        if self.is_asked(name) {
            self.could_be_named(names);
            return found;
        }
        if self.may_suggest() { found.suggest(name, names) } else { found }
    }

    /// Adds the nearest of the properties that values of a type have.
    pub(super) fn suggest_member(&self, found: Diagnostic, name: &str, of: &Ty) -> Diagnostic {
        if self.is_asked(name) {
            self.could_be_member(of, None);
        }
        if !self.may_suggest() {
            return found;
        }
        found.suggest(name, self.members_of(of).iter().map(String::as_str))
    }

    /// Whether a name may still be compared with all names of the game. Somebody with hundreds of unknown names is not helped
    /// by what is like each of them.
    pub(super) fn may_suggest(&self) -> bool {
        self.suggested.set(self.suggested.get() + 1);
        self.suggested.get() <= MOST_SUGGESTED
    }

    /// Reports a local that takes the name of something global.
    pub(super) fn check_local_name(&mut self, name: &Ident) {
        let text = name.text.as_str();
        if BUILTIN_NAMES.contains(&text) {
            let found =
                Diagnostic::new(Code::BuiltinName, name.span, format!("`{text}` is built in and cannot be bound"))
                    .help(format!("choose another name, such as `{text}_`"));
            self.report(found);
            return;
        }
        let Some(decl) = self.names.get(text).copied() else { return };
        if decl.may_be_hidden() {
            return;
        }
        let mut found = Diagnostic::new(Code::NameClash, name.span, format!("`{text}` is already {}", decl.noun()))
            .help("choose another name, so that the word has one meaning");
        if let Some(span) = self.items.spans.get(text) {
            found = found.label(*span, "declared here");
        }
        self.report(found);
    }
}
