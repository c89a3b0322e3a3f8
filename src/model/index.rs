//! What each name of a text stands for, and which names could stand at a place. The checker fills it where it settles names,
//! so that an editor knows what the checker knows; a game that is only played has none.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::body::Body;
use super::check::Checker;
use super::collect::{BUILTIN_NAMES, Decl};
use super::rules::{EntryId, EnumId, PropClass, PropId, PropOwner, Ty};
use super::types::TYPE_WORDS;
use crate::base::{FileId, SourceMap, Span};
use crate::syntax::ast::Ident;

/// The name that stands where a completion is asked for. Whoever looks it up finds nothing, and says what there is.
pub const ASKED: &str = "what_stands_here";

/// Names that mean the same in every game.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN_NAMES.into_iter()
}

/// Names of types that every game has.
pub fn type_words() -> impl Iterator<Item = &'static str> {
    TYPE_WORDS.into_iter()
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// What is declared by the name at this place.
    Declared(Span),
    /// A function of the language.
    Function(&'static str),
    /// A name that means the same in every game, or a property that everything of a sort has.
    BuiltIn(&'static str),
    /// A word that only its place gives a meaning: a direction of a board, or a cause.
    Word,
}

/// What sort of thing is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// An enum.
    Enum,
    /// A value of an enum.
    Value,
    /// An option of the game.
    Option,
    /// A kind.
    Kind,
    /// A printed field.
    Field,
    /// A counter.
    Counter,
    /// A mark.
    Mark,
    /// A stat.
    Stat,
    /// The end of a link.
    Link,
    /// A zone.
    Zone,
    /// A board.
    Board,
    /// A definition of a value.
    Define,
    /// A verb.
    Verb,
    /// An action.
    Action,
    /// A window.
    Window,
    /// A rule.
    Rule,
    /// A script function.
    Script,
    /// A `turns` or `phase`.
    Span,
    /// The definition of a card or piece.
    Entry,
    /// A parameter.
    Parameter,
    /// A name that a statement or an expression gives.
    Local,
    /// A function of the language.
    Function,
    /// A name that means the same in every game.
    BuiltIn,
    /// A type that every game has.
    Type,
    /// A direction of a board, or another word that only its place gives a meaning.
    Word,
}

impl Sort {
    /// What people call it.
    pub fn noun(self) -> &'static str {
        match self {
            Sort::Enum => "enum",
            Sort::Value => "value",
            Sort::Option => "option",
            Sort::Kind => "kind",
            Sort::Field => "field",
            Sort::Counter => "counter",
            Sort::Mark => "mark",
            Sort::Stat => "stat",
            Sort::Link => "link",
            Sort::Zone => "zone",
            Sort::Board => "board",
            Sort::Define => "define",
            Sort::Verb => "verb",
            Sort::Action => "action",
            Sort::Window => "window",
            Sort::Rule => "rule",
            Sort::Script => "script",
            Sort::Span => "turn or phase",
            Sort::Entry => "card",
            Sort::Parameter => "parameter",
            Sort::Local => "local",
            Sort::Function => "function",
            Sort::BuiltIn => "built in",
            Sort::Type => "type",
            Sort::Word => "word",
        }
    }
}

/// Something that is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// What it is.
    pub sort: Sort,
    /// The type of its value in words; empty where it has none.
    pub ty: String,
    /// What it belongs to: a kind, an enum, `player` or `game`.
    pub of: Option<String>,
}

/// A name that could stand at the place that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name.
    pub name: String,
    /// What it is.
    pub sort: Sort,
    /// The type of its value in words.
    pub ty: String,
    /// Where it is declared, unless every game has it.
    pub declared: Option<Span>,
    /// Whether its type is the one that is wanted.
    pub fits: bool,
}

/// What the checker knows about names.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// What is declared, by the place of its name.
    pub declarations: BTreeMap<Span, Declaration>,
    /// Each name that stands for something, with what it stands for; declarations stand for themselves.
    pub uses: BTreeSet<(Span, Meaning)>,
    /// Names in changes of expansions, each with another place where the same name means the same, in a text that the change
    /// may have taken away.
    pub twins: Vec<(Span, Span)>,
    /// What could stand where [`ASKED`] does.
    pub candidates: Vec<Candidate>,
    /// The type that is wanted there.
    pub wanted: Option<String>,
}

