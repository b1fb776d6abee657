// Games of chezz clients: HTTP, cookies, bare moves, and the original's errors.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Cable } from "../harness/cable.js";
import { ChessataClient } from "../harness/chessata-client.js";
import { ChezzClient } from "../harness/chezz-client.js";
import { Relay } from "../harness/relay.js";

const TEST_TIMEOUT_MS = 60_000;
const START = "AAIADwQDAgUGAgMEAQEBAQEBAQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0NDQ0NDQ0NEA8OERIODxAA";

/**
 * @param {string} title
 * @param {(connect: () => ChezzClient, relay: Relay) => Promise<void>} run
 * @param {string[]} options of the relay
 */
function game(title, run, options = []) {
  test(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const relay = await Relay.start(...options);
    /** @type {ChezzClient[]} */
    const clients = [];
    try {
      await run(() => {
        const client = new ChezzClient(relay.url);
        clients.push(client);
        return client;
      }, relay);
      assert.deepEqual(relay.failures(), []);
    } finally {
      for (const client of clients) client.close();
      await relay.discard();
    }
  });
}

/**
 * @param {ChezzClient} white
 * @param {ChezzClient} black
 */
async function start(white, black) {
  const id = await white.create();
  assert.equal(await white.play(id), "white");
  assert.equal(await black.play(id), "black");
  await Promise.all([white.next("start"), black.next("start")]);
  return id;
}

/**
 * @param {ChezzClient[]} clients the mover first
 * @param {string} uci
 */
async function move([mover, ...others], uci) {
  mover?.send(uci);
  const message = await mover?.next("move");
  for (const other of others) assert.deepEqual(await other.next("move"), message);
  return message;
}

