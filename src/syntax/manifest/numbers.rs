//! The numbers of a manifest: how many players there may be, and what games are held to.

use super::{Bounds, Code, Key, MAX_PLAYERS, Reader, Value};

impl Reader {
    /// Numbers of players, from the fewest to the most.
    pub(super) fn counts(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<u8> {
        let list = self.list(key, value, "numbers of players").unwrap_or_default();
        let numbers: Vec<i64> = list.iter().filter_map(|value| self.number(key, value)).collect();
        let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        if numbers.len() < list.len() || value.get_ref().as_array().is_none() {
            return Vec::new();
        }
        if numbers.is_empty() || !rising || numbers.iter().any(|number| !(1..=MAX_PLAYERS).contains(number)) {
            let message = "`counts` lists numbers of players from the fewest to the most, each of 1 to 16";
            self.report(Code::BadPlayers, value.span(), message, "write `counts = [2, 3, 4, 6]`");
            return Vec::new();
        }
        numbers.into_iter().filter_map(|number| u8::try_from(number).ok()).collect()
    }

    pub(super) fn bounds(&mut self, key: &Key<'_>, value: &Value<'_>) -> Bounds {
        let mut bounds = Bounds::default();
        for (key, value) in self.table(key, value) {
            match key.get_ref().as_ref() {
                "turns" => {
                    let turns = self.number(key, value);
                    bounds.turns = turns.and_then(|turns| u32::try_from(turns).ok()).filter(|turns| *turns > 0);
                    if turns.is_some() && bounds.turns.is_none() {
                        self.report(
                            Code::BadBounds,
                            value.span(),
                            "`turns` is a number from 1 up",
                            "write `turns = 2000`",
                        );
                    }
                }
                "scores" => bounds.scores = self.scores(key, value),
                "zero_sum" => bounds.zero_sum = self.flag(key, value),
                "created" => {
                    let most = crate::base::limits::ENTITIES as i64;
                    bounds.created = self.between(key, value, (1, most)).and_then(|number| u32::try_from(number).ok());
                }
                "work" => {
                    let most = crate::base::limits::MOST_WORK.cast_signed();
                    bounds.work = self.between(key, value, (1, most)).map(i64::cast_unsigned);
                }
                _ => self.unknown(key, "`bounds`", &["turns", "scores", "zero_sum", "created", "work"]),
            }
        }
        bounds
    }

    /// A number of a range.
    fn between(&mut self, key: &Key<'_>, value: &Value<'_>, (low, high): (i64, i64)) -> Option<i64> {
        let number = self.number(key, value)?;
        let fits = (low..=high).contains(&number);
        if !fits {
            let message = format!("`{}` is a number from {low} to {high}", key.get_ref());
            self.report(Code::BadBounds, value.span(), message, "give it another number");
        }
        fits.then_some(number)
    }

    fn scores(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<(i64, i64)> {
        let list = self.list(key, value, "two numbers")?;
        let numbers: Vec<i64> = list.iter().filter_map(|value| self.number(key, value)).collect();
        match numbers[..] {
            [low, high] if low <= high => Some((low, high)),
            _ => {
                self.report(
                    Code::BadBounds,
                    value.span(),
                    "`scores` is a list of two numbers, the lower first",
                    "write `scores = [0, 60]`",
                );
                None
            }
        }
    }
}
