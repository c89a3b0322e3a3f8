//! The games in content/classics, and how many games a second OpenSpiel's C++ plays of them, uniformly at random and on one
//! thread, on a machine where the native games here made the figures of [`THERE`].

/// A game, its options as far as they are not those of the package, and OpenSpiel's games a second.
pub type Classic = (&'static str, &'static [(&'static str, &'static str)], f64);

/// All of them.
pub const CLASSICS: [Classic; 18] = [
    ("gomoku", &[], 12.4e3),
    ("clobber", &[], 91e3),
    ("lines-of-action", &[], 1.4e3),
    ("dots-and-boxes", &[("columns", "3"), ("rows", "3")], 181e3),
    ("ultimate-tic-tac-toe", &[], 84e3),
    ("pentago", &[], 127e3),
    ("havannah", &[], 23.9e3),
    ("y", &[], 15.5e3),
    ("quoridor", &[], 5.7e3),
    ("oware", &[], 33.8e3),
    ("backgammon", &[], 0.91e3),
    ("chinese-checkers", &[], 1.7e3),
    ("einstein", &[], 82e3),
    ("spades", &[], 57e3),
    ("euchre", &[], 129e3),
    ("cribbage", &[], 13e3),
    ("blackjack", &[], 711e3),
    ("twixt", &[], 4.9e3),
];

/// Native games a second on that machine: tic-tac-toe, breakthrough, hex, reversi.
pub const THERE: [f64; 4] = [35.5e6, 529e3, 282e3, 314e3];
