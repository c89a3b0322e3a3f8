//! The names of the forms of expressions and of the functions.

use crate::model::rules::{Builtin, ExprKind};

/// Calls `form` and `builtin` what the variants are called, and lists them.
macro_rules! names {
    ($list:ident $function:ident $type:ident $doc:literal $($variant:ident),* $(,)?) => {
        #[doc = $doc]
        pub(super) const $list: &[&str] = &[$(stringify!($variant)),*];

        #[doc = $doc]
        pub(super) fn $function(value: &$type) -> &'static str {
            match value {
                $($type::$variant { .. } => stringify!($variant)),*
            }
        }
    };
}

names!(FORMS form ExprKind "Forms of expressions."
    Word, Text, Nothing, Empty, Local, Me, This, Mover, Actor, Source, Cause, Changed, Round, Flat, Option, Prop, GameProp, InPlay, EntitiesOf, Contents, Players, Opponents, Seat, ToSet, ToList, List, Not, Negate, Count, Binary, Compare, And, Or, In, Is, Can, Targetable, Range, Where, Any, All, Fold, Collect, Having, Sorted, Some, If, Call, CallLambda, Lambda, CallScript, Builtin, Index, Side, Part);

names!(BUILTINS builtin Builtin "Functions."
    Smaller, Larger, Abs, First, Top, Bottom, Clockwise, After, Empty, SitesOf, AllSites, SiteOf, PiecesOn, Around, Beside, Step, Directions, LongestLine, Column, Row, EnumIndex, SiteAt, CopyOf, OnCopy, Turnings, Fitting, AllCells, AllEdges, AllCorners, AllRim, CellsOf, EdgesOf, CornersOf, RimOf, EmptyOf, Border, BorderTo, Origin, TopOn, Stack, Group, Groups, Within, Ring, Distance, DistanceIn, Path, Ray, RunOf, Line, Between, Bearing, Opposite, Rotate, Repeats);
