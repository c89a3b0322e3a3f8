//! Twins of scripts that act: statements of the language that do what the engine does with what a script gives back. A script
//! looks at everything when it is called, and then its acts are carried out; so its twin works out all values first.

use super::schemes::{ENDS, ENDS_OF, KEPT_LIST, KEPT_MAP, KEPT_PAIR, OF_PLAYERS, WHEN, part_name};
use super::tree::{Node, Part, block, g, op, t};
use std::collections::{BTreeMap, BTreeSet};

/// The counter by which a twin ends what it has armed, and the one of turns: they are told nowhere.
const ENDED: &str = "idle0";
const TURNS: &str = "idle1";

/// The package with statements in the place of the call of its script; none if it does what no statement does, or is called
/// elsewhere, too: what is armed at one line is alike, and what is armed at two is not.
pub fn unscripted(package: &mut Node) -> Option<()> {
    let Some(Part::List(_, items)) = package.parts.first() else { return None };
    let scheme = items.iter().find(|item| item.form == "scheme")?.clone();
    let mut forms = Vec::new();
    // Who is out is not asked by a script.
    let counts = |form: &str| form.starts_with("call scheme") || form == "lose";
    package.walk(&mut |node| forms.extend(counts(node.form).then_some(node.form)));
    let [call @ ("call scheme" | "call scheme of card")] = forms[..] else { return None };
    let counted = |form: &str| {
        let mut count = 0;
        scheme.walk(&mut |node| count += usize::from(node.form == form));
        count
    };
    // What a script reads of a shuffled pile is no order yet. What one card has armed waits in the order of its clauses,
    // and only its own can be taken back.
    let of_card = call == "call scheme of card";
    let shuffles = forms_of(package).contains("shuffle");
    if counted("r top") > 0 && shuffles || of_card && (counted("a arm") > 1 || counted("a cancel") > 0) {
        return None;
    }
    let mut functions = BTreeMap::new();
    scheme.walk(&mut |node| {
        if let ("function", Some(Part::Global(name))) = (node.form, node.parts.get(1)) {
            functions.insert(name.clone(), node);
        }
    });
    let mut params = BTreeMap::new();
    package.walk(&mut |node| {
        if let ("verb", Some(Part::Global(name))) = (node.form, node.parts.get(1)) {
            params.insert(name.clone(), params_of(&node.parts));
        }
    });
    let mut twin = Twin { functions, params, of_card, count: 0, depth: 0 };
    let mut made = false;
    package.change(&mut |node| {
        if node.form == call
            && let Some(stmts) = twin.call(node)
        {
            *node = Node::other("twin", vec![Part::List("\n", stmts)]);
            made = true;
        }
    });
    if !made {
        return None;
    }
    let Some(Part::List(_, items)) = package.parts.first_mut() else { return None };
    let game = items.iter_mut().find(|item| item.form == "game")?;
    let members =
        game.parts.iter_mut().find_map(|part| if let Part::List(_, members) = part { Some(members) } else { None });
    members?.extend([ENDED, TURNS].map(|name| Node::other("counter", vec![t(format!("counter {name}: 0..9999"))])));
    let counts = t(format!("rule idling {{ after end of turn {{ increase game.{TURNS} by 1 }} }}"));
    items.push(Node::other("rule", vec![counts]));
    Some(())
}

fn forms_of(package: &Node) -> BTreeSet<&'static str> {
    let mut forms = BTreeSet::new();
    package.walk(&mut |node| {
        forms.insert(node.form);
    });
    forms
}

/// Makes statements of functions.
struct Twin<'a> {
    functions: BTreeMap<String, &'a Node>,
    /// The parameters of verbs: labels and names.
    params: BTreeMap<String, Vec<(String, String)>>,
    /// Whether the script is called for a card.
    of_card: bool,
    count: usize,
    depth: usize,
}

/// Statements that work out values, and those that do something with them.
#[derive(Default)]
struct Stmts {
    lets: Vec<Node>,
    acts: Vec<Node>,
}

fn let_of(name: &str, value: Node) -> Node {
    Node::other("let", vec![t("let "), Part::Bind(name.to_owned()), t(" = "), op(0, value)])
}

