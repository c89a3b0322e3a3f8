//! Whole packages: what is declared, in an order in which each item speaks only of what stands before it.

use super::terms::Smith;
use super::tree::{Node, Part, block, g, t};
use super::types::{Board, CARD, Class, Kind, Link, Owner, PIECE, Per, Prop, Seen, Shape, THING, Ty, World, Zone};
use cardwright::play::Dice;

const COMPASS: [&str; 8] = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
const HEXES: [&str; 6] = ["east", "southeast", "southwest", "west", "northwest", "northeast"];
const GRAPH: &str = "sites: inn, mill, well, ford, tor, oak  directions: ahead back  \
                     paths: inn ahead mill, mill ahead well, well ahead inn, mill ford, ford tor";
pub const PREPOSITIONS: [&str; 4] = ["by", "to", "with", "at"];

/// From this seed on all packages have scripts.
pub const SCRIPTED: u64 = 1 << 40;

/// A package of a seed.
pub fn package(seed: u64) -> Node {
    let builtin =
        |name: &str, root| Kind { name: name.to_owned(), parent: root, root, hidden: false, entries: Vec::new() };
    let kinds = vec![builtin("card", CARD), builtin("piece", PIECE), builtin("thing", THING)];
    let w = World { kinds, script: seed >= SCRIPTED, ..World::default() };
    let mut smith = Smith { dice: Dice::of(&[seed, 0x5317]), w, fresh: 0, taken: Vec::new(), left: 0 };
    smith.package()
}

/// The items of a package while it is made.
#[derive(Default)]
pub struct Items {
    pub items: Vec<Node>,
    /// Members of kinds, by kind.
    pub members: Vec<Vec<Node>>,
    pub player: Vec<Node>,
    pub game: Vec<Node>,
    pub setup: Vec<Node>,
}

impl Smith {
    pub fn package(&mut self) -> Node {
        let mut made = Items { members: vec![Vec::new(); 3], ..Items::default() };
        self.enums(&mut made);
        self.kinds(&mut made);
        self.boards(&mut made);
        self.zones(&mut made);
        self.builtin_props();
        self.props(&mut made);
        self.entries(&mut made);
        self.defines(&mut made, 2);
        self.special_defines(&mut made);
        self.signatures();
        self.stats(&mut made);
        self.defines(&mut made, 3);
        self.links(&mut made);
        self.scheme(&mut made);
        self.verb_bodies(&mut made);
        self.rules(&mut made);
        self.setup(&mut made);
        self.actions(&mut made);
        self.flow(&mut made);
        self.finish(made)
    }

    pub fn enums(&mut self, made: &mut Items) {
        for _ in 0..self.below(3) {
            let name = self.any_name(&["hue", "mood", "suit"]);
            let values: Vec<String> =
                (0..2 + self.below(3)).map(|_| self.any_name(&["red", "sun", "glad", "moon"])).collect();
            let nodes = values.iter().map(|value| Node::other("enum value", vec![g(value)])).collect();
            made.items.push(Node::other("enum", vec![t("enum "), g(&name), t(" { "), Part::List(" ", nodes), t(" }")]));
            self.w.enums.push((name, values));
        }
        if self.chance(50) {
            let name = self.any_name(&["goal", "most"]);
            let number = 1 + self.below(5);
            made.items.push(Node::other("option", vec![t("option "), g(&name), t(format!(": 1..9 = {number}"))]));
            self.w.options.push((name, Ty::Number));
        }
        self.w.score = self.chance(50);
        self.w.opens = self.chance(25);
        self.w.script |= self.chance(16);
        if self.w.script {
            let parts = vec![t("script triple(ns: list of number): number = \"triple.rhai\"")];
            made.items.push(Node::other("script", parts));
        }
    }

    pub fn kinds(&mut self, made: &mut Items) {
        let roots: &[usize] = match self.below(10) {
            0..=3 => &[PIECE],
            4..=6 => &[CARD],
            _ => &[CARD, PIECE],
        };
        let mut roots = roots.to_vec();
        if self.chance(15) {
            roots.push(THING);
        }
        for root in roots {
            let words: &[&str] = match root {
                CARD => &["lamp", "coin", "charm"],
                PIECE => &["stone", "pawn", "wolf"],
                _ => &["pact", "vow"],
            };
            let name = self.name(words);
            let first = self.add_kind(made, name, root, root);
            for _ in 0..self.below(3).saturating_sub(usize::from(root == THING) * 2) {
                let name = self.name(&["gem", "fish", "leaf"]);
                let parent = if self.chance(80) { first } else { root };
                // Two sorts of cards would each need a zone of their own.
                let parent = if root == CARD { first } else { parent };
                self.add_kind(made, name, parent, root);
            }
        }
    }

