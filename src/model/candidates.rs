//! Which names could stand at a place: where somebody asks, the checker finds a name that nothing has, and notes here what it
//! would have known.

use super::body::Body;
use super::check::{Checker, DefineState};
use super::collect::{BUILTIN_NAMES, Decl};
use super::index::{ASKED, Candidate, Sort};
use super::rules::{EnumId, Key, KindId, PropId, Ty};
use super::types::TYPE_WORDS;
use crate::base::Span;

impl Checker<'_> {
    /// Whether it is asked what could stand in the place of a name.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        name == ASKED && self.recorder.is_on()
    }

    /// Notes names that could stand where it is asked what could; others stay.
    pub(super) fn could_be(&self, candidates: impl IntoIterator<Item = Candidate>) {
        let Some(index) = &self.recorder.0 else { return };
        let known = &mut index.borrow_mut().candidates;
        for candidate in candidates {
            match known.iter_mut().find(|known| known.name == candidate.name && known.sort == candidate.sort) {
                Some(known) => known.fits |= candidate.fits,
                None => known.push(candidate),
            }
        }
    }

    /// Notes names of what is declared for the whole game.
    pub(super) fn could_be_named<'n>(&self, names: impl IntoIterator<Item = &'n str>) {
        self.could_be(names.into_iter().map(|name| self.candidate(name, None)));
    }

    /// Notes words that only their place gives a meaning.
    pub(super) fn could_be_word<'n>(&self, words: impl IntoIterator<Item = &'n str>) {
        self.could_be(words.into_iter().map(|name| Candidate {
            name: name.to_owned(),
            sort: Sort::Word,
            ty: String::new(),
            declared: None,
            fits: true,
        }));
    }

    /// Notes the properties and zones of a type.
    pub(super) fn could_be_member(&self, of: &Ty, hint: Option<&Ty>) {
        let props = match of.element().bare() {
            Ty::Entity(kind) => self.rules.kinds.get(kind.index()).map(|kind| kind.props.clone()).unwrap_or_default(),
            Ty::Player => self.rules.player_props.clone(),
            _ => Vec::new(),
        };
        self.could_be_props(&props, hint);
        if *of.element().bare() == Ty::Player {
            let own = self.names.iter().filter(|(_, decl)| match decl {
                Decl::Zone(zone) => self.rules.zones.get(zone.index()).is_some_and(|zone| zone.per_player),
                _ => false,
            });
            self.could_be(own.map(|(name, _)| self.candidate(name, hint)));
        }
    }

    /// Notes properties.
    pub(super) fn could_be_props(&self, props: &[PropId], hint: Option<&Ty>) {
        let own = props.iter().filter_map(|id| Some((*id, self.rules.props.get(id.index())?)));
        let own = own.filter(|(_, prop)| prop.table.is_none());
        self.could_be(own.map(|(id, prop)| Candidate {
            name: prop.name.clone(),
            sort: self.prop_sort(id),
            ty: self.type_written(&prop.ty),
            declared: self.prop_span(id),
            fits: self.wants(hint, &prop.ty),
        }));
    }

    /// Notes the fields that a definition of a kind gives.
    pub(super) fn could_be_fields(&self, kind: KindId) {
        let props = self.rules.kinds.get(kind.index()).map(|kind| kind.props.clone()).unwrap_or_default();
        let fields: Vec<PropId> = props.into_iter().filter(|id| self.prop_sort(*id) == Sort::Field).collect();
        self.could_be_props(&fields, None);
        let (name, ty) = ("copies".to_owned(), "number".to_owned());
        self.could_be([Candidate { name, sort: Sort::BuiltIn, ty, declared: None, fits: false }]);
    }

    /// Notes the definitions of a kind and the kinds below it.
    pub(super) fn could_be_entry(&self, kind: KindId) {
        let own = self.rules.entries.iter().filter(|entry| self.rules.is_below(entry.kind, kind));
        self.could_be(own.map(|entry| Candidate {
            name: entry.name.clone(),
            sort: Sort::Entry,
            ty: self.kind_name(entry.kind),
            declared: Some(entry.span),
            fits: true,
        }));
    }

    /// Notes all types.
    pub(super) fn could_be_type(&self) {
        self.could_be(TYPE_WORDS.iter().map(|word| Candidate {
            name: (*word).to_owned(),
            sort: Sort::Type,
            ty: String::new(),
            declared: None,
            fits: false,
        }));
        let types = |decl: &Decl| matches!(decl, Decl::Kind(_) | Decl::Enum(_) | Decl::Board(_));
        self.could_be_named(self.names.iter().filter(|(_, decl)| types(decl)).map(|(name, _)| name.as_str()));
    }

    /// Notes what is declared of some sort, where it is asked what could stand in the place of a name.
    pub(super) fn offer_declared(&self, name: &str, wanted: &impl Fn(Decl) -> bool) {
        if self.is_asked(name) {
            let names = self.names.iter().filter(|(_, decl)| wanted(**decl)).map(|(name, _)| name.as_str());
            self.could_be_named(names);
        }
    }

    /// Notes what a word stands for that an option is set to.
    pub(super) fn means_option_value(&self, option: &super::rules::GameOption, word: &str, span: Span) {
        if let Ty::Enum(id) = option.ty
            && let Some(item) = self.rules.enums.get(id.index())
            && let Some(value) = item.values.iter().position(|value| value.name == word)
        {
            self.means_value(id, value as i64, span);
        }
        self.means_builtin(word, span);
    }

    /// Notes everything that could stand in an expression.
    pub(super) fn could_be_value(&self, body: &Body, hint: Option<&Ty>) {
        if let (Some(index), Some(hint)) = (&self.recorder.0, hint) {
            index.borrow_mut().wanted = Some(self.type_written(hint));
        }
        self.could_be(body.names().filter(|(name, _)| !name.contains([' ', '\''])).map(|(name, local)| {
            let ty = body.local(local).map_or(Ty::Error, |local| local.ty.clone());
            let declared = body.declared(name);
            let sort = if declared.is_some() { Sort::Local } else { Sort::BuiltIn };
            Candidate { name: name.to_owned(), sort, ty: self.type_written(&ty), declared, fits: self.wants(hint, &ty) }
        }));
        if let Some(subject) = body.subjects.last() {
            let ty = body.type_of(subject.place);
            self.could_be_member(&ty, hint);
        }
        self.could_be(
            self.names.iter().filter(|(_, decl)| decl.is_value()).map(|(name, _)| self.candidate(name, hint)),
        );
        self.could_be(
            self.names
                .iter()
                .filter(|(_, decl)| matches!(decl, Decl::Script(_)))
                .map(|(name, _)| self.candidate(name, hint)),
        );
        self.could_be_constant(hint);
        self.could_be(BUILTIN_NAMES.iter().filter(|name| self.is_known(body, name)).map(|name| Candidate {
            name: (*name).to_owned(),
            sort: Sort::BuiltIn,
            ty: String::new(),
            declared: None,
            fits: matches!((hint, *name), (Some(Ty::Flag), "true" | "false") | (Some(Ty::Player), "me" | "mover")),
        }));
        self.could_be_function();
    }

    /// Notes the functions of the language.
    pub(super) fn could_be_function(&self) {
        self.could_be(super::builtins::BUILTINS.iter().map(|info| Candidate {
            name: info.name.to_owned(),
            sort: Sort::Function,
            ty: info.signature.to_owned(),
            declared: None,
            fits: false,
        }));
    }

    /// Notes values of enums and directions: of the type that is wanted, or all.
    fn could_be_constant(&self, hint: Option<&Ty>) {
        let wanted = hint.map(|hint| hint.element().bare().clone());
        for (index, item) in self.rules.enums.iter().enumerate() {
            let fits = wanted == Some(Ty::Enum(EnumId(index as u32)));
            if fits || wanted.is_none() {
                self.could_be(item.values.iter().map(|value| Candidate {
                    name: value.name.clone(),
                    sort: Sort::Value,
                    ty: item.name.clone(),
                    declared: Some(value.span),
                    fits,
                }));
            }
        }
        if let Some(Ty::Direction(board)) = wanted
            && let Some(board) = self.rules.boards.get(board.index())
        {
            self.could_be(board.geometry.directions.iter().map(|name| Candidate {
                name: name.clone(),
                sort: Sort::Word,
                ty: format!("direction of {}", board.name),
                declared: None,
                fits: true,
            }));
        }
    }

    /// Whether a built-in name means something at a place.
    fn is_known(&self, body: &Body, name: &str) -> bool {
        match name {
            "me" | "opponents" => body.me,
            "this" => body.this.is_some(),
            "it" => !body.subjects.is_empty(),
            "actor" | "source" | "cause" | "changed" => body.event,
            "seat" | "mover" | "players" | "round" | "true" | "false" | "nothing" | "game" => true,
            // Properties, which their owner has, and what is only a place to move to.
            _ => name == "nowhere",
        }
    }

    /// A name of what is declared for the whole game.
    pub(super) fn candidate(&self, name: &str, hint: Option<&Ty>) -> Candidate {
        let decl = self.names.get(name).copied();
        let (sort, ty) = decl.map_or((Sort::Word, String::new()), |decl| self.sort_of(decl));
        let fits = match decl {
            Some(Decl::Zone(zone)) => self.wants(hint, &self.zone_type(zone).set()),
            Some(Decl::Kind(kind)) => self.wants(hint, &Ty::Entity(kind).set()),
            Some(Decl::Option(id)) => {
                self.rules.options.get(id.index()).is_some_and(|option| self.wants(hint, &option.ty))
            }
            Some(Decl::Define(index)) => match self.defines.get(index) {
                Some(DefineState::Done { ty, .. }) => self.wants(hint, ty),
                _ => false,
            },
            _ => false,
        };
        Candidate { name: name.to_owned(), sort, ty, declared: self.items.spans.get(name).copied(), fits }
    }

    /// A type as it is written.
    pub(super) fn type_written(&self, ty: &Ty) -> String {
        let of = |word: &str, inner: &Ty| format!("{word} of {}", self.type_written(inner));
        let listed = |params: &[Ty]| {
            let params = params.iter().map(|ty| self.type_written(ty)).collect::<Vec<_>>().join(", ");
            if params.is_empty() { params } else { format!("({params})") }
        };
        let board =
            |id: super::rules::BoardId| self.rules.boards.get(id.index()).map_or("", |board| board.name.as_str());
        match ty {
            Ty::Number => "number".to_owned(),
            Ty::Flag => "flag".to_owned(),
            Ty::Text => "text".to_owned(),
            Ty::Player => "player".to_owned(),
            Ty::Cause => "cause".to_owned(),
            Ty::Enum(id) => self.rules.enums.get(id.index()).map_or(String::new(), |item| item.name.clone()),
            Ty::Entity(kind) => self.kind_name(*kind),
            Ty::Site(_) if self.rules.boards.len() == 1 => "site".to_owned(),
            Ty::Site(id) => board(*id).to_owned(),
            Ty::Direction(_) if self.rules.boards.len() == 1 => "direction".to_owned(),
            Ty::Direction(id) => format!("direction of {}", board(*id)),
            Ty::Set(inner) => of("set", inner),
            Ty::List(inner) => of("list", inner),
            Ty::Maybe(inner) => of("maybe", inner),
            Ty::PerDirection(inner) => format!("{} per direction", self.type_written(inner)),
            Ty::Table(Key::Enum(id), inner) => {
                format!("{} per {}", self.type_written(inner), self.type_written(&Ty::Enum(*id)))
            }
            Ty::Table(Key::Range(low, high), inner) => format!("{} per {low}..{high}", self.type_written(inner)),
            Ty::Lambda(params, result) if **result == Ty::Flag => format!("test{}", listed(params)),
            Ty::Lambda(params, _) => format!("amount{}", listed(params)),
            Ty::Effect(params) => format!("effect{}", listed(params)),
            // What only a local can be, and what is not settled: nobody can write it.
            Ty::Split(..) | Ty::Nothing | Ty::Error => String::new(),
        }
    }

    /// Whether a value of a type could stand where another is wanted.
    fn wants(&self, hint: Option<&Ty>, ty: &Ty) -> bool {
        hint.is_some_and(|hint| {
            *ty != Ty::Error
                && (self.fits(ty, hint)
                    || self.fits(ty.bare(), hint.bare())
                    || hint.is_many() && self.fits(ty.element(), hint.element()))
        })
    }
}
