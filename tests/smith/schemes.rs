//! Scripts that act: random ones, written into the rules as comments that begin with `//|`.

use super::items::Items;
use super::stmts::Ctx;
use super::terms::Smith;
use super::tree::{Node, Part, block, g, op, t};
use super::types::{Class, Owner, Prop, Seen, Ty, Verb, Zone};
use std::collections::BTreeSet;

/// What a line of a script begins with in the rules.
pub const MARK: &str = "//|";
/// What a condition of something armed begins with.
pub const WHEN: &str = ", when: \"";
/// Where the parts of data stand, in a list and in a map.
pub const KEPT_LIST: [&str; 2] = ["[0]", "[1]"];
pub const KEPT_MAP: [&str; 4] = [".n", ".of[0]", ".of[1]", ".all"];
pub const KEPT_PAIR: [&str; 2] = [".c", ".n"];
/// How a zone of each player is named where a card is asked whether it has gone.
pub const OF_PLAYERS: &str = " of players */";
/// What says how long something stays armed.
pub const ENDS: &str = ", ends: \"";
pub const ENDS_OF: &str = "start of turn\", ends_of: ";
/// What separates statements of a script.
const NEXT: &str = "\n//| ";
/// Functions that all scripts have: one for what no statement does, and the players by their seats.
const SHARED: &str = "\n//| fn odd(answer, data) { [note([answer, \" and \", data]), cancel(\"x\")] }\
    \n//| fn top(all) { if all.len() > 0 { all[0] } else { () } }\
    \n//| fn seated() { let all = []; for n in 1..4 { for p in players() { if p.seat == n { all.push(p); } } } all }";

/// The script of a package: its lines that are one.
pub fn script_of(rules: &str) -> String {
    rules
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(MARK))
        .fold(String::new(), |text, line| text + line + "\n")
}

/// What a script is made with.
struct Plan {
    /// What it may do.
    may: BTreeSet<Vec<String>>,
    functions: Vec<Node>,
    /// Whether it ends what it has armed, or what it arms ends by itself.
    cancels: bool,
    /// Whether it does what no statement does.
    odd: bool,
    /// How many functions may still be made.
    left: usize,
}

/// Where a function is called.
#[derive(Clone)]
struct At {
    known: Values,
    /// Whether an event has set it off: of the end of a turn, or of a verb.
    armed: bool,
    verbs: bool,
    /// The verb whose event is at hand, or the turn.
    event: Option<Option<Verb>>,
    depth: u8,
}

/// What a function knows by a name: numbers, players, lists of players, answers of yes or no, and cards or nothing, with
/// the zones that they were in.
#[derive(Clone, Default)]
struct Values {
    numbers: Vec<Known>,
    players: Vec<Known>,
    lists: Vec<Known>,
    flags: Vec<Known>,
    cards: Vec<(Known, Zone)>,
}

/// A part of the event at hand, in the place of a part of data.
const EVENT: &str = "event";

/// A value by its name, or a part of the data that has this name.
#[derive(Clone)]
struct Known {
    name: String,
    part: &'static str,
}

impl Known {
    fn of(name: &str) -> Known {
        Known { name: name.to_owned(), part: "" }
    }

    fn node(&self) -> Node {
        if self.part == EVENT {
            let name = self.name.clone();
            // These two have names of their own in statements.
            let name = if matches!(self.name.as_str(), "actor" | "player") { t(name) } else { Part::Local(name) };
            return rhai("r event", 9, vec![t("event()."), name]);
        }
        let form = if self.part.is_empty() { "r local" } else { "r part" };
        rhai(form, 9, vec![Part::Local(self.name.clone()), t(self.part)])
    }
}

/// The name that a part of some data has in statements, which know neither maps nor lists of different things.
pub fn part_name(name: &str, part: &str) -> String {
    name.chars().chain(part.chars().filter(char::is_ascii_alphanumeric)).collect()
}

fn rhai(form: &'static str, level: u8, parts: Vec<Part>) -> Node {
    Node { form, ty: None, level, parts }
}

