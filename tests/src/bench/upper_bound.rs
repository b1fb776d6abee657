/// The rate that a count does not exceed with a probability of 95 %, in words: for a count of 0 that is 3 in all moves.
#[must_use]
pub fn upper_bound(count: u64, of: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts of moves fit a double")]
    let (count, of) = (count as f64, of as f64);
    // Of a Poisson distribution: exact for 0, and Byar's approximation above.
    let most = if count == 0.0 {
        3.0
    } else {
        let above = count + 1.0;
        above * (1.0 - 1.0 / (9.0 * above) + 1.645 / (3.0 * above.sqrt())).powi(3)
    };
    if of == 0.0 { "-".to_owned() } else { format!("1 in {:.0}", of / most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_zero_has_an_upper_bound() {
        assert_eq!(upper_bound(0, 30_000), "1 in 10000");
        assert_eq!(upper_bound(0, 0), "-");
        // 10 events: at most 16.96 with 95 %.
        assert_eq!(upper_bound(10, 16_960), "1 in 1000");
    }
}
