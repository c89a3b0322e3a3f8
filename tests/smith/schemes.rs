//! Scripts that act: random ones, written into the rules as comments that begin with `//|`, and their twins, statements
//! of the language that do what the engine does with what such a script gives back. A script looks at everything when it is called,
//! and then its acts are carried out; so its twin works out all values first.

use super::items::Items;
use super::stmts::Ctx;
use super::terms::Smith;
use super::tree::{Node, Part, block, g, op, t};
use super::types::{Class, Owner, Prop, Seen, Ty, Verb};
use std::collections::{BTreeMap, BTreeSet};

/// What a line of a script begins with in the rules.
pub const MARK: &str = "//|";
/// What separates statements of a script.
const NEXT: &str = "\n//| ";
/// The counter by which a twin ends what it has armed, and the one of turns: they are told nowhere.
const ENDED: &str = "idle0";
const TURNS: &str = "idle1";
/// Functions of scripts that do what no statement does.
const ODD: &str = "\n//| fn odd(answer, data) { [note([answer, \" and \", data]), cancel(\"x\")] }\
    \n//| fn later(data) { note([\"later \", data.n, event().player]) }\
    \n//| fn even(data) { turn() % 2 == 0 }\
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
    /// Numbers that it knows by a name.
    vars: Vec<String>,
    /// Whether an event has set it off: of the end of a turn, or of a verb.
    armed: bool,
    verbs: bool,
    depth: u8,
}

fn rhai(form: &'static str, level: u8, parts: Vec<Part>) -> Node {
    Node { form, ty: None, level, parts }
}