impl Smith {
    /// A script that acts, and what it may do.
    pub fn scheme(&mut self, made: &mut Items) {
        if !self.w.script {
            return;
        }
        let (cancels, odd) = (self.chance(30), self.chance(20));
        let mut plan = Plan { may: BTreeSet::new(), functions: Vec::new(), cancels, odd, left: 5 };
        let given = self.name(&["v"]);
        let known = Values { numbers: vec![Known::of(&given)], ..Values::default() };
        let at = At { known, armed: false, verbs: true, event: None, depth: 2 };
        self.function(&mut plan, "scheme", &[given], at);
        let mut parts = vec![t("script scheme(n: number) may ")];
        for word in ["note", "choose", "roll", "arm end of turn"] {
            plan.may.insert(vec![word.to_owned()]);
        }
        for (index, words) in plan.may.iter().enumerate() {
            parts.push(t(if index > 0 { ", " } else { "" }));
            let names = words.iter().enumerate();
            parts.extend(names.map(|(at, word)| if at == 1 { g(word) } else { t(word) }));
        }
        parts.extend([t(" = \"scheme.rhai\""), t(NEXT), Part::List(NEXT, plan.functions), t(SHARED)]);
        let performs = plan.may.iter().any(|words| words.first().is_some_and(String::is_empty));
        self.w.scheme = Some(performs);
        let scheme = Node::other("scheme", parts);
        made.items.extend(self.drift(&scheme));
        made.items.push(scheme);
    }

    /// A rule by which the cards go that a script has taken from a zone.
    fn drift(&mut self, scheme: &Node) -> Option<Node> {
        let mut from = None;
        scheme.walk(&mut |node| {
            if let ("r top", Some(Part::Global(name))) = (node.form, node.parts.get(1)) {
                from = Some(name.clone());
            }
        });
        let from = self.w.zones.iter().find(|zone| Some(&zone.name) == from.as_ref())?.clone();
        let fits = |zone: &&Zone| {
            zone.kind == from.kind
                && !zone.keyed
                && !zone.per_player
                && zone.seen == Seen::All
                && zone.name != from.name
        };
        let to = self.w.zones.iter().find(fits)?.name.clone();
        let of = if from.per_player { "z1." } else { "" };
        // Another card comes in its place.
        let first = Node::other("let", vec![t(format!("let z2 = first({of}")), g(&from.name), t(")")]);
        let comes = Node::other("move", vec![t("move first("), g(&to), t(format!(") to {of}")), g(&from.name)]);
        let goes = Node::other("move", vec![t("move z2 to "), g(&to)]);
        let mut hook = vec![t("before end of turn of z1 ")];
        hook.extend(block(vec![first, comes, goes]));
        let mut rule = vec![t("rule drifting ")];
        rule.extend(block(vec![Node::other("before span", hook)]));
        Some(Node::other("rule", rule))
    }

    /// A call of it. One that may perform verbs is called in the flow only, or verbs would lead to themselves.
    pub fn call_scheme(&mut self, ctx: &Ctx) -> Option<Node> {
        let performs = self.w.scheme?;
        // One that is called once has a twin.
        if !ctx.s.me || ctx.action || performs && !ctx.flow || self.w.schemes > 0 && self.chance(75) {
            return None;
        }
        self.w.schemes += 1;
        Some(self.scheme_call(if ctx.flow { "call scheme" } else { "call scheme aside" }))
    }

    /// A clause of cards or pieces that calls the script for them, and one that makes them go.
    pub fn scheme_of(&mut self, kind: usize) -> Option<[Node; 2]> {
        if self.w.scheme? || self.w.schemes > 0 || self.w.kinds[kind].hidden || !self.chance(50) {
            return None;
        }
        let zones = self.w.zones.iter().filter(|zone| !zone.per_player && !zone.keyed && zone.seen == Seen::All);
        let zone = zones.filter(|zone| self.w.is_kind(kind, zone.kind)).find(|zone| !zone.inplay)?.name.clone();
        self.w.schemes += 1;
        let mut calls = vec![t("after start of turn of me where round = 1 ")];
        calls.extend(block(vec![self.scheme_call("call scheme of card")]));
        let mut goes = vec![t(format!("before end of turn where round = {} and mover.seat = 2 ", 1 + self.below(2)))];
        goes.extend(block(vec![Node::other("move", vec![t("move this to "), g(&zone)])]));
        Some([Node::other("after span", calls), Node::other("before span", goes)])
    }

