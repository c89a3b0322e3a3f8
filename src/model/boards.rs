//! Boards: their settings, and what is looked up in them when content is checked.

use super::check::{Checker, broken};
use super::geometry::{self, Geometry, PlaceKind};
use super::names;
use super::rules::{self as checked, BoardId, BoardShape, Builtin, GraphPath, GraphShape, Per, Places, Ty};
use super::zones::word;
use crate::base::{Code, Diagnostic, Span, nearest};
use crate::syntax::ast::{self, BinaryOp, Expr, ExprKind};

const SETTINGS: [&str; 10] =
    ["shape", "cells", "neighbours", "places", "edges", "corners", "rim", "sites", "directions", "paths"];
const SHAPES: [&str; 4] = ["square", "rhombus", "hexagon", "graph"];
const PLACES: [&str; 4] = ["cells", "edges", "corners", "rim"];

/// The greatest number of sites of one board.
const MOST_SITES: i64 = crate::base::limits::SITES;
/// So many are looked at of a board that has too many.
const MOST_LAID_OUT: i64 = 16 * MOST_SITES;
/// The greatest number of directions of a graph.
const MOST_DIRECTIONS: usize = 64;
/// The most columns and rows in which the sites of a graph are drawn.
const MOST_ACROSS: u16 = 100;

impl<'a> Checker<'a> {
    /// Reads the settings of all boards.
    pub(super) fn check_boards(&mut self) {
        for (index, (per, props)) in std::mem::take(&mut self.items.boards).into_iter().enumerate() {
            let Some(board) = self.rules.boards.get(index) else { continue };
            let (name, span) = (board.name.clone(), board.span);
            self.check_settings(props, &SETTINGS, "a board");
            self.check_always(props, "a board");
            let shape = match prop_of(props, "shape") {
                Some(prop) => self.shape(prop, props),
                None => {
                    let found = Diagnostic::new(Code::MissingSetting, span, format!("`{name}` does not say its shape"))
                        .help("add a shape, such as `shape: square 3 3`");
                    self.report(found);
                    None
                }
            };
            let shape = shape.unwrap_or(BoardShape::Square { columns: 1, rows: 1 });
            let per = self.board_per(per, matches!(shape, BoardShape::Endless { .. }));
            let neighbours = self.neighbours(props, &shape);
            let places = self.places(props, &shape);
            let copies = if per == Per::Player { usize::from(self.rules.players.1) } else { 1 };
            let total = geometry::count(&shape, &places) * copies as i64;
            if total > MOST_SITES {
                let at = prop_of(props, "shape").map_or(span, |prop| prop.span);
                let found = Diagnostic::new(Code::BadBoard, at, format!("a board has 1 to {MOST_SITES} sites"))
                    .note(format!("this one would have {total}"));
                self.report(found);
                if total > MOST_LAID_OUT {
                    continue;
                }
                // It is laid out, lest all that speaks of its places be found wrong.
            }
            let geometry = Geometry::new(&shape, &places, neighbours);
            if let Some(twin) = geometry.twins() {
                let found = Diagnostic::new(Code::BadBoard, span, format!("two sites would be written `{twin}`"))
                    .help("each needs a name of its own: let the pattern use `{col}` and `{row}`, and `{side}` for edges, corners and the rim");
                self.report(found);
            }
            let geometry = if per == Per::Player { geometry.copied(copies) } else { geometry.spread() };
            if let Some(board) = self.rules.boards.get_mut(index) {
                board.per = per;
                board.shape = shape;
                board.places = places;
                board.neighbours = neighbours;
                board.geometry = geometry;
            }
        }
    }

