//! Any text as a package: parsing, checking, formatting and compiling must neither panic nor hang, and a text that can
//! be formatted stays the same tree. A line `-- PATH --` begins a new file of the package.
#![no_main]

use cardwright::base::{FileId, MemoryWorld, SourceMap, render_json, render_text};
use cardwright::{model, program, syntax};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::sync::Arc;

const MANIFEST: &str =
    "name = \"fuzz\"\ntitle = \"Fuzz\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 3\n";

fuzz_target!(|text: &str| {
    let mut world = MemoryWorld::new([("game.toml", MANIFEST)]);
    let mut path = "a.rules".to_owned();
    for line in text.split_inclusive('\n') {
        match line.trim_end().strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
            Some(named) => path = named.to_owned(),
            None => world.files.entry(path.clone()).or_default().push_str(line),
        }
    }
    let loaded = model::load(&world, &BTreeMap::new(), None);
    let _ = render_text(&loaded.diagnostics, &loaded.sources, true);
    let _ = render_json(&loaded.diagnostics, &loaded.sources);
    if let Some(rules) = loaded.rules.filter(|_| !loaded.diagnostics.iter().any(|found| found.is_error())) {
        if let Ok(program) = program::compile(Arc::new(rules)) {
            let _ = program.dump();
        }
    }
    let mut sources = SourceMap::default();
    let file: FileId = sources.add("a.rules", text);
    if let Ok(formatted) = syntax::format(text) {
        let (before, _) = syntax::parse(file, text);
        let (after, problems) = syntax::parse(file, &formatted);
        assert!(problems.is_empty(), "formatting breaks the text");
        assert!(syntax::same_tree(&before, &after), "formatting changes the tree");
        let again = syntax::format(&formatted);
        assert_eq!(again.as_ref().ok(), Some(&formatted), "formatting twice differs");
    }
});
