//! Figures about a game, as `cardwright check --stats` prints them. What they mean stands in docs/architecture.md.

use crate::base::{SourceMap, limits};
use crate::model::rules::{ClauseId, ClauseKind, Entry, ExprKind, FieldValue, Proc, ProcId, Rules, StmtKind};
use crate::program::{Asked, Program, each_expr, each_stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// So many of the lines with loops over boards are named.
const LINES: usize = 20;

/// The figures of a game, under the name people call it by.
pub fn text(name: &str, rules: &Rules, program: &Program, sources: &SourceMap) -> String {
    let copies: u32 = rules.entries.iter().map(|entry| u32::from(entry.copies)).sum();
    let scripted = rules.entries.iter().filter(|entry| needs_script(rules, entry)).count();
    let share = if rules.entries.is_empty() { 0.0 } else { 100.0 * scripted as f64 / rules.entries.len() as f64 };
    let mut out = format!("{name}\n  what stands in its files\n");
    let mut line = |what: &str, figure: String, meaning: &str| {
        let _ = writeln!(out, "    {}", format!("{what:<18}{figure:<20}{meaning}").trim_end());
    };
    let counted = |count: usize| count.to_string();
    line("definitions", format!("{} ({copies} copies)", rules.entries.len()), "cards and pieces with names");
    line("kinds", counted(rules.kinds.len()), "");
    line("verbs", counted(rules.verbs.len()), "");
    line("actions", counted(rules.actions.len()), "");
    line("clauses", counted(rules.clauses.len()), "hooks, modifiers and checks, of rules and of cards");
    line("windows", counted(rules.windows.len()), "");
    line("offers", counted(program.sites.offers.len()), "");
    line("with a script", format!("{scripted} ({share:.1} %)"), "definitions that the language alone cannot say");
    out.push_str("  what it was compiled to\n");
    let mut line = |what: &str, figure: usize, meaning: &str| {
        let _ = writeln!(out, "    {what:<18}{figure:<20}{meaning}");
    };
    line("instructions", program.ops.len(), &format!("at most {}", limits::INSTRUCTIONS));
    line("words of a state", program.layout.fixed, "of 8 bytes; fewer are copied faster");
    line("filters as sets", program.predicates.algebra, "found for all members at once: fast");
    // What only scenarios ask does not slow the game down.
    let of_rules = |asked: &&Asked| !sources.name(asked.span.file).ends_with(".scenario");
    let asked: Vec<&Asked> = program.predicates.loops.iter().filter(of_rules).collect();
    line("filters as loops", asked.len(), "each member is asked: as right, but slower");
    out.push_str(&loops(&asked, sources));
    out.push_str(&tried(program, sources));
    out
}

/// The actions whose choices are searched, with the line that makes it necessary and the reason.
fn tried(program: &Program, sources: &SourceMap) -> String {
    let tried: Vec<_> = program.actions.iter().filter_map(|action| Some((&action.words, action.tried?))).collect();
    let mut out = format!("    {:<18}{:<20}", "actions searched", tried.len());
    out.push_str("each first choice is tried on a copy of the state: correct, but slower\n");
    for (words, tried) in tried {
        let line = sources.position(tried.span.file, tried.span.start).line;
        let _ = writeln!(out, "      {words}: {} ({}:{line})", tried.why, sources.name(tried.span.file));
    }
    out
}

/// The lines of content with loops over boards, those with most first, and the reason. A definition that is put in the
/// place of its calls counts for each of them.
fn loops(asked: &[&Asked], sources: &SourceMap) -> String {
    let mut lines: BTreeMap<(&str, u32, &str), usize> = BTreeMap::new();
    for asked in asked {
        let Some(why) = &asked.why else { continue };
        let line = sources.position(asked.span.file, asked.span.start).line;
        *lines.entry((sources.name(asked.span.file), line, why)).or_default() += 1;
    }
    let over: usize = lines.values().sum();
    let mut lines: Vec<_> = lines.into_iter().collect();
    // Equal ones stay in the order of their places.
    lines.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut out = format!("    {:<18}{over:<20}of them; those of a few cards do not matter\n", "  over boards");
    for ((file, line, why), count) in lines.iter().take(LINES) {
        let times = if *count > 1 { format!(", {count} times") } else { String::new() };
        let _ = writeln!(out, "      {why} ({file}:{line}{times})");
    }
    if lines.len() > LINES {
        let _ = writeln!(out, "      and {} more lines", lines.len() - LINES);
    }
    out
}

/// Whether a definition calls a script: in its effects, amounts, questions or clauses, or in what these use.
fn needs_script(rules: &Rules, entry: &Entry) -> bool {
    let mut open: Vec<ProcId> = Vec::new();
    for (_, value) in &entry.fields {
        if let Some(FieldValue::Proc(procedure)) = value {
            open.push(*procedure);
        }
    }
    entry.clauses.iter().for_each(|clause| procedures_of(rules, *clause, &mut open));
    let mut seen = BTreeSet::new();
    while let Some(procedure) = open.pop() {
        if seen.insert(procedure) && calls_script(rules, &rules.procs[procedure.index()], &mut open) {
            return true;
        }
    }
    false
}

/// Whether a procedure itself calls a script; adds the procedures that it uses.
fn calls_script(rules: &Rules, procedure: &Proc, uses: &mut Vec<ProcId>) -> bool {
    let mut found = false;
    each_expr(procedure, &mut |expr| match &expr.kind {
        ExprKind::CallScript(..) => found = true,
        ExprKind::Call(called, _) | ExprKind::Lambda(called) => uses.push(*called),
        _ => {}
    });
    each_stmt(procedure, &mut |stmt| match &stmt.kind {
        StmtKind::Script { .. } => found = true,
        StmtKind::Call { verb, .. } => uses.push(rules.verbs[verb.index()].body),
        StmtKind::Arm { clauses, .. } => clauses.iter().for_each(|clause| procedures_of(rules, *clause, uses)),
        _ => {}
    });
    found
}

/// Adds the procedures of a clause.
fn procedures_of(rules: &Rules, clause: ClauseId, uses: &mut Vec<ProcId>) {
    match &rules.clauses[clause.index()].kind {
        ClauseKind::Hook { cond, body, .. } => uses.extend(cond.iter().chain(body)),
        ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body } => uses.extend([*cond, *body]),
        ClauseKind::Modify { of, value, when, .. } => uses.extend([*of, *value].into_iter().chain(*when)),
    }
}
