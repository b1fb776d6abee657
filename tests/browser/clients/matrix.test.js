// Every two kinds of clients play a game with each other: both castlings, en passant, an under-promotion, and a player who reconnects in the
// middle. Then both clients show the same position, and both relays and a relay that is started after the game have the same state bytes.

import assert from "node:assert/strict";

import { CONTESTANTS, softwareBoard } from "../harness/contestants.js";
import { play } from "../harness/play.js";
import { Redis } from "../harness/redis.js";
import { Relay } from "../harness/relay.js";

/** The moves, each with the position after it. */
const GAME = /** @type {const} */ ([
  ["e2e4", "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"],
  ["g8f6", "Nf6", "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"],
  ["e4e5", "e5", "rnbqkb1r/pppppppp/5n2/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"],
  ["d7d5", "d5", "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"],
  ["e5d6", "exd6 e.p.", "rnbqkb1r/ppp1pppp/3P1n2/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"],
  ["g7g6", "g6", "rnbqkb1r/ppp1pp1p/3P1np1/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 4"],
  ["d6c7", "dxc7", "rnbqkb1r/ppP1pp1p/5np1/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 4"],
  ["f8g7", "Bg7", "rnbqk2r/ppP1ppbp/5np1/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 1 5"],
  ["c7b8n", "cxb8=N", "rNbqk2r/pp2ppbp/5np1/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 5"],
  ["a8b8", "Rxb8", "1rbqk2r/pp2ppbp/5np1/8/8/8/PPPP1PPP/RNBQKBNR w KQk - 0 6"],
  ["d2d4", "d4", "1rbqk2r/pp2ppbp/5np1/8/3P4/8/PPP2PPP/RNBQKBNR b KQk - 0 6"],
  ["e8g8", "O-O", "1rbq1rk1/pp2ppbp/5np1/8/3P4/8/PPP2PPP/RNBQKBNR w KQ - 1 7"],
  ["c1e3", "Be3", "1rbq1rk1/pp2ppbp/5np1/8/3P4/4B3/PPP2PPP/RN1QKBNR b KQ - 2 7"],
  ["b7b6", "b6", "1rbq1rk1/p3ppbp/1p3np1/8/3P4/4B3/PPP2PPP/RN1QKBNR w KQ - 0 8"],
  ["b1c3", "Nc3", "1rbq1rk1/p3ppbp/1p3np1/8/3P4/2N1B3/PPP2PPP/R2QKBNR b KQ - 1 8"],
  ["c8b7", "Bb7", "1r1q1rk1/pb2ppbp/1p3np1/8/3P4/2N1B3/PPP2PPP/R2QKBNR w KQ - 2 9"],
  ["d1d2", "Qd2", "1r1q1rk1/pb2ppbp/1p3np1/8/3P4/2N1B3/PPPQ1PPP/R3KBNR b KQ - 3 9"],
  ["a7a6", "a6", "1r1q1rk1/1b2ppbp/pp3np1/8/3P4/2N1B3/PPPQ1PPP/R3KBNR w KQ - 0 10"],
  ["e1c1", "O-O-O", "1r1q1rk1/1b2ppbp/pp3np1/8/3P4/2N1B3/PPPQ1PPP/2KR1BNR b - - 1 10"],
]);

/** The player who did not make this move reconnects after it. */
const RECONNECT_AFTER = 9;

const KINDS = Object.keys(CONTESTANTS);
const PAIRS = [
  ...KINDS.flatMap((one, at) => KINDS.slice(at).map((other) => [one, other])),
  ...KINDS.map((kind) => ["board", kind]),
  ["board", "board"],
];

/**
 * @param {import("../harness/play.js").Environment["window"]} window
 * @param {readonly Relay[]} relays the first for one player, the last for the other
 * @param {readonly string[]} pair
 * @param {string[]} store the options of the relays' store
 * @param {() => Promise<Relay>} fresh a relay that was started after the game, on the same store
 */
async function contest(window, relays, [one = "", other = ""], store, fresh) {
  const [here, there] = [relays[0]?.url ?? "", relays.at(-1)?.url ?? ""];
  let code;
  /** @type {import("../harness/contestants.js").Contestant[]} */
  const contestants = [];
  try {
    if (one === "board") {
      const board = await softwareBoard(here, relays[0]?.folder ?? "", store);
      contestants.push(board.contestant);
      code = board.code;
    } else {
      const response = await fetch(`${here}/games`, { method: "POST" });
      ({ code } = await response.json());
      contestants.push(await CONTESTANTS[one]?.({ url: here, code, window }) ?? assert.fail(one));
    }
    if (other === "board") {
      const board = await softwareBoard(there, relays.at(-1)?.folder ?? "", store, code);
      contestants.push(board.contestant);
    } else {
      contestants.push(await CONTESTANTS[other]?.({ url: there, code, window }) ?? assert.fail(other));
    }
    const [first, second] = contestants;
    if (!first || !second) return;
    const side = await first.started();
    await second.started();
    let [mover, waiting] = side === "white" ? [first, second] : [second, first];
    for (const [at, [uci, san, fen]] of GAME.entries()) {
      // A hand has to know which piece it takes off.
      const isBoard = (mover === first ? one : other) === "board";
      await mover.make({ uci, san: isBoard ? san : san.replace(" e.p.", "") });
      await waiting.sees(fen, { uci, san });
      if (at === RECONNECT_AFTER) await waiting.reconnect(fen);
      [mover, waiting] = [waiting, mover];
    }
    const [, , last] = GAME.at(-1) ?? assert.fail();
    for (const contestant of contestants) await contestant.shows(last);
    /** @type {Buffer[]} */
    const states = [];
    for (const relay of [...relays, await fresh()]) {
      const { fen } = await (await fetch(`${relay.url}/games/${code}.json`)).json();
      assert.equal(fen, last);
      states.push(Buffer.from(await (await fetch(`${relay.url}/games/${code}.bin`)).arrayBuffer()));
    }
    const { board } = await (await fetch(`${there}/game/${code}`)).json();
    states.push(Buffer.from(board, "base64"));
    for (const state of states) assert.deepEqual(state, states[0]);
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}

for (const pair of PAIRS) {
  play(`${pair.join(" against ")}, on one relay`, async ({ relay, window }) => {
    await contest(window, [relay], pair, ["--data", `${relay.folder}/data`], async () => {
      await relay.restart();
      return relay;
    });
  });
}

play("every two kinds of clients, each player at a relay of its own, on one Redis", async ({ window }) => {
  const redis = await Redis.start();
  const store = ["--redis-host", "127.0.0.1", "--redis-port", String(redis.port)];
  /** @type {Relay[]} */
  const relays = [];
  try {
    relays.push(await Relay.start(...store), await Relay.start(...store));
    for (const pair of PAIRS) {
      await contest(window, relays.slice(0, 2), pair, store, async () => {
        const relay = await Relay.start(...store);
        relays.push(relay);
        return relay;
      });
    }
    assert.deepEqual(relays.flatMap((relay) => relay.failures()), []);
  } finally {
    for (const relay of relays) await relay.discard();
    await redis.stop();
  }
});
