//! The forms that statements and clauses can have. A new one does not build here before it is listed, and then the smith has
//! to make it.

use cardwright::engine::{all_forms, forms_in};
use cardwright::model::Rules;
use cardwright::model::rules::{ClauseKind, Stage, StmtKind};
use cardwright::program::each_stmt;
use std::collections::BTreeSet;

/// Lists variants, and says what a value's is called.
macro_rules! names {
    ($list:ident $function:ident $type:ident $($variant:ident),* $(,)?) => {
        const $list: &[&str] = &[$(stringify!($variant)),*];

        fn $function(value: &$type) -> &'static str {
            match value {
                $($type::$variant { .. } => stringify!($variant)),*
            }
        }
    };
}

names!(STMTS stmt StmtKind
    Local, SetProp, SetGameProp, Choose, ChooseAction, ChooseOption, Open, OpenAgain, Respond, Offer, ChooseOrder,
    ChooseSplit, Gate, Each, EachSecret, If, Repeat, RepeatTimes, Turns, Phase, LeaveRepeat, LeaveSpan, Stop, Move, Create,
    Link, Unlink, Shuffle, Roll, Random, Reveal, Ensure, Requires, Arm, Do, Script, Call, Proceed, Win, Lose, DrawGame, EndGame,
    Settle, Note);

names!(CLAUSES clause ClauseKind Hook, Becomes, Modify, Check);

names!(STAGES stage Stage Cannot, Instead, Before, After);

/// All forms of expressions, functions, statements and clauses.
pub fn all() -> BTreeSet<String> {
    // Texts are labels: no value is worked out from one.
    let own = [STMTS, CLAUSES, STAGES].concat();
    all_forms().into_iter().filter(|form| form != "Text").chain(own.into_iter().map(str::to_owned)).collect()
}

/// Those that stand in rules.
pub fn made(rules: &Rules) -> BTreeSet<String> {
    let mut found = forms_in(rules);
    for proc in &rules.procs {
        each_stmt(proc, &mut |form| {
            found.insert(stmt(&form.kind).to_owned());
        });
    }
    for info in &rules.clauses {
        found.insert(clause(&info.kind).to_owned());
        if let ClauseKind::Hook { stage: at, .. } = &info.kind {
            found.insert(stage(at).to_owned());
        }
    }
    found
}