    fn scheme_call(&mut self, form: &'static str) -> Node {
        let given = match self.counters().first() {
            Some(prop) if self.chance(50) => rhai("given", 9, vec![t(owner(prop)), t("."), g(&prop.name)]),
            _ => rhai("given", 9, vec![t(self.below(5).to_string())]),
        };
        Node::other(form, vec![t("scheme("), op(0, given), t(")")])
    }

    /// Counters that a script can read and change.
    fn counters(&mut self) -> Vec<Prop> {
        let counts = |prop: &&Prop| {
            matches!(prop.class, Class::Counter(..)) && prop.ty == Ty::Number && !matches!(prop.owner, Owner::Kind(_))
        };
        let mut found: Vec<Prop> = self.w.props.iter().filter(counts).cloned().collect();
        let first = self.below(found.len());
        if first < found.len() {
            found.rotate_left(first);
        }
        found
    }

    fn function(&mut self, plan: &mut Plan, name: &str, params: &[String], mut at: At) {
        plan.left = plan.left.saturating_sub(1);
        let index = plan.functions.len();
        plan.functions.push(Node::other("function", Vec::new()));
        let count = 1 + self.below(3);
        let mut steps = self.tells(&at.known);
        steps.extend((0..count * 2).filter_map(|_| self.step(plan, &mut at)).take(count));
        let mut parts = vec![t("fn "), g(name), t("(")];
        for (index, param) in params.iter().enumerate() {
            parts.extend([t(if index > 0 { ", " } else { "" }), Part::Bind(param.clone())]);
        }
        parts.extend([t(format!(") {{{NEXT}let acts = [];{NEXT}")), Part::List(NEXT, steps)]);
        parts.push(t(format!("{NEXT}acts{NEXT}}}")));
        plan.functions[index] = Node::other("function", parts);
    }

    /// A statement of a script.
    fn step(&mut self, plan: &mut Plan, at: &mut At) -> Option<Node> {
        match self.below(18) {
            0..=1 => {
                let value = self.script_number(at, 2);
                let name = self.name(&["v"]);
                at.known.numbers.push(Known::of(&name));
                Some(Node::other("s let", vec![t("let "), Part::Bind(name), t(" = "), op(0, value), t(";")]))
            }
            2 => self.summed(at),
            3..=4 if at.depth > 0 => {
                let cond = self.condition(at);
                let mut inner = At { depth: at.depth - 1, ..at.clone() };
                let steps: Vec<Node> = (0..2).filter_map(|_| self.step(plan, &mut inner)).collect();
                Some(when(cond, steps))
            }
            5 => self.for_each(plan, at),
            6..=7 => self.changed(plan, at),
            8 => Some(self.said(at)),
            9 if at.verbs => self.performed(plan, at),
            10 if plan.left > 0 => Some(self.script_asks(plan, at)),
            11..=13 if plan.left > 0 => self.armed(plan, at),
            14 if plan.cancels && !at.armed => Some(Node::other("a cancel", vec![t("acts.push(cancel(\"x\"));")])),
            15..=16 => self.taken(at),
            17 if plan.odd => {
                let line = "acts.push(pick([1, \"two\", me()], \"odd\", [[round()], #{ of: mover() }]));";
                Some(Node::other("a odd", vec![t(line)]))
            }
            _ => Some(self.said(at)),
        }
    }