    fn shape(&mut self, prop: &'a ast::Prop, props: &'a [ast::Prop]) -> Option<BoardShape> {
        let words = prop.values.first().map_or(&[][..], Vec::as_slice);
        let (kind, sizes) = words.split_first()?;
        if let (Some(cells @ ("square" | "hexagon")), [size]) = (word(kind), sizes)
            && word(size) == Some("endless")
        {
            return Some(BoardShape::Endless { hexes: cells == "hexagon" });
        }
        let numbers: Vec<Option<i64>> = sizes.iter().map(|size| self.constant_number(size)).collect();
        let numbers: Vec<i64> = numbers.into_iter().collect::<Option<Vec<i64>>>()?;
        let span = prop.span;
        if word(kind).is_some_and(|name| self.is_asked(name)) {
            self.could_be_word(SHAPES);
        }
        match (word(kind).unwrap_or(""), numbers.as_slice()) {
            ("square", [columns, rows]) => {
                let (columns, rows) = self.measures(span, *columns, *rows)?;
                Some(BoardShape::Square { columns, rows })
            }
            ("rhombus", [columns, rows]) => {
                let (columns, rows) = self.measures(span, *columns, *rows)?;
                Some(BoardShape::HexRhombus { columns, rows })
            }
            ("hexagon", [side]) => {
                let across = side.checked_mul(2)?;
                let (side, _) = self.measures(span, *side, across)?;
                Some(BoardShape::Hexagon { side })
            }
            ("graph", []) => self.graph(props, span),
            (name, _) => {
                let mut found = Diagnostic::new(Code::BadBoard, kind.span, "this is no shape of a board")
                    .help("a shape is `square COLUMNS ROWS`, `rhombus COLUMNS ROWS`, `hexagon SIDE` or `graph`, or without an end `square endless` or `hexagon endless`");
                let meant = match name {
                    "hex" | "hexes" | "hexagonal" => Some("hexagon"),
                    "grid" | "squares" | "rectangle" | "rectangular" => Some("square"),
                    _ => None,
                };
                match meant {
                    Some(meant) => found = found.perhaps(kind.span, meant).help(format!("did you mean `{meant}`?")),
                    None if !SHAPES.contains(&name) => found = found.suggest(name, SHAPES),
                    None => {}
                }
                self.report(found);
                None
            }
        }
    }

    fn measures(&mut self, span: Span, columns: i64, rows: i64) -> Option<(u16, u16)> {
        let fine = columns > 0 && rows > 0 && columns.checked_mul(rows).is_some_and(|sites| sites <= 4 * MOST_SITES);
        if !fine {
            let message = format!("a board has 1 to {MOST_SITES} sites");
            let found =
                Diagnostic::new(Code::BadBoard, span, message).note(format!("this one would be {columns} by {rows}"));
            self.report(found);
            return None;
        }
        Some((u16::try_from(columns).ok()?, u16::try_from(rows).ok()?))
    }

    fn neighbours(&mut self, props: &'a [ast::Prop], shape: &BoardShape) -> u8 {
        let Some(prop) = prop_of(props, "neighbours") else { return 8 };
        if !matches!(shape, BoardShape::Square { .. } | BoardShape::Endless { hexes: false }) {
            self.only_for(prop, "squares");
            return 8;
        }
        let given = match prop.values.as_slice() {
            [value] => match value.as_slice() {
                [number] => self.constant_number(number),
                _ => None,
            },
            _ => None,
        };
        match given {
            Some(4) => 4,
            Some(8) => 8,
            _ => {
                let found = Diagnostic::new(Code::BadSetting, prop.span, "`neighbours` is 4 or 8")
                    .help("4: those that share a side; 8: the diagonal ones too");
                self.report(found);
                8
            }
        }
    }

    /// Reports a setting that means nothing for the shape.
    fn only_for(&mut self, prop: &ast::Prop, what: &str) {
        let message = format!("only boards of {what} have `{}`", prop.name.text);
        self.error(Code::BadSetting, prop.span, message);
    }

