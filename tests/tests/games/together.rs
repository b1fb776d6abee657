//! A board and somebody far away, with a relay between them.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use board::{Meaning, promotion_choices};
use chess::{Bitboard, Color, Game, Move, Position, Square};
use serde_json::{Value, json};
use tests::club::{Club, Pairing};
use tests::emulated::EmulatedBoard;
use tests::guest::Guest;
use tests::panel::Panel;
use tests::parts;

use tests::scenes;

/// What the board is called.
pub(crate) const BOARD: &str = "Kitchen";

/// How a hand makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// What is taken goes first, then the one that takes; the king goes before the rook.
    Usual,
    /// The one that takes is lifted first, and what is taken while it is in the air.
    OwnPieceFirst,
    /// Both are in the air at once, and were lifted at the same moment.
    TwoHands,
    /// Over all squares between, and what is taken is pushed off its square.
    Slide,
    /// The rook goes before the king.
    RookFirst,
    /// The pawn goes to its square, and what it took in passing goes last.
    VictimLast,
}

/// A game, as everybody should see it.
pub(crate) struct Together {
    pub(crate) club: Club,
    pub(crate) wooden: EmulatedBoard,
    pub(crate) guest: Guest,
    pub(crate) code: String,
    pub(crate) game: Box<Game>,
    /// The side that is played at the board.
    pub(crate) us: Color,
}

impl Together {
    /// Everybody sits down. The board plays this side. There is nobody if a part is missing.
    pub(crate) fn sit_down(us: Color) -> Result<Option<Self>> {
        Self::sit_down_at(us, Panel::new()?, |wooden| wooden)
    }

    /// The same at a board with something special about it.
    pub(crate) fn sit_down_at(
        us: Color,
        panel: Panel,
        special: impl FnOnce(EmulatedBoard) -> EmulatedBoard,
    ) -> Result<Option<Self>> {
        Self::sit_down_in(us, panel, |wooden, relay, key| special(wooden.at(relay, key)))
    }

    /// The same with somebody who says where the relay is, and which key opens it.
    pub(crate) fn sit_down_in(
        us: Color,
        panel: Panel,
        tell: impl FnOnce(EmulatedBoard, SocketAddr, &str) -> EmulatedBoard,
    ) -> Result<Option<Self>> {
        let Some(mut together) = Self::come_together(us, panel, tell)? else { return Ok(None) };
        together.begin()?;
        together.agree_to_hints()?;
        Ok(Some(together))
    }

    /// Everybody is there, but the board is not at the table yet.
    pub(crate) fn come_together(
        us: Color,
        panel: Panel,
        tell: impl FnOnce(EmulatedBoard, SocketAddr, &str) -> EmulatedBoard,
    ) -> Result<Option<Self>> {
        let (Some(image), Some(club)) = (parts::mps2_image(), Club::open()?) else { return Ok(None) };
        let Pairing { key, code } = club.pair(BOARD)?;
        let theirs = if us == Color::White { "color=black" } else { "color=white" };
        let guest = Guest::come(club.relay.address(), "vera", &code, theirs)?;
        let mut wooden = tell(EmulatedBoard::new(&image, panel)?.order("hints=on"), club.relay.address(), &key);
        wooden.power_up()?;
        wooden.log()?.wait_for("the network is up, at 10.0.2.15/24")?;
        Ok(Some(Self { club, wooden, guest, code, game: Box::new(Game::new()), us }))
    }

    /// The other player agrees that the board shows where pieces can go. The board does so by itself.
    pub(crate) fn agree_to_hints(&mut self) -> Result<()> {
        self.guest.agree_to_hints()?;
        let is_agreed = |said: &Value| said["type"] == "hints" && said["agreed"] == true;
        self.guest.hear("that hints are agreed on", is_agreed).map(drop)
    }

    /// A game begins.
    pub(crate) fn begin(&mut self) -> Result<()> {
        let color = if self.us == Color::White { "black" } else { "white" };
        let start = self.guest.hear_kind("start")?;
        ensure!(start["color"] == color, "{start}");
        self.wooden.log()?.wait_for("a game has come, after 0 plies")?;
        self.game.restart(Position::start());
        Ok(())
    }

    pub(crate) fn panel(&self) -> &Panel {
        &self.wooden.panel
    }

    /// The lights say what they say when nothing is touched.
    pub(crate) fn is_still(&self) -> Result<()> {
        self.panel().shows("a still board", scenes::still(&self.game)).map(drop)
    }

    /// The hand makes a move for the board's player, and it arrives.
    pub(crate) fn ours(&mut self, text: &str, manner: Manner) -> Result<()> {
        self.by_hand(text, manner).with_context(|| format!("{text}, {manner:?}"))?;
        self.arrives(text)
    }

