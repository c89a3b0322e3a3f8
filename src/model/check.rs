//! The core of the checker: one pass over merged packages, without input or output.

use std::collections::{BTreeMap, BTreeSet};

use super::body::{Body, Log};
use super::collect::{Decl, Items};
use super::index::{Index, Recorder};
use super::rules::{
    ActionId, BoardId, EnumId, Expr, ExprKind, KindId, Proc, ProcBody, ProcId, PropId, Rules, Stmt, Ty, VerbId,
    WindowId, ZoneId,
};
use super::scenario::Scenario;
use super::types::Declared;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};
use crate::syntax::ast;

/// What the checker needs of a manifest.
#[derive(Clone, Debug)]
pub struct Header {
    /// The package's name, as players type it.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Fewest and most players.
    pub players: (u8, u8),
    /// The fewest players of the package by itself, without expansions.
    pub fewest: u8,
    /// Which numbers of players there may be; none: all between these.
    pub counts: Vec<u8>,
    /// Names of seats; may be fewer than the most players.
    pub seats: Vec<String>,
    /// Whether triggers of one player act in the order their cards came into play.
    pub fixed_triggers: bool,
    /// The property of players that greedy bots look at.
    pub greedy: Option<(String, Span)>,
    /// Room for created things, and units of work from one decision to the next, where the manifest gives them.
    pub limits: (Option<u32>, Option<u64>),
    /// Where findings about the game as a whole point.
    pub span: Span,
}

/// The parsed files of one package.
pub struct Package {
    /// From its manifest.
    pub header: Header,
    /// Its files, in a stable order.
    pub files: Vec<(FileId, ast::File)>,
    /// Its script files by path: where they stand among the sources, and their texts.
    pub scripts: BTreeMap<String, (FileId, String)>,
    /// Ids of its numbered rules, if it has a rulebook.
    pub rulebook: Option<BTreeSet<String>>,
    /// Whether it changes the packages before it, rather than be one of them.
    pub expansion: bool,
    /// Names of the packages it depends on.
    pub needs: Vec<String>,
}

/// What a check gives.
pub struct Checked {
    /// The rules, if nothing is wrong with them.
    pub rules: Option<Rules>,
    /// The scenarios, if nothing is wrong with the rules.
    pub scenarios: Vec<Scenario>,
    /// Everything found, in the order of the text. Errors in scenarios do not count against the rules.
    pub diagnostics: Diagnostics,
    /// Names that broken items would have declared.
    pub lost: BTreeSet<String>,
    /// What names mean, if that was asked for.
    pub index: Option<Index>,
    /// Where expansions add to sets and lists that others have changed, so that the order counts: what the one says, and what the other.
    pub ordered: Vec<(Span, Span)>,
}

/// Options in words, each with the place where it was given.
pub type Settings = BTreeMap<String, (String, Span)>;

/// Checks packages as one game: what the game depends on, the game itself, and expansions, whose changes have been made.
///
/// `options` are values in words that override the declared defaults; `chosen` says whether some of them are a caller's
/// choice, for which the scenarios may not have been written.
pub fn check(packages: &[Package], options: &Settings, chosen: bool) -> Checked {
    check_indexed(packages, options, chosen, false)
}

/// The same; `indexed` says whether what names mean is taken down.
pub fn check_indexed(packages: &[Package], options: &Settings, chosen: bool, indexed: bool) -> Checked {
    let recorder = || Recorder(indexed.then(Default::default));
    let mut checker = Checker::new(packages, options);
    (checker.chosen, checker.recorder) = (chosen, recorder());
    checker.run();
    if checker.asked_home {
        // The rules say where pieces lie; now they are read by who knows it.
        let homes = Some(checker.brought);
        checker = Checker::new(packages, options);
        (checker.chosen, checker.homes, checker.recorder) = (chosen, homes, recorder());
        checker.run();
    }
    let index = checker.finished_index();
    let mut diagnostics = checker.diagnostics;
    diagnostics.append(&mut checker.settled);
    settle(&mut diagnostics);
    let fine = !diagnostics.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut checker.of_scenarios);
    settle(&mut diagnostics);
    Checked {
        rules: fine.then_some(checker.rules),
        scenarios: if fine { checker.scenarios } else { Vec::new() },
        diagnostics,
        lost: checker.lost_names,
        ordered: checker.ordered,
        index,
    }
}