impl Index {
    /// Takes brackets around names away from their places, and what stands for a name that nobody wrote.
    pub(super) fn settle(&mut self, sources: &SourceMap) {
        let uses = std::mem::take(&mut self.uses);
        for (span, meaning) in uses {
            let name = match meaning {
                Meaning::Declared(declared) => self.declarations.get(&declared).map(|it| it.name.as_str()),
                Meaning::Function(name) | Meaning::BuiltIn(name) => Some(name),
                Meaning::Word => None,
            };
            let text = sources.slice(span);
            let inner = text.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '(' | ')'));
            let plain = inner.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(inner);
            if name.is_some_and(|name| name != plain) || matches!(meaning, Meaning::Declared(_)) && name.is_none() {
                continue;
            }
            let before =
                text.len() - text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(').len();
            let start = span.start as usize + before;
            self.uses.insert((Span::new(span.file, start, start + inner.len()), meaning));
        }
    }

    /// The name at a byte of a file, or that ends there.
    pub fn at(&self, file: FileId, offset: u32) -> Option<Span> {
        let before = Span { file, start: offset + 1, end: 0 };
        let near = self.uses.range(..(before, Meaning::Function(""))).rev().take_while(|(span, _)| span.file == file);
        near.take(8).map(|(span, _)| *span).find(|span| span.start <= offset && offset <= span.end)
    }

    /// What the name at a place stands for; several, where a text is read in several ways.
    pub fn meanings(&self, span: Span) -> impl Iterator<Item = Meaning> + '_ {
        let from = (span, Meaning::Declared(Span::default()));
        self.uses.range(from..).take_while(move |(at, _)| *at == span).map(|(_, meaning)| *meaning)
    }

    /// Everywhere that something is named, its declaration included.
    pub fn places(&self, meaning: Meaning) -> impl Iterator<Item = Span> + '_ {
        self.uses.iter().filter(move |(_, other)| *other == meaning).map(|(span, _)| *span)
    }
}

/// Takes down what names mean, if somebody wants to know.
#[derive(Default)]
pub(super) struct Recorder(pub Option<RefCell<Index>>);

impl Recorder {
    /// Whether anybody wants to know.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Notes what a name stands for.
    pub fn put(&self, span: Span, meaning: Meaning) {
        if let Some(index) = &self.0
            && span != Span::default()
            && meaning != Meaning::Declared(Span::default())
        {
            index.borrow_mut().uses.insert((span, meaning));
        }
    }

    fn declare(&self, declaration: Declaration) {
        self.put(declaration.span, Meaning::Declared(declaration.span));
        if let Some(index) = &self.0 {
            index.borrow_mut().declarations.entry(declaration.span).or_insert(declaration);
        }
    }
}

