//! What a manifest says of other packages: which it needs, which it does not go together with, and what it adds where one takes part.

use super::{Dependency, FilePatterns, Key, Manifest, Reader, Value};
use crate::base::{Code, Span};
use semver::{Version, VersionReq};
use toml::de::DeValue;

/// A package that another one does not go together with.
#[derive(Clone, Debug, PartialEq)]
pub struct Incompatible {
    /// Its name.
    pub name: String,
    /// The versions that are meant.
    pub requirement: VersionReq,
    /// Why, for those who would play both.
    pub reason: String,
    /// Where it stands.
    pub span: Span,
}

/// Files that count only where another package takes part: `[with.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of that package.
    pub with: String,
    /// The files.
    pub files: FilePatterns,
    /// Where the name stands.
    pub span: Span,
}

impl Reader {
    /// Packages with the versions that will do; some need not take part.
    pub(super) fn dependencies(&mut self, key: &Key<'_>, value: &Value<'_>, optional: bool) -> Vec<Dependency> {
        let mut dependencies = Vec::new();
        if let Some(names) = texts(value) {
            let written: Vec<String> = names.iter().map(|name| format!("{name} = \">=0.1.0\"")).collect();
            let message = format!("`{}` says of each package which versions will do", key.get_ref());
            let help = format!("write `{} = {{ {} }}`", key.get_ref(), written.join(", "));
            self.report(Code::WrongValue, value.span(), message, &help);
            return dependencies;
        }
        for (key, value) in self.table(key, value) {
            let name = key.get_ref().to_string();
            self.check_name(&name, key.span(), "package");
            let mut dependency =
                Dependency { name, requirement: VersionReq::STAR, optional: false, span: self.span(value.span()) };
            let requirement = match value.get_ref() {
                DeValue::Table(_) if optional => {
                    let mut version = None;
                    for (key, value) in self.table(key, value) {
                        match key.get_ref().as_ref() {
                            "version" => version = Some(self.requirement(key, value)),
                            "optional" => dependency.optional = self.flag(key, value),
                            _ => self.unknown(key, "a dependency", &["version", "optional"]),
                        }
                    }
                    version.unwrap_or_else(|| self.missing(value, key, "version"))
                }
                _ => self.requirement(key, value),
            };
            // Where it cannot be read which versions will do, that is all that is wrong with it.
            dependency.requirement = requirement.unwrap_or(VersionReq::STAR);
            dependencies.push(dependency);
        }
        dependencies
    }

    /// Packages with the reasons, and the versions that are meant if not all are.
    pub(super) fn incompatible(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Incompatible> {
        let mut all = Vec::new();
        for (key, value) in self.table(key, value) {
            let name = key.get_ref().to_string();
            self.check_name(&name, key.span(), "package");
            let (mut requirement, mut reason) = (Some(VersionReq::STAR), None);
            if value.get_ref().is_table() {
                for (key, value) in self.table(key, value) {
                    match key.get_ref().as_ref() {
                        "version" => requirement = self.requirement(key, value),
                        "reason" => reason = Some(self.text(key, value)),
                        _ => self.unknown(key, "an incompatible package", &["version", "reason"]),
                    }
                }
                if reason.is_none() {
                    self.missing::<()>(value, key, "reason");
                }
            } else {
                reason = Some(self.text(key, value));
            }
            if value.get_ref().is_str() && reason.as_ref().is_some_and(String::is_empty) {
                let message = format!("it is not said why `{name}` does not go together with this package");
                self.report(Code::WrongValue, value.span(), message, "say it in a few words, for those who play");
            }
            let span = self.span(key.span());
            let both = requirement.zip(reason);
            all.extend(both.map(|(requirement, reason)| Incompatible { name, requirement, reason, span }));
        }
        all
    }

    /// Files by the package with which they count.
    pub(super) fn parts(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Part> {
        let mut parts = Vec::new();
        for (key, value) in self.table(key, value) {
            let (with, span) = (key.get_ref().to_string(), self.span(key.span()));
            let mut files = FilePatterns::default();
            for (key, value) in self.table(key, value) {
                match key.get_ref().as_ref() {
                    "rules" => files.rules = self.patterns(key, value),
                    "cards" => files.cards = self.patterns(key, value),
                    "scenarios" => files.scenarios = self.patterns(key, value),
                    _ => self.unknown(key, "a part", &["rules", "cards", "scenarios"]),
                }
            }
            parts.push(Part { with, files, span });
        }
        parts
    }

    /// Reports what cannot be: a game that knows of expansions, a part for a package that always or never takes part.
    pub(super) fn check_others(&mut self, manifest: &Manifest) {
        let optional = |name: &String| manifest.dependencies.iter().any(|it| it.optional && it.name == *name);
        if !manifest.expansion {
            for wanted in manifest.dependencies.iter().filter(|wanted| wanted.optional) {
                let message = format!("`{}` is optional, and only an expansion knows of others", wanted.name);
                self.report(Code::BadExpansion, range(wanted.span), message, "leave `optional` out");
            }
            return;
        }
        for part in manifest.parts.iter().filter(|part| !optional(&part.with)) {
            let message = format!("`{}` is no package that may or may not take part", part.with);
            let help =
                format!("add it to the dependencies: `{} = {{ version = \"1.0.0\", optional = true }}`", part.with);
            self.report(Code::BadExpansion, range(part.span), message, &help);
        }
        for other in manifest.incompatible.iter() {
            let game = manifest.extends.iter().any(|game| game.name == other.name);
            let needed = manifest.dependencies.iter().any(|it| !it.optional && it.name == other.name);
            if game || needed {
                let message = format!("`{}` is needed, and this says that it may not take part", other.name);
                self.report(Code::BadExpansion, range(other.span), message, "leave one of the two out");
            }
        }
    }

    fn missing<T>(&mut self, value: &Value<'_>, key: &Key<'_>, name: &str) -> Option<T> {
        let message = format!("`{}` has no `{name}`", key.get_ref());
        self.report(Code::MissingKey, value.span(), message, "add it");
        None
    }

    /// Which versions will do.
    fn requirement(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<VersionReq> {
        let text = self.text(key, value);
        let requirement = requirement(&text);
        if requirement.is_none() && value.get_ref().is_str() {
            let message = format!("`{text}` does not say which versions will do");
            let help = "write a version such as `^1.2.0`, `=1.2.0` or `>=1.2.0`";
            self.report(Code::BadVersion, value.span(), message, help);
        }
        requirement
    }
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

/// A requirement: three numbers with `^`, `=`, `>=` or nothing, which is `^`, before them.
fn requirement(text: &str) -> Option<VersionReq> {
    let number = text.trim_start_matches(">=").trim_start_matches(['^', '=']).trim();
    Version::parse(number).ok().filter(|version| version.pre.is_empty() && version.build.is_empty())?;
    VersionReq::parse(text).ok()
}

/// The names where a text or a list of texts stands in the place of a table.
fn texts<'t>(value: &'t Value<'_>) -> Option<Vec<&'t str>> {
    match value.get_ref() {
        DeValue::String(name) => Some(vec![name.as_ref()]),
        DeValue::Array(names) => names.iter().map(|name| name.get_ref().as_str()).collect(),
        _ => None,
    }
}
