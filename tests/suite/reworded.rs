//! Expressions and statements of games, each said in other words by rules that know no game: what the checker accepts plays the
//! same games and takes as much work. A sample by a fixed seed.

use super::rewordings::{files, world};
use super::support::root;
use cardwright::base::{FileId, Span};
use cardwright::engine::{Chance, Start};
use cardwright::play::{Dice, Game, Options, Package};
use cardwright::syntax::ast::{BinaryOp, Block, Expr, ExprKind, FoldOp, Stmt, StmtKind, UnaryOp};
use cardwright::syntax::parse;
use cardwright::syntax::visit::{Visitor, walk_item};

/// Forms, and how they may be said: capitals are the parts of the form in their order.
const RULES: &[(&str, &[&str])] = &[
    ("no A", &["count A = 0", "not some A"]),
    ("no A where B", &["every A meets not B"]),
    ("some A", &["count A > 0", "count A >= 1", "not no A"]),
    ("some A where B", &["not (every A meets not B)"]),
    ("every A meets B", &["no (A where not B)", "count (A where B) = count A"]),
    ("A where B and C", &["(A where B) where C", "(A where C) where B"]),
    ("A where B or C", &["(A where B) + (A where C)"]),
    ("A where B", &["A where (if B then true else false)", "A where B = true"]),
    ("not A", &["A = false", "if A then false else true"]),
    ("count A where B", &["sum (if B then 1 else 0) of A"]),
    ("sum A of B where C", &["sum (if C then A else 0) of B"]),
    ("if A then B else C", &["if not A then C else B"]),
    ("A having most B", &["A where B = (max B of A)"]),
    ("A having least B", &["A where B = (min B of A)"]),
    ("A and B", &["B and A", "not (not A or not B)", "if A then B else false"]),
    ("A or B", &["B or A", "not (not A and not B)", "if A then true else B"]),
    ("A = B", &["B = A", "not (A != B)", "A in [B]", "A >= B and A <= B"]),
    ("A != B", &["B != A", "not (A = B)"]),
    ("A < B", &["B > A", "not (A >= B)", "A + 1 <= B"]),
    ("A <= B", &["B >= A", "not (A > B)", "(A < B or A = B)"]),
    ("A > B", &["B < A", "not (A <= B)", "A - 1 >= B"]),
    ("A >= B", &["B <= A", "not (A < B)", "(A > B or A = B)"]),
    ("A in B", &["B has A", "not (A not in B)", "some (A & B)", "some (B as zz where zz = A)"]),
    ("A in B..C", &["A >= B and A <= C"]),
    ("A not in B", &["not (A in B)", "every B as zz meets zz != A"]),
    ("A has B", &["B in A"]),
    ("A & B", &["B & A", "A where it in B", "A - (A - B)"]),
    ("A - B", &["A where it not in B", "A + -B"]),
    ("A + B", &["B + A"]),
    ("A * B", &["B * A"]),
    ("A else B", &["if some A then A else B"]),
    ("if A B else C", &["if not A C else B"]),
    ("if A and B C", &["if A { if B C }"]),
    ("requires A and B", &["requires A\nrequires B"]),
    ("ensure A and B", &["ensure A\nensure B"]),
    ("increase A by B", &["set A = A + B"]),
    ("decrease A by B", &["set A = A - B"]),
];

/// What the forms of statements begin with.
const STATEMENTS: [&str; 6] = ["requires", "ensure", "increase", "decrease", "if A B", "if A and"];

/// Games, and how many rewordings of each are tried. `REWORDED="hex classics/y"` tries all of those games.
const GAMES: [(&str, usize); 5] =
    [("tic-tac-toe", 60), ("breakthrough", 45), ("hex", 45), ("liars-dice", 45), ("templates/deck-builder", 50)];

/// How much more work a rewording may be, in percent.
pub const MOST: u64 = 150;

/// What stands in the place of which part of a text.
type Edit = Vec<(Span, String)>;

struct Found<'t> {
    text: &'t str,
    edits: Vec<Edit>,
}