/// Puts findings in the order of the text. Where there are errors, nothing is said of what seems to be unused or
/// never in play: the use may be in what could not be read.
pub(super) fn settle(diagnostics: &mut Diagnostics) {
    let unused = |code: Code| {
        matches!(
            code,
            Code::UnusedProperty
                | Code::EmptyZone
                | Code::UndoneEffect
                | Code::UnusedVerb
                | Code::UnopenedWindow
                | Code::UnusedName
                | Code::UnusedDefinition
                | Code::NeverInGame
                | Code::NeverInPlay
                | Code::ActsElsewhere
                | Code::HeldByNobody
                | Code::NeverSet
                | Code::Unshuffled
        )
    };
    if diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.retain(|found| !unused(found.code));
    }
    diagnostics.sort_by_key(|found| (found.span.file, found.span.start, found.span.end, found.code));
    diagnostics.dedup();
}

/// What of the declared things is used somewhere.
#[derive(Default)]
pub(super) struct Uses {
    pub enums: BTreeSet<EnumId>,
    pub kinds: BTreeSet<KindId>,
    pub props: BTreeSet<PropId>,
    /// Whether what tiles show is compared, which reads all values per direction.
    pub sides: bool,
    pub effects_done: BTreeSet<PropId>,
    pub verbs: BTreeSet<VerbId>,
    /// Actions that are offered, or of which it is asked whether they can be done.
    pub actions: BTreeSet<ActionId>,
    pub windows: BTreeSet<WindowId>,
    pub filled: BTreeSet<ZoneId>,
    pub zones_read: BTreeMap<ZoneId, Span>,
}

/// The checker at work.
pub(super) struct Checker<'a> {
    pub packages: &'a [Package],
    pub overrides: &'a Settings,
    /// Whether somebody chose among the options.
    pub chosen: bool,
    pub rules: Rules,
    /// How many unknown names were compared with those there are.
    pub suggested: std::cell::Cell<u32>,
    pub scenarios: Vec<Scenario>,
    pub diagnostics: Diagnostics,
    /// What was found in scenarios.
    pub of_scenarios: Diagnostics,
    pub items: Items<'a>,
    /// The global namespace.
    pub names: BTreeMap<String, Decl>,
    /// Definitions of cards and pieces by kind and name.
    pub entry_names: BTreeMap<(KindId, String), super::rules::EntryId>,
    /// Names of definitions whose kind there is not, which was reported.
    pub lost_entries: BTreeSet<String>,
    /// Names that broken items would have declared, which was reported.
    pub lost_names: BTreeSet<String>,
    /// Sums of sets and lists to which files of several packages add, which does not come to the same in another order.
    pub ordered: Vec<(Span, Span)>,
    /// Kinds whose parent there is not, which was reported: nobody knows what they have.
    pub open_kinds: BTreeSet<KindId>,
    /// Where pieces lie, if there are several boards and all rules have been read once.
    pub homes: Option<super::homes::Homes>,
    pub asked_home: bool,
    /// Where the rules bring pieces, as read this time.
    pub brought: super::homes::Homes,
    /// Where rules and scenarios bring pieces, when all have been read.
    pub laid: super::homes::Homes,
    /// Types of what stands behind folds, while they are asked for.
    pub folded: Option<BTreeMap<Span, super::rules::Ty>>,
    /// Zones of which there is one for each key.
    pub keyed_zones: super::keyed_zones::KeyedZones,
    /// Those whose keys play decides, until what they stand in is said for each key.
    pub chosen_zones: Vec<super::keyed_zones::Chosen>,
    /// Where the name of a zone with keys ends of which one is meant.
    pub named_zone: Option<(FileId, u32)>,
    /// Where whole tables are compared.
    pub compared_tables: BTreeSet<Span>,
    /// Kinds and places of enum values by their name.
    pub enum_values: BTreeMap<String, Vec<(EnumId, i64)>>,
    /// What only the declaration of a property says, by its index.
    pub declared_props: Vec<Declared>,
    /// How many values per direction the tiles of a kind have, and where that was first said.
    pub ways: BTreeMap<KindId, (usize, Span)>,
    /// Likewise for the parameters of verbs: by verb, by parameter.
    pub declared_params: Vec<Vec<Declared>>,
    /// The parameters of actions: name and type.
    pub action_params: Vec<Vec<(ast::Ident, Declared)>>,
    /// Likewise those of windows.
    pub window_params: Vec<Vec<(ast::Ident, Declared)>>,
    /// Members of kinds that wait until all properties are known.
    pub waiting: super::props::Waiting<'a>,
    pub defines: Vec<DefineState>,
    /// The blocks that definitions give for each effect field.
    pub effect_procs: BTreeMap<PropId, Vec<ProcId>>,
    /// What the modifiers of each stat are worked out from.
    pub modifiers: BTreeMap<PropId, Vec<ProcId>>,
    /// Kinds of which things are made by `create` without a definition, or with any.
    pub created: BTreeSet<KindId>,
    /// Definitions of which things are made by `create`.
    pub created_entries: BTreeSet<super::rules::EntryId>,
    /// Choices without a `for` whose thing goes to a verb.
    pub unguarded: BTreeSet<(VerbId, Span)>,
    /// How many definitions are being checked inside of each other.
    pub depth: usize,
    /// What was found in definitions.
    pub settled: Diagnostics,
    /// Whether a second reading of a text is only being tried.
    pub probing: bool,
    /// What names mean, for editors.
    pub recorder: Recorder,
    /// By procedure.
    pub logs: Vec<Log>,
    pub uses: Uses,
}