describe("chezz", { concurrency: 6 }, () => {
  game("a game is created, joined by the next session, and watched by others", async (connect) => {
    const [white, black, observer] = [connect(), connect(), connect()];
    const id = await white.create();
    assert.match(id, /^[1-9][0-9]*$/);
    const shown = await white.show(id);
    assert.deepEqual(
      { ...shown, whitePlayer: "" },
      { relation: "white", blackPlayer: "0", whitePlayer: "", gameId: id, board: START },
    );
    assert.match(shown.whitePlayer, /^[1-9][0-9]*$/);
    assert.equal((await black.show(id)).relation, "observer");
    assert.equal(await white.play(id), "white");
    assert.equal(await black.play(id), "black");
    assert.equal(await observer.play(id), "observer");
    assert.equal((await black.show(id)).relation, "black");
    assert.notEqual((await black.show(id)).blackPlayer, "0");
    await white.next("start");
    assert.deepEqual(await move([white, black, observer], "e2e4"), {
      type: "move",
      uci: "e2e4",
      mateStatus: "",
      isMate: false,
      enPassantCapture: "",
      checkedPlayer: 2,
    });
    observer.send("e7e5");
    assert.equal((await observer.next("error"))["code"], "INVALID_PIECE_SELECTED");
  });

  for (const value of ["true", "1", "yes"]) {
    game(`with is_black=${value} the creator is Black`, async (connect) => {
      const [black, white] = [connect(), connect()];
      const id = await black.create(`?is_black=${value}`);
      assert.equal(await black.play(id), "black");
      assert.equal(await white.play(id), "white");
    });
  }

  game("the session cookie is HttpOnly, lasts thirty days, and is Secure behind https", async (connect) => {
    const client = connect();
    const plain = await client.fetch("/game", { method: "POST" });
    assert.equal(plain.status, 201);
    assert.match(
      plain.headers.getSetCookie()[0] ?? "",
      /^session_id=[-_A-Za-z0-9]{20,}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const secure = await client.fetch("/game", { method: "POST", headers: { "x-forwarded-proto": "https" } });
    assert.match(secure.headers.getSetCookie()[0] ?? "", /; Secure$/);
  });

  game("promotion, en passant, check and mate are in the messages and in the state", async (connect, relay) => {
    const [white, black] = [connect(), connect()];
    const id = await start(white, black);
    for (const [mover, other, uci] of /** @type {const} */ ([
      [white, black, "e2e4"],
      [black, white, "a7a6"],
      [white, black, "e4e5"],
      [black, white, "d7d5"],
    ])) {
      await move([mover, other], uci);
    }
    assert.equal((await move([white, black], "e5d6"))?.["enPassantCapture"], "d5");
    await move([black, white], "a6a5");
    await move([white, black], "d6c7");
    await move([black, white], "a5a4");
    assert.equal((await move([white, black], "c7b8n"))?.["uci"], "c7b8N");
    await move([black, white], "e7e6");
    const check = await move([white, black], "f1b5");
    assert.deepEqual([check?.["checkedPlayer"], check?.["isMate"]], [1, false]);
    const state = Buffer.from((await white.show(id)).board, "base64");
    assert.deepEqual(state, Buffer.from(await (await fetch(`${relay.url}/games/${id}.bin`)).arrayBuffer()));
  });

  game("mate ends the game, and further moves are refused", async (connect) => {
    const [white, black] = [connect(), connect()];
    await start(white, black);
    await move([white, black], "f2f3");
    await move([black, white], "e7e5");
    await move([white, black], "g2g4");
    const mate = await move([black, white], "d8h4");
    assert.deepEqual([mate?.["mateStatus"], mate?.["isMate"], mate?.["checkedPlayer"]], ["#", true, 0]);
    assert.deepEqual(await white.next("end"), { type: "end", result: "0-1", reason: "checkmate" });
    white.send("a2a3");
    assert.equal((await white.next("error"))["code"], "CHECKMATE");
  });

  game("a finished game stays as it is, for its players and for others", async (connect) => {
    const [white, black, other] = [connect(), connect(), connect()];
    const id = await start(white, black);
    for (const [mover, waiting, uci] of /** @type {const} */ ([[white, black, "f2f3"], [black, white, "e7e5"], [white, black, "g2g4"], [black, white, "d8h4"]])) {
      await move([mover, waiting], uci);
    }
    const end = { type: "end", result: "0-1", reason: "checkmate" };
    assert.deepEqual(await white.next("end"), end);
    const shown = await white.show(id);
    assert.equal(shown.relation, "white");
    white.close();
    black.close();
    assert.equal(await other.play(id), "observer");
    assert.deepEqual(await other.next("end"), end);
    other.send("a2a3");
    assert.equal((await other.next("error"))["code"], "CHECKMATE");
    assert.equal(await white.play(id), "white");
    assert.deepEqual(await white.next("end"), end);
    white.send("a2a3");
    assert.equal((await white.next("error"))["code"], "CHECKMATE");
    assert.deepEqual(await white.show(id), shown);
    assert.deepEqual({ ...(await other.show(id)), relation: "white" }, shown);
  });

  game("a game whose room is closed can be looked at, and every move is refused", async (connect, relay) => {
    const id = await connect().create();
    // The seats of players without a cookie are free as soon as they leave.
    const opened = await (await fetch(`${relay.url}/games`, { method: "POST" })).json();
    const players = [];
    for (const name of ["anna", "bert"]) {
      const player = new ChessataClient(relay.url, name, opened.code);
      await player.connect();
      players.push(player);
    }
    for (const player of players) while (!player.color || !player.fen) await player.inbox.next(() => true, "message");
    const mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    for (const [at, uci] of mate.entries()) {
      const player = players.find(({ color }) => color === (at % 2 === 0 ? "white" : "black")) ?? assert.fail();
      const before = player.fen;
      player.send({ type: "move", start: uci.slice(0, 2), end: uci.slice(2, 4) });
      for (const each of players) while (each.fen === before) await each.inbox.next(() => true, "message");
    }
    for (const player of players) player.send({ type: "leave" });
    const observer = connect();
    for (;;) {
      assert.equal(await observer.play(opened.code), "observer");
      const { white, black } = await observer.next("presence");
      if (!white && !black) break;
    }
    assert.deepEqual(await observer.next("end"), { type: "end", result: "0-1", reason: "checkmate" });
    for (const [text, code] of /** @type {const} */ ([["a2a3", "CHECKMATE"], ["resign", "GAME_OVER"], ["hello", "UNPARSEABLE_MOVE"]])) {
      observer.send(text);
      assert.equal((await observer.next("error"))["code"], code, text);
    }
    assert.notEqual((await observer.show(opened.code)).whitePlayer, "0");
    assert.equal((await observer.show(id)).blackPlayer, "0");
  });

  game("clock and abort have messages of their own", async (connect, relay) => {
    const clock = { base_ms: 60_000, increment_ms: 0 };
    const opened = await (await fetch(`${relay.url}/games`, { method: "POST", body: JSON.stringify({ clock }) })).json();
    const [white, black] = [connect(), new ChessataClient(relay.url, "bert", opened.code)];
    try {
      assert.equal(await white.play(opened.code), "white");
      await black.connect();
      await white.next("start");
      assert.deepEqual(await white.next("clock"), { type: "clock", white: 60_000, black: 60_000, running: 2 });
      white.send("e2e4");
      await white.next("move");
      const { running, black: left } = await white.next("clock");
      assert.deepEqual([running, Number(left) <= 60_000], [1, true]);
      white.send("abort");
      assert.deepEqual(await white.next("end"), { type: "end", result: "*", reason: "aborted" });
    } finally {
      black.close();
    }
  });

  game("every refused move is answered with the original's code", async (connect) => {
    const [white, black] = [connect(), connect()];
    await start(white, black);
    const refused = async (/** @type {ChezzClient} */ client, /** @type {string | Buffer} */ text) => {
      client.send(text);
      return (await client.next("error"))["code"];
    };
    for (const text of ["", "x", "e2", "e2e9", "e2e4k", "{}", "é2e4", "e2e4 e7e5", "e".repeat(5000), Buffer.from("e2e4")]) {
      assert.equal(await refused(white, text), "UNPARSEABLE_MOVE", String(text).slice(0, 20));
    }
    assert.equal(await refused(black, "e7e5"), "NOT_YOUR_TURN");
    assert.equal(await refused(white, "e7e5"), "INVALID_PIECE_SELECTED");
    assert.equal(await refused(white, "e4e5"), "INVALID_PIECE_SELECTED");
    assert.equal(await refused(white, "a1a2"), "INVALID_POSITION");
    assert.equal(await refused(white, "a1a1"), "INVALID_POSITION");
    assert.equal(await refused(white, "e2e5"), "MOVE_NOT_ALLOWED");
    assert.equal(await refused(white, "e2e4q"), "MOVE_NOT_ALLOWED");
    await move([white, black], "e2e4");
    await move([black, white], "e7e5");
    await move([white, black], "d1h5");
    assert.equal(await refused(black, "f7f6"), "MOVE_IN_CHECK");
    await move([black, white], "b8c6");
    await move([white, black], "h5e5");
    assert.equal(await refused(black, "a7a6"), "MOVE_IN_CHECK");
  });

  game("a pawn on the last rank needs a promotion", async (connect, relay) => {
    const response = await fetch(`${relay.url}/games`, {
      method: "POST",
      body: JSON.stringify({ start: "7k/P7/8/8/8/8/8/K7 w - - 0 1" }),
    });
    const { code } = await response.json();
    const [white, black] = [connect(), connect()];
    assert.equal(await white.play(code), "white");
    assert.equal(await black.play(code), "black");
    await white.next("start");
    white.send("a7a8");
    assert.equal((await white.next("error"))["code"], "MOVE_MISSING_PROMOTION");
    assert.equal((await move([white, black], "a7a8Q"))?.["checkedPlayer"], 1);
  });

  game("draws, resignation and presence have messages of their own", async (connect) => {
    const [white, black] = [connect(), connect()];
    const id = await start(white, black);
    await move([white, black], "e2e4");
    white.send("draw");
    assert.deepEqual(await black.next("draw_offer"), { type: "draw_offer", player: 0 });
    black.send("decline");
    await white.next("draw_declined");
    black.close();
    for (;;) {
      if ((await white.next("presence"))["black"] === false) break;
    }
    assert.equal(await black.play(id), "black");
    for (;;) {
      if ((await white.next("presence"))["black"] === true) break;
    }
    await move([black, white], "e7e5");
    white.send("resign");
    assert.deepEqual(await black.next("end"), { type: "end", result: "0-1", reason: "resignation" });
  });

  game("a player whose connection breaks without a close frame has the grace period to come back", async (connect, relay) => {
    const cable = await Cable.to(relay.url);
    const [white, black] = [connect(), connect()];
    try {
      white.url = cable.url;
      const id = await start(white, black);
      await move([white, black], "e2e4");
      cable.pull();
      cable.plug();
      for (;;) {
        if ((await black.next("presence"))["white"] === false) break;
      }
      black.send("e7e5");
      await black.next("move");
      assert.equal(await white.play(id), "white");
      await move([white, black], "g1f3");
      assert.deepEqual([white, black].flatMap(({ unread }) => unread.filter((type) => type === "end")), []);
    } finally {
      await cable.discard();
    }
  });

  for (const end of /** @type {const} */ (["stop", "kill"])) {
    game(`a game continues after the ${end} of its relay`, async (connect, relay) => {
      const [white, black] = [connect(), connect()];
      const id = await start(white, black);
      await move([white, black], "e2e4");
      const { board } = await white.show(id);
      await relay[end]();
      await relay.restart();
      assert.equal(await white.play(id), "white");
      assert.equal(await black.play(id), "black");
      assert.equal((await black.show(id)).board, board);
      await move([black, white], "e7e5");
      await move([white, black], "g1f3");
    });
  }

  game("unknown games are not found", async (connect) => {
    const client = connect();
    for (const [path, id] of [
      ["/game/17", "17"],
      ["/play/17", "17"],
      ["/game/no%20code", "no code"],
      // It is not UTF-8.
      ["/game/%ff", "\ufffd"],
      ["/play/%ff", "\ufffd"],
    ]) {
      const response = await client.fetch(path ?? "");
      assert.equal(response.status, 404);
      assert.deepEqual(await response.json(), {
        message: `Game with id '${id}' was not found or could not be recovered.`,
        code: 404,
      });
    }
  });

  game(
    "only the allowed origin may use cookies from another site",
    async (connect) => {
      const client = connect();
      const create = (/** @type {string} */ origin) => client.fetch("/game", { method: "POST", headers: { origin } });
      const allowed = await create("https://front-end.example");
      assert.equal(allowed.status, 201);
      assert.equal(allowed.headers.get("access-control-allow-origin"), "https://front-end.example");
      assert.equal(allowed.headers.get("access-control-allow-credentials"), "true");
      const foreign = await create("https://elsewhere.example");
      assert.equal(foreign.status, 403);
      assert.equal(foreign.headers.get("access-control-allow-origin"), null);
      // Browsers ask before a request that a form could not send.
      const ask = (/** @type {string} */ origin) =>
        client.fetch("/game", { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
      const asked = await ask("https://front-end.example");
      assert.equal(asked.ok, true);
      assert.equal(asked.headers.get("access-control-allow-origin"), "https://front-end.example");
      assert.equal(asked.headers.get("access-control-allow-credentials"), "true");
      assert.match(asked.headers.get("access-control-allow-methods") ?? "", /POST/);
      assert.equal((await ask("https://elsewhere.example")).headers.get("access-control-allow-origin"), null);
    },
    ["--allowed-domain=https://front-end.example"],
  );
});