impl Twin<'_> {
    fn call(&mut self, node: &Node) -> Option<Vec<Node>> {
        let given = operand(node, 0)?.clone();
        let function = *self.functions.get("scheme")?;
        let mut stmts = self.body("scheme")?;
        let param = bound(function).next()?;
        stmts.insert(0, let_of(&param, Node::other("hole", Vec::new())));
        for stmt in &mut stmts {
            stmt.change(&mut |node| {
                if node.form == "hole" {
                    *node = given.clone();
                }
            });
        }
        Some(stmts)
    }

    fn body(&mut self, name: &str) -> Option<Vec<Node>> {
        let function = *self.functions.get(name)?;
        self.depth += 1;
        if self.depth > 12 {
            return None;
        }
        let mut stmts = Stmts::default();
        self.steps(list(function)?, &mut stmts)?;
        self.depth -= 1;
        let Stmts { mut lets, acts } = stmts;
        lets.extend(acts);
        Some(lets)
    }

    fn steps(&mut self, steps: &[Node], out: &mut Stmts) -> Option<()> {
        steps.iter().try_for_each(|step| self.step(step, out))
    }

    fn step(&mut self, step: &Node, out: &mut Stmts) -> Option<()> {
        let bound = bound(step).next();
        match step.form {
            "s let" => out.lets.push(let_of(&bound?, value(operand(step, 0)?))),
            "s sum" => {
                let Some(Part::Global(prop)) = step.parts.get(9) else { return None };
                out.lets.push(let_of(&bound?, Node::other("sum", vec![t("sum "), g(prop), t(" of players")])));
            }
            "s if" => {
                let cond = self.ahead(operand(step, 0)?, out);
                let inner = self.inner(step, out)?;
                if !inner.is_empty() {
                    let head = vec![t("if "), op(0, cond), t(" ")];
                    out.acts.push(Node::other("if stmt", head.into_iter().chain(block(inner)).collect()));
                }
            }
            "s each" => {
                let inner = self.inner(step, out)?;
                let head = vec![t("each "), Part::Bind(bound?), t(" in "), op(0, value(operand(step, 0)?)), t(" ")];
                out.acts.push(Node::other("each", head.into_iter().chain(block(inner)).collect()));
            }
            "a set" | "a increase" => {
                let Some(Part::Global(prop)) = step.parts.get(3) else { return None };
                let (of, given) = (value(operand(step, 0)?), self.ahead(operand(step, 1)?, out));
                let (word, sign) = if step.form == "a set" { ("set ", " = ") } else { ("increase ", " by ") };
                out.acts.push(Node::other("set", vec![t(word), op(9, of), t("."), g(prop), t(sign), op(1, given)]));
            }
            "a note" => {
                let said = self.ahead(operand(step, 0)?, out);
                out.acts.push(Node::other("note", vec![t("note \"said {"), op(0, said), t("}\"")]));
            }
            "a act" => {
                let Some(Part::Global(verb)) = step.parts.get(1) else { return None };
                let mut parts = vec![g(verb)];
                let args = list(step)?;
                if args.first().is_none_or(|arg| !arg.form.is_empty()) {
                    parts.push(t("()"));
                }
                for arg in args {
                    let label = if arg.form.is_empty() { " ".to_owned() } else { format!(" {} ", arg.form) };
                    parts.extend([t(label), op(2, self.ahead(operand(arg, 0)?, out))]);
                }
                out.acts.push(Node::other("perform", parts));
            }
            "a arm" => self.arm(step, out)?,
            "a cancel" => out.acts.push(Node::other("change", vec![t(format!("increase game.{ENDED} by 1"))])),
            _ => self.asks(step, out)?,
        }
        Some(())
    }

    /// A question or a roll, and what comes of it.
    fn asks(&mut self, step: &Node, out: &mut Stmts) -> Option<()> {
        let [answer, data] = self.params(step)?.try_into().ok()?;
        let (head, tail) = match step.form {
            "a ask" => ("choose ", " in 0..2 \"How many?\""),
            "a which" => ("choose ", " in players \"Which?\""),
            "a order" => ("choose order ", " in players \"In which order?\""),
            "a whether" => ("let ", " = false"),
            "a lot" => ("random ", " in players"),
            "a number" => ("random ", " in [4, 1, 3]"),
            "a roll" => ("roll ", " in 1..3"),
            _ => return None,
        };
        keep(&data, operand(step, 0)?, out);
        out.acts.push(Node::other("choose", vec![t(head), Part::Bind(answer.clone()), t(tail)]));
        if step.form == "a whether" {
            let yes = vec![t("set "), Part::Local(answer), t(" = true")];
            let may = [t("may \"Again?\" do ")].into_iter().chain(block(vec![Node::other("set", yes)]));
            out.acts.push(Node::other("may", may.collect()));
        }
        out.acts.extend(self.body(&goes_on(step)?)?);
        Some(())
    }

    /// What is done in a block; what it needs is worked out before.
    fn inner(&mut self, step: &Node, out: &mut Stmts) -> Option<Vec<Node>> {
        let mut inner = Stmts::default();
        self.steps(list(step)?, &mut inner)?;
        out.lets.append(&mut inner.lets);
        Some(inner.acts)
    }

    fn arm(&mut self, step: &Node, out: &mut Stmts) -> Option<()> {
        let [data] = self.params(step)?.try_into().ok()?;
        keep(&data, operand(step, 0)?, out);
        let line = step.line();
        let next = if line.contains(", each: true") { "" } else { "next " };
        let announced = if line.contains(", announced: true") { "announced " } else { "" };
        let mut event = vec![t(format!("{next}{announced}after "))];
        let mut when = Vec::new();
        let (heard, whose) = self.pattern(step, &mut event);
        if line.contains(", of: me()") {
            when.extend([whose, t(" = me")]);
        } else if line.contains(", turns: 2") {
            let since = self.kept(TURNS, out);
            when.extend([t(format!("game.{TURNS} > ")), Part::Local(since)]);
        }
        if let Some(name) = asked(step) {
            when.extend((!when.is_empty()).then(|| t(" and ")));
            when.push(op(4, value(operand(self.functions.get(&name)?, 0)?)));
        }
        if !when.is_empty() {
            event.push(t(" where "));
            event.append(&mut when);
        }
        event.push(t(" "));
        event.extend(block(self.body(&goes_on(step)?)?));
        let mut clause = Node::other("after", event);
        clause.parts_mut(&mut |part| {
            if let Part::Local(name) = part
                && let Some(fresh) = heard.get(name)
            {
                *name = fresh.clone();
            }
        });
        let mut head = self.lasts(step, &line, out)?;
        head.extend(block(vec![clause]));
        out.acts.push(Node::other("arm", head));
        Some(())
    }

    /// The pattern of what something armed waits for, with names for its parts, and who acts or is on turn.
    fn pattern(&mut self, step: &Node, event: &mut Vec<Part>) -> (BTreeMap<String, String>, Part) {
        let mut heard = BTreeMap::new();
        let Some(Part::Global(verb)) = step.parts.get(2) else {
            let whose = self.fresh("o");
            event.extend([t("end of turn of "), Part::Bind(whose.clone())]);
            heard.insert("player".to_owned(), whose.clone());
            return (heard, Part::Local(whose));
        };
        event.push(g(verb));
        for (label, name) in self.params.get(verb).cloned().unwrap_or_default() {
            let fresh = self.fresh("o");
            event.extend([t(label), Part::Bind(fresh.clone())]);
            heard.insert(name, fresh);
        }
        (heard, t("actor"))
    }

    /// How long something stays armed.
    fn lasts(&mut self, step: &Node, line: &str, out: &mut Stmts) -> Option<Vec<Part>> {
        if line.contains(", name:") {
            let then = self.kept(ENDED, out);
            return Some(vec![t(format!("arm while game.{ENDED} = ")), Part::Local(then), t(" ")]);
        }
        let Some(ends) = given(step, ENDS) else { return Some(vec![t("arm for good ")]) };
        Some(match ends {
            [_, Part::Text(word), Part::Op(_, of)] if word == ENDS_OF => {
                let of = self.ahead(of, out);
                vec![t("arm until start of turn of "), op(9, of), t(" ")]
            }
            [_, Part::Text(word)] if word.starts_with("end of turn") => vec![t("arm until end of turn ")],
            _ if self.of_card => vec![t("arm ")],
            // Nothing is there to go.
            _ => vec![t("arm for good ")],
        })
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.count += 1;
        format!("{letter}{}", self.count)
    }

    /// A counter as it is when something is armed.
    fn kept(&mut self, counter: &str, out: &mut Stmts) -> String {
        let name = self.fresh("e");
        out.acts.push(let_of(&name, Node::other("prop", vec![t(format!("game.{counter}"))])));
        name
    }

    /// The parameters of the function that goes on.
    fn params(&self, step: &Node) -> Option<Vec<String>> {
        Some(bound(self.functions.get(&goes_on(step)?)?).collect())
    }

    /// A value that is worked out before anything is done.
    fn ahead(&mut self, node: &Node, out: &mut Stmts) -> Node {
        if matches!(node.form, "r local" | "r number" | "r me" | "r game") {
            return value(node);
        }
        let name = self.fresh("w");
        out.lets.push(let_of(&name, value(node)));
        Node::other("local", vec![Part::Local(name)])
    }
}