/// How far a definition has been checked.
#[derive(Clone, Debug)]
pub(super) enum DefineState {
    Todo,
    Doing,
    Done {
        proc: ProcId,
        params: Vec<(String, Declared)>,
        ty: Ty,
    },
    /// Something is wrong with it, and was reported.
    Broken,
}

impl<'a> Checker<'a> {
    fn new(packages: &'a [Package], overrides: &'a Settings) -> Self {
        Checker {
            packages,
            overrides,
            chosen: false,
            rules: Rules::default(),
            suggested: std::cell::Cell::new(0),
            scenarios: Vec::new(),
            diagnostics: Vec::new(),
            of_scenarios: Vec::new(),
            items: Items::default(),
            names: BTreeMap::new(),
            entry_names: BTreeMap::new(),
            lost_entries: BTreeSet::new(),
            lost_names: BTreeSet::new(),
            ordered: Vec::new(),
            open_kinds: BTreeSet::new(),
            homes: None,
            asked_home: false,
            brought: super::homes::Homes::new(),
            laid: super::homes::Homes::new(),
            folded: None,
            keyed_zones: BTreeMap::new(),
            chosen_zones: Vec::new(),
            named_zone: None,
            compared_tables: BTreeSet::new(),
            enum_values: BTreeMap::new(),
            declared_props: Vec::new(),
            ways: BTreeMap::new(),
            declared_params: Vec::new(),
            action_params: Vec::new(),
            window_params: Vec::new(),
            waiting: super::props::Waiting::default(),
            defines: Vec::new(),
            effect_procs: BTreeMap::new(),
            modifiers: BTreeMap::new(),
            created: BTreeSet::new(),
            created_entries: BTreeSet::new(),
            unguarded: BTreeSet::new(),
            depth: 0,
            settled: Vec::new(),
            probing: false,
            recorder: Recorder::default(),
            logs: Vec::new(),
            uses: Uses::default(),
        }
    }

    fn run(&mut self) {
        self.set_header();
        self.collect();
        self.check_options();
        self.check_boards();
        self.check_props();
        self.check_zones();
        self.check_signatures();
        self.check_defines();
        self.check_kind_procs();
        self.check_entries();
        self.check_verbs();
        self.check_actions();
        self.check_windows();
        self.check_groups();
        self.check_scripts();
        self.check_flow();
        self.check_looks();
        if self.rules.boards.len() > 1 {
            self.brought = super::homes::homes(&self.rules);
        }
        self.check_scenarios();
        self.check_whole();
        self.set_aside_late();
        self.rules.short = super::weights::short(&self.rules);
    }

