import assert from "node:assert/strict";
import { test } from "node:test";

import { GAME, MIRRORED } from "../harness/contest.js";
import { LocalPosition } from "../harness/local-position.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

test("a local position reads the moves of a game, with castling, en passant and promotion", () => {
  for (const game of [GAME, MIRRORED]) {
    let position = new LocalPosition(START);
    for (const [uci, san, fen] of game) {
      const plain = san.replace(" e.p.", "");
      assert.equal(position.read(plain), uci);
      assert.equal(position.san(uci), plain);
      position = position.play(uci);
      assert.equal(position.fen, fen);
    }
  }
});

test("a local position knows all legal moves", () => {
  /** @type {(position: LocalPosition, plies: number) => number} */
  const count = (position, plies) =>
    plies === 0 ? 1 : position.legal().reduce((sum, move) => sum + count(position.play(move), plies - 1), 0);
  for (const [fen, plies, expected] of /** @type {const} */ ([
    [START, 3, 8902],
    ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039],
    ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812],
    ["r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, 264],
  ])) {
    assert.equal(count(new LocalPosition(fen), plies), expected, fen);
  }
});

test("a move that two pieces can make names the one, and a move into check is no move", () => {
  const two = new LocalPosition("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
  assert.deepEqual([two.read("Rd1"), two.read("Rad1"), two.read("Rf1+")], ["a1d1", null, "h1f1"]);
  const many = new LocalPosition("4k3/8/8/Q6Q/8/8/8/3QK3 w - - 0 1");
  assert.deepEqual([many.san("a5d5"), many.san("h5d5"), many.san("d1d5")], ["Qad5", "Qhd5", "Qdd5"]);
  const pinned = new LocalPosition("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1");
  assert.deepEqual([pinned.read("Nc3"), pinned.read("Kd1")], [null, "e1d1"]);
});