    /// The board's player has made this move, and everybody knows it.
    pub(crate) fn arrives(&mut self, text: &str) -> Result<()> {
        let state = self.guest.hear_ply(self.game.moves().len() + 1)?;
        ensure!(state["last_move"]["uci"] == text, "{text} was made, and {} arrived", state["last_move"]);
        self.game.play(text.parse()?)?;
        self.is_still().with_context(|| format!("after {text}"))
    }

    /// The hand makes a move for the board's player.
    pub(crate) fn by_hand(&self, text: &str, manner: Manner) -> Result<()> {
        self.is_still()?;
        let (position, mv) = self.read(text)?;
        match (position.castling_rook(mv), position.victim(mv)) {
            (Some(rook), _) => self.castle(mv, rook, manner),
            (None, None) => self.go(mv, manner),
            (None, Some(victim)) if victim == mv.to() => self.take(mv, manner),
            (None, Some(victim)) => self.take_in_passing(mv, victim, manner),
        }?;
        match mv.promotion() {
            None => Ok(()),
            Some(promotion) => {
                let panel = self.panel();
                panel.shows("what the pawn can become", scenes::choosing(&self.game, mv.to()))?;
                let mut choices = promotion_choices(mv.to()).into_iter();
                let (square, _) = choices.find(|choice| choice.1 == promotion).context("there are four")?;
                self.tap(square)
            }
        }
    }

    fn read(&self, text: &str) -> Result<(Position, Move)> {
        let (position, mv) = (*self.game.position(), text.parse()?);
        ensure!(position.is_legal(mv), "{text} is not legal");
        Ok((position, mv))
    }

    /// Touches a square: what is there is lifted and put back, or something is put there and taken away.
    pub(crate) fn tap(&self, square: Square) -> Result<()> {
        let (panel, before) = (self.panel(), self.panel().occupied());
        panel.hesitate()?;
        panel.set(before ^ Bitboard::of(square))?;
        panel.hesitate()?;
        panel.set(before)
    }

    /// Lifts a piece, and has the lights say what it is to be held for.
    pub(crate) fn pick_up(&self, squares: &[Square]) -> Result<()> {
        let before = self.panel().occupied();
        self.panel().set(before.without(squares.iter().copied().collect()))?;
        self.panel().shows("where it can go", scenes::in_hand(&self.game, &self.in_the_air()))?;
        self.panel().hesitate()
    }

    fn in_the_air(&self) -> Vec<Square> {
        self.game.position().occupied().without(self.panel().occupied()).squares().collect()
    }

    fn go(&self, mv: Move, manner: Manner) -> Result<()> {
        if manner == Manner::Slide {
            self.slide(mv)
        } else {
            self.pick_up(&[mv.from()])?;
            self.panel().place(mv.to())
        }
    }

    /// Pushes a piece over all squares to its own, without lifting it.
    fn slide(&self, mv: Move) -> Result<()> {
        let (mut at, panel) = (mv.from(), self.panel());
        for next in way(mv.from(), mv.to()) {
            // Between two squares there is a moment without a magnet, and so there is between two pieces.
            panel.set(panel.occupied().without(Bitboard::of(at) | next.into()))?;
            panel.place(next)?;
            at = next;
        }
        Ok(())
    }

    fn take(&self, mv: Move, manner: Manner) -> Result<()> {
        match manner {
            Manner::Slide => return self.slide(mv),
            Manner::OwnPieceFirst => {
                self.pick_up(&[mv.from()])?;
                self.pick_up(&[mv.to()])?;
            }
            Manner::TwoHands => self.pick_up(&[mv.from(), mv.to()])?,
            _ => {
                self.pick_up(&[mv.to()])?;
                self.pick_up(&[mv.from()])?;
            }
        }
        self.panel().place(mv.to())
    }

    fn take_in_passing(&self, mv: Move, victim: Square, manner: Manner) -> Result<()> {
        match manner {
            Manner::VictimLast => {
                self.pick_up(&[mv.from()])?;
                self.panel().place(mv.to())?;
                let scene = scenes::half_done(&self.game, &[victim], &[]);
                self.panel().shows("what was taken", scene)?;
                self.panel().lift(victim)
            }
            Manner::OwnPieceFirst => {
                self.pick_up(&[mv.from()])?;
                self.pick_up(&[victim])?;
                self.panel().place(mv.to())
            }
            _ => {
                self.pick_up(&[victim])?;
                self.pick_up(&[mv.from()])?;
                self.panel().place(mv.to())
            }
        }
    }