    fn places(&mut self, props: &'a [ast::Prop], shape: &BoardShape) -> Places {
        let endless = matches!(shape, BoardShape::Endless { .. });
        let graph = matches!(shape, BoardShape::Graph(_)) || endless;
        let mut listed = vec!["cells"];
        if let Some(prop) = prop_of(props, "places") {
            if graph {
                self.only_for(prop, "squares or hexes");
            }
            listed = self.listed_places(prop);
        }
        let mut places = Places { cells: "{col}{row}".to_owned(), ..Places::default() };
        let cells = match shape {
            BoardShape::Endless { hexes: false } => "{x},{y}",
            BoardShape::Endless { hexes: true } => "{q},{r}",
            _ => "{col}{row}",
        };
        for (name, standard) in PLACES.into_iter().zip([cells, "{side}{cell}", "{cell}{side}", "{side}{cell}"]) {
            let prop = prop_of(props, name);
            let given = prop.and_then(|prop| self.pattern(prop, name != "cells"));
            if let Some(prop) = prop.filter(|_| !listed.contains(&name)) {
                let message = format!("this board has no {name}");
                let help = if graph { places_of_its_own(name) } else { format!("add them: `places: cells, {name}`") };
                self.report(Diagnostic::new(Code::BadSetting, prop.span, message).help(help));
            }
            let pattern = given.unwrap_or_else(|| standard.to_owned());
            let slot = match name {
                "cells" => {
                    let told = super::endless::named(&pattern, (1, -2));
                    let says = |_: &&ast::Prop| endless && super::endless::numbers_in(&pattern, &told) != Some((1, -2));
                    if let Some(prop) = prop.filter(says) {
                        let found =
                            Diagnostic::new(Code::BadPlaceholder, prop.span, "this does not say where a site is").help(
                                format!("a board without an end counts from its origin: write `cells: \"{cells}\"`"),
                            );
                        self.report(found);
                    }
                    places.cells = pattern;
                    continue;
                }
                "edges" => &mut places.edges,
                "corners" => &mut places.corners,
                _ => &mut places.rim,
            };
            *slot = (listed.contains(&name) && !graph).then_some(pattern);
        }
        places
    }