fn var(name: &str) -> Node {
    rhai("r local", 9, vec![Part::Local(name.to_owned())])
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
        let at = At { vars: vec![given.clone()], armed: false, verbs: true, depth: 2 };
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
        parts.extend([t(" = \"scheme.rhai\""), t(NEXT), Part::List(NEXT, plan.functions), t(ODD)]);
        let performs = plan.may.iter().any(|words| words.first().is_some_and(String::is_empty));
        self.w.scheme = Some(performs);
        made.items.push(Node::other("scheme", parts));
    }

    /// A call of it. One that may perform verbs is called in the flow only, or verbs would lead to themselves.
    pub fn call_scheme(&mut self, ctx: &Ctx) -> Option<Node> {
        let performs = self.w.scheme?;
        // One that is called once has a twin.
        if !ctx.s.me || ctx.action || performs && !ctx.flow || self.w.schemes > 0 && self.chance(75) {
            return None;
        }
        self.w.schemes += 1;
        let given = match self.counters().first() {
            Some(prop) if self.chance(50) => rhai("given", 9, vec![t(owner(prop)), t("."), g(&prop.name)]),
            _ => rhai("given", 9, vec![t(self.below(5).to_string())]),
        };
        let form = if ctx.flow { "call scheme" } else { "call scheme aside" };
        Some(Node::other(form, vec![t("scheme("), op(0, given), t(")")]))
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
        let mut steps: Vec<Node> = (0..count * 2).filter_map(|_| self.step(plan, &mut at)).take(count).collect();
        if steps.is_empty() {
            steps.push(self.said(&at));
        }
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
        match self.below(16) {
            0..=1 => {
                let value = self.script_number(at, 2);
                let name = self.name(&["v"]);
                at.vars.push(name.clone());
                Some(Node::other("s let", vec![t("let "), Part::Bind(name), t(" = "), op(0, value), t(";")]))
            }
            2 => self.summed(at),
            3..=4 if at.depth > 0 => {
                let cond = self.condition(at);
                let mut inner = At { depth: at.depth - 1, ..at.clone() };
                let steps: Vec<Node> = (0..2).filter_map(|_| self.step(plan, &mut inner)).collect();
                let list = Part::List(NEXT, steps);
                Some(Node::other(
                    "s if",
                    vec![t("if "), op(0, cond), t(format!(" {{{NEXT}")), list, t(format!("{NEXT}}}"))],
                ))
            }
            5 => self.for_each(plan, at),
            6..=7 => self.changed(plan, at),
            8 => Some(self.said(at)),
            9 if at.verbs => self.performed(plan, at),
            10..=11 if plan.left > 0 => Some(self.script_asks(plan, at)),
            12..=13 if plan.left > 0 => self.armed(plan, at),
            14 if plan.cancels && !at.armed => Some(Node::other("a cancel", vec![t("acts.push(cancel(\"x\"));")])),
            15 if plan.odd => {
                let lines = [
                    "acts.push(ask_yes_no(me(), \"Again?\", \"odd\", [1, me(), ()]));",
                    "acts.push(ask_order(me(), \"In which order?\", players(), \"odd\", #{ n: turn() }));",
                    "acts.push(pick([1, \"two\", me()], \"odd\", [[round()], #{ of: mover() }]));",
                    "acts.push(arm(#{ at: \"end of turn\", when: \"even\", name: \"x\" }, \"later\", #{ n: turn(), of: [me()] }));",
                ];
                Some(Node::other("a odd", vec![t(lines[self.below(lines.len())])]))
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
                Some(prop) => rhai("r prop", 9, vec![self.whose(prop), t("."), g(&prop.name)]),
                None => rhai("r number", 9, vec![t("2")]),
            },
            4 => match self.pick(&zones) {
                Some(zone) if zone.per_player => rhai("r count", 9, vec![t("count(\""), g(&zone.name), t("\", me())")]),
                Some(zone) => rhai("r count", 9, vec![t("count(\""), g(&zone.name), t("\")")]),
                None => rhai("r round", 9, vec![t("round()")]),
            },
            5..=6 => self.pick(&at.vars).map_or_else(|| rhai("r number", 9, vec![t("1")]), |name| var(&name)),
            _ => rhai("r number", 9, vec![t(self.below(6).to_string())]),
        }
    }

    fn whose(&mut self, prop: &Prop) -> Part {
        let (form, text) = if prop.owner == Owner::Game { ("r game", "game()") } else { ("r me", "me()") };
        op(9, rhai(form, 9, vec![t(text)]))
    }

    fn condition(&mut self, at: &At) -> Node {
        let (one, other) = (self.script_number(at, 1), self.script_number(at, 1));
        let (form, sign) = if self.chance(70) { ("r less", " < ") } else { ("r same", " == ") };
        rhai(form, 4, vec![op(5, one), t(sign), op(5, other)])
    }

    /// What the players have, in a loop.
    fn summed(&mut self, at: &mut At) -> Option<Node> {
        let prop = self.counters().into_iter().find(|prop| prop.owner == Owner::Player)?;
        let (sum, who) = (self.name(&["v"]), self.name(&["v"]));
        at.vars.push(sum.clone());
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

    /// The same act for each player.
    fn for_each(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let who = self.name(&["v"]);
        let value = self.pick(&at.vars).filter(|_| self.chance(50));
        let value = value.map_or_else(|| rhai("r number", 9, vec![t(self.below(4).to_string())]), |name| var(&name));
        let prop = self.counters().into_iter().find(|prop| prop.owner == Owner::Player);
        let act = match prop {
            Some(prop) => {
                plan.may.insert(vec!["set ".to_owned(), prop.name.clone()]);
                let of = op(9, var(&who));
                let parts = vec![t("acts.push(set("), of, t(", \""), g(&prop.name), t("\", "), op(0, value), t("));")];
                Node::other("a set", parts)
            }
            None => note_of(var(&who)),
        };
        let list = Part::List(NEXT, vec![act]);
        let head = [t("for "), Part::Bind(who), t(format!(" in players() {{{NEXT}"))];
        Some(Node::other("s each", head.into_iter().chain([list, t(format!("{NEXT}}}"))]).collect()))
    }

    fn changed(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let prop = self.counters().into_iter().next()?;
        plan.may.insert(vec!["set ".to_owned(), prop.name.clone()]);
        let (form, word) = if self.chance(50) { ("a set", "set") } else { ("a increase", "increase") };
        let value = self.script_number(at, 1);
        let of = self.whose(&prop);
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
                _ => rhai("r me", 9, vec![t("me()")]),
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
        let (form, call, number) = match self.below(3) {
            0 => ("a ask", "acts.push(ask_number(me(), \"How many?\", [0, 2], \"", true),
            1 => ("a which", "acts.push(ask_one(me(), \"Which?\", seated(), \"", false),
            _ => ("a roll", "acts.push(roll(1, 3, \"", true),
        };
        let value = self.script_number(at, 1);
        let mut inner = At { vars: vec![data.clone()], depth: 1, ..at.clone() };
        if number {
            inner.vars.push(answer.clone());
        }
        self.function(plan, &name, &[answer, data], inner);
        Node::other(form, vec![t(call), g(&name), t("\", "), op(0, value), t("));")])
    }

    /// A delayed trigger, and the function that goes on.
    fn armed(&mut self, plan: &mut Plan, at: &At) -> Option<Node> {
        let (name, data) = (self.name(&["f"]), self.name(&["v"]));
        let verb = self.pick(&self.w.verbs.clone()).filter(|_| self.chance(30));
        let mut parts = vec![t("acts.push(arm(#{ at: \"")];
        match &verb {
            Some(verb) => {
                plan.may.insert(vec!["arm after ".to_owned(), verb.name.clone()]);
                parts.extend([t("after "), g(&verb.name)]);
            }
            None => parts.push(t("end of turn")),
        }
        parts.push(t("\""));
        let (of, ends, each) = (self.chance(35), !plan.cancels && self.chance(30), self.chance(20));
        let turns = verb.is_none() && !of && !ends && !each && self.chance(40);
        for (given, key) in [
            (of && verb.is_none(), ", of: me()"),
            (ends, ", ends: \"end of turn\""),
            (each, ", each: true"),
            (turns, ", turns: 2"),
        ] {
            if given {
                parts.push(Part::Maybe(vec![t(key)]));
            }
        }
        if plan.cancels {
            parts.push(t(", name: \"x\""));
        }
        let value = self.script_number(at, 1);
        let inner = At { vars: vec![data.clone()], armed: true, verbs: at.verbs && verb.is_none() && !each, depth: 1 };
        self.function(plan, &name, &[data], inner);
        parts.extend([t(" }, \""), g(&name), t("\", "), op(0, value), t("));")]);
        Some(Node::other("a arm", parts))
    }
}