impl Found<'_> {
    fn of(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The word that a statement begins with.
    fn verb(&self, stmt: &Stmt) -> &str {
        self.of(stmt.span).split(' ').next().unwrap_or_default()
    }

    /// The operator between two parts.
    fn between(&self, one: &Expr, other: &Expr) -> &str {
        self.text[one.span.end as usize..other.span.start as usize].trim_matches(['(', ')', ' ', '\n'])
    }

    /// A part in brackets, where its place may need them.
    fn part(&self, expr: &Expr) -> String {
        match expr.kind {
            ExprKind::As(..) | ExprKind::Name(_) | ExprKind::Num(_) | ExprKind::Field(..) | ExprKind::Call(..) => {
                self.of(expr.span).to_owned()
            }
            _ => format!("({})", self.of(expr.span)),
        }
    }

    /// Rewords what has a form, by all rules for it.
    fn reword(&mut self, span: Span, form: &str, parts: &[String]) {
        for said in RULES.iter().filter(|(from, _)| *from == form).flat_map(|(_, ways)| *ways) {
            let word = |word: &str| match word.trim_matches(['(', ')', '[', ']', '-']) {
                one @ ("A" | "B" | "C") => word.replacen(one, &parts[usize::from(one.as_bytes()[0] - b'A')], 1),
                _ => word.to_owned(),
            };
            let lines = said.split('\n').map(|line| line.split(' ').map(word).collect::<Vec<_>>().join(" "));
            let said = lines.collect::<Vec<_>>().join("\n");
            let said = if STATEMENTS.iter().any(|word| form.starts_with(word)) { said } else { format!("({said})") };
            self.edits.push(vec![(span, said)]);
        }
    }

    fn reword_all(&mut self, span: Span, form: &str, exprs: &[&Expr]) {
        let parts: Vec<String> = exprs.iter().map(|expr| self.part(expr)).collect();
        self.reword(span, form, &parts);
    }

    /// Says a part of a statement before it.
    fn draw_out(&mut self, stmt: &Stmt, expr: &Expr) {
        let begin = Span { end: stmt.span.start, ..stmt.span };
        let drawn = format!("let zz = {}\n", self.of(expr.span));
        self.edits.push(vec![(expr.span, "zz".to_owned()), (begin, drawn)]);
    }
}

impl Visitor for Found<'_> {
    fn expr(&mut self, e: &mut Expr) -> bool {
        let span = e.span;
        match &e.kind {
            ExprKind::Quantified { no, over } => {
                let word = if *no { "no A" } else { "some A" };
                self.reword_all(span, word, &[over]);
                if let Some((set, cond)) = filter(over) {
                    self.reword_all(span, &format!("{word} where B"), &[set, cond]);
                }
            }
            ExprKind::Every { over, cond } => self.reword_all(span, "every A meets B", &[over, cond]),
            ExprKind::Where(set, cond) => {
                self.reword_all(span, "A where B", &[set, cond]);
                if let (ExprKind::Binary(_, one, other), false) = (&cond.kind, matches!(set.kind, ExprKind::As(..))) {
                    self.reword_all(span, &format!("A where B {} C", self.between(one, other)), &[set, one, other]);
                }
            }
            ExprKind::Unary(UnaryOp::Not, of) => self.reword_all(span, "not A", &[of]),
            ExprKind::Unary(UnaryOp::Count, of) => {
                if let Some((set, cond)) = filter(of) {
                    self.reword_all(span, "count A where B", &[set, cond]);
                }
            }
            ExprKind::Fold { op: FoldOp::Sum, body, over, .. } => {
                if let Some((set, cond)) = filter(over) {
                    self.reword_all(span, "sum A of B where C", &[body, set, cond]);
                }
            }
            ExprKind::If(cond, one, other) => self.reword_all(span, "if A then B else C", &[cond, one, other]),
            ExprKind::Having { over, most, body } if !matches!(over.kind, ExprKind::As(..)) => {
                let form = if *most { "A having most B" } else { "A having least B" };
                self.reword_all(span, form, &[over, body]);
            }
            ExprKind::Binary(op, one, other) => {
                self.reword_all(span, &format!("A {} B", self.between(one, other)), &[one, other]);
                if let (BinaryOp::In, ExprKind::Binary(BinaryOp::Range, from, to)) = (op, &other.kind) {
                    self.reword_all(span, "A in B..C", &[one, from, to]);
                }
            }
            _ => {}
        }
        true
    }

    fn block(&mut self, block: &mut Block) -> bool {
        for stmt in &block.stmts {
            // An `else if` cannot be said without what it belongs to.
            if self.verb(stmt) == "else" {
                continue;
            }
            match &stmt.kind {
                StmtKind::Choose(choose) => self.draw_out(stmt, &choose.domain),
                StmtKind::Each { domain: drawn, .. }
                | StmtKind::Set { value: drawn, .. }
                | StmtKind::Move { what: drawn, .. } => self.draw_out(stmt, drawn),
                StmtKind::If { cond, body, or_else } => {
                    self.draw_out(stmt, cond);
                    let then = self.of(body.span).to_owned();
                    match (&cond.kind, or_else) {
                        (_, Some(other)) if self.of(other.span).starts_with('{') => {
                            let parts = [self.part(cond), then, self.of(other.span).to_owned()];
                            self.reword(stmt.span, "if A B else C", &parts);
                        }
                        (ExprKind::Binary(BinaryOp::And, one, other), None) => {
                            let parts = [self.part(one), self.part(other), then];
                            self.reword(stmt.span, "if A and B C", &parts);
                        }
                        _ => {}
                    }
                }
                StmtKind::Requires { cond, reason } | StmtKind::Ensure { cond, reason } => {
                    self.draw_out(stmt, cond);
                    if let (ExprKind::Binary(BinaryOp::And, one, other), None) = (&cond.kind, reason) {
                        let form = format!("{} A and B", self.verb(stmt));
                        self.reword_all(stmt.span, &form, &[one, other]);
                    }
                }
                StmtKind::Change { target, by, .. } => {
                    self.reword_all(stmt.span, &format!("{} A by B", self.verb(stmt)), &[target, by]);
                }
                _ => {}
            }
        }
        true
    }
}