    fn listed_places(&mut self, prop: &'a ast::Prop) -> Vec<&'static str> {
        let mut listed = Vec::new();
        for expr in prop.values.iter().flatten() {
            let given = word(expr).unwrap_or("");
            match PLACES.into_iter().find(|place| *place == given) {
                Some(place) => listed.push(place),
                None => {
                    let message = format!("`places` is one or more of: {}", PLACES.join(", "));
                    let found = Diagnostic::new(Code::BadSetting, expr.span, message).suggest(given, PLACES);
                    self.report(found);
                }
            }
        }
        if listed.contains(&"rim") && listed.contains(&"edges") {
            let found = Diagnostic::new(Code::BadSetting, prop.span, "a board has edges or a rim, not both")
                .help("outer sides of cells are edges; the rim is the places beside them");
            self.report(found);
            listed.retain(|place| *place != "rim");
        }
        if !listed.contains(&"cells") {
            let found = Diagnostic::new(Code::BadSetting, prop.span, "every board has cells")
                .help("write `places: cells` first, and what else there is after it");
            self.report(found);
        }
        listed
    }

    /// How sites are written.
    fn pattern(&mut self, prop: &ast::Prop, sided: bool) -> Option<String> {
        let expr = prop.values.first().and_then(|value| value.first())?;
        let ExprKind::Text(text) = &expr.kind else {
            let example = if sided { "{side}{cell}" } else { "{col}{row}" };
            let found = Diagnostic::new(Code::BadSetting, expr.span, format!("`{}` is a text", prop.name.text))
                .help(format!("for example `{}: \"{example}\"`", prop.name.text));
            self.report(found);
            return None;
        };
        let (known, help) = if sided {
            (&["side", "cell", "col", "row", "x", "y", "q", "r"][..], "use `{side}` and `{cell}`")
        } else {
            (&["col", "row", "x", "y", "q", "r"][..], "use `{col}` and `{row}`, `{x}` and `{y}`, or `{q}` and `{r}`")
        };
        for part in text.split('{').skip(1) {
            let name = part.split('}').next().unwrap_or("");
            if !known.contains(&name) {
                let message = format!("a site has no `{{{name}}}`");
                let found = Diagnostic::new(Code::BadPlaceholder, expr.span, message).help(help);
                self.report(found);
            }
        }
        Some(text.clone())
    }

    /// `shape: graph`: sites, directions in pairs of opposites, and paths.
    fn graph(&mut self, props: &'a [ast::Prop], span: Span) -> Option<BoardShape> {
        let mut graph = GraphShape::default();
        if let Some(prop) = prop_of(props, "directions") {
            self.graph_directions(prop, &mut graph);
        }
        let listed = prop_of(props, "sites");
        for value in listed.iter().flat_map(|prop| &prop.values) {
            let placed = match value.as_slice() {
                [Expr { kind: ExprKind::Name(_) | ExprKind::Text(_), .. }, column, row]
                    if [column, row].iter().all(|at| matches!(at.kind, ExprKind::Num(_))) =>
                {
                    let place = number_of(column).zip(number_of(row));
                    if place.is_none() {
                        let at = if number_of(column).is_none() { column.span } else { row.span };
                        let message = format!("columns and rows go from 1 to {MOST_ACROSS}");
                        let found = Diagnostic::new(Code::BadSetting, at, message)
                            .help("number them from 1, or put commas between the names of sites: `home, 0, 1`");
                        self.report(found);
                    }
                    Some(place.unwrap_or_default())
                }
                [
                    name @ Expr { kind: ExprKind::Name(_) | ExprKind::Text(_), .. },
                    Expr { kind: ExprKind::Num(at), span, .. },
                ] => {
                    let name = self.site_word(name).unwrap_or_default();
                    let found =
                        Diagnostic::new(Code::BadSetting, *span, "a place has two numbers, its column and its row")
                            .help(format!(
                                "write `{name} {at} ROW`; two sites have a comma between them: `{name}, {at}`"
                            ));
                    self.report(found);
                    continue;
                }
                _ => None,
            };
            if let Some(place) = placed {
                graph.places.push((graph.sites.len(), place));
            }
            for expr in value.iter().take(if placed.is_some() { 1 } else { value.len() }) {
                let Some(name) = self.site_word(expr) else { continue };
                if graph.sites.contains(&name) {
                    self.error(Code::Duplicate, expr.span, format!("the site `{name}` is listed twice"));
                } else {
                    graph.sites.push(name);
                }
            }
        }
        for value in prop_of(props, "paths").iter().flat_map(|prop| prop.values.iter()) {
            match value.as_slice() {
                [Expr { kind: ExprKind::Binary(BinaryOp::Sub, ..), .. }] => {
                    self.graph_row(&value[0], listed.is_some(), &mut graph)
                }
                _ => self.graph_path(value, listed.is_some(), &mut graph),
            }
        }
        if graph.sites.is_empty() {
            let found = Diagnostic::new(Code::MissingSetting, span, "this graph has no sites")
                .help("write its paths, such as `paths: a1 east b1, b1 b2`");
            self.report(found);
            return None;
        }
        Some(BoardShape::Graph(graph))
    }

    fn graph_directions(&mut self, prop: &'a ast::Prop, graph: &mut GraphShape) {
        let alone: Vec<&str> = prop.values.iter().filter(|value| value.len() == 1).flatten().filter_map(word).collect();
        if alone.len() == prop.values.len() && alone.len() > 1 && alone.len() <= MOST_DIRECTIONS {
            // Of those with commas between them two at a time are meant, as far as can be told.
            let pairs: Vec<String> = alone.chunks(2).map(|pair| pair.join(" ")).collect();
            let found = Diagnostic::new(Code::BadSetting, prop.span, "directions are pairs of opposites")
                .help(format!("a comma stands between the pairs: `directions: {}`", pairs.join(", ")));
            self.report(found);
            graph.directions.extend(alone.iter().map(|name| (*name).to_owned()));
            graph.directions.extend((alone.len() % 2 == 1).then(String::new));
            return;
        }
        for value in &prop.values {
            let names: Vec<&str> = value.iter().filter_map(word).collect();
            let ([one, other], 2) = (names.as_slice(), value.len()) else {
                let at = value.first().map_or(prop.span, |first| first.span);
                let found = Diagnostic::new(Code::BadSetting, at, "directions are pairs of opposites")
                    .help("for example `directions: north south, east west`");
                self.report(found);
                continue;
            };
            for (name, expr) in [(one, value.first()), (other, value.last())] {
                if graph.directions.iter().any(|known| known == name) {
                    let at = expr.map_or(prop.span, |expr| expr.span);
                    self.error(Code::Duplicate, at, format!("the direction `{name}` is given twice"));
                }
            }
            graph.directions.extend([(*one).to_owned(), (*other).to_owned()]);
        }
        if graph.directions.len() > MOST_DIRECTIONS {
            let message = format!("a board has at most {MOST_DIRECTIONS} directions");
            self.error(Code::BadBoard, prop.span, message);
            graph.directions.truncate(MOST_DIRECTIONS);
        }
    }

    /// The name of a site: a word, a number or a text.
    fn site_word(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Name(name) | ExprKind::Text(name) => Some(name.clone()),
            ExprKind::Num(number) => Some(number.to_string()),
            _ => {
                self.error(Code::BadSetting, expr.span, "a site is written as a word, a number or a text");
                None
            }
        }
    }