    fn set_header(&mut self) {
        if let Some(package) = self.game_package() {
            let manifest = &package.header;
            self.rules.name = manifest.name.clone();
            self.rules.title = manifest.title.clone();
            self.rules.fixed_triggers = manifest.fixed_triggers;
            (self.rules.created, self.rules.work) = manifest.limits;
            self.rules.players = (manifest.players.0, manifest.players.1);
            self.rules.counts.clone_from(&manifest.counts);
            let most = usize::from(manifest.players.1);
            self.rules.seats = (0..most.max(manifest.seats.len()))
                .map(|seat| manifest.seats.get(seat).cloned().unwrap_or_else(|| format!("player {}", seat + 1)))
                .collect();
        }
    }

    /// The game itself.
    pub(super) fn game_package(&self) -> Option<&'a Package> {
        self.packages.iter().rfind(|package| !package.expansion)
    }

    /// The package in which a text stands.
    pub(super) fn package_of(&self, span: Span) -> Option<&'a Package> {
        self.packages.iter().find(|package| package.files.iter().any(|(file, _)| *file == span.file))
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, found: Diagnostic) {
        self.diagnostics.push(found);
    }

    /// Reports a finding without more to say.
    pub(super) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Adds a finished procedure of statements.
    pub(super) fn finish_block(&mut self, body: Body, stmts: Vec<Stmt>) -> ProcId {
        self.finish(body, ProcBody::Block(stmts))
    }

    /// Adds a finished expression procedure.
    pub(super) fn finish_expr(&mut self, body: Body, expr: Expr) -> ProcId {
        self.finish(body, ProcBody::Expr(expr))
    }

    fn finish(&mut self, mut body: Body, code: ProcBody) -> ProcId {
        for (local, name) in &body.bound {
            if !body.used.contains(local) {
                let found = Diagnostic::new(Code::UnusedName, name.span, format!("`{}` is never used", name.text));
                self.report(found);
            }
        }
        let id = ProcId(self.rules.procs.len() as u32);
        // There may be very many, and they grow no more.
        body.locals.shrink_to_fit();
        body.log.calls.shrink_to_fit();
        self.rules.procs.push(Proc {
            name: body.name,
            role: body.role,
            params: body.params as u16,
            locals: body.locals,
            body: code,
            span: body.span,
        });
        self.logs.push(body.log);
        id
    }

    /// The name of a kind.
    pub(super) fn kind_name(&self, kind: KindId) -> String {
        self.rules.kinds.get(kind.index()).map_or_else(String::new, |kind| kind.name.clone())
    }

    /// The kind of a name.
    pub(super) fn kind_named(&self, name: &str) -> Option<KindId> {
        match self.names.get(name) {
            Some(Decl::Kind(id)) => Some(*id),
            _ => None,
        }
    }

    /// The enum of a name.
    pub(super) fn enum_named(&self, name: &str) -> Option<EnumId> {
        match self.names.get(name) {
            Some(Decl::Enum(id)) => Some(*id),
            _ => None,
        }
    }

    /// The board of a name.
    pub(super) fn board_named(&self, name: &str) -> Option<BoardId> {
        match self.names.get(name) {
            Some(Decl::Board(id)) => Some(*id),
            _ => None,
        }
    }

    /// The zone of a name.
    pub(super) fn zone_named(&self, name: &str) -> Option<ZoneId> {
        match self.names.get(name) {
            Some(Decl::Zone(id)) => Some(*id),
            _ => None,
        }
    }

    /// The verb of a name.
    pub(super) fn verb_named(&self, name: &str) -> Option<VerbId> {
        match self.names.get(name) {
            Some(Decl::Verb(id)) => Some(*id),
            _ => None,
        }
    }
}

/// Stands where something was wrong and has been reported.
pub(super) fn broken(span: Span) -> Expr {
    Expr { kind: ExprKind::Nothing, ty: Ty::Error, span }
}
