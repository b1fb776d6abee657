//! Compares the board's game with the meant one, answers its questions, and records faults.

use std::fmt::Write;

use board::{Stance, promotion_squares};
use chess::{Move, Position, Promotion, Square};
use rules::Ply;

use super::super::gesture::Promoting;
use super::super::oracle::{self, Change, Signals};
use super::super::tally::{Circumstances, Deed, DelayClass, Fault, FaultClass, Kind};
use super::{Divergence, GivenUp, Players, Response, SimulatedGame};
use crate::hand::scanned_board::in_words;

/// A move that is not read after this many milliseconds of rest counts as not read.
const TIMEOUT: u64 = 3000;

/// Questions that a player answers before looking for help.
const PATIENCE: u32 = 4;

impl SimulatedGame {
    /// Compares after every change of the board's game.
    pub(super) fn compare(&mut self) {
        if !self.compares {
            return;
        }
        let play = self.surface.play();
        let plies = play.sheet();
        let meant = self.meant.moves();
        let right = plies.iter().zip(meant).take_while(|(read, meant)| read == meant).count();
        if let Some(&wrong) = plies.get(right) {
            let ended = play.verdict().is_some();
            self.diverged.get_or_insert(Divergence { ply: Ply::of_move(wrong), index: right, ended });
            self.has_diverged = true;
            return;
        }
        if let Some(divergence) = self.diverged.take() {
            self.record(Kind::Corrected, Some(divergence), 1);
        }
        for index in self.right..right {
            let Some(&landed) = index.checked_sub(self.before.1).and_then(|index| self.landed.get(index)) else {
                continue;
            };
            let delay = self.table.now().saturating_sub(landed);
            // A move that waits for a choice, or for a piece that is not seen, rests later than it lands.
            let waits = self.deeds.has(&[Deed::OffCentre, Deed::Sleeve, Deed::OtherHand, Deed::EarlyOwn]);
            let single = self.landed.len() == 1 && !self.asked && !self.has_diverged && !waits;
            let class = match self.players {
                _ if !single => DelayClass::Disturbed,
                _ if self.deeds.has(&[Deed::Promoted]) => DelayClass::Promotion,
                _ if self.surface.play().verdict().is_some() => DelayClass::Ends,
                Players::Shared => DelayClass::Shared,
                Players::Alone(_) => DelayClass::Remote,
            };
            self.tally.delays.entry(class).or_default().add(delay);
        }
        self.right = right;
    }

    /// Waits until all motions are over and the board has read them, and answers its questions.
    pub(super) fn finish(&mut self) -> Result<(), GivenUp> {
        let mut moved_at = self.table.now();
        let mut answers = 0;
        let react = self.hands.habits.react.clone();
        let mut patience = self.hands.ms(&react);
        loop {
            self.tick();
            if self.is_lost {
                return Err(GivenUp);
            }
            let now = self.table.now();
            if !self.table.is_still() {
                moved_at = now;
                continue;
            }
            if self.is_right() {
                return Ok(());
            }
            if now - moved_at >= patience && answers < PATIENCE && self.answer() {
                answers += 1;
                patience = self.hands.ms(&react);
                moved_at = now;
            }
            if now - moved_at > TIMEOUT {
                break;
            }
        }
        self.asked = true;
        if self.diverged.is_some() {
            // What the board cannot see it cannot put right: that is seen when the piece is in reach of its switch.
            if self.is_out_of_reach() && self.centre() {
                return Ok(());
            }
            if self.is_lost {
                return Err(GivenUp);
            }
            self.record_divergence();
        } else {
            let unread = self.meant.moves().len().saturating_sub(self.surface.play().len()).max(1);
            let kind = if self.signals() == Signals::Sufficient && !self.is_out_of_reach() {
                Kind::Unread
            } else {
                Kind::Unreadable
            };
            self.record(kind, None, unread as u64);
        }
        self.get_help()
    }

    /// Whether the board has the game that is meant, and sees it.
    pub(super) fn is_right(&self) -> bool {
        self.diverged.is_none()
            && self.surface.play().sheet() == self.meant.moves()
            && self.stance() == Stance::Settled
            && self.surface.referee().occupied() == self.expected().occupied()
    }

    /// The position that the pieces should show.
    pub(super) fn expected(&self) -> Position {
        let before = self.to_repeat.and_then(|_| self.meant.before_last());
        before.unwrap_or(*self.meant.position())
    }