    fn graph_site(&mut self, expr: &Expr, listed: bool, graph: &mut GraphShape) -> Option<usize> {
        let name = self.site_word(expr)?;
        if let Some(known) = graph.sites.iter().position(|site| *site == name) {
            return Some(known);
        }
        if listed {
            let found =
                Diagnostic::new(Code::UnknownSite, expr.span, format!("there is no site `{name}` among `sites`"))
                    .suggest(&name, graph.sites.iter().map(String::as_str));
            self.report(found);
            return None;
        }
        graph.sites.push(name);
        Some(graph.sites.len() - 1)
    }

    /// `a1 - b1 - c1`: a path from each to the next.
    fn graph_row(&mut self, row: &'a Expr, listed: bool, graph: &mut GraphShape) {
        let mut sites = Vec::new();
        let mut rest = row;
        while let ExprKind::Binary(BinaryOp::Sub, before, site) = &rest.kind {
            sites.push(&**site);
            rest = before;
        }
        sites.push(rest);
        sites.reverse();
        for ends in sites.windows(2) {
            if let [from, to] = ends {
                self.path_between((from, to), None, listed, graph);
            }
        }
    }

    /// `a1 east d1` or `a1 d1`.
    fn graph_path(&mut self, value: &'a [Expr], listed: bool, graph: &mut GraphShape) {
        let (Some(first), Some(last)) = (value.first(), value.last()) else { return };
        let span = first.span.to(last.span);
        let way = match value {
            [_, _] => None,
            [_, way, _] => {
                let name = word(way).unwrap_or("");
                let found = graph.directions.iter().position(|direction| direction == name);
                if found.is_none() {
                    self.unknown_direction(name, way.span, &graph.directions);
                    return;
                }
                found
            }
            _ => {
                let found = Diagnostic::new(Code::BadSetting, span, "a path leads from one site to another").help(
                    "write `a1 b1`, with a direction `a1 east b1`, or a row `a1 - b1 - c1`; commas stand between paths",
                );
                self.report(found);
                return;
            }
        };
        self.path_between((first, last), way, listed, graph);
    }