/// Works out data before anything is done, each part of it by itself.
fn keep(name: &str, data: &Node, out: &mut Stmts) {
    let parts: &[&str] = match data.form {
        "r list" => &KEPT_LIST,
        "r map" => &KEPT_MAP,
        "r pair" => &KEPT_PAIR,
        _ => &[""],
    };
    for (number, part) in parts.iter().enumerate() {
        let kept = if part.is_empty() { Some(data) } else { operand(data, number) };
        out.lets.extend(kept.map(|kept| let_of(&part_name(name, part), value(kept))));
    }
}

/// The function that says whether something armed goes off.
fn asked(step: &Node) -> Option<String> {
    match given(step, WHEN)? {
        [_, Part::Global(name), _] => Some(name.clone()),
        _ => None,
    }
}

/// What stands in a step behind this text, if it does.
fn given<'a>(step: &'a Node, first: &str) -> Option<&'a [Part]> {
    step.parts.iter().find_map(|part| match part {
        Part::Maybe(parts) if matches!(parts.first(), Some(Part::Text(text)) if text == first) => Some(&parts[..]),
        _ => None,
    })
}

/// The labels and names of a verb's parameters.
fn params_of(parts: &[Part]) -> Vec<(String, String)> {
    let pairs = parts.iter().zip(parts.iter().skip(1));
    pairs
        .filter_map(|pair| match pair {
            (Part::Text(label), Part::Bind(name)) => Some((label.clone(), name.clone())),
            _ => None,
        })
        .collect()
}

