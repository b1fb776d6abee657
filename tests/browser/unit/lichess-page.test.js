import assert from "node:assert/strict";
import { test } from "node:test";

import { LichessGame, LichessPage, START } from "../harness/lichess-page.js";

/** A page in a game that the player has begun with the mouse: e4 and e5 are at lichess, and not on the board yet. */
async function behind() {
  const game = new LichessGame("white");
  const page = new LichessPage("");
  await page.receive({ response: "feed", id: 1, param: { board: START }, time: 0 });
  const setUp = page.play(game);
  await page.receive({ response: "call", id: 3, param: null, time: 0 });
  await setUp;
  game.plays("e2e4");
  game.plays("e7e5");
  /** @param {string[]} san */
  const list = (...san) => page.receive({ response: "feed", id: 1, param: { san }, time: 0 });
  return { game, page, list };
}

// That is why the relay sends moves one by one.
test("lichess loses a move that comes while two others are in quarantine", async () => {
  const { game, page, list } = await behind();
  await Promise.all([list("e4", "e5"), new Promise((resolve) => setTimeout(resolve, 100)).then(() => list("e4", "e5", "Nf3"))]);
  assert.deepEqual(game.posted, ["e2e4"]);
  assert.deepEqual(page.complaints, ["e4 e5 Nf3 was dropped after the quarantine"]);
});

test("lichess processes moves that come one by one", async () => {
  const { game, page, list } = await behind();
  await Promise.all([list("e4"), list("e4", "e5"), list("e4", "e5", "Nf3"), list("e4", "e5", "Nf3")]);
  assert.deepEqual([game.posted, page.complaints], [["e2e4", "g1f3"], []]);
});

test("lichess takes a list from before its set-up for new moves, and sends them", async () => {
  const { game, page, list } = await behind();
  await list("d4");
  await list("d4", "Nf6");
  assert.deepEqual([game.posted, page.complaints], [["d2d4"], ["Nf6 is not the opponent's move"]]);
});
