//! The functions of the language: one table of names, signatures and docs, from which the checker, the
//! documentation and completion take what they need.

use super::rules::Builtin;

/// One form of a function.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinInfo {
    /// What it is called.
    pub name: &'static str,
    /// Which function it is.
    pub builtin: Builtin,
    /// How it is written, with the types of its parameters and result.
    pub signature: &'static str,
    /// What it gives.
    pub doc: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it gives, from what it is given.
    pub result: Give,
}

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// A number.
    Number,
    /// A player.
    Player,
    /// A set or list, or a single value that stands for the set of it.
    Many,
    /// A shared zone, or a zone of a player.
    Zone,
    /// The name of a board; it is not among the arguments of the checked expression.
    Board,
    /// A site.
    Site,
    /// A set of sites.
    Sites,
    /// One site or a set of them; decides what the result is.
    SiteOrSites,
    /// A piece.
    Piece,
    /// A set of pieces.
    Pieces,
    /// A direction.
    Direction,
    /// A value of some enum.
    Enum,
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Give {
    /// A number.
    Number,
    /// A set of numbers.
    Numbers,
    /// A list of players.
    Players,
    /// A member of the first argument, or nothing.
    Member,
    /// A list of members of the first argument.
    Members,
    /// A set of sites of the board at hand.
    Sites,
    /// A site of the board at hand, or nothing.
    MaybeSite,
    /// One site or nothing, or a set of sites, as the first argument is.
    AsFirst,
    /// A set of pieces.
    Pieces,
    /// The set of directions of the board.
    Directions,
}

macro_rules! builtins {
    ($($name:literal $builtin:ident ($($param:ident),*) $give:ident $signature:literal $doc:literal)*) => {
        /// All functions. A name may occur several times, told apart by what is given to it.
        pub const BUILTINS: &[BuiltinInfo] = &[$(BuiltinInfo {
            name: $name, builtin: Builtin::$builtin, signature: $signature, doc: $doc,
            params: &[$(Param::$param),*], result: Give::$give,
        }),*];
    };
}

builtins! {
    "smaller" Smaller (Number, Number) Number "smaller(a: number, b: number): number" "The smaller of two numbers."
    "larger" Larger (Number, Number) Number "larger(a: number, b: number): number" "The larger of two numbers."
    "abs" Abs (Number) Number "abs(n: number): number" "The number without its sign."
    "first" First (Many) Member "first(s: set): maybe" "The first member of a set or list in its order; nothing of the empty one."
    "top" Top (Zone) Member "top(z: zone): maybe" "The top card of an ordered zone; nothing if it is empty."
    "top" Top (Zone, Number) Members "top(z: zone, n: number): list" "The top `n` cards of an ordered zone, or all there are, the top first."
    "clockwise" Clockwise (Player) Players "clockwise(p: player): list of player" "The players still in the game in seat order, beginning with `p`."
    "players_after" After (Player) Players "players_after(p: player): list of player" "The other players in seat order, beginning with the one after `p`."
    "empty" Empty (Board) Sites "empty(b: board): set of site" "The sites of a board on which nothing lies."
    "sites" AllSites (Board) Sites "sites(b: board): set of site" "All sites of a board."
    "sites" SitesOf (Pieces) Sites "sites(s: set of piece): set of site" "The sites on which these pieces lie."
    "site" SiteOf (Piece) MaybeSite "site(p: piece): maybe of site" "The site on which the piece lies; nothing if it lies on no board."
    "site" SiteAt (Board, Number, Number) MaybeSite "site(b: board, column: number, row: number): maybe of site" "The site in this column and row, counted from 1."
    "pieces" PiecesOn (Sites) Pieces "pieces(s: set of site): set of piece" "The pieces that lie on these sites."
    "around" Around (Sites) Sites "around(s: set of site): set of site" "The neighbours of these sites in all directions."
    "beside" Beside (Sites) Sites "beside(s: set of site): set of site" "The neighbours of these sites that share an edge with them."
    "step" Step (SiteOrSites, Direction) AsFirst "step(s: site, d: direction): maybe of site" "The next site in a direction; off the board it is nothing. Of a set, the set of them."
    "step" Step (SiteOrSites, Direction, Number) AsFirst "step(s: site, d: direction, n: number): maybe of site" "The site `n` steps away in a direction."
    "directions" Directions (Board) Directions "directions(b: board): set of direction" "All directions of a board."
    "longest_line" LongestLine (Site, Sites) Number "longest_line(s: site, among: set of site): number" "How many sites of the longest straight line through `s` are all among these; `s` counts."
    "column" Column (Site) Number "column(s: site): number" "The column of a site, counted from 1."
    "row" Row (Site) Number "row(s: site): number" "The row of a site, counted from 1."
    "turnings" Turnings (Piece) Numbers "turnings(t: piece): set of number" "The turnings, from 0, in which a tile looks different: look-alikes once."
    "fitting" Fitting (Piece, Site) Numbers "fitting(t: piece, s: site): set of number" "Those of `turnings(t)` in which each value per direction of `t` equals that of the neighbours of `s`, seen from their side."
    "index" EnumIndex (Enum) Number "index(v: enum value): number" "The place of a value in its enum, counted from 1."
}

/// All forms of the function of a name.
pub fn named(name: &str) -> Option<impl Iterator<Item = &'static BuiltinInfo> + '_> {
    BUILTINS.iter().any(|info| info.name == name).then(move || BUILTINS.iter().filter(move |info| info.name == name))
}