    pub fn add_kind(&mut self, made: &mut Items, name: String, parent: usize, root: usize) -> usize {
        self.w.kinds.push(Kind { name, parent, root, hidden: false, entries: Vec::new() });
        made.members.push(Vec::new());
        self.w.kinds.len() - 1
    }

    pub fn has(&self, root: usize) -> bool {
        self.w.kinds.iter().skip(3).any(|kind| kind.root == root)
    }

    pub fn boards(&mut self, made: &mut Items) {
        if !self.has(PIECE) {
            return;
        }
        for _ in 0..if self.chance(80) { 1 } else { 2 } {
            let name = self.any_name(&["grid", "court", "moor"]);
            let strings = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            let mut board = Board {
                name: name.clone(),
                shape: Shape::Square,
                per: Per::Game,
                sites: strings(&["a1", "b1", "a2", "b2"]),
                directions: strings(&COMPASS),
                four: false,
                edges: false,
                corners: false,
                rim: false,
            };
            let mut places = "";
            let mut settings;
            match self.below(10) {
                0..=3 => {
                    let (columns, rows) = (2 + self.below(4), 2 + self.below(4));
                    settings = format!("shape: square {columns} {rows}");
                    if self.chance(50) {
                        settings.push_str("  neighbours: 4");
                    }
                    places = ["", "", "", "edges", "corners", "edges, corners", "rim"][self.below(7)];
                }
                4..=5 => {
                    board.shape = Shape::Hex;
                    board.directions = strings(&HEXES);
                    settings = format!("shape: rhombus {} {}", 2 + self.below(3), 2 + self.below(3));
                    places = ["", "", "edges", "corners", "rim"][self.below(5)];
                }
                6..=7 => {
                    board.shape = Shape::Hex;
                    board.directions = strings(&HEXES);
                    board.sites = strings(&["0,0", "1,0", "0,-1", "-1,1"]);
                    settings = format!("shape: hexagon {}  cells: \"{{q}},{{r}}\"", 2 + self.below(2));
                }
                8 => {
                    board.shape = Shape::Graph;
                    board.sites = strings(&["inn", "mill", "well", "ford"]);
                    board.directions = strings(&["ahead", "back"]);
                    settings = format!("shape: graph  {GRAPH}");
                }
                _ if self.chance(40) => {
                    board.shape = Shape::Endless;
                    board.sites = strings(&["0,0", "1,0", "0,-1", "-1,1"]);
                    board.directions = strings(&HEXES);
                    settings = "shape: hexagon endless".to_owned();
                }
                _ => {
                    board.shape = Shape::Endless;
                    board.sites = strings(&["0,0", "1,0", "0,1"]);
                    settings = "shape: square endless".to_owned();
                    if self.chance(50) {
                        settings.push_str("  neighbours: 4");
                    }
                }
            }
            if !places.is_empty() {
                settings.push_str(&format!("  places: cells, {places}"));
            }
            board.four = settings.contains("neighbours: 4");
            board.edges = places.contains("edges");
            board.corners = places.contains("corners");
            board.rim = places.contains("rim");
            let mut head = vec![t("board "), g(&name)];
            let things: Vec<usize> = (3..self.w.kinds.len()).filter(|kind| self.w.kinds[*kind].root == THING).collect();
            if board.shape == Shape::Endless
                && let Some(thing) = self.pick(&things)
            {
                board.per = Per::Kind(thing);
                head.extend([t(" per "), g(&self.w.kinds[thing].name.clone())]);
            } else if self.chance(12) {
                board.per = Per::Player;
                head.push(t(" per player"));
            }
            head.push(t(format!(" {{ {settings} }}")));
            made.items.push(Node::other("board", head));
            self.w.boards.push(board);
        }
    }

    pub fn zones(&mut self, made: &mut Items) {
        let roots: Vec<usize> = (3..self.w.kinds.len())
            .filter(|kind| self.w.kinds[*kind].parent < 3 && self.w.kinds[*kind].root != THING)
            .collect();
        for kind in roots {
            let card = self.w.kinds[kind].root == CARD;
            if !card && self.chance(70) {
                continue;
            }
            let hidden = card && self.chance(45);
            for index in 0..if card { 2 + self.below(3) } else { 1 } {
                let name = self.any_name(&["deck", "heap", "tray", "hand", "shelf", "den"]);
                // The first holds the cards in the beginning.
                let per_player = index > 0 && self.chance(60);
                let seen = match index {
                    _ if !hidden => Seen::All,
                    0 => Seen::None,
                    1 if per_player => Seen::Holder,
                    _ => Seen::All,
                };
                let zone = Zone {
                    name: name.clone(),
                    per_player,
                    keyed: index > 0 && self.chance(15),
                    kind,
                    ordered: self.chance(50),
                    seen,
                    inplay: index > 0 && seen == Seen::All && self.chance(60),
                };
                let mut parts = vec![t("zone "), g(&name), self.label()];
                if per_player {
                    parts.push(t(" per player"));
                }
                if zone.keyed {
                    parts.push(t(" per 1..3"));
                }
                parts.extend([t(" { holds: "), g(&self.w.kinds[kind].name.clone())]);
                let order = ["pile", "queue"][self.below(2)];
                if zone.ordered {
                    parts.push(t(format!("  order: {order}")));
                }
                match seen {
                    Seen::All => {}
                    Seen::Holder => parts.push(t("  seen: holder")),
                    Seen::None => parts.push(t("  seen: none")),
                }
                if zone.inplay {
                    parts.push(t("  inplay: true"));
                }
                if index == 0 && card {
                    parts.extend([t("  starts: "), g(&self.w.kinds[kind].name.clone())]);
                } else if self.chance(10) {
                    parts.push(Part::Maybe(vec![t(format!("  limit: {}", 2 + self.below(3)))]));
                }
                parts.push(t(" }"));
                made.items.push(Node::other("zone", parts));
                if seen != Seen::All {
                    for heir in 3..self.w.kinds.len() {
                        self.w.kinds[heir].hidden |= self.w.is_kind(heir, kind);
                    }
                }
                self.w.zones.push(zone);
                if index > 0 || !card {
                    self.fill(made, index, kind);
                }
            }
        }
    }