    /// A number that a script works out.
    fn script_number(&mut self, at: &At, depth: u8) -> Node {
        let zones: Vec<_> = self.w.zones.iter().filter(|zone| !zone.keyed && zone.seen == Seen::All).cloned().collect();
        match self.below(8) {
            0..=1 if depth > 0 => {
                let (form, sign) = if self.chance(60) { ("r plus", " + ") } else { ("r minus", " - ") };
                rhai(
                    form,
                    6,
                    vec![op(6, self.script_number(at, depth - 1)), t(sign), op(7, self.script_number(at, depth - 1))],
                )
            }
            2..=3 => match self.counters().first() {
                Some(prop) => rhai("r prop", 9, vec![self.whose(prop, at), t("."), g(&prop.name)]),
                None => rhai("r number", 9, vec![t("2")]),
            },
            4 => match self.pick(&zones) {
                Some(zone) if zone.per_player => rhai("r count", 9, vec![t("count(\""), g(&zone.name), t("\", me())")]),
                Some(zone) => rhai("r count", 9, vec![t("count(\""), g(&zone.name), t("\")")]),
                None => rhai("r round", 9, vec![t("round()")]),
            },
            5..=6 => {
                self.pick(&at.known.numbers).map_or_else(|| rhai("r number", 9, vec![t("1")]), |known| known.node())
            }
            _ => rhai("r number", 9, vec![t(self.below(6).to_string())]),
        }
    }

    fn whose(&mut self, prop: &Prop, at: &At) -> Part {
        match prop.owner {
            Owner::Game => op(9, rhai("r game", 9, vec![t("game()")])),
            _ => op(9, self.somebody(at)),
        }
    }

    fn somebody(&mut self, at: &At) -> Node {
        let known = self.pick(&at.known.players).filter(|_| self.chance(60));
        match known {
            Some(known) => known.node(),
            None if self.chance(20) => rhai("r first", 9, vec![t("seated()[0]")]),
            None => rhai("r me", 9, vec![t("me()")]),
        }
    }

    /// Tells one of each sort of what a function knows, or a wrong one would seldom be seen.
    fn tells(&mut self, known: &Values) -> Vec<Node> {
        let mut steps = Vec::new();
        steps.extend(self.pick(&known.numbers).map(|known| note_of(known.node())));
        steps.extend(self.pick(&known.players).map(|known| note_of(known.node())));
        if let Some(list) = self.pick(&known.lists) {
            let who = self.name(&["v"]);
            let said = note_of(Known::of(&who).node());
            steps.push(each(who, list.node(), vec![said]));
        }
        if let Some(flag) = self.pick(&known.flags) {
            steps.push(when(flag.node(), vec![note_of(rhai("r number", 9, vec![t("1")]))]));
        }
        if let Some((card, zone)) = self.pick(&known.cards) {
            let there = rhai("r there", 4, vec![op(9, card.node()), t(" != ()")]);
            let number = |prop: &&Prop| {
                let counts = matches!(prop.class, Class::Field | Class::Counter(..)) && prop.ty == Ty::Number;
                counts && matches!(prop.owner, Owner::Kind(of) if self.w.is_kind(zone.kind, of))
            };
            let mut said = vec![note_of(card.node())];
            if let Some(prop) = self.w.props.iter().find(number) {
                said.push(note_of(rhai("r of card", 9, vec![op(9, card.node()), t("."), g(&prop.name)])));
            }
            steps.push(when(there, said));
            let gone = gone(&card, &zone);
            steps.push(when(gone, vec![note_of(rhai("r number", 9, vec![t("7")]))]));
        }
        steps
    }

    /// The first card of a zone, if any lies there.
    fn first_card(&mut self) -> Option<(Node, Zone)> {
        let fits = |zone: &&Zone| !zone.keyed && zone.ordered && !self.w.kinds[zone.kind].hidden;
        let zones: Vec<Zone> = self.w.zones.iter().filter(fits).cloned().collect();
        let zone = self.pick(&zones)?;
        let end = if zone.per_player { "\", me()))" } else { "\"))" };
        Some((rhai("r top", 9, vec![t("top(cards(\""), g(&zone.name), t(end)]), zone))
    }

    fn taken(&mut self, at: &mut At) -> Option<Node> {
        let (card, zone) = self.first_card()?;
        let name = self.name(&["v"]);
        at.known.cards.push((Known::of(&name), zone));
        Some(Node::other("s let", vec![t("let "), Part::Bind(name), t(" = "), op(0, card), t(";")]))
    }

