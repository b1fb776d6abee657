//! A game between an emulated board and a JSON player through a relay.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use board::Meaning;
use chess::{Bitboard, Color, Game, Move, Position, Square};
use serde_json::{Value, json};
use tests::emulated::EmulatedBoard;
use tests::json_player::JsonPlayer;
use tests::panel::Panel;
use tests::parts;
use tests::relay_fixture::{Pairing, RelayFixture};

use tests::scenes;

/// The name of the board.
pub(crate) const BOARD: &str = "Kitchen";

/// The order of touches with which a hand makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveStyle {
    /// The captured piece first, then the capturing one; the king before the rook.
    Usual,
    /// The capturing piece is lifted first, then the captured one.
    OwnPieceFirst,
    /// Both pieces are lifted at the same moment.
    TwoHands,
    /// The piece slides over all squares between, and pushes the captured piece off.
    Slide,
    /// The rook before the king.
    RookFirst,
    /// En passant: the captured pawn leaves last.
    VictimLast,
}

/// A game with its relay, board and remote opponent.
pub(crate) struct GameFixture {
    pub(crate) relay_fixture: RelayFixture,
    pub(crate) board: EmulatedBoard,
    pub(crate) guest: JsonPlayer,
    pub(crate) code: String,
    pub(crate) game: Box<Game>,
    /// The side of the player at the board.
    pub(crate) us: Color,
}

/// The code of a room that a player opens.
const ROOM: &str = "visit";

/// A relay, and a board with power that may not be connected to it yet.
pub(crate) struct ConnectingBoard {
    relay_fixture: RelayFixture,
    pub(crate) board: EmulatedBoard,
    code: String,
    us: Color,
}

impl ConnectingBoard {
    /// Starts both, and waits for the network of the board; `None` if a part is missing.
    pub(crate) fn power_up(
        us: Color,
        panel: Panel,
        configure: impl FnOnce(EmulatedBoard, SocketAddr, &str) -> EmulatedBoard,
    ) -> Result<Option<Self>> {
        let (Some(image), Some(relay_fixture)) = (parts::mps2_image(), RelayFixture::start()?) else { return Ok(None) };
        let Pairing { key, code } = relay_fixture.pair(BOARD)?;
        let mut board =
            configure(EmulatedBoard::new(&image, panel)?.argument("hints=on"), relay_fixture.relay.address(), &key);
        board.power_up()?;
        board.log()?.wait_for("network up, address 10.0.2.15/24")?;
        Ok(Some(Self { relay_fixture, board, code, us }))
    }

    /// Challenges the board as soon as it is connected, and waits until both sides have the game.
    pub(crate) fn challenge(self) -> Result<GameFixture> {
        let Self { relay_fixture, board, code, us } = self;
        let join = |code: &str, side| JsonPlayer::join(relay_fixture.relay.address(), "vera", code, side);
        let (code, guest) = match us {
            Color::White => {
                let guest = join(&code, "color=black")?;
                (code, guest)
            }
            // Under its own code a board has White. So it is invited to the room of a player who has White.
            Color::Black => {
                let guest = join(ROOM, "color=white")?;
                relay_fixture.wait_until_online(BOARD)?;
                relay_fixture.relay.command(&["boards", "play", BOARD, ROOM])?;
                (ROOM.to_owned(), guest)
            }
        };
        let mut fixture = GameFixture { relay_fixture, board, guest, code, game: Box::new(Game::new()), us };
        fixture.begin()?;
        Ok(fixture)
    }
}

impl GameFixture {
    /// Starts a game in which the board has this side; `None` if a part is missing.
    pub(crate) fn start(us: Color) -> Result<Option<Self>> {
        Self::start_with_board(us, Panel::new()?, |board| board)
    }

    /// The same with these pieces and a modified board.
    pub(crate) fn start_with_board(
        us: Color,
        panel: Panel,
        special: impl FnOnce(EmulatedBoard) -> EmulatedBoard,
    ) -> Result<Option<Self>> {
        Self::start_with_relay(us, panel, |board, relay, key| special(board.at(relay, key)))
    }

    /// The same; `configure` configures the relay address and the key of the board.
    pub(crate) fn start_with_relay(
        us: Color,
        panel: Panel,
        configure: impl FnOnce(EmulatedBoard, SocketAddr, &str) -> EmulatedBoard,
    ) -> Result<Option<Self>> {
        let Some(board) = ConnectingBoard::power_up(us, panel, configure)? else { return Ok(None) };
        let mut fixture = board.challenge()?;
        fixture.agree_to_hints()?;
        Ok(Some(fixture))
    }

    /// The remote player agrees to hints. The board agrees by its settings.
    pub(crate) fn agree_to_hints(&mut self) -> Result<()> {
        self.guest.agree_to_hints()?;
        let is_agreed = |said: &Value| said["type"] == "hints" && said["agreed"] == true;
        self.guest.receive("that hints are agreed on", is_agreed).map(drop)
    }

