use std::ptr;

use super::table::{Table, White};
use crate::room::Terms;

/// A room is copied for every entry of its log, and the game is by far its largest part.
#[test]
fn only_a_change_of_the_game_copies_it() {
    let mut table = Table::set(Terms::default());
    let another = Table::set(Terms::default());
    assert!(ptr::eq(table.room.game(), another.room.game()), "games without a move are one");
    table.plays("e2e4");
    let room = table.room.clone();
    table.says("good luck").unwrap();
    table.goes(White);
    assert!(ptr::eq(table.room.game(), room.game()));
    table.plays("e7e5");
    assert!(!ptr::eq(table.room.game(), room.game()));
    assert_eq!(room.game().len(), 1);
}