/// The names that are bound in it, but not deeper within.
fn bound(node: &Node) -> impl Iterator<Item = String> {
    node.parts.iter().filter_map(|part| if let Part::Bind(name) = part { Some(name.clone()) } else { None })
}

/// The function that goes on: the last name in it.
fn goes_on(step: &Node) -> Option<String> {
    step.parts.iter().rev().find_map(|part| if let Part::Global(name) = part { Some(name.clone()) } else { None })
}

fn operand(node: &Node, number: usize) -> Option<&Node> {
    let operands = node.parts.iter().filter_map(|part| if let Part::Op(_, node) = part { Some(node) } else { None });
    operands.into_iter().nth(number)
}

fn list(node: &Node) -> Option<&[Node]> {
    node.parts.iter().find_map(|part| if let Part::List(_, nodes) = part { Some(nodes.as_slice()) } else { None })
}

/// A value of a script in words of the language.
fn value(node: &Node) -> Node {
    if let ("r part", [Part::Local(name), Part::Text(part)]) = (node.form, node.parts.as_slice()) {
        return Node { parts: vec![Part::Local(part_name(name, part))], form: "value", ..node.clone() };
    }
    if let ("r gone", Some(card), [.., zone, Part::Text(of)]) = (node.form, operand(node, 0), node.parts.as_slice()) {
        let card = value(card);
        let mut parts = vec![op(9, card.clone()), t(" != nothing and ")];
        if of == OF_PLAYERS {
            parts.extend([t("no (players as o where "), op(9, card), t(" in o."), zone.clone(), t(")")]);
        } else {
            parts.extend([op(9, card), t(" not in "), zone.clone()]);
        }
        return Node { parts, form: "value", ..node.clone() };
    }
    let mut parts: Vec<Part> = node.parts.clone();
    for part in &mut parts {
        match part {
            Part::Op(_, inner) => *inner = value(inner),
            Part::Text(text) => {
                *text = match text.as_str() {
                    "game()" => "game".to_owned(),
                    "me()" => "me".to_owned(),
                    "round()" => "round".to_owned(),
                    "players()" => "clockwise(me)".to_owned(),
                    "seated()" => "players".to_owned(),
                    "seated()[0]" => "first(players)".to_owned(),
                    " == " => " = ".to_owned(),
                    " != ()" => " != nothing".to_owned(),
                    "event()." => String::new(),
                    "top(cards(\"" => "first(".to_owned(),
                    "\"))" | "\", me()))" => ")".to_owned(),
                    "count(\"" => "count ".to_owned(),
                    "\")" | "\", me())" => String::new(),
                    other => other.to_owned(),
                }
            }
            _ => {}
        }
    }
    if node.form == "r count" && node.line().ends_with("me())")
        || node.form == "r top" && node.line().ends_with("me()))")
    {
        parts.insert(1, t("me."));
    }
    if let ("r event", Some(Part::Text(name))) = (node.form, node.parts.get(1)) {
        // The player of a turn is known by the name in the pattern.
        parts = vec![if name == "player" { Part::Local(name.clone()) } else { t(name.clone()) }];
    }
    Node { parts, form: "value", level: if node.form == "r count" { 8 } else { node.level }, ty: None }
}