    /// Waits until both sides have a new game.
    pub(crate) fn begin(&mut self) -> Result<()> {
        let color = if self.us == Color::White { "black" } else { "white" };
        let start = self.guest.receive_type("start")?;
        ensure!(start["color"] == color, "{start}");
        self.board.log()?.wait_for("game snapshot received, 0 plies")?;
        self.game.restart(Position::start());
        Ok(())
    }

    pub(crate) fn panel(&self) -> &Panel {
        &self.board.panel
    }

    /// Waits until the lights show the still board.
    pub(crate) fn wait_until_still(&self) -> Result<()> {
        self.panel().wait_for_scene("a still board", scenes::still(&self.game)).map(drop)
    }

    /// Makes a move by hand, and waits until the remote player has received it.
    pub(crate) fn play_at_board(&mut self, text: &str, style: MoveStyle) -> Result<()> {
        self.make_move(text, style).with_context(|| format!("{text}, {style:?}"))?;
        self.expect_move(text)
    }

    /// Waits until the remote player has received this move of the board.
    pub(crate) fn expect_move(&mut self, text: &str) -> Result<()> {
        let state = self.guest.wait_for_ply(self.game.moves().len() + 1)?;
        ensure!(state["last_move"]["uci"] == text, "{text} was made, and {} arrived", state["last_move"]);
        self.game.play(text.parse()?)?;
        self.wait_until_still().with_context(|| format!("after {text}"))
    }

    /// Makes a move by hand, checking the lights at each step.
    pub(crate) fn make_move(&self, text: &str, style: MoveStyle) -> Result<()> {
        self.wait_until_still()?;
        let (position, mv) = self.read(text)?;
        match (position.castling_rook(mv), position.victim(mv)) {
            (Some(rook), _) => self.castle(mv, rook, style),
            (None, None) => self.go(mv, style),
            (None, Some(victim)) if victim == mv.to() => self.take(mv, style),
            (None, Some(victim)) => self.capture_en_passant(mv, victim, style),
        }?;
        match mv.promotion() {
            None => Ok(()),
            Some(promotion) => {
                let panel = self.panel();
                panel.wait_for_scene("what the pawn can become", scenes::choosing(&self.game, mv.to()))?;
                self.tap(scenes::promotion_square(mv.to(), promotion).context("there are four")?)
            }
        }
    }

    fn read(&self, text: &str) -> Result<(Position, Move)> {
        let (position, mv) = (*self.game.position(), text.parse()?);
        ensure!(position.is_legal(mv), "{text} is not legal");
        Ok((position, mv))
    }

    /// Touches a square: its piece is lifted and put back, or a piece is put there and removed.
    pub(crate) fn tap(&self, square: Square) -> Result<()> {
        let (panel, before) = (self.panel(), self.panel().occupied());
        panel.pause()?;
        panel.set(before ^ Bitboard::of(square))?;
        panel.pause()?;
        panel.set(before)
    }

    /// Lifts pieces, and waits until the lights show their targets.
    pub(crate) fn pick_up(&self, squares: &[Square]) -> Result<()> {
        let before = self.panel().occupied();
        self.panel().set(before.without(squares.iter().copied().collect()))?;
        self.panel().wait_for_scene("where it can go", scenes::in_hand(&self.game, &self.in_the_air()))?;
        self.panel().pause()
    }

    fn in_the_air(&self) -> Vec<Square> {
        self.game.position().occupied().without(self.panel().occupied()).squares().collect()
    }

    fn go(&self, mv: Move, style: MoveStyle) -> Result<()> {
        if style == MoveStyle::Slide {
            self.slide(mv)
        } else {
            self.pick_up(&[mv.from()])?;
            self.panel().place(mv.to())
        }
    }

    /// Slides a piece over all squares to its target.
    fn slide(&self, mv: Move) -> Result<()> {
        let (mut at, panel) = (mv.from(), self.panel());
        for next in way(mv.from(), mv.to()) {
            // Between two squares, and between two pieces, no switch is closed for a moment.
            panel.set(panel.occupied().without(Bitboard::of(at) | next.into()))?;
            panel.place(next)?;
            at = next;
        }
        Ok(())
    }

    fn take(&self, mv: Move, style: MoveStyle) -> Result<()> {
        match style {
            MoveStyle::Slide => return self.slide(mv),
            MoveStyle::OwnPieceFirst => {
                self.pick_up(&[mv.from()])?;
                self.pick_up(&[mv.to()])?;
            }
            MoveStyle::TwoHands => self.pick_up(&[mv.from(), mv.to()])?,
            _ => {
                self.pick_up(&[mv.to()])?;
                self.pick_up(&[mv.from()])?;
            }
        }
        self.panel().place(mv.to())
    }

