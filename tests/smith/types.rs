//! What the smith knows of the game that it is making: types and declarations.

use super::tree::{Part, g, t};

/// A type. Kinds, enums and boards go by their place in the [`World`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Number,
    Flag,
    Enum(usize),
    Player,
    Site(usize),
    Dir(usize),
    Kind(usize),
    Set(Box<Ty>),
    List(Box<Ty>),
    Maybe(Box<Ty>),
}

impl Ty {
    /// The set of it.
    pub fn set(&self) -> Ty {
        Ty::Set(Box::new(self.clone()))
    }

    /// The list of it.
    pub fn list(&self) -> Ty {
        Ty::List(Box::new(self.clone()))
    }

    /// It or nothing; what has its own way to say nothing stays as it is.
    pub fn maybe(&self) -> Ty {
        match self {
            Ty::Flag | Ty::Set(_) | Ty::List(_) | Ty::Maybe(_) => self.clone(),
            other => Ty::Maybe(Box::new(other.clone())),
        }
    }

    /// It without `maybe`.
    pub fn bare(&self) -> &Ty {
        match self {
            Ty::Maybe(inner) => inner,
            other => other,
        }
    }

    /// The type of its members.
    pub fn element(&self) -> &Ty {
        match self {
            Ty::Set(inner) | Ty::List(inner) => inner,
            other => other.bare(),
        }
    }
}

/// The kinds that every game has.
pub const CARD: usize = 0;
pub const PIECE: usize = 1;
pub const THING: usize = 2;

#[derive(Clone, Debug)]
pub struct Kind {
    pub name: String,
    pub parent: usize,
    /// [`CARD`], [`PIECE`] or [`THING`].
    pub root: usize,
    /// Whether it may lie where not everybody sees it.
    pub hidden: bool,
    /// Names of its definitions.
    pub entries: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Kind(usize),
    Player,
    Game,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    Field,
    /// With its range.
    Counter(i64, i64),
    Mark,
    /// With its place among stats and definitions, which may not lead in circles.
    Stat(usize),
    /// With the types of its parameters.
    Effect(Vec<Ty>),
    Test(Vec<Ty>),
    Amount(Vec<Ty>),
    /// One value of an enum for each direction.
    Sides,
    Builtin,
}

#[derive(Clone, Debug)]
pub struct Prop {
    pub name: String,
    pub owner: Owner,
    pub class: Class,
    pub ty: Ty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    All,
    Holder,
    None,
}

#[derive(Clone, Debug)]
pub struct Zone {
    pub name: String,
    pub per_player: bool,
    /// One for each number of 1..3.
    pub keyed: bool,
    pub kind: usize,
    pub ordered: bool,
    pub seen: Seen,
    pub inplay: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    Game,
    Player,
    Kind(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Square,
    Hex,
    Graph,
    Endless,
}

#[derive(Clone, Debug)]
pub struct Board {
    pub name: String,
    pub shape: Shape,
    pub per: Per,
    /// Some of its sites, as they are written.
    pub sites: Vec<String>,
    pub directions: Vec<String>,
    /// Whether neighbours are those over sides only.
    pub four: bool,
    pub edges: bool,
    pub corners: bool,
    pub rim: bool,
}

#[derive(Clone, Debug)]
pub struct Define {
    pub name: String,
    pub params: Vec<Ty>,
    pub ty: Ty,
    /// Its place among stats and definitions.
    pub order: usize,
    /// Whether it speaks of `me`.
    pub me: bool,
    /// Whether it reads what not everybody sees.
    pub open: bool,
}

#[derive(Clone, Debug)]
pub struct Param {
    /// The preposition; none for the first.
    pub label: &'static str,
    pub name: String,
    pub ty: Ty,
    pub default: bool,
}

#[derive(Clone, Debug)]
pub struct Verb {
    pub name: String,
    pub params: Vec<Param>,
    /// Whether it asks somebody or chance.
    pub asks: bool,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub name: String,
    pub params: Vec<Ty>,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub many: String,
    pub from: usize,
    pub to: usize,
}

/// All that is declared so far.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub enums: Vec<(String, Vec<String>)>,
    pub options: Vec<(String, Ty)>,
    pub kinds: Vec<Kind>,
    pub props: Vec<Prop>,
    pub zones: Vec<Zone>,
    pub boards: Vec<Board>,
    pub defines: Vec<Define>,
    pub verbs: Vec<Verb>,
    pub actions: Vec<Action>,
    pub windows: Vec<(String, Vec<Ty>)>,
    pub links: Vec<Link>,
    pub rules: Vec<String>,
    pub script: bool,
    /// Whether there is a script that acts, and whether that may perform verbs.
    pub scheme: Option<bool>,
    /// How often that is called.
    pub schemes: usize,
    /// Definitions that take a question about a player.
    pub askers: Vec<String>,
    /// Whether a window may be open in what actions do.
    pub opens: bool,
    /// Whether there is a score.
    pub score: bool,
    /// How many stats and definitions there are.
    pub order: usize,
}