    fn condition(&mut self, at: &At) -> Node {
        if let Some(flag) = self.pick(&at.known.flags).filter(|_| self.chance(60)) {
            return flag.node();
        }
        if let Some((card, zone)) = self.pick(&at.known.cards).filter(|_| self.chance(40)) {
            return gone(&card, &zone);
        }
        let mut heard: Vec<Known> = at.known.players.iter().filter(|known| known.part == EVENT).cloned().collect();
        // Who acts may be nobody, so that it is only compared.
        if matches!(at.event, Some(Some(_))) {
            heard.push(Known { name: "actor".to_owned(), part: EVENT });
        }
        if let Some(known) = self.pick(&heard).filter(|_| self.chance(60)) {
            let other = self.somebody(at);
            return rhai("r same", 4, vec![op(5, known.node()), t(" == "), op(5, other)]);
        }
        let heard: Vec<Known> = at.known.numbers.iter().filter(|known| known.part == EVENT).cloned().collect();
        let one = self.pick(&heard).filter(|_| self.chance(60)).map(|known| known.node());
        let (one, other) = (one.unwrap_or_else(|| self.script_number(at, 1)), self.script_number(at, 1));
        let (form, sign) = if self.chance(70) { ("r less", " < ") } else { ("r same", " == ") };
        rhai(form, 4, vec![op(5, one), t(sign), op(5, other)])
    }

    /// What the players have, in a loop.
    fn summed(&mut self, at: &mut At) -> Option<Node> {
        let prop = self.counters().into_iter().find(|prop| prop.owner == Owner::Player)?;
        let (sum, who) = (self.name(&["v"]), self.name(&["v"]));
        at.known.numbers.push(Known::of(&sum));
        let parts = vec![
            t("let "),
            Part::Bind(sum.clone()),
            t(" = 0; for "),
            Part::Bind(who.clone()),
            t(" in players() { "),
            Part::Local(sum),
            t(" += "),
            Part::Local(who),
            t("."),
            g(&prop.name),
            t("; }"),
        ];
        Some(Node::other("s sum", parts))
    }

    /// The same act for each player of a list.
    fn for_each(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let who = self.name(&["v"]);
        let value = self.pick(&at.known.numbers).filter(|_| self.chance(50));
        let value = value.map_or_else(|| rhai("r number", 9, vec![t(self.below(4).to_string())]), |known| known.node());
        let list = self.pick(&at.known.lists).filter(|_| self.chance(70));
        let list = list.map_or_else(|| rhai("r players", 9, vec![t("players()")]), |known| known.node());
        let prop = self.counters().into_iter().find(|prop| prop.owner == Owner::Player);
        let act = match prop {
            Some(prop) => {
                plan.may.insert(vec!["set ".to_owned(), prop.name.clone()]);
                let of = op(9, Known::of(&who).node());
                let parts = vec![t("acts.push(set("), of, t(", \""), g(&prop.name), t("\", "), op(0, value), t("));")];
                Node::other("a set", parts)
            }
            None => note_of(Known::of(&who).node()),
        };
        Some(each(who, list, vec![act]))
    }

    fn changed(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let prop = self.counters().into_iter().next()?;
        plan.may.insert(vec!["set ".to_owned(), prop.name.clone()]);
        let (form, word) = if self.chance(50) { ("a set", "set") } else { ("a increase", "increase") };
        let value = self.script_number(at, 1);
        let of = self.whose(&prop, at);
        let call = t(format!("acts.push({word}("));
        Some(Node::other(form, vec![call, of, t(", \""), g(&prop.name), t("\", "), op(0, value), t("));")]))
    }

    fn said(&mut self, at: &At) -> Node {
        let value = self.script_number(at, 1);
        note_of(value)
    }

    fn performed(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let fits = |verb: &&Verb| verb.params.iter().all(|param| matches!(param.ty, Ty::Number | Ty::Player));
        let verbs: Vec<Verb> = self.w.verbs.iter().filter(fits).cloned().collect();
        let verb = self.pick(&verbs)?;
        plan.may.insert(vec![String::new(), verb.name.clone()]);
        let mut args = Vec::new();
        for param in &verb.params {
            let arg = match param.ty {
                Ty::Number => self.script_number(at, 1),
                _ => self.somebody(at),
            };
            // The form of an argument is its label.
            args.push(Node::other(param.label, vec![op(0, arg)]));
        }
        let call = vec![t("acts.push(act(\""), g(&verb.name), t("\", ["), Part::List(", ", args), t("]));")];
        Some(Node::other("a act", call))
    }

