//! The rating that makes the results of several matches the likeliest.

/// Points in games against an opponent whose Elo is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encounter {
    pub(crate) opponent: f64,
    pub(crate) games: f64,
    pub(crate) points: f64,
}

/// An Elo with the half width of its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    pub(crate) elo: f64,
    pub(crate) error: f64,
}

/// Limits of the ratings that are considered.
const LOWEST: f64 = 0.0;
const HIGHEST: f64 = 4000.0;

/// The share of the points that a player with this Elo expects.
fn expected(elo: f64, opponent: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf((opponent - elo) / 400.0))
}

/// The maximum-likelihood rating; none if all games were won, or all lost, since then every greater difference is likelier.
///
/// At the maximum the expected points are the points. The error follows from the curvature there; draws, which vary less than wins and
/// losses, make it slightly too large.
pub(crate) fn fit(encounters: &[Encounter]) -> Option<Rating> {
    let points: f64 = encounters.iter().map(|encounter| encounter.points).sum();
    let games: f64 = encounters.iter().map(|encounter| encounter.games).sum();
    if points <= 0.0 || points >= games {
        return None;
    }
    let (mut low, mut high) = (LOWEST, HIGHEST);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = encounters.iter().map(|one| one.games * expected(middle, one.opponent)).sum();
        if sum < points { low = middle } else { high = middle }
    }
    let elo = f64::midpoint(low, high);
    let variance = |one: &Encounter| {
        let share = expected(elo, one.opponent);
        one.games * share * (1.0 - share)
    };
    let information = encounters.iter().map(variance).sum::<f64>() * (10.0_f64.ln() / 400.0).powi(2);
    Some(Rating { elo, error: 1.96 / information.sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_match_gives_the_usual_difference() {
        let rating = fit(&[Encounter { opponent: 2000.0, games: 200.0, points: 150.0 }]).expect("a rating");
        assert!((rating.elo - 2190.8).abs() < 0.1 && (50.0..60.0).contains(&rating.error), "{rating:?}");
    }

    #[test]
    fn results_that_fit_one_rating_give_it_with_less_error() {
        let encounters = [1800.0, 2000.0, 2300.0].map(|opponent| Encounter {
            opponent,
            games: 400.0,
            points: 400.0 * expected(2100.0, opponent),
        });
        let rating = fit(&encounters).expect("a rating");
        let alone = fit(&encounters[..1]).expect("a rating");
        assert!((rating.elo - 2100.0).abs() < 0.1 && rating.error < alone.error, "{rating:?} {alone:?}");
    }

    #[test]
    fn only_wins_or_only_losses_give_no_rating() {
        for points in [0.0, 200.0] {
            assert_eq!(fit(&[Encounter { opponent: 2000.0, games: 200.0, points }]), None);
        }
        assert_eq!(fit(&[]), None);
    }
}