impl Checker<'_> {
    /// Notes that a name stands for something declared for the whole game.
    pub(super) fn means_global(&self, name: &str, span: Span) {
        if self.recorder.is_on()
            && let Some(declared) = self.items.spans.get(name)
        {
            self.recorder.put(span, Meaning::Declared(*declared));
        }
    }

    /// The same of a name with its place.
    pub(super) fn means(&self, name: &Ident) {
        self.means_global(&name.text, name.span);
    }

    /// Notes that a name stands for a property.
    pub(super) fn means_prop(&self, id: PropId, span: Span) {
        if !self.recorder.is_on() {
            return;
        }
        match self.prop_span(id) {
            Some(declared) => self.recorder.put(span, Meaning::Declared(declared)),
            None => self.means_builtin(self.prop_name(id), span),
        }
    }

    /// Notes that a name stands for a local.
    pub(super) fn means_local(&self, body: &Body, name: &str, span: Span) {
        if self.recorder.is_on()
            && let Some(declared) = body.declared(name)
        {
            self.recorder.put(span, Meaning::Declared(declared));
        }
    }

    /// Notes that a name stands for the value of an enum.
    pub(super) fn means_value(&self, id: EnumId, value: i64, span: Span) {
        let values = self.rules.enums.get(id.index()).map(|item| &item.values);
        if let Some(value) = values.and_then(|values| values.get(usize::try_from(value).ok()?)) {
            self.recorder.put(span, Meaning::Declared(value.span));
        }
    }

    /// Notes that a name stands for the definition of a card or piece.
    pub(super) fn means_entry(&self, id: EntryId, span: Span) {
        if let Some(entry) = self.rules.entries.get(id.index()) {
            self.recorder.put(span, Meaning::Declared(entry.span));
        }
    }

    /// Notes that a name means the same in every game.
    pub(super) fn means_builtin(&self, name: &str, span: Span) {
        let others = ["playing", "turn", "card", "piece", "thing", "every_value", "any_value"];
        let names = BUILTIN_NAMES.iter().chain(&others).chain(&TYPE_WORDS);
        if let Some(name) = names.copied().find(|known| *known == name) {
            self.recorder.put(span, Meaning::BuiltIn(name));
        }
    }

    /// Notes that only its place gives a word its meaning.
    pub(super) fn means_word(&self, span: Span) {
        self.recorder.put(span, Meaning::Word);
    }

    /// Notes that a name is that of a function of the language.
    pub(super) fn means_function(&self, name: &str, span: Span) {
        if self.recorder.is_on()
            && let Some(info) = super::builtins::named(name).and_then(|mut forms| forms.next())
        {
            self.recorder.put(span, Meaning::Function(info.name));
        }
    }

    /// Notes that a name is given to a local or parameter.
    pub(super) fn declares_local(&self, name: &str, span: Span, ty: &Ty, sort: Sort) {
        if self.recorder.is_on() {
            let ty = if *ty == Ty::Error { String::new() } else { self.type_written(ty) };
            self.recorder.declare(Declaration { name: name.to_owned(), span, sort, ty, of: None });
        }
    }

    /// Takes down what is declared for the whole game, and gives all that was taken down.
    pub(super) fn finished_index(&mut self) -> Option<Index> {
        if self.recorder.is_on() {
            self.declare_globals();
            self.declare_members();
        }
        self.recorder.0.take().map(RefCell::into_inner)
    }

    fn declare_globals(&self) {
        for (name, span) in &self.items.spans {
            let Some(decl) = self.names.get(name).copied() else { continue };
            let (sort, ty) = self.sort_of(decl);
            self.recorder.declare(Declaration { name: name.clone(), span: *span, sort, ty, of: None });
        }
        for item in &self.rules.enums {
            for value in &item.values {
                let (name, of) = (value.name.clone(), Some(item.name.clone()));
                let ty = item.name.clone();
                self.recorder.declare(Declaration { name, span: value.span, sort: Sort::Value, ty, of });
            }
        }
        for entry in &self.rules.entries {
            let (name, kind) = (entry.name.clone(), self.kind_name(entry.kind));
            let sort = Sort::Entry;
            self.recorder.declare(Declaration { name, span: entry.span, sort, ty: kind.clone(), of: Some(kind) });
        }
    }

    fn declare_members(&self) {
        for (index, prop) in self.rules.props.iter().enumerate() {
            if prop.span == Span::default() || prop.table.is_some() {
                continue;
            }
            let of = match prop.owner {
                PropOwner::Kind(kind) => self.kind_name(kind),
                PropOwner::Player => "player".to_owned(),
                PropOwner::Game => "game".to_owned(),
            };
            let (name, sort) = (prop.name.clone(), self.prop_sort(PropId(index as u32)));
            let ty = self.type_written(&prop.ty);
            self.recorder.declare(Declaration { name, span: prop.span, sort, ty, of: Some(of) });
        }
    }

    /// What sort of property it is. A table is what its members say: its class only tells where its values are.
    pub(super) fn prop_sort(&self, id: PropId) -> Sort {
        let Some(prop) = self.rules.props.get(id.index()) else { return Sort::Mark };
        let class = match &prop.class {
            PropClass::Table(items) => items.first().and_then(|item| self.class_of(*item)),
            class => Some(class.clone()),
        };
        match class {
            Some(PropClass::Field { .. }) => Sort::Field,
            Some(PropClass::Counter { .. }) => Sort::Counter,
            Some(PropClass::Stat { .. }) => Sort::Stat,
            Some(PropClass::LinkOne(_) | PropClass::LinkMany(_)) => Sort::Link,
            Some(PropClass::Builtin(_)) => Sort::BuiltIn,
            _ => Sort::Mark,
        }
    }

    /// What a global declaration is, and the type of its value.
    pub(super) fn sort_of(&self, decl: Decl) -> (Sort, String) {
        match decl {
            Decl::Enum(id) => {
                (Sort::Enum, self.rules.enums.get(id.index()).map_or(String::new(), |item| item.name.clone()))
            }
            Decl::Option(id) => {
                let ty = self.rules.options.get(id.index()).map(|option| self.type_written(&option.ty));
                (Sort::Option, ty.unwrap_or_default())
            }
            Decl::Kind(id) => (Sort::Kind, self.kind_name(id)),
            Decl::Zone(id) => (Sort::Zone, self.type_written(&self.zone_type(id).set())),
            Decl::Board(_) => (Sort::Board, String::new()),
            Decl::Define(index) => match self.defines.get(index) {
                Some(super::check::DefineState::Done { ty, .. }) => (Sort::Define, self.type_written(ty)),
                _ => (Sort::Define, String::new()),
            },
            Decl::Verb(_) => (Sort::Verb, String::new()),
            Decl::Action(_) => (Sort::Action, String::new()),
            Decl::Window(_) => (Sort::Window, String::new()),
            Decl::Rule(_) => (Sort::Rule, String::new()),
            Decl::Script(id) => {
                let ty = self.rules.scripts.get(id.index()).map(|script| &script.result);
                let ty = ty.filter(|ty| **ty != Ty::Nothing).map(|ty| self.type_written(ty));
                (Sort::Script, ty.unwrap_or_default())
            }
            Decl::Span(_) => (Sort::Span, String::new()),
        }
    }
}