    /// Something comes into the zone that was declared last.
    pub fn fill(&mut self, made: &mut Items, index: usize, kind: usize) {
        let Some(zone) = self.w.zones.last().cloned() else { return };
        let first = self.w.zones.len() - 1 - index;
        let source = self.w.zones[first].name.clone();
        let mut parts = vec![t("move first("), g(&source), t(") to ")];
        if index == 0 {
            parts = vec![t("create "), g(&self.w.kinds[kind].name.clone()), t(" in ")];
        }
        let form = if index == 0 { "create" } else { "move" };
        if zone.per_player {
            parts.extend([t("p0."), g(&zone.name)]);
            parts.extend(self.key_of(&zone));
            let mut each = vec![t("each p0 in players ")];
            each.extend(block(vec![Node::other(form, parts)]));
            made.setup.push(Node::other("each", each));
        } else {
            parts.push(g(&zone.name));
            parts.extend(self.key_of(&zone));
            made.setup.push(Node::other(form, parts));
        }
    }

    pub fn links(&mut self, made: &mut Items) {
        let cards: Vec<usize> = (3..self.w.kinds.len()).filter(|kind| self.w.kinds[*kind].root == CARD).collect();
        let [from, to, ..] = cards[..] else { return };
        if !self.chance(30) {
            return;
        }
        let (one, many) = (self.name(&["bearer"]), self.name(&["borne"]));
        let zones: Vec<Zone> = self
            .w
            .zones
            .iter()
            .filter(|zone| !zone.per_player && !zone.keyed && self.w.is_kind(from, zone.kind))
            .cloned()
            .collect();
        let Some(zone) = self.pick(&zones) else { return };
        let (from_name, to_name) = (self.w.kinds[from].name.clone(), self.w.kinds[to].name.clone());
        let (hidden, from_kind) = (self.w.is_hidden(&Ty::Kind(to)), from);
        if hidden {
            return;
        }
        let parts = vec![
            t("link "),
            g(&from_name),
            t("."),
            g(&one),
            t(" to "),
            g(&to_name),
            t("."),
            g(&many),
            Part::Maybe(vec![t(" orphan z0 { move z0 to "), g(&zone.name), t(" }")]),
        ];
        made.items.push(Node::other("link item", parts));
        let ty = Ty::Kind(to).maybe();
        self.w.props.push(Prop { name: one, owner: Owner::Kind(from), class: Class::Builtin, ty });
        self.w.links.push(Link { many, from: from_kind, to });
    }

    pub fn finish(&mut self, made: Items) -> Node {
        let mut items = Vec::new();
        let braces = |head: Vec<Part>, members: Vec<Node>| {
            let mut parts = head;
            parts.push(t(" "));
            parts.extend(block(members));
            parts
        };
        let mut rest = made.items;
        let split = rest.iter().position(|item| item.form == "board" || item.form == "zone").unwrap_or(0);
        let tail = rest.split_off(split);
        items.extend(rest);
        for (index, members) in made.members.into_iter().enumerate().skip(3) {
            let kind = self.w.kinds[index].clone();
            let parent = self.w.kinds[kind.parent].name.clone();
            let head = vec![t("kind "), g(&kind.name), self.label(), t(" : "), g(&parent)];
            items.push(Node::other("kind", braces(head, members)));
        }
        items.push(Node::other("player", braces(vec![t("player")], made.player)));
        items.push(Node::other("game", braces(vec![t("game")], made.game)));
        items.extend(tail);
        items.push(Node::other("setup", braces(vec![t("setup")], made.setup)));
        Node::other("package", vec![Part::List("\n", items)])
    }
}
