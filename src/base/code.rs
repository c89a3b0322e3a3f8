//! What a diagnostic code is. The codes themselves are in the table of `codes.rs`.

use super::{CODES, Code, Severity};
use std::fmt;

/// What the table says about one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code itself.
    pub code: Code,
    /// As it is printed: `E0001`.
    pub text: &'static str,
    /// Errors stop a game from being played; warnings do not.
    pub severity: Severity,
    /// A few words for lists.
    pub title: &'static str,
    /// Plain words, with a small wrong and right example.
    pub explain: &'static str,
}

/// Declares [`Code`] and the table from one list.
macro_rules! codes {
    ($($name:ident $text:literal $severity:ident $title:literal $explain:literal)*) => {
        /// A stable diagnostic code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = concat!("`", $text, "`: ", $title, ".")] $name),* }

        /// All codes, in the order of the table.
        pub const CODES: &[CodeInfo] = &[$(CodeInfo {
            code: Code::$name, text: $text, severity: Severity::$severity, title: $title, explain: $explain,
        }),*];

        impl Code {
            /// What the table says about this code.
            pub const fn info(self) -> CodeInfo {
                match self { $(Code::$name => CodeInfo {
                    code: Code::$name, text: $text, severity: Severity::$severity, title: $title, explain: $explain,
                }),* }
            }
        }
    };
}

impl Code {
    /// As it is printed: `E0001`.
    pub const fn text(self) -> &'static str {
        self.info().text
    }

    /// How serious findings of this code are.
    pub const fn severity(self) -> Severity {
        self.info().severity
    }

    /// The code with this text, in any case of letters.
    pub fn find(text: &str) -> Option<Code> {
        CODES.iter().find(|info| info.text.eq_ignore_ascii_case(text)).map(|info| info.code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let mut seen = std::collections::BTreeSet::new();
        for info in CODES {
            assert!(seen.insert(info.text), "{} occurs twice", info.text);
            assert_eq!(Code::find(info.text), Some(info.code));
            assert_eq!(info.code.info(), *info);
            assert!(
                info.explain.contains("Wrong: ") && info.explain.contains("Right: "),
                "{} lacks an example",
                info.text
            );
            let warning = info.text.starts_with('W');
            assert_eq!(warning, info.severity == Severity::Warning, "{} has the wrong severity", info.text);
            assert!(!info.title.ends_with('.') && info.title.chars().next().is_some_and(|c| !c.is_uppercase()));
        }
    }
}