/// The set and condition of a filter.
fn filter(of: &Expr) -> Option<(&Expr, &Expr)> {
    match &of.kind {
        ExprKind::Where(set, cond) => Some((set, cond)),
        _ => None,
    }
}

/// What is offered and how it ends in three games, and the work of them.
pub fn played(game: &Game) -> (Vec<String>, u64) {
    let (mut told, mut work) = (Vec::new(), 0);
    let mut machine = game.machine();
    for seed in 1..=3 {
        let start = Start { players: game.rules.players.0.max(2), seed, chance: Chance::Draw };
        let Ok(mut state) = machine.start(&start) else { continue };
        let mut dice = Dice::of(&[seed]);
        work += machine.work();
        for _ in 0..60 {
            let Some(decision) = machine.decision(&state) else { break };
            let keys: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
            told.push(keys.join("|"));
            if let Err(error) = machine.choose(&mut state, dice.below(keys.len())) {
                told.push(error.message);
                break;
            }
            work += machine.work();
        }
        told.push(format!("{:?}", machine.outcome(&state)));
    }
    (told, work)
}

#[test]
fn other_words_play_the_same_games_with_as_much_work() {
    let mut wrong = Vec::new();
    let asked = std::env::var("REWORDED").unwrap_or_default();
    let asked = asked.split_whitespace().map(|name| (name, usize::MAX)).collect::<Vec<_>>();
    for (name, most) in if asked.is_empty() { GAMES.to_vec() } else { asked } {
        let mut found = Vec::new();
        files(&root().join("content").join(name), "", &mut found);
        let load = |changed: &str, text: &str| {
            let world = world(&found, |file, old| if file == changed { text.to_owned() } else { old.to_owned() });
            Game::load(&Package::memory(name, world), &Options::new(), None)
        };
        let game = load("", "").unwrap();
        let (before, work) = played(&game);
        let mut edits = Vec::new();
        for (file, text) in found.iter().filter(|(file, _)| file.ends_with(".rules")) {
            let mut finder = Found { text, edits: Vec::new() };
            parse(FileId(0), text).0.items.iter_mut().for_each(|item| walk_item(&mut finder, &mut item.kind));
            edits.extend(finder.edits.into_iter().map(|edit| (file, text, edit)));
        }
        let (mut dice, mut tried) = (Dice::of(&[7]), 0);
        while tried < most && !edits.is_empty() {
            let (file, text, edit) = edits.swap_remove(dice.below(edits.len()));
            let mut new = text.clone();
            for (span, said) in &edit {
                new.replace_range(span.start as usize..span.end as usize, said);
            }
            let Ok(other) = load(file, &new) else { continue };
            if other.warnings.len() > game.warnings.len() {
                continue;
            }
            tried += 1;
            let (after, dearer) = played(&other);
            let (span, said) = &edit[0];
            let what = format!("{name}: `{}` for `{}`", said, &text[span.start as usize..span.end as usize]);
            if before != after {
                wrong.push(format!("{what}: other games"));
            } else if dearer * 100 > work * MOST {
                wrong.push(format!("{what}: {dearer} units of work for {work}"));
            }
        }
        assert!(tried > 9, "{name}: {tried} rewordings are accepted");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