    fn path_between(
        &mut self,
        (first, last): (&Expr, &Expr),
        way: Option<usize>,
        listed: bool,
        graph: &mut GraphShape,
    ) {
        let span = first.span.to(last.span);
        let from = self.graph_site(first, listed, graph);
        let to = self.graph_site(last, listed, graph);
        let (Some(from), Some(to)) = (from, to) else { return };
        if from == to {
            self.error(Code::BadBoard, span, "this path leads from a site to itself");
            return;
        }
        let twice = graph.paths.iter().find_map(|path| match (path.way, way) {
            (Some(known), Some(way)) if (path.from, known) == (from, way) || (path.to, known ^ 1) == (from, way) => {
                Some((from, way))
            }
            (Some(known), Some(way))
                if (path.from, known) == (to, way ^ 1) || (path.to, known ^ 1) == (to, way ^ 1) =>
            {
                Some((to, way ^ 1))
            }
            _ => None,
        });
        if let Some((site, way)) = twice {
            let name = |list: &[String], index: usize| list.get(index).cloned().unwrap_or_default();
            let (site, way) = (name(&graph.sites, site), name(&graph.directions, way));
            let found = Diagnostic::new(Code::BadBoard, span, format!("a path already leads {way} from `{site}`"))
                .note("a path leads back in the opposite direction by itself");
            self.report(found);
            return;
        }
        graph.paths.push(GraphPath { from, way, to });
    }

    fn unknown_direction(&mut self, name: &str, span: Span, known: &[String]) {
        let mut found = Diagnostic::new(Code::UnknownDirection, span, format!("this board has no direction `{name}`"));
        found = match nearest(name, known.iter().map(String::as_str)) {
            Some(best) => found.did_you_mean(best),
            None if known.is_empty() => found.help("declare them in pairs of opposites: `directions: north south`"),
            None => found.help(format!("its directions are: {}", known.join(", "))),
        };
        self.report(found);
    }