    fn capture_en_passant(&self, mv: Move, victim: Square, style: MoveStyle) -> Result<()> {
        match style {
            MoveStyle::VictimLast => {
                self.pick_up(&[mv.from()])?;
                self.panel().place(mv.to())?;
                let scene = scenes::half_done(&self.game, &[victim], &[]);
                self.panel().wait_for_scene("what was taken", scene)?;
                self.panel().lift(victim)
            }
            MoveStyle::OwnPieceFirst => {
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

    fn castle(&self, mv: Move, (from, to): (Square, Square), style: MoveStyle) -> Result<()> {
        let panel = self.panel();
        if style == MoveStyle::RookFirst {
            self.pick_up(&[from])?;
            panel.place(to)?;
            // The rook's move counts by itself unless the king follows.
            let arriving = scenes::still(&self.game).with(Meaning::Settling, Bitboard::of(to));
            panel.wait_for_scene("that the rook may be all", arriving)?;
            panel.lift(mv.from())?;
            panel.pause()?;
            return panel.place(mv.to());
        }
        self.pick_up(&[mv.from()])?;
        panel.place(mv.to())?;
        panel.wait_for_scene("the rook's way", scenes::half_done(&self.game, &[from], &[to]))?;
        panel.lift(from)?;
        panel.wait_for_scene("where the rook goes", scenes::half_done(&self.game, &[], &[to]))?;
        panel.place(to)
    }

    /// The remote player makes a move; the lights show it, and the hand repeats it on the board.
    pub(crate) fn play_remotely(&mut self, text: &str) -> Result<()> {
        let (position, mv) = self.announce_remotely(text)?;
        self.follow(&position, mv).with_context(|| format!("following {text}"))
    }

    /// The remote player makes a move, and the lights show it.
    pub(crate) fn announce_remotely(&mut self, text: &str) -> Result<(Position, Move)> {
        let (position, mv) = self.read(text)?;
        let ply = self.game.moves().len();
        self.guest.play(text, ply)?;
        self.guest.wait_for_ply(ply + 1)?;
        self.game.play(mv)?;
        let scene = scenes::opponents(&position, mv, &self.game);
        self.panel().wait_for_scene("the other player's move", scene).with_context(|| text.to_owned())?;
        Ok((position, mv))
    }

    /// Repeats on the board a move that the game has already.
    pub(crate) fn follow(&self, position: &Position, mv: Move) -> Result<()> {
        let panel = self.panel();
        if let Some(victim) = position.victim(mv) {
            panel.lift(victim)?;
            panel.pause()?;
        }
        panel.move_piece(mv.from(), mv.to())?;
        if let Some((from, to)) = position.castling_rook(mv) {
            panel.move_piece(from, to)?;
        }
        self.wait_until_still()
    }

    /// Puts the kings on these centre squares.
    pub(crate) fn show_kings(&self, white: Square, black: Square) -> Result<()> {
        let (panel, position) = (self.panel(), self.game.position());
        self.wait_until_still()?;
        for color in Color::ALL {
            panel.lift(position.king(color))?;
            panel.pause()?;
        }
        panel.place(white)?;
        panel.pause()?;
        panel.place(black)?;
        let kings = Bitboard::of(white) | Bitboard::of(black);
        let settling = scenes::still(&self.game).with(Meaning::Settling, kings);
        panel.wait_for_scene("that the kings are seen", settling).map(drop)
    }

    /// Waits until the remote player receives this result.
    pub(crate) fn expect_end(&mut self, result: &str, reason: &str) -> Result<Value> {
        let end = self.guest.receive_type("end_of_game")?;
        ensure!(end["result"] == result && end["reason"] == reason, "{end}");
        Ok(end)
    }

    /// Compares the stored game with the played one, and checks that the lights keep showing it.
    pub(crate) fn check_stored_game(&mut self) -> Result<()> {
        let kept = self.relay_fixture.game(&self.code)?;
        ensure!(kept.moves() == self.game.moves(), "kept {:?}, played {:?}", kept.moves(), self.game.moves());
        ensure!(kept.position() == self.game.position(), "{}", kept.position().fen());
        let scene = match self.kings_in_centre() {
            Some((white, black)) => scenes::kings_in_centre(&self.game, white, black),
            None => scenes::still(&self.game),
        };
        self.panel().holds_scene_for("how it stands", scene, Duration::from_millis(500))?;
        self.relay_fixture.relay.check()
    }

    /// The centre squares on which the kings show the result, if they do: that in White's half, and that in Black's.
    fn kings_in_centre(&self) -> Option<(Square, Square)> {
        let added = self.panel().occupied().without(self.game.position().occupied());
        let find = |squares: [Square; 2]| squares.into_iter().find(|square| added.has(*square));
        Some((find([Square::D4, Square::E4])?, find([Square::D5, Square::E5])?))
    }

    /// Sets up the pieces, which offers a rematch; the opponent accepts, and colours are swapped.
    pub(crate) fn rematch(&mut self) -> Result<()> {
        self.panel().set(Position::start().occupied())?;
        self.guest
            .receive("that the board would play again", |said| said["type"] == "offer" && said["kind"] == "rematch")?;
        self.guest.send(&json!({"type": "rematch", "action": "accept"}))?;
        self.us = !self.us;
        self.begin()?;
        self.wait_until_still()
    }
}

/// The squares of a straight line, without the first.
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