    /// Answers a question of the lights. Returns whether there was one that has an answer.
    pub(super) fn answer(&mut self) -> bool {
        let now = self.table.now();
        match self.stance() {
            Stance::Choosing { to } | Stance::Chosen { to, .. } => {
                let Some(Promoting { piece, .. }) = self.choosing.filter(|promoting| promoting.to == to) else {
                    return false;
                };
                let offered: Vec<Square> = promotion_squares(to).collect();
                let order = [Promotion::Queen, Promotion::Knight, Promotion::Rook, Promotion::Bishop];
                let Some(wanted) = order.iter().position(|choice| choice.role() == piece.role()) else { return false };
                if matches!(self.stance(), Stance::Chosen { square, .. } if square == offered[wanted]) {
                    return false;
                }
                let (straighten, second) = (self.hands.habits.straighten, self.hands.habits.second_choice);
                let shows_choice = matches!(self.stance(), Stance::Chosen { .. });
                if !self.is_hesitant && !shows_choice && self.random.happens(straighten) {
                    self.is_hesitant = true;
                    self.hands.adjust(&mut self.table, to, now);
                    return true;
                }
                let mut square = offered[wanted];
                if !self.is_hesitant && self.random.happens(second) {
                    self.is_hesitant = true;
                    square = offered[(wanted + 1) % offered.len()];
                }
                let landed = self.hands.choose(&mut self.table, to, square, now);
                if let Some(last) = self.landed.last_mut() {
                    *last = landed;
                }
                true
            }
            Stance::Asking(squares) => {
                let mut position = self.before.0;
                let mut captures = Vec::new();
                for &mv in self.made() {
                    let is_open = self.open().contains(&mv);
                    captures.extend(position.victim(mv).filter(|_| is_open).map(|_| mv.to()));
                    position = position.after(mv);
                }
                self.asked = true;
                self.deeds.add(Deed::Asked);
                let Some(&square) = captures.iter().find(|square| squares.has(**square)) else { return false };
                self.tally.asked += 1;
                self.hands.tap(&mut self.table, square, now);
                true
            }
            _ => false,
        }
    }

    /// The moves that were made on the board and are not known to be read.
    pub(super) fn made(&self) -> &[Move] {
        let moves = self.meant.moves();
        let end = moves.len() - usize::from(self.to_repeat.is_some());
        moves.get(self.before.1..end).unwrap_or_default()
    }

    /// The moves that were made and may not be read. While only the piece of the player's own move is missing, the move that was repeated
    /// before it is.
    pub(super) fn open(&self) -> &[Move] {
        let made = self.made();
        let [_, own] = made else { return made };
        let is_own = match self.stance() {
            Stance::InHand { missing } => missing == own.from().into(),
            // Only the player's own move is asked about.
            Stance::Asking(_) => true,
            _ => false,
        };
        if self.players != Players::Shared && is_own { std::slice::from_ref(own) } else { made }
    }

    fn signals(&self) -> Signals {
        oracle::judge(&self.before.0, &self.changes, self.debounce.occupied(), self.made())
    }

    fn is_out_of_reach(&self) -> bool {
        self.expected().occupied() != self.debounce.occupied()
    }

    /// A wrong move stays.
    pub(super) fn record_divergence(&mut self) {
        let divergence = self.diverged.take();
        self.record(Kind::Misread, divergence, 1);
    }

    fn record(&mut self, kind: Kind, divergence: Option<Divergence>, count: u64) {
        let meant = divergence.and_then(|divergence| self.meant.moves().get(divergence.index).copied());
        let wrong = divergence.map(|divergence| divergence.ply);
        let wrong_choice = wrong.zip(meant).is_some_and(|(wrong, meant)| Ply::of_move(meant).is_same_way(wrong));
        let circumstances = Circumstances {
            deeds: self.deeds,
            remote: self.players != Players::Shared,
            burst: self.landed.len(),
            signals: self.signals(),
            is_misread: divergence.is_some(),
            wrong_choice,
            ended: divergence.is_some_and(|divergence| divergence.ended),
            out_of_reach: self.is_out_of_reach(),
        };
        let class = circumstances.class();
        let text = match (wrong, meant) {
            (Some(wrong), Some(meant)) => format!("{meant} was read as {wrong}"),
            (Some(wrong), None) => format!("{wrong} was read, and not made"),
            _ => {
                let made: Vec<String> = self.made().iter().map(Move::to_string).collect();
                format!("{} not read", made.join(" "))
            }
        };
        self.fault(class, kind, &format!("{text}; {:?}", circumstances.signals), count);
    }

    /// Counts a fault and keeps what is needed to understand it.
    pub(super) fn fault(&mut self, class: FaultClass, kind: Kind, text: &str, count: u64) {
        let remote = self.players != Players::Shared;
        *self.tally.faults.entry((class, kind, remote)).or_default() += count;
        let what = format!("{}, {kind:?}: {text}", class.name());
        let mut log = format!("{}\n", self.before.0.fen());
        let made: Vec<String> = self.made().iter().map(Move::to_string).collect();
        _ = writeln!(log, "made {}, landed {:?}, {:?}", made.join(" "), self.landed, self.deeds.list());
        let change =
            |change: &Change| (change.at, format!("{}{}", change.square, if change.closed { '+' } else { '-' }));
        let response = |&(at, response): &(u64, Response)| match response {
            Response::Shows(stance) => (at, format!("  [{}]", in_words(stance))),
            Response::Sends(event) => (at, format!("  => {event:?}")),
        };
        let mut lines: Vec<(u64, String)> = self.changes.iter().map(change).collect();
        lines.extend(self.responses.iter().map(response));
        lines.sort_by_key(|(at, _)| *at);
        for (at, line) in lines {
            _ = writeln!(log, "{at:>9} {line}");
        }
        _ = writeln!(log, "{:>9}", self.table.now());
        let (game, style, players) = (self.number, self.style, self.players);
        self.tally.faults_seen.push(Fault { game, style, players, kind, what, log });
    }
}
