//! Somebody who does not read.

use std::time::Duration;

use serde_json::json;

use crate::house::House;

/// The others play on as if nothing were, and who does not take what is sent is let go in the end.
#[tokio::test]
async fn who_does_not_read_holds_nobody_up() {
    let house = House::patient();
    let [mut white, mut black] = house.players("?extras=1").await;
    let mut deaf = house.client("/ws/api/sam/game/?extras=1").await;
    deaf.hear_until("watching").await;
    white.hear_until("watching").await;
    black.hear_until("watching").await;
    // Each round is several kilobytes that nobody takes from the third connection.
    let flood = async {
        loop {
            white.say(json!({"type": "move", "san": "e4"})).await;
            if white.hear_word_of(&deaf.id).await {
                return;
            }
            white.say(json!({"type": "takeback", "action": "ask"})).await;
            black.hear_until("offer").await;
            black.say(json!({"type": "takeback", "action": "accept"})).await;
            if white.hear_word_of(&deaf.id).await {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_mins(3), flood).await.expect("the deaf one is let go");
}