fn owner(prop: &Prop) -> &'static str {
    if prop.owner == Owner::Game { "game" } else { "me" }
}

fn note_of(value: Node) -> Node {
    Node::other("a note", vec![t("acts.push(note([\"said \", "), op(0, value), t("]));")])
}

/// The package with statements in the place of the call of its script; none if it does what no statement does, or is called
/// elsewhere, too: what is armed at one line is alike, and what is armed at two is not.
pub fn unscripted(package: &mut Node) -> Option<()> {
    let Some(Part::List(_, items)) = package.parts.first() else { return None };
    let scheme = items.iter().find(|item| item.form == "scheme")?.clone();
    let mut forms = Vec::new();
    // Who is out is not asked by a script.
    let counts = |form: &str| form.starts_with("call scheme") || form == "lose";
    package.walk(&mut |node| forms.extend(counts(node.form).then_some(node.form)));
    if forms != ["call scheme"] {
        return None;
    }
    let mut functions = BTreeMap::new();
    scheme.walk(&mut |node| {
        if let ("function", Some(Part::Global(name))) = (node.form, node.parts.get(1)) {
            functions.insert(name.clone(), node);
        }
    });
    let mut twin = Twin { functions, count: 0, depth: 0 };
    let mut made = false;
    package.change(&mut |node| {
        if node.form == "call scheme"
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

/// Makes statements of functions.
struct Twin<'a> {
    functions: BTreeMap<String, &'a Node>,
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
                let head = vec![t("each "), Part::Bind(bound?), t(" in clockwise(me) ")];
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
            "a ask" | "a which" | "a roll" => {
                let [answer, data] = self.params(step)?.try_into().ok()?;
                out.lets.push(let_of(&data, value(operand(step, 0)?)));
                let (head, tail) = match step.form {
                    "a ask" => ("choose ", " in 0..2 \"How many?\""),
                    "a which" => ("choose ", " in players \"Which?\""),
                    _ => ("roll ", " in 1..3"),
                };
                out.acts.push(Node::other("choose", vec![t(head), Part::Bind(answer), t(tail)]));
                out.acts.extend(self.body(&goes_on(step)?)?);
            }
            "a arm" => self.arm(step, out)?,
            "a cancel" => out.acts.push(Node::other("change", vec![t(format!("increase game.{ENDED} by 1"))])),
            _ => return None,
        }
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
        out.lets.push(let_of(&data, value(operand(step, 0)?)));
        let line = step.line();
        let mut event = vec![t(if line.contains(", each: true") { "after " } else { "next after " })];
        match step.parts.get(2) {
            Some(Part::Global(verb)) => event.push(g(verb)),
            _ => event.push(t("end of turn")),
        }
        if line.contains(", of: me()") {
            let whose = self.fresh("o");
            event.extend([t(" of "), Part::Bind(whose.clone()), t(" where "), Part::Local(whose), t(" = me")]);
        } else if line.contains(", turns: 2") {
            let since = self.kept(TURNS, out);
            event.extend([t(format!(" where game.{TURNS} > ")), Part::Local(since)]);
        }
        event.push(t(" "));
        let mut head = vec![t("arm for good ")];
        if line.contains(", name:") {
            let then = self.kept(ENDED, out);
            head = vec![t(format!("arm while game.{ENDED} = ")), Part::Local(then), t(" ")];
        } else if line.contains(", ends:") {
            head = vec![t("arm until end of turn ")];
        }
        event.extend(block(self.body(&goes_on(step)?)?));
        head.extend(block(vec![Node::other("after", event)]));
        out.acts.push(Node::other("arm", head));
        Some(())
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
    let mut parts: Vec<Part> = node.parts.clone();
    for part in &mut parts {
        match part {
            Part::Op(_, inner) => *inner = value(inner),
            Part::Text(text) => {
                *text = match text.as_str() {
                    "game()" => "game".to_owned(),
                    "me()" => "me".to_owned(),
                    "round()" => "round".to_owned(),
                    " == " => " = ".to_owned(),
                    "count(\"" => "count ".to_owned(),
                    "\")" | "\", me())" => String::new(),
                    other => other.to_owned(),
                }
            }
            _ => {}
        }
    }
    if node.form == "r count" && node.line().ends_with("me())") {
        parts.insert(1, t("me."));
    }
    Node { parts, form: "value", level: if node.form == "r count" { 8 } else { node.level }, ty: None }
}