    fn castle(&self, mv: Move, (from, to): (Square, Square), manner: Manner) -> Result<()> {
        let panel = self.panel();
        if manner == Manner::RookFirst {
            self.pick_up(&[from])?;
            panel.place(to)?;
            // It may be a move of its own, and is one if the king does not follow.
            let arriving = scenes::still(&self.game).with(Meaning::Settling, Bitboard::of(to));
            panel.shows("that the rook may be all", arriving)?;
            panel.lift(mv.from())?;
            panel.hesitate()?;
            return panel.place(mv.to());
        }
        self.pick_up(&[mv.from()])?;
        panel.place(mv.to())?;
        panel.shows("the rook's way", scenes::half_done(&self.game, &[from], &[to]))?;
        panel.lift(from)?;
        panel.shows("where the rook goes", scenes::half_done(&self.game, &[], &[to]))?;
        panel.place(to)
    }

    /// The other player makes a move; the lights show it, and the hand makes it on the wood.
    pub(crate) fn theirs(&mut self, text: &str) -> Result<()> {
        let (position, mv) = self.announced(text)?;
        self.follow(&position, mv).with_context(|| format!("following {text}"))
    }

    /// The other player makes a move, and the lights show it.
    pub(crate) fn announced(&mut self, text: &str) -> Result<(Position, Move)> {
        let (position, mv) = self.read(text)?;
        let ply = self.game.moves().len();
        self.guest.play(text, ply)?;
        self.guest.hear_ply(ply + 1)?;
        self.game.play(mv)?;
        let scene = scenes::opponents(&position, mv, &self.game);
        self.panel().shows("the other player's move", scene).with_context(|| text.to_owned())?;
        Ok((position, mv))
    }

    /// Makes a move on the wood that the game has already.
    pub(crate) fn follow(&self, position: &Position, mv: Move) -> Result<()> {
        let panel = self.panel();
        if let Some(victim) = position.victim(mv) {
            panel.lift(victim)?;
            panel.hesitate()?;
        }
        panel.carry(mv.from(), mv.to())?;
        if let Some((from, to)) = position.castling_rook(mv) {
            panel.carry(from, to)?;
        }
        self.is_still()
    }

    /// Puts the kings in the centre: White's here, Black's there.
    pub(crate) fn show_kings(&self, white: Square, black: Square) -> Result<()> {
        let (panel, position) = (self.panel(), self.game.position());
        self.is_still()?;
        for color in Color::ALL {
            panel.lift(position.king(color))?;
            panel.hesitate()?;
        }
        panel.place(white)?;
        panel.hesitate()?;
        panel.place(black)?;
        let kings = Bitboard::of(white) | Bitboard::of(black);
        let settling = scenes::still(&self.game).with(Meaning::Settling, kings);
        panel.shows("that the kings are seen", settling).map(drop)
    }

    /// The game is over, and this is what the other player is told about it.
    pub(crate) fn hears_end(&mut self, result: &str, reason: &str) -> Result<Value> {
        let end = self.guest.hear_kind("end_of_game")?;
        ensure!(end["result"] == result && end["reason"] == reason, "{end}");
        Ok(end)
    }

    /// The relay has the very game that was played, and so has the board: its lights say so, and go on saying it.
    pub(crate) fn is_kept(&mut self) -> Result<()> {
        let kept = self.club.game(&self.code)?;
        ensure!(kept.moves() == self.game.moves(), "kept {:?}, played {:?}", kept.moves(), self.game.moves());
        ensure!(kept.position() == self.game.position(), "{}", kept.position().fen());
        let scene = scenes::still(&self.game);
        self.panel().goes_on_showing("how it stands", scene, Duration::from_millis(500))?;
        self.club.relay.check()
    }

    /// Sets up the pieces after a game, plays the other colour, and begins again.
    pub(crate) fn once_more(&mut self) -> Result<()> {
        self.panel().set(Position::start().occupied())?;
        self.guest
            .hear("that the board would play again", |said| said["type"] == "offer" && said["kind"] == "rematch")?;
        self.guest.say(&json!({"type": "rematch", "action": "accept"}))?;
        self.us = !self.us;
        self.begin()?;
        self.is_still()
    }
}

/// All squares from the one behind the first to the last, in a straight line.
fn way(from: Square, to: Square) -> Vec<Square> {
    let step = |one: u8, other: u8| (other.cast_signed() - one.cast_signed()).signum();
    let files = step(from.file().index(), to.file().index());
    let ranks = step(from.rank().index(), to.rank().index());
    let mut way = Vec::new();
    let mut at = from;
    while at != to {
        at = Square::from_index(at.index().wrapping_add_signed(files + 8 * ranks));
        way.push(at);
    }
    way
}
