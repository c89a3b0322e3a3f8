//! A small generator for bots and simulations. The engine's own chance does not come from here.

/// A SplitMix64 generator: the same seed gives the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// A generator of this seed.
    pub fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// A generator whose numbers depend on all parts.
    pub fn of(parts: &[u64]) -> Dice {
        let mut dice = Dice::new(0);
        for part in parts {
            dice.state ^= *part;
            dice.state = dice.number();
        }
        dice
    }

    /// The next 64 bits.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0. Its bias is below one in 2^32 for bounds below 2^32.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn golden_numbers_do_not_change() {
        let mut dice = Dice::new(0);
        assert_eq!(dice.number(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(dice.number(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn below_stays_below_and_reaches_all() {
        let mut dice = Dice::new(3);
        let mut seen = [0; 6];
        for _ in 0..600 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    }
}
