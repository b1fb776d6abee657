//! Follows a game that two people play on a board, so that it is stored and can be watched.
//!
//! The command has the whole game, and the room adds what it lacks. So it can be repeated, after a crash or after a snapshot of the board.
//! No offer, limit of takebacks or grace period applies: what happened on the board has happened.

use rules::{Play, Ply, Verdict};

use super::attempt::Stamp;
use super::command::BoardGame;
use super::fact::Fact;
use super::name::{GameId, UserId};
use super::refusal::Refusal;
use super::seat::{Ability, Player, TokenHash};
use super::{Phase, Room};

impl Room {
    /// The facts that make the game of the room equal to the one on the board.
    pub(super) fn follow_board(&self, game: &BoardGame, stamp: Stamp) -> Result<Vec<Fact>, Refusal> {
        let mut facts = self.begin_on_board(game, stamp)?;
        let known: Vec<Ply> = self.game.plies_from(0).collect();
        let common = known.iter().zip(&game.plies).take_while(|(one, other)| one == other).count();
        let mut play = Play::clone(&self.game);
        // The positions of some rules can only be replayed, which a checkpoint makes short.
        self.checkpoints.clone().take_back(&mut play, common);
        let mut undone = known.len() - common;
        if let Some(verdict) = self.verdict
            && undone == 0
        {
            // A game goes on after its end only if a ply was taken back.
            return if game.plies.len() == common { Ok(facts) } else { Err(Refusal::Over(verdict)) };
        }
        let took = self.thought(stamp.received);
        while undone > 0 {
            let plies = u8::try_from(undone).unwrap_or(u8::MAX);
            facts.push(Fact::TakenBack { plies, took });
            undone -= usize::from(plies);
        }
        let new = game.plies.get(common..).unwrap_or_default();
        // How long each of several plies took is not known.
        let took = if new.len() == 1 { took } else { 0 };
        for &ply in new {
            play.play(ply).map_err(|_| Refusal::Illegal(ply))?;
            facts.push(Fact::Moved { ply, took, ruling: None });
        }
        facts.extend(play.verdict().or(game.verdict).map(|verdict| Fact::Ended(verdict.into())));
        Ok(facts)
    }

    /// The facts that end and close the room.
    pub(super) fn leave_board(&self) -> Result<Vec<Fact>, Refusal> {
        self.terms.board.as_ref().ok_or(Refusal::NoSeat)?;
        let ended = (self.phase == Phase::Playing).then_some(Fact::Ended(Verdict::Abandoned.into()));
        Ok(ended.into_iter().chain([Fact::Closed]).collect())
    }

    /// The facts that begin the game of a room that has none yet.
    fn begin_on_board(&self, game: &BoardGame, stamp: Stamp) -> Result<Vec<Fact>, Refusal> {
        let board = self.terms.board.as_ref().ok_or(Refusal::NoSeat)?;
        if self.games > 0 {
            return Ok(Vec::new());
        }
        let mut facts = Vec::new();
        for (color, known) in chess::Color::ALL.into_iter().zip(&game.names) {
            // No token opens the seat, so its id need not be hard to guess.
            let id: UserId =
                format!("{color}_{:06x}", stamp.write_id & 0xff_ffff).parse().map_err(|_| Refusal::NoSeat)?;
            let name = known.as_ref().unwrap_or(board).clone();
            let player = Player { id, name, token: TokenHash::AT_BOARD, ability: Ability::Claims };
            facts.push(Fact::Sat { color, player });
        }
        facts.push(Fact::Began { game: GameId(stamp.write_id.max(1)), swapped: false, start: None });
        Ok(facts)
    }
}