impl World {
    /// Whether a kind is another one or below it.
    pub fn is_kind(&self, kind: usize, of: usize) -> bool {
        kind == of || (kind > THING && self.is_kind(self.kinds[kind].parent, of))
    }

    /// Whether a value of a type may stand where another type is declared.
    pub fn fits(&self, ty: &Ty, wanted: &Ty) -> bool {
        match (ty, wanted) {
            (Ty::Kind(kind), Ty::Kind(of)) => self.is_kind(*kind, *of),
            (Ty::Set(ty), Ty::Set(wanted)) | (Ty::List(ty), Ty::List(wanted)) => self.fits(ty, wanted),
            (Ty::Maybe(ty), Ty::Maybe(wanted)) => self.fits(ty, wanted),
            (ty, Ty::Maybe(wanted)) => self.fits(ty, wanted),
            (ty, wanted) => ty == wanted,
        }
    }

    /// How a type is written, with a colon before it.
    pub fn typed(&self, ty: &Ty) -> Vec<Part> {
        let (mut words, mut at) = (String::from(": "), ty);
        let name = loop {
            let (word, inner) = match at {
                Ty::Set(inner) => ("set of ", inner),
                Ty::List(inner) => ("list of ", inner),
                Ty::Maybe(inner) => ("maybe of ", inner),
                Ty::Number => break t("number"),
                Ty::Flag => break t("flag"),
                Ty::Player => break t("player"),
                Ty::Dir(_) => break t("direction"),
                Ty::Site(_) if self.boards.len() == 1 => break t("site"),
                Ty::Site(board) => break g(&self.boards[*board].name),
                Ty::Enum(index) => break g(&self.enums[*index].0),
                Ty::Kind(kind) => break g(&self.kinds[*kind].name),
            };
            words.push_str(word);
            at = inner;
        };
        vec![t(words), name]
    }

    /// The kind of everything that can lie on boards.
    pub fn any_piece(&self) -> usize {
        let pieces = (3..self.kinds.len()).filter(|kind| self.kinds[*kind].root == PIECE);
        pieces.reduce(|one, other| self.common(one, other)).unwrap_or(PIECE)
    }

    fn common(&self, one: usize, other: usize) -> usize {
        let mut at = one;
        while !self.is_kind(other, at) {
            at = self.kinds[at].parent;
        }
        at
    }

    /// Whether all boards have the same directions, so that `direction` is a type.
    pub fn one_compass(&self) -> bool {
        let compass = |board: &Board| {
            let places = (board.edges, board.corners, board.rim);
            (board.directions.clone(), board.four, board.shape, board.sites.clone(), places)
        };
        self.boards.iter().all(|board| compass(board) == compass(&self.boards[0]))
    }

    /// Whether a card or piece of a type may lie where not everybody sees it.
    pub fn is_hidden(&self, ty: &Ty) -> bool {
        match ty.element() {
            Ty::Kind(kind) => {
                self.kinds[*kind].hidden
                    || (0..self.kinds.len()).any(|heir| self.is_kind(heir, *kind) && self.kinds[heir].hidden)
            }
            _ => false,
        }
    }
}