    /// A question or a roll, and the function that goes on.
    fn script_asks(&mut self, plan: &mut Plan, at: &At) -> Node {
        let (name, answer, data) = (self.name(&["f"]), self.name(&["v"]), self.name(&["v"]));
        let (value, mut known) = self.data(at, &data);
        let (form, call, class) = match self.below(7) {
            0 => ("a ask", "ask_number(me(), \"How many?\", [0, 2]", &mut known.numbers),
            1 => ("a which", "ask_one(me(), \"Which?\", seated()", &mut known.players),
            2 => ("a order", "ask_order(me(), \"In which order?\", seated()", &mut known.lists),
            3 => ("a whether", "ask_yes_no(me(), \"Again?\"", &mut known.flags),
            4 => ("a lot", "pick(seated()", &mut known.players),
            5 => ("a number", "pick([4, 1, 3]", &mut known.numbers),
            _ => ("a roll", "roll(1, 3", &mut known.numbers),
        };
        class.push(Known::of(&answer));
        known.hear(at.event.as_ref());
        let inner = At { known, depth: 1, ..at.clone() };
        self.function(plan, &name, &[answer, data], inner);
        let call = t(format!("acts.push({call}, \""));
        Node::other(form, vec![call, g(&name), t("\", "), op(0, value), t("));")])
    }

    /// What a function goes on with, and what that knows of it: a number, a list or a map.
    fn data(&mut self, at: &At, name: &str) -> (Node, Values) {
        let part = |part| Known { name: name.to_owned(), part };
        let mut known = Values::default();
        if self.chance(20)
            && let Some(pair) = self.pair(at, name)
        {
            return pair;
        }
        let mut number = || op(0, self.script_number(at, 1));
        let (form, parts) = match (number(), number()) {
            (one, other) if self.chance(30) => {
                known.numbers.extend(KEPT_LIST.map(part));
                ("r list", vec![t("["), one, t(", "), other, t("]")])
            }
            (one, other) if self.chance(50) => {
                let (n, of, who, all) = (part(KEPT_MAP[0]), part(KEPT_MAP[1]), part(KEPT_MAP[2]), part(KEPT_MAP[3]));
                known.numbers.extend([n, of]);
                known.players.push(who);
                known.lists.push(all);
                let who = op(0, self.somebody(at));
                let list = self.pick(&at.known.lists);
                let list = list.map_or_else(|| rhai("r seated", 9, vec![t("seated()")]), |known| known.node());
                let parts = [t("#{ n: "), one, t(", of: ["), other, t(", "), who, t("], all: "), op(0, list), t(" }")];
                ("r map", parts.into())
            }
            (Part::Op(_, one), _) => {
                known.numbers.push(part(""));
                return (one, known);
            }
            _ => return (rhai("r number", 9, vec![t("0")]), known),
        };
        (rhai(form, 9, parts), known)
    }

    /// Data with a card.
    fn pair(&mut self, at: &At, name: &str) -> Option<(Node, Values)> {
        let part = |part| Known { name: name.to_owned(), part };
        let held = self.pick(&at.known.cards).filter(|_| self.chance(60)).map(|(card, zone)| (card.node(), zone));
        let (card, zone) = held.or_else(|| self.first_card())?;
        let known =
            Values { numbers: vec![part(KEPT_PAIR[1])], cards: vec![(part(KEPT_PAIR[0]), zone)], ..Values::default() };
        let number = self.script_number(at, 1);
        Some((rhai("r pair", 9, vec![t("#{ c: "), op(0, card), t(", n: "), op(0, number), t(" }")]), known))
    }

