//! The behaviours of a simulated hand.

/// Defines the enum and the names in a report.
macro_rules! behaviours {
    ($($(#[$doc:meta])* $behaviour:ident: $name:literal,)*) => {
        /// A way to make a move, or an accident during it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Behaviour { $($(#[$doc])* $behaviour),* }

        impl Behaviour {
            /// All behaviours.
            pub const ALL: &[Self] = &[$(Self::$behaviour),*];

            /// The name in a report.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$behaviour => $name),* }
            }
        }
    };
}

behaviours! {
    /// A piece is adjusted before the move.
    PutBack: "put back",
    /// A capture is begun, thought about, and given up; another move follows.
    SecondThoughts: "second thoughts",
    /// A piece is held in the air for long.
    Hesitation: "hesitation",
    /// A piece slides over the squares between.
    Slide: "slide",
    /// It pauses on one of them, for less than the rest.
    PausedSlide: "paused slide",
    /// It comes to rest on one of them, and then goes on.
    RestedOnTheWay: "rested on the way",
    /// A piece is carried so low that some squares on its way notice.
    LowCarry: "low carry",
    /// A piece is put on a square that it may not go to, and then on another.
    WrongSquare: "wrong square",
    /// A piece takes what it may not take, and all is put back.
    IllegalCapture: "illegal capture",
    /// The piece that is taken is lifted first.
    VictimFirst: "victim first",
    /// The piece that takes is lifted first.
    OwnPieceFirst: "own piece first",
    /// Both are lifted at once.
    TwoHands: "two hands",
    /// The piece that takes pushes the other off its square.
    PushedOff: "pushed off",
    /// The same, but no switch notices.
    PushedUnseen: "pushed off unseen",
    /// The piece that was taken is carried off the board so low that squares notice.
    CarriedOffLow: "carried off low",
    /// A pawn is taken in passing.
    EnPassant: "en passant",
    /// Castling, the king first.
    KingFirst: "castling, king first",
    /// Castling, the rook first.
    RookFirst: "castling, rook first",
    /// Castling with both hands.
    BothAtOnce: "castling, both at once",
    /// Castling, the rook so much first that it has moved.
    LateKing: "castling, late king",
    /// A pawn becomes something.
    Promotion: "promotion",
    /// The pawn itself touches the square that says what it becomes.
    ChosenWithThePawn: "chosen with the pawn",
    /// A piece tips when it is taken hold of.
    LiftWobble: "wobble at the lift",
    /// A piece rocks when it is put down.
    LandingWobble: "wobble at the landing",
    /// A piece is put right in the middle of its square after it was put down.
    Centred: "centred afterwards",
    /// A piece beside the hand wobbles.
    NeighbourWobble: "neighbour wobbles",
    /// A piece beside the hand is knocked off its switch, and put right later.
    Knock: "neighbour knocked",
    /// A piece beside the hand is knocked onto another square, and put right later.
    KnockedAside: "neighbour knocked aside",
    /// The other player adjusts a piece meanwhile.
    OtherHand: "other hand adjusts",
    /// The other player begins the answer before the board has read the move.
    EarlyAnswer: "early answer",
    /// The other player lifts a piece for it even before the move has landed.
    LiftedBeforeLanding: "lifted before the landing",
    /// The last move is taken back.
    TakeBack: "takeback",
    /// Another move than the one that is shown is made first, and undone.
    WrongRepeat: "wrong move repeated",
    /// The kings are put in the centre.
    KingsInTheCentre: "kings in the centre",
    /// All pieces are set up again.
    SetUp: "set up again",
}
