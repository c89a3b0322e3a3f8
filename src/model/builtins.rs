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
    /// The name of a site, as a text.
    SiteName,
    /// The names of sites with spaces between them, as a text.
    SiteNames,
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
    /// A number, or nothing.
    MaybeNumber,
    /// A site of the board at hand.
    Site,
    /// A list of sites of the board at hand.
    SiteList,
    /// A direction of the board at hand.
    Direction,
    /// A direction of the board at hand, or nothing.
    MaybeDirection,
    /// A piece, or nothing.
    MaybePiece,
    /// A list of pieces.
    PieceList,
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
    "first" First (Many) Member "first(s: set): maybe" "The first member of a set or list in its order, of a pile its top; nothing of the empty one."
    "top" Top (Zone) Member "top(z: zone): maybe" "The top card of an ordered zone; nothing if it is empty."
    "top" Top (Zone, Number) Members "top(z: zone, n: number): list" "The top `n` cards of an ordered zone, or all there are, the top first."
    "bottom" Bottom (Zone) Member "bottom(z: zone): maybe" "The bottom card of an ordered zone; nothing if it is empty."
    "bottom" Bottom (Zone, Number) Members "bottom(z: zone, n: number): list" "The bottom `n` cards of an ordered zone, or all there are, the lowest first."
    "clockwise" Clockwise (Player) Players "clockwise(p: player): list of player" "The players still in the game in seat order, beginning with `p`."
    "players_after" After (Player) Players "players_after(p: player): list of player" "The other players in seat order, beginning with the one after `p`."
    "sites" AllSites (Board) Sites "sites(b: board): set of site" "All sites of a board."
    "sites" AllSites (Board, SiteNames) Sites "sites(b: board, names: text): set of site" "The sites that are written so: `sites(grid, \"a1 b1 c1\")`."
    "sites" SitesOf (Pieces) Sites "sites(s: set of piece): set of site" "The sites on which these pieces lie."
    "cells" AllCells (Board) Sites "cells(b: board): set of site" "All cells of a board; `edges(b)`, `corners(b)` and `rim(b)` are all its edges, corners and places beside it."
    "edges" AllEdges (Board) Sites "edges(b: board): set of site" "All edges of a board."
    "corners" AllCorners (Board) Sites "corners(b: board): set of site" "All corners of a board."
    "rim" AllRim (Board) Sites "rim(b: board): set of site" "All places beside a board."
    "cells" CellsOf (Sites) Sites "cells(s: set of site): set of site" "The cells that touch these sites; a cell is its own. `edges(s)`, `corners(s)` and `rim(s)` are those that touch them."
    "edges" EdgesOf (Sites) Sites "edges(s: set of site): set of site" "The edges that touch these sites."
    "corners" CornersOf (Sites) Sites "corners(s: set of site): set of site" "The corners that touch these sites."
    "rim" RimOf (Sites) Sites "rim(s: set of site): set of site" "The places beside the board that touch these sites."
    "empty" Empty (Board) Sites "empty(b: board): set of site" "The sites of a board on which nothing lies."
    "empty" EmptyOf (Sites) Sites "empty(s: set of site): set of site" "Those of these sites on which nothing lies."
    "border" Border (Board) Sites "border(b: board): set of site" "The cells with a side on the outside."
    "border" BorderTo (Board, Direction) Sites "border(b: board, d: direction): set of site" "The cells that have no neighbour in a direction."
    "origin" Origin (Board) Site "origin(b: board): site" "The middle of a hexagon; of other boards the first site."
    "site" SiteOf (Piece) MaybeSite "site(p: piece): maybe of site" "The site on which the piece lies; nothing if it lies on no board. With several boards it is a site of the one to which the rules bring pieces of its kind."
    "site" SiteAt (Board, SiteName) Site "site(b: board, name: text): site" "The site that is written so: `site(grid, \"a1\")`. A name that no site has is an error before play."
    "site" SiteAt (Board, Number, Number) MaybeSite "site(b: board, column: number, row: number): maybe of site" "The cell in this column and row, counted from 1."
    "pieces" PiecesOn (Sites) Pieces "pieces(s: set of site): set of piece" "The pieces that lie on these sites."
    "top" TopOn (Site) MaybePiece "top(s: site): maybe of piece" "What lies on a site, the topmost if there are several; nothing if it is empty."
    "stack" Stack (Site) PieceList "stack(s: site): list of piece" "What lies on a site, from the bottom to the top."
    "around" Around (Sites) Sites "around(s: set of site): set of site" "The neighbours of these sites in the directions of the board. Neighbours of an edge are those that share a corner with it, of a corner those one edge away; a place beside the board has none."
    "beside" Beside (Sites) Sites "beside(s: set of site): set of site" "The neighbours of these sites that share a side with them."
    "group" Group (Sites, Sites) Sites "group(s: set of site, among: set of site): set of site" "The sites of `among` that are connected, within `among`, with one of `s` that is in it."
    "groups" Groups (Sites) Sites "groups(among: set of site): set of site" "The first site of each connected group, which stands for it: `count groups(x)`, `groups(x) having least count group(it, x)`. The sites of the group of `g` are `group(g, x)`."
    "within" Within (Sites, Number) Sites "within(s: set of site, n: number): set of site" "The sites at most `n` steps from the nearest of these."
    "ring" Ring (Sites, Number) Sites "ring(s: set of site, n: number): set of site" "The sites exactly `n` steps from the nearest of these."
    "distance" Distance (Site, Site) MaybeNumber "distance(s: site, t: site): maybe of number" "The steps of a shortest path from one site to another; nothing if there is none."
    "distance" DistanceIn (Site, Site, Sites) MaybeNumber "distance(s: site, t: site, among: set of site): maybe of number" "The same through sites of `among`; both ends count as in it."
    "path" Path (Site, Site, Sites) SiteList "path(s: site, t: site, among: set of site): list of site" "A shortest path through `among`, both ends included: the first in the order of directions; empty if there is none."
    "step" Step (SiteOrSites, Direction) AsFirst "step(s: site, d: direction): maybe of site" "The next site in a direction; off the board it is nothing. Of a set, the set of them. From a place beside the board only the step inwards leads somewhere."
    "step" Step (SiteOrSites, Direction, Number) AsFirst "step(s: site, d: direction, n: number): maybe of site" "The site `n` steps away in a direction; below 0, in the opposite one."
    "ray" Ray (Site, Direction) SiteList "ray(s: site, d: direction): list of site" "All sites from `s` on in a direction, without it, the nearest first."
    "run" RunOf (Site, Direction, Sites) SiteList "run(s: site, d: direction, among: set of site): list of site" "The unbroken run of sites of `among` that begins beside `s` in a direction."
    "line" Line (Site, Direction, Sites) Sites "line(s: site, d: direction, among: set of site): set of site" "The unbroken straight line of sites of `among` through `s`, along a direction and its opposite; empty if `s` is not among them."
    "longest_line" LongestLine (Site, Sites) Number "longest_line(s: site, among: set of site): number" "How many sites of the longest straight line through `s` are all among these, `s` counted; 0 where `s` is not among them."
    "between" Between (Site, Site) SiteList "between(s: site, t: site): list of site" "The sites strictly between two sites on one straight line; none if they are not on one."
    "directions" Directions (Board) Directions "directions(b: board): set of direction" "The directions that a board's neighbours, lines and distances go by."
    "direction" Bearing (Site, Site) MaybeDirection "direction(s: site, t: site): maybe of direction" "The direction in which `t` lies from `s`, on one straight line; of an edge, corner or outer place of a cell, its side of that cell."
    "opposite" Opposite (Direction) Direction "opposite(d: direction): direction" "The opposite direction."
    "rotate" Rotate (Direction, Number) Direction "rotate(d: direction, n: number): direction" "The direction `n` steps clockwise among the directions of the board; a negative number goes the other way."
    "repeats" Repeats (Board) Number "repeats(b: board): number" "How many turns of the outermost `turns` have ended with this same arrangement of the board (kinds, owners and properties of the pieces on each site) and the same player on turn. The beginning counts as if a turn of the player before the first had ended so."
    "repeats" Repeats (Board, Player) Number "repeats(b: board, p: player): number" "The same, of turns of `p`: `every players meets repeats(b, it) = 0` is so where the arrangement is new whoever was on turn."
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
