//! Chance that can be thrown again: all that a round does by chance comes from its seed and number.
//!
//! `SplitMix64` (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): small,
//! and the same for ever, so that a seed of last year still names the same round.

/// Throws numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The dice of one round.
    pub(crate) fn of(seed: u64, round: u64) -> Self {
        let mut dice = Self(seed ^ round.wrapping_mul(0xD1B5_4A32_D192_ED03));
        dice.throw();
        dice
    }

    /// Dice of their own for one part, so that a change of another part leaves it as it is.
    pub(crate) fn part(&mut self) -> Self {
        Self(self.throw())
    }

    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.throw() % (high - low + 1)
    }

    /// Yes, in so many of a hundred cases.
    pub(crate) fn percent(&mut self, cases: u64) -> bool {
        self.between(1, 100) <= cases
    }

    /// One of several, each as likely as its weight.
    pub(crate) fn weighed<T: Copy>(&mut self, of: &[(u64, T)]) -> Option<T> {
        let all: u64 = of.iter().map(|(weight, _)| weight).sum();
        let mut left = self.throw().checked_rem(all)?;
        for (weight, one) in of {
            if left < *weight {
                return Some(*one);
            }
            left -= weight;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_round_throw_the_same() {
        let throws = |seed, round| {
            let mut dice = Dice::of(seed, round);
            (0..8).map(|_| dice.throw()).collect::<Vec<_>>()
        };
        assert_eq!(throws(1, 2), throws(1, 2));
        assert_ne!(throws(1, 2), throws(2, 2));
        assert_ne!(throws(1, 2), throws(1, 3));
        // Of the paper's reference implementation, seed 0: it stays what it is.
        assert_eq!(Dice(0).throw(), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn numbers_stay_within_their_bounds_and_reach_both() {
        let mut dice = Dice::of(7, 7);
        let thrown: Vec<u64> = (0..200).map(|_| dice.between(3, 5)).collect();
        assert!((3..=5).all(|number| thrown.contains(&number)));
        assert!(thrown.iter().all(|number| (3..=5).contains(number)));
    }

    #[test]
    fn what_weighs_nothing_is_never_chosen() {
        let mut dice = Dice::of(7, 8);
        assert!((0..100).all(|_| dice.weighed(&[(0, 'a'), (1, 'b')]) == Some('b')));
        assert_eq!(dice.weighed::<char>(&[]), None);
    }
}
