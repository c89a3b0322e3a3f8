//! Making a game or a scenario that shows something as small as it can be, so that somebody can see why: decisions and steps
//! are left out as long as the same still shows. What is found depends only on what is given, unless time runs out.

mod saves;
mod scenarios;

pub use saves::{Shown, shrink as shrink_save, write as write_save};
pub use scenarios::{Small, shrink as shrink_scenario};

use super::progress::Progress;
use std::time::Instant;

/// How long it may go on.
pub struct Watch<'a> {
    /// Counts attempts, and may stop them.
    pub progress: &'a Progress,
    /// When no more is tried.
    pub until: Instant,
}

impl Watch<'_> {
    /// Whether nothing more is to be tried.
    pub fn is_over(&self) -> bool {
        self.progress.stopped() || Instant::now() >= self.until
    }
}

/// As few as possible of some parts, in their order, with which `shows` still holds; it gives the parts that mattered. Nothing that
/// is left can be left out alone. (Delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
/// 2002, with complements only.)
fn smallest(all: Vec<usize>, watch: &Watch<'_>, mut shows: impl FnMut(&[usize]) -> Option<Vec<usize>>) -> Vec<usize> {
    let mut kept = all;
    let mut chunks = 2;
    while !kept.is_empty() {
        let size = kept.len().div_ceil(chunks);
        // What comes late is left out first: less depends on it.
        let starts: Vec<usize> = (0..kept.len()).step_by(size).rev().collect();
        let mut found = None;
        for start in starts {
            if watch.is_over() {
                return kept;
            }
            watch.progress.count(1);
            let end = (start + size).min(kept.len());
            let fewer: Vec<usize> = kept.iter().take(start).chain(kept.iter().skip(end)).copied().collect();
            found = shows(&fewer);
            if found.is_some() {
                break;
            }
        }
        match found {
            Some(fewer) => {
                kept = fewer;
                chunks = (chunks - 1).max(2);
            }
            None if size == 1 => break,
            None => chunks = (chunks * 2).min(kept.len()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn nothing_that_is_left_can_be_left_out_alone() {
        let progress = Progress::default();
        let watch = Watch { progress: &progress, until: Instant::now() + Duration::from_secs(60) };
        let needs = |wanted: &'static [usize]| {
            move |kept: &[usize]| wanted.iter().all(|part| kept.contains(part)).then(|| kept.to_vec())
        };
        assert_eq!(smallest((0..100).collect(), &watch, needs(&[3, 40, 97])), [3, 40, 97]);
        assert_eq!(smallest((0..7).collect(), &watch, needs(&[])), Vec::<usize>::new());
        assert_eq!(smallest(vec![4], &watch, needs(&[4])), [4]);
        // Two that need each other stay; what mattered may be fewer than what was tried.
        let even = |kept: &[usize]| (kept.contains(&9) && kept.len().is_multiple_of(2)).then(|| kept.to_vec());
        assert_eq!(smallest((0..64).collect(), &watch, even).len(), 2);
        let first = |kept: &[usize]| kept.contains(&5).then(|| vec![5]);
        assert_eq!(smallest((0..64).collect(), &watch, first), [5]);
        progress.stop();
        assert_eq!(smallest((0..5).collect(), &watch, needs(&[1])), [0, 1, 2, 3, 4]);
    }
}