    /// The names in a text that is to name one site, or several with spaces between them.
    pub(super) fn site_names<'e>(&mut self, board: BoardId, arg: &'e Expr, several: bool) -> Option<Vec<&'e str>> {
        let ExprKind::Text(text) = &arg.kind else {
            let name = self.rules.boards.get(board.index()).map_or("", |board| board.name.as_str());
            let help = match arg.kind {
                ExprKind::If(..) => format!(
                    "a text alone is a site where one is expected, `if C then \"a1\" else \"b1\"`; else write `site({name}, ...)` in each part"
                ),
                _ => format!("write `site({name}, \"a1\")`, `site({name}, column, row)` or `sites({name}, \"a1 b1\")`"),
            };
            let found = Diagnostic::new(Code::WrongType, arg.span, "a site is named by a text").help(help);
            self.report(found);
            return None;
        };
        Some(if several { text.split_whitespace().collect() } else { vec![text.as_str()] })
    }

    /// The site of a name: known before play.
    pub(super) fn site_named(&mut self, board: BoardId, name: &str, at: Span, span: Span) -> checked::Expr {
        let Some(found) = self.rules.boards.get(board.index()) else { return broken(span) };
        if board.endless() {
            let numbers = super::endless::numbers_in(&found.places.cells, name);
            return self.endless_site(board, numbers, at, span);
        }
        let geometry = &found.geometry;
        if let Some(site) = geometry.site(name) {
            return names::word(site as i64, Ty::Site(board), span);
        }
        let mut unknown = Diagnostic::new(Code::UnknownSite, at, format!("`{}` has no site `{name}`", found.name));
        let written: Vec<&str> = geometry.written().map(String::as_str).collect();
        unknown = match (nearest(name, written.iter().copied()), written.as_slice()) {
            (_, [first, .., last]) if written.len() > 8 => {
                unknown.help(format!("its sites are written from `{first}` to `{last}`"))
            }
            (Some(best), _) => unknown.did_you_mean(best),
            (None, all) => unknown.help(format!("its sites are: {}", all.join(", "))),
        };
        self.report(unknown);
        broken(span)
    }

    /// Reports a function that asks for what the board does not have.
    pub(super) fn has_places(
        &mut self,
        f: Builtin,
        board: Option<BoardId>,
        args: &[checked::Expr],
        span: Span,
    ) -> bool {
        let own = args.iter().find_map(|arg| super::calls::board_of(&arg.ty));
        let Some(id) = board.or(own) else { return true };
        let Some(board) = self.rules.boards.get(id.index()) else { return true };
        let graph = matches!(board.shape, BoardShape::Graph(_));
        if f == Builtin::SiteAt && !board.endless() {
            let (columns, rows) = self.rules.last_of(id).unwrap_or((i64::MAX, i64::MAX));
            for (number, (last, what)) in args.iter().zip([(columns, "column"), (rows, "row")]) {
                if let checked::ExprKind::Word(at) = number.kind
                    && *number.ty.bare() == Ty::Number
                    && !(1..=last).contains(&at)
                {
                    let message = format!("`{}` has no {what} {at}", board.name);
                    let found = Diagnostic::new(Code::UnknownSite, number.span, message).help(match last {
                        i64::MAX => format!("a {what} is a number from 1 on"),
                        _ => format!("a {what} is a number from 1 to {last}"),
                    });
                    self.report(found);
                    return false;
                }
            }
        }
        let places = &board.places;
        let missing = match f.place_kind() {
            Some(PlaceKind::Edge) if places.edges.is_none() => "edges",
            Some(PlaceKind::Corner) if places.corners.is_none() => "corners",
            Some(PlaceKind::Rim) if places.rim.is_none() => "rim",
            _ if f == Builtin::Border && graph => "border",
            _ if matches!(f, Builtin::Rotate | Builtin::Fitting) && graph => "clockwise order of directions",
            _ => return true,
        };
        let found = Diagnostic::new(Code::NoSuchPlaces, span, format!("`{}` has no {missing}", board.name))
            .label(board.span, "declared here");
        let found = match missing {
            "border" => found.help("a graph has no outside; name the sites you mean in a definition"),
            "clockwise order of directions" => found.help("the directions of a graph lie in no circle"),
            _ if graph || board.endless() => found.help(places_of_its_own(missing)),
            _ => found.help(format!("add them: `places: cells, {missing}`")),
        };
        self.report(found);
        false
    }

    /// The type of a board's directions: boards whose directions are the same share it.
    pub(super) fn direction_type(&self, board: BoardId) -> Ty {
        let alike = |other: &super::rules::Board| {
            self.rules.boards.get(board.index()).is_some_and(|board| {
                other.geometry.directions == board.geometry.directions
                    && other.geometry.used == board.geometry.used
                    && other.geometry.opposite == board.geometry.opposite
            })
        };
        let first = self.rules.boards.iter().position(alike).unwrap_or(board.index());
        Ty::Direction(BoardId(first as u32))
    }

    /// What a word means as a direction: each meaning once.
    pub(super) fn directions_named(&self, name: &str) -> Vec<(BoardId, usize)> {
        let mut found: Vec<(BoardId, usize)> = Vec::new();
        for (index, board) in self.rules.boards.iter().enumerate() {
            let Some(way) = board.geometry.direction(name) else { continue };
            if let Ty::Direction(own) = self.direction_type(BoardId(index as u32))
                && own.index() == index
            {
                found.push((own, way));
            }
        }
        found
    }

    /// Whether a direction of one board can be gone in on another.
    pub(super) fn same_directions(&self, one: BoardId, other: BoardId) -> bool {
        match (self.rules.boards.get(one.index()), self.rules.boards.get(other.index())) {
            (Some(one), Some(other)) => {
                one.geometry.directions == other.geometry.directions && one.geometry.opposite == other.geometry.opposite
            }
            _ => false,
        }
    }
}

fn prop_of<'a>(props: &'a [ast::Prop], name: &str) -> Option<&'a ast::Prop> {
    props.iter().find(|prop| prop.name.text == name)
}

/// A column or row that is written, counted from 0.
fn number_of(expr: &Expr) -> Option<u16> {
    match &expr.kind {
        ExprKind::Num(number) => u16::try_from(*number).ok()?.checked_sub(1).filter(|number| *number < MOST_ACROSS),
        _ => None,
    }
}

/// What stands for edges, corners or a rim on a board that cannot have them.
fn places_of_its_own(missing: &str) -> String {
    let only = format!("only boards of squares or hexes have {missing}");
    match missing {
        "edges" => format!("{only}; a graph can have a site in the middle of each path: `paths: a1 road1, road1 b1`"),
        _ => only,
    }
}
