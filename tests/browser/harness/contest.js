// A game of two kinds of clients: both castlings, en passant, an under-promotion, and each player reconnects in the middle. Then both clients show the same position, and both relays and a relay that is started after the game have the same state
// bytes, with the castling rights and the moves of the game.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";

import { CONTESTANTS, softwareBoard } from "./contestants.js";

/** The moves, each with the position after it. White takes en passant, promotes and castles to the queen's side, Black to the king's. */
export const GAME = /** @type {const} */ ([
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

/** The same with the colours swapped. */
export const MIRRORED = /** @type {const} */ ([
  ["h2h3", "h3", "rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR b KQkq - 0 1"],
  ["e7e5", "e5", "rnbqkbnr/pppp1ppp/8/4p3/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 2"],
  ["g1f3", "Nf3", "rnbqkbnr/pppp1ppp/8/4p3/8/5N1P/PPPPPPP1/RNBQKB1R b KQkq - 1 2"],
  ["e5e4", "e4", "rnbqkbnr/pppp1ppp/8/8/4p3/5N1P/PPPPPPP1/RNBQKB1R w KQkq - 0 3"],
  ["d2d4", "d4", "rnbqkbnr/pppp1ppp/8/8/3Pp3/5N1P/PPP1PPP1/RNBQKB1R b KQkq d3 0 3"],
  ["e4d3", "exd3 e.p.", "rnbqkbnr/pppp1ppp/8/8/8/3p1N1P/PPP1PPP1/RNBQKB1R w KQkq - 0 4"],
  ["g2g3", "g3", "rnbqkbnr/pppp1ppp/8/8/8/3p1NPP/PPP1PP2/RNBQKB1R b KQkq - 0 4"],
  ["d3c2", "dxc2", "rnbqkbnr/pppp1ppp/8/8/8/5NPP/PPp1PP2/RNBQKB1R w KQkq - 0 5"],
  ["f1g2", "Bg2", "rnbqkbnr/pppp1ppp/8/8/8/5NPP/PPp1PPB1/RNBQK2R b KQkq - 1 5"],
  ["c2b1n", "cxb1=N", "rnbqkbnr/pppp1ppp/8/8/8/5NPP/PP2PPB1/RnBQK2R w KQkq - 0 6"],
  ["a1b1", "Rxb1", "rnbqkbnr/pppp1ppp/8/8/8/5NPP/PP2PPB1/1RBQK2R b Kkq - 0 6"],
  ["d7d5", "d5", "rnbqkbnr/ppp2ppp/8/3p4/8/5NPP/PP2PPB1/1RBQK2R w Kkq - 0 7"],
  ["e1g1", "O-O", "rnbqkbnr/ppp2ppp/8/3p4/8/5NPP/PP2PPB1/1RBQ1RK1 b kq - 1 7"],
  ["c8e6", "Be6", "rn1qkbnr/ppp2ppp/4b3/3p4/8/5NPP/PP2PPB1/1RBQ1RK1 w kq - 2 8"],
  ["b2b3", "b3", "rn1qkbnr/ppp2ppp/4b3/3p4/8/1P3NPP/P3PPB1/1RBQ1RK1 b kq - 0 8"],
  ["b8c6", "Nc6", "r2qkbnr/ppp2ppp/2n1b3/3p4/8/1P3NPP/P3PPB1/1RBQ1RK1 w kq - 1 9"],
  ["c1b2", "Bb2", "r2qkbnr/ppp2ppp/2n1b3/3p4/8/1P3NPP/PB2PPB1/1R1Q1RK1 b kq - 2 9"],
  ["d8d7", "Qd7", "r3kbnr/pppq1ppp/2n1b3/3p4/8/1P3NPP/PB2PPB1/1R1Q1RK1 w kq - 3 10"],
  ["a2a3", "a3", "r3kbnr/pppq1ppp/2n1b3/3p4/8/PP3NPP/1B2PPB1/1R1Q1RK1 b kq - 0 10"],
  ["e8c8", "O-O-O", "2kr1bnr/pppq1ppp/2n1b3/3p4/8/PP3NPP/1B2PPB1/1R1Q1RK1 w - - 1 11"],
]);

/** The player who did not make these moves reconnects after them: one move of each side. */
const RECONNECT_AFTER = [9, 14];

const KINDS = Object.keys(CONTESTANTS);
export const PAIRS = [
  ...KINDS.flatMap((one, at) => KINDS.slice(at).map((other) => [one, other])),
  ...KINDS.map((kind) => ["board", kind]),
  ["board", "board"],
];

/**
 * What the documented state says.
 *
 * @param {Buffer} state
 * @returns {Promise<{ fen: string, history: string[] }>}
 */
async function decoded(state) {
  const program = spawn(process.env["TABIYA_PROGRAM"] ?? "", ["layout", "decode", state.toString("hex")]);
  return JSON.parse((await program.stdout.toArray()).join(""));
}

/**
 * @param {readonly (readonly [uci: string, san: string, fen: string])[]} game
 * @param {import("./play.js").Environment["window"]} window
 * @param {readonly import("./relay.js").Relay[]} relays the first for one player, the last for the other
 * @param {readonly string[]} pair
 * @param {string[]} store the options of the relays' store
 * @param {() => Promise<import("./relay.js").Relay>} fresh a relay that was started after the game, on the same store
 */
export async function contest(game, window, relays, [one = "", other = ""], store, fresh) {
  const [here, there] = [relays[0]?.url ?? "", relays.at(-1)?.url ?? ""];
  let code;
  /** @type {import("./contestants.js").Contestant[]} */
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
    for (const [at, [uci, san, fen]] of game.entries()) {
      // A hand has to know which piece it takes off.
      const isBoard = (mover === first ? one : other) === "board";
      await mover.make({ uci, san: isBoard ? san : san.replace(" e.p.", "") });
      await waiting.sees(fen, { uci, san });
      if (RECONNECT_AFTER.includes(at)) {
        // A client comes back through the other relay.
        await waiting.reconnect(fen, waiting === first ? there : here);
        const { board } = await (await fetch(`${here}/game/${code}`)).json();
        assert.equal((await decoded(Buffer.from(board, "base64"))).fen, fen);
      }
      [mover, waiting] = [waiting, mover];
    }
    const [, , last] = game.at(-1) ?? assert.fail();
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
    const { fen, history } = await decoded(states[0] ?? assert.fail());
    assert.deepEqual([fen, history], [last, game.map(([uci]) => uci)]);
  } finally {
    for (const contestant of contestants) await contestant.close();
  }
}