    /// A delayed trigger, and the function that goes on.
    fn armed(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let (name, data) = (self.name(&["f"]), self.name(&["v"]));
        // The parts of one verb's event have the same names wherever they are read.
        let verb = self.pick(&self.w.verbs.clone()).filter(|_| !matches!(at.event, Some(Some(_))) && self.chance(40));
        let mut parts = vec![t("acts.push(arm(#{ at: \"")];
        match &verb {
            Some(verb) => {
                plan.may.insert(vec!["arm after ".to_owned(), verb.name.clone()]);
                parts.extend([t("after "), g(&verb.name)]);
            }
            None => parts.push(t("end of turn")),
        }
        parts.push(t("\""));
        let (of, ends, each) = (self.chance(35), !plan.cancels && self.chance(45), self.chance(20));
        let turns = verb.is_none() && !of && !ends && !each && self.chance(40);
        let announced = self.chance(15);
        for (given, key) in
            [(of, ", of: me()"), (each, ", each: true"), (turns, ", turns: 2"), (announced, ", announced: true")]
        {
            if given {
                parts.push(Part::Maybe(vec![t(key)]));
            }
        }
        if ends {
            let mut ends = vec![t(ENDS)];
            match self.below(3) {
                0 => ends.push(t("end of turn\"")),
                1 => ends.extend([t(ENDS_OF), op(0, self.somebody(at))]),
                _ => ends.push(t("gone\"")),
            }
            parts.push(Part::Maybe(ends));
        }
        if plan.cancels {
            parts.push(t(", name: \"x\""));
        }
        // Cards are seldom gone but when something goes off.
        let (value, mut known) =
            if self.chance(50) { self.pair(at, &data) } else { None }.unwrap_or_else(|| self.data(at, &data));
        let event = Some(verb.clone());
        known.hear(event.as_ref());
        let inner = At { known, armed: true, verbs: at.verbs && verb.is_none() && !each, event, depth: 1 };
        if self.chance(40) {
            let asked = self.name(&["f"]);
            let cond = match self.chance(40) {
                true => rhai("r same", 4, vec![op(5, rhai("r round", 9, vec![t("round()")])), t(" == "), t("2")]),
                false => self.condition(&inner),
            };
            let function = [t("fn "), g(&asked), t("("), Part::Bind(data.clone()), t(") { "), op(0, cond), t(" }")];
            plan.functions.push(Node::other("function", function.into()));
            parts.push(Part::Maybe(vec![t(WHEN), g(&asked), t("\"")]));
        }
        self.function(plan, &name, &[data], inner);
        parts.extend([t(" }, \""), g(&name), t("\", "), op(0, value), t("));")]);
        Some(Node::other("a arm", parts))
    }
}

impl Values {
    /// Adds what can be read of the event at hand.
    fn hear(&mut self, event: Option<&Option<Verb>>) {
        let Some(event) = event else { return };
        let part = |name: &str| Known { name: name.to_owned(), part: EVENT };
        let Some(verb) = event else { return self.players.push(part("player")) };
        for param in &verb.params {
            match param.ty {
                Ty::Number => self.numbers.push(part(&param.name)),
                Ty::Player => self.players.push(part(&param.name)),
                _ => {}
            }
        }
    }
}

fn owner(prop: &Prop) -> &'static str {
    if prop.owner == Owner::Game { "game" } else { "me" }
}

fn each(who: String, list: Node, acts: Vec<Node>) -> Node {
    let head = [t("for "), Part::Bind(who), t(" in "), op(0, list), t(format!(" {{{NEXT}"))];
    let acts = Part::List(NEXT, acts);
    Node::other("s each", head.into_iter().chain([acts, t(format!("{NEXT}}}"))]).collect())
}

fn when(cond: Node, acts: Vec<Node>) -> Node {
    let head = vec![t("if "), op(0, cond), t(format!(" {{{NEXT}")), Part::List(NEXT, acts), t(format!("{NEXT}}}"))];
    Node::other("s if", head)
}

/// Whether a card is no longer what it was: the zone that it was in is named for its twin.
fn gone(card: &Known, zone: &Zone) -> Node {
    let end = t(if zone.per_player { OF_PLAYERS } else { " */" });
    rhai("r gone", 2, vec![op(9, card.node()), t(" != () && "), op(9, card.node()), t(".gone /* "), g(&zone.name), end])
}

fn note_of(value: Node) -> Node {
    Node::other("a note", vec![t("acts.push(note([\"said \", "), op(0, value), t("]));")])
}
