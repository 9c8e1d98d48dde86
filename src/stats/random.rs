//! A seeded generator of random numbers whose output never changes.
//!
//! xoshiro256++ (Blackman & Vigna 2021, "Scrambled linear pseudorandom number generators"), its state
//! filled by SplitMix64 (Steele, Lea & Flood 2014). Sample data and printed intervals are reproduced from
//! a seed, so the stream of every seed is part of the format: it stays the same across versions.

/// A stream of random numbers, a function of its seed alone. Not for secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The stream of a seed.
    #[must_use]
    pub fn seed(seed: u64) -> Self {
        let mut mixer = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut mixer)) }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let out = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        out
    }

    /// A whole number in `0..n`, each equally likely (Lemire 2019). `n = 0` gives 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        // The 2^64 mod n smallest fractions would favour some numbers: draw again.
        if (product as u64) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u64) < unfair {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// A number in `[0, 1)`, a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Moves 2¹²⁸ numbers ahead: streams one jump apart never meet, so each worker can have its own.
    pub fn jump(&mut self) {
        const POLYNOMIAL: [u64; 4] =
            [0x180e_c6d3_3cfd_0aba, 0xd5a6_1266_f0c9_392c, 0xa958_2618_e03f_c9aa, 0x39ab_dc45_29b1_661c];
        let mut ahead = [0_u64; 4];
        for word in POLYNOMIAL {
            for bit in 0..64 {
                if word >> bit & 1 == 1 {
                    ahead.iter_mut().zip(self.state).for_each(|(sum, part)| *sum ^= part);
                }
                self.next_u64();
            }
        }
        self.state = ahead;
    }
}

fn split_mix(mixer: &mut u64) -> u64 {
    *mixer = mixer.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*mixer ^ (*mixer >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generators_give_their_published_numbers() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let expected = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
        let mut mixer = 1_234_567;
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| split_mix(&mut mixer)), expected);
    }

    #[test]
    fn every_number_below_is_equally_likely() {
        let mut rng = Rng::seed(7);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6) as usize] += 1;
        }
        // 4 standard errors of a binomial count of 60,000 at 1/6.
        assert!(seen.iter().all(|&count| count.abs_diff(10_000) < 366), "{seen:?}");
        assert_eq!(rng.below(1), 0);
        assert_eq!(rng.below(0), 0);
        // Above 2^63 half of the draws of a naive modulus would be unfair.
        let huge = 3 << 62;
        let low = (0..3_000).filter(|_| rng.below(huge) < 1 << 62).count();
        assert!(low.abs_diff(1_000) < 104, "{low}");
    }

    #[test]
    fn units_lie_below_one() {
        let mut rng = Rng::seed(0);
        let mean =
            (0..10_000).map(|_| rng.unit()).inspect(|u| assert!((0.0..1.0).contains(u))).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.0116);
    }

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut rng = Rng::seed(0);
        let expected = [5_987_356_902_031_041_503, 7_051_070_477_665_621_255, 6_633_766_593_972_829_180];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
        let mut rng = Rng::seed(42);
        assert_eq!([10, 10, 10, 1_000, 1_000, 1_000].map(|n| rng.below(n)), [8, 3, 9, 701, 793, 588]);
    }

    /// A linear map of the 256 bits of state, by its images of single bits.
    type Map = Vec<[u64; 4]>;

    fn apply(map: &Map, state: [u64; 4]) -> [u64; 4] {
        let set = (0..256).filter(|bit| state[bit / 64] >> (bit % 64) & 1 == 1);
        set.fold([0; 4], |sum, bit| std::array::from_fn(|word| sum[word] ^ map[bit][word]))
    }

    #[test]
    fn a_jump_is_two_to_the_128_steps() {
        let single = |bit: usize| {
            let mut rng = Rng { state: std::array::from_fn(|w| u64::from(w == bit / 64) << (bit % 64)) };
            rng.next_u64();
            rng.state
        };
        let mut steps: Map = (0..256).map(single).collect();
        for _ in 0..128 {
            steps = steps.iter().map(|&image| apply(&steps, image)).collect();
        }
        let mut rng = Rng::seed(3);
        let right = apply(&steps, rng.state);
        rng.jump();
        assert_eq!(rng.state, right);
    }
}
