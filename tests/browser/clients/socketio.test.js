// Games over Socket.IO with npm's socket.io-client 4 and 3: every event of docs/protocol.md.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Cable } from "../harness/cable.js";
import { RawClient } from "../harness/raw-client.js";
import { Relay } from "../harness/relay.js";
import { SilentClient } from "../harness/silent-client.js";
import { SocketIoClient, index } from "../harness/socketio-client.js";

const TEST_TIMEOUT_MS = 120_000;

/** The relay counts the five seconds itself. */
const COUNTDOWN_MS = 4_900;

/** Nested deeper than serde_json reads. */
const DEEP = 200;

/**
 * @param {string} title
 * @param {(relay: Relay, connect: (options?: ConstructorParameters<typeof SocketIoClient>[1]) => SocketIoClient) => Promise<void>} run
 * @param {string[]} options of the relay
 */
function game(title, run, options = []) {
  test(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const relay = await Relay.start(...options);
    /** @type {SocketIoClient[]} */
    const clients = [];
    try {
      await run(relay, (clientOptions) => {
        const client = new SocketIoClient(relay.url, clientOptions);
        clients.push(client);
        return client;
      });
      assert.deepEqual(relay.failures(), []);
    } finally {
      for (const client of clients) client.close();
      await relay.discard();
    }
  });
}

/**
 * Starts a game as the document describes it, and returns White and Black.
 *
 * @param {SocketIoClient} creator
 * @param {SocketIoClient} joiner
 */
async function start(creator, joiner) {
  creator.emit("roomCreate");
  const [gameId] = await creator.next("getGameId");
  joiner.emit("roomJoin", gameId);
  assert.deepEqual(await joiner.next("getGameId"), [gameId]);
  await Promise.all([creator.next("startCountDown"), joiner.next("startCountDown")]);
  creator.emit("coutdownFinished", gameId);
  joiner.emit("coutdownFinished", gameId);
  const [colors] = await Promise.all([
    Promise.all([creator.next("playerColor"), joiner.next("playerColor")]),
  ]);
  const [first, second] = colors.map(([color]) => color);
  assert.deepEqual([first, second].toSorted(), [0, 1]);
  for (const client of [creator, joiner]) {
    assert.deepEqual(await client.next("startGame"), ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]);
  }
  return first === 0 ? { white: creator, black: joiner } : { white: joiner, black: creator };
}

/**
 * Starts a game from a position; the room is opened over HTTP.
 *
 * @param {Relay} relay
 * @param {string} fen
 * @param {SocketIoClient} one
 * @param {SocketIoClient} other
 */
async function startAt(relay, fen, one, other) {
  const response = await fetch(`${relay.url}/games`, { method: "POST", body: JSON.stringify({ start: fen }) });
  const { code } = await response.json();
  one.emit("roomJoin", code);
  await one.next("getGameId");
  other.emit("roomJoin", code);
  const [[color]] = await Promise.all([one.next("playerColor"), other.next("playerColor")]);
  await Promise.all([one.next("startGame"), other.next("startGame")]);
  return color === 0 ? { white: one, black: other } : { white: other, black: one };
}

// Most of the time is spent in countdowns, so the games run at the same time.
describe("Socket.IO", { concurrency: 6 }, () => {
  for (const version of /** @type {const} */ ([4, 3])) {
    for (const transports of [["polling", "websocket"], ["polling"], ["websocket"]]) {
      game(`version ${version} over ${transports.join(" and ")} plays a game to mate`, async (_, connect) => {
        const { white, black } = await start(connect({ version, transports }), connect({ version, transports }));
        await white.move("f2f3");
        assert.match(String((await black.next("boardUpdated"))[0]), / b KQkq /);
        await black.move("e7e5");
        await white.next("boardUpdated");
        await white.move("g2g4");
        await black.next("boardUpdated");
        await black.move("d8h4");
        assert.deepEqual(await white.next("victory"), [1]);
        assert.deepEqual(await black.next("victory"), [1]);
        assert.deepEqual(await black.next("gameOver"), ["0-1", "checkmate"]);
      });
    }
  }

  game("the countdown of five seconds starts one game, however many clients report its end", async (_, connect) => {
    const [creator, joiner] = [connect(), connect({ version: 3 })];
    creator.emit("roomCreate");
    const [gameId] = await creator.next("getGameId");
    // The countdown begins later: a busy machine makes the time that is measured longer, never shorter.
    const before = performance.now();
    joiner.emit("roomJoin", gameId);
    await Promise.all([creator.next("startCountDown"), joiner.next("startCountDown")]);
    for (let times = 0; times < 5; times += 1) {
      creator.emit("coutdownFinished", gameId);
      joiner.emit("coutdownFinished", gameId, "again");
    }
    const [color] = await creator.next("playerColor");
    await creator.next("startGame");
    assert.ok(performance.now() - before >= COUNTDOWN_MS, "the clients have ended the countdown");
    await joiner.next("startGame");
    const [white, black] = color === 0 ? [creator, joiner] : [joiner, creator];
    await white.move("e2e4");
    await black.next("boardUpdated");
    assert.deepEqual([creator.unread, joiner.unread], [[], []]);
  });

  game("squares are numbers or strings; moves that are illegal or malformed are invalid", async (_, connect) => {
    const { white, black } = await start(connect(), connect());
    const id = white.gameId;
    const wrong = [
      [id, index("e2"), index("e5")],
      [id, index("e7"), index("e5")],
      [id, index("e4"), index("e5")],
      [id, "x", {}],
      [id, -1, 64],
      [id, null, undefined],
      [id],
      [],
      [null, 52, 36],
      [{}, 52, 36],
      ["AAAAAAAA22", 52, 36],
      [id, 52.5, 36],
      [id, [52], [36]],
      [id, Buffer.from([52]), 36],
      [id, "52".repeat(1000), 36],
      [id, "5".repeat(50_000), 36],
      [id, true, 36],
      [true, 52, 36],
      [id, 52, JSON.parse(`${"[".repeat(DEEP)}36${"]".repeat(DEEP)}`)],
      [id, "\ud800", 36],
      ["\ud800", 52, 36],
    ];
    for (const args of wrong) {
      white.emit("makeMove", ...args);
      assert.deepEqual(await white.next("invalidMove"), [], JSON.stringify(args));
    }
    black.emit("makeMove", id, index("e7"), index("e5"));
    await black.next("invalidMove");
    for (const args of [[id, "Q"], [id, 1], [id], [], [null, null], [id, {}]]) {
      white.emit("promotePawn", ...args);
      await white.next("errorPawnPromotion");
    }
    for (const letter of [true, "\ud800", [[["Q"]]]]) {
      white.emit("promotePawn", id, letter);
      await white.next("errorPawnPromotion");
    }
    white.emit("no such event", 1, 2, 3);
    white.emit("makeMove", id, String(index("e2")), String(index("e4")));
    assert.match(String((await white.next("boardUpdated"))[0]), /^rnbqkbnr\/pppppppp\/8\/8\/4P3\//);
    assert.ok(white.isConnected && black.isConnected);
  });

  game("arguments that no client of npm can send are malformed as well", async (relay) => {
    const deep = "[".repeat(DEEP) + "]".repeat(DEEP);
    const raw = await RawClient.connect(relay.url);
    try {
      for (const [event, answer] of [["makeMove", "invalidMove"], ["promotePawn", "errorPawnPromotion"]]) {
        for (const argument of ["1e999", "-1e999", String.raw`"\ud800"`, String.raw`"\udc00\ud800"`, deep, "true", "null"]) {
          raw.send(`42["${event}","G",${argument},36]`);
          assert.equal(await raw.next(), `42["${answer}"]`, `${event} ${argument}`);
        }
      }
      raw.send('42["roomCreate"]');
      assert.match(await raw.next(), /^42\["getGameId",/);
    } finally {
      raw.close();
    }
  });

  game("a promotion takes two events, and no other move is accepted between them", async (relay, connect) => {
    const { white, black } = await startAt(relay, "7k/P7/7K/8/8/8/8/8 w - - 0 1", connect(), connect({ version: 3 }));
    white.emit("makeMove", white.gameId, index("a7"), index("a8"));
    for (const client of [white, black]) {
      assert.deepEqual(await client.next("boardUpdated"), ["P6k/8/7K/8/8/8/8/8 w - - 0 1"]);
      assert.deepEqual(await client.next("startPawnPromotion"), [0]);
    }
    white.emit("makeMove", white.gameId, index("h6"), index("g6"));
    await white.next("errorPawnPromotion");
    black.emit("makeMove", white.gameId, index("h8"), index("g8"));
    await black.next("errorPawnPromotion");
    for (const letter of ["q", "K", "P", "x", "QQ"]) {
      white.emit("promotePawn", white.gameId, letter);
      await white.next("errorPawnPromotion");
    }
    black.emit("promotePawn", white.gameId, "q");
    await black.next("errorPawnPromotion");
    white.emit("promotePawn", white.gameId, "Q");
    for (const client of [white, black]) {
      assert.deepEqual(await client.next("boardUpdated"), ["Q6k/8/7K/8/8/8/8/8 b - - 0 1"]);
    }
    await white.next("successPawnPromotion");
    assert.deepEqual(await white.next("victory"), [0]);
    assert.deepEqual(await black.next("victory"), [0]);
    assert.ok(!black.unread.includes("successPawnPromotion"));
    const record = await (await fetch(`${relay.url}/games/${white.gameId}.pgn`)).text();
    assert.match(record, /a8=Q#/);
  });

  game("every connection of a player is told of a pending promotion, and can choose", async (relay, connect) => {
    const { white, black } = await startAt(relay, "7k/P7/8/8/8/8/8/K7 w - - 0 1", connect(), connect());
    const second = connect();
    second.emit("reJoin", white.gameId, white.token);
    await second.next("reJoinSuccess");
    white.emit("makeMove", white.gameId, index("a7"), index("a8"));
    for (const client of [white, second, black]) assert.deepEqual(await client.next("startPawnPromotion"), [0]);
    // So is one that connects only now.
    const late = connect();
    late.emit("reJoin", white.gameId, white.token);
    assert.deepEqual(await late.next("startPawnPromotion"), [0]);
    late.emit("makeMove", white.gameId, index("a1"), index("b1"));
    await late.next("errorPawnPromotion");
    late.close();
    second.emit("makeMove", second.gameId, index("a1"), index("b1"));
    await second.next("errorPawnPromotion");
    second.emit("promotePawn", second.gameId, "R");
    for (const client of [white, second, black]) {
      assert.deepEqual(await client.next("boardUpdated"), ["R6k/8/8/8/8/8/8/K7 b - - 0 1"]);
    }
    await second.next("successPawnPromotion");
    assert.deepEqual([white.unread, black.unread], [[], []]);
  });

  game("stalemate by promotion and insufficient material are draws", async (relay, connect) => {
    const one = await startAt(relay, "8/k1P5/2K5/8/8/8/8/8 w - - 0 1", connect(), connect());
    one.white.emit("makeMove", one.white.gameId, index("c7"), index("c8"));
    await one.white.next("startPawnPromotion");
    one.white.emit("promotePawn", one.white.gameId, "Q");
    for (const client of [one.white, one.black]) assert.deepEqual(await client.next("draw"), []);

    const other = await startAt(relay, "8/8/8/4k3/8/8/1p6/K7 w - - 0 1", connect(), connect());
    await other.white.move("a1b2");
    await other.black.next("draw");
    assert.deepEqual(await other.black.next("gameOver"), ["1/2-1/2", "insufficient_material"]);
  });

  game("draws are offered, declined and agreed, and a player resigns", async (_, connect) => {
    const { white, black } = await start(connect(), connect());
    await white.move("e2e4");
    await black.next("boardUpdated");
    white.emit("offerDraw", white.gameId);
    assert.deepEqual(await black.next("drawOffered"), [0]);
    black.emit("declineDraw", black.gameId);
    await white.next("drawDeclined");
    black.emit("acceptDraw", black.gameId);
    assert.equal((await black.next("refused"))[0], "acceptDraw");
    await black.move("e7e5");
    await white.next("boardUpdated");
    black.emit("offerDraw", black.gameId);
    await white.next("drawOffered");
    white.emit("acceptDraw", white.gameId);
    await Promise.all([white.next("draw"), black.next("draw")]);

    const second = await start(connect(), connect());
    await second.white.move("e2e4");
    await second.black.next("boardUpdated");
    second.white.emit("resign", second.white.gameId);
    assert.deepEqual(await second.black.next("victory"), [1]);
  });

  game("unknown and full rooms are refused", async (_, connect) => {
    const { white } = await start(connect(), connect());
    const third = connect();
    third.emit("roomJoin", white.gameId);
    assert.deepEqual(await third.next("roomFull"), []);
    assert.equal((await third.first()).event, "refused");
    for (const id of ["NOSUCHROOM", 17, null, {}, [], "", "a b"]) {
      third.emit("roomJoin", id);
      assert.deepEqual(await third.next("invalidRoomId"), []);
      const { event, args } = await third.first();
      assert.deepEqual([event, args[0]], ["refused", "roomJoin"], JSON.stringify(id));
    }
    third.emit("reJoin", white.gameId, "a wrong token");
    await third.next("invalidRoomId");
  });

  game("events are answered in their order", async (_, connect) => {
    const client = connect({ transports: ["polling"] });
    // Sent in one packet. A client may be in eight rooms.
    for (let times = 0; times < 9; times += 1) client.emit("roomCreate");
    for (let times = 0; times < 8; times += 1) {
      assert.equal((await client.first()).event, "getGameId");
      assert.equal((await client.first()).event, "seatToken");
    }
    assert.equal((await client.first()).event, "refused");
  });

  game("a game under other rules is refused, also with the token of its seat", async (relay, connect) => {
    const body = JSON.stringify({ rules: "genome", name: "Ann", color: "white" });
    const opened = await (await fetch(`${relay.url}/games`, { method: "POST", body })).json();
    const client = connect();
    for (const [event, ...rest] of [["roomJoin"], ["reJoin", opened.token]]) {
      client.emit(event ?? "", opened.code, ...rest);
      assert.equal((await client.first()).event, "invalidRoomId");
      assert.deepEqual(await client.next("refused"), [event, "the rules of that game are genome, not chess"]);
    }
  });

  game("rooms and moves count against what an address may store in a day", async (relay, connect) => {
    const { white, black } = await start(connect(), connect());
    let status = 201;
    while (status === 201) ({ status } = await fetch(`${relay.url}/game`, { method: "POST" }));
    assert.equal(status, 429);
    const third = connect();
    third.emit("roomCreate");
    assert.equal((await third.next("refused"))[0], "roomCreate");
    // What is left of the limit is not enough for a room, but may be enough for a few moves.
    let [mover, other] = [white, black];
    for (const move of ["g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8"]) {
      mover.emit("makeMove", mover.gameId, index(move.slice(0, 2)), index(move.slice(2)));
      const { event } = await mover.first();
      if (event === "invalidMove") return;
      assert.equal(event, "boardUpdated");
      await other.next("boardUpdated");
      [mover, other] = [other, mover];
    }
    assert.fail("moves are stored without limit");
  }, ["--store-per-day=1"]);

  game("a player who disconnects in the countdown stops it, and one who returns in time keeps the seat", async (_, connect) => {
    const [creator, joiner] = [connect(), connect()];
    creator.emit("roomCreate");
    const [gameId] = await creator.next("getGameId");
    joiner.emit("roomJoin", gameId);
    await Promise.all([creator.next("startCountDown"), joiner.next("startCountDown")]);
    const { token } = joiner;
    joiner.close();
    await creator.next("endCountDownDisconnect");
    const again = connect();
    again.emit("reJoin", gameId, token);
    await again.next("reJoinSuccess");
    await Promise.all([creator.next("startCountDown"), again.next("startCountDown")]);
    const [[color]] = await Promise.all([creator.next("playerColor"), again.next("startGame")]);
    const [white, black] = color === 0 ? [creator, again] : [again, creator];
    await white.move("e2e4");
    const [fen] = await black.next("boardUpdated");

    black.close();
    await white.next("playerDisconnect");
    const back = connect({ version: 3 });
    back.emit("reJoin", gameId, black === again ? token : creator.token);
    assert.deepEqual(await back.next("reJoinSuccess"), [1, fen]);
    await white.next("playerJoined");
    await back.move("e7e5");
    await white.next("boardUpdated");
  });

  game("a player whose connection breaks without a close frame has the grace period to come back", async (relay, connect) => {
    const cable = await Cable.to(relay.url);
    try {
      const remote = new SocketIoClient(cable.url, { transports: ["websocket"] });
      const near = connect();
      const { white } = await start(remote, near);
      const { gameId, token } = remote;
      cable.pull();
      cable.plug();
      await near.next("playerDisconnect");
      const back = connect();
      back.emit("reJoin", gameId, token);
      const [color] = await back.next("reJoinSuccess");
      assert.equal(color, white === remote ? 0 : 1);
      await near.next("playerJoined");
      const [first, second] = white === remote ? [back, near] : [near, back];
      await first.move("e2e4");
      await second.next("boardUpdated");
      assert.deepEqual(near.unread.filter((event) => event.startsWith("endGame")), []);
    } finally {
      await cable.discard();
    }
  });

  for (const transport of ["polling", "websocket"]) {
    game(`clients over ${transport} connect again by themselves when the relay was stopped or killed in mid-game`, async (relay, connect) => {
      const options = { transports: [transport], reconnection: true };
      const { white, black } = await start(connect(options), connect({ ...options, version: 3 }));
      let [mover, other] = [white, black];
      let fen = "";
      for (const [move, end] of /** @type {const} */ ([["e2e4", "stop"], ["e7e5", "kill"], ["g1f3", "stop"]])) {
        fen = await mover.move(move);
        await other.next("boardUpdated");
        const reconnected = Promise.all([white.reconnected(), black.reconnected()]);
        await relay[end]();
        await relay.restart();
        await reconnected;
        for (const [player, client] of [white, black].entries()) {
          client.emit("reJoin", client.gameId, client.token);
          assert.deepEqual(await client.next("reJoinSuccess"), [player, fen]);
        }
        [mover, other] = [other, mover];
      }
      await mover.move("b8c6");
      await other.next("boardUpdated");
      assert.deepEqual(relay.log.filter((line) => line.includes("shutdown timeout")), []);
    });
  }

  game("a client that does not read loses its seat, gets nothing after the first lost event, and is disconnected", async (relay, connect) => {
    const { code } = await (await fetch(`${relay.url}/games`, { method: "POST" })).json();
    const reader = connect();
    reader.emit("roomJoin", code);
    await reader.next("getGameId");
    const silent = await SilentClient.connect(relay.url);
    await silent.emit("roomJoin", code);
    const [color] = await reader.next("playerColor");
    await reader.next("startGame");
    // Not quite as many answers as the relay keeps for a client.
    for (let times = 0; times < 110; times += 1) await silent.emit("makeMove");
    const moves = [..."abcdefgh"].flatMap((file) => [`${file}2${file}3`, `${file}7${file}6`]);
    let updates = 0;
    for (const [at, move] of moves.entries()) {
      const args = [code, index(move.slice(0, 2)), index(move.slice(2))];
      if (at % 2 === color) reader.emit("makeMove", ...args);
      else await silent.emit("makeMove", ...args);
      const { event } = await reader.first();
      if (event === "playerDisconnect") break;
      assert.equal(event, "boardUpdated");
      updates += 1;
      assert.ok(updates < moves.length, "the client keeps its seat");
    }
    const received = await silent.readAll();
    assert.equal(received.at(-1), "41");
    const read = received.filter((packet) => packet.startsWith('42["boardUpdated"')).length;
    assert.ok(0 < read && read < updates, `${read} of ${updates}`);
  });

  game(
    "a player who does not return ends the game",
    async (_, connect) => {
      const { white, black } = await start(connect(), connect());
      await white.move("e2e4");
      await black.next("boardUpdated");
      await black.move("e7e5");
      await white.next("boardUpdated");
      black.close();
      await white.next("playerDisconnect");
      await white.next("endGameDisconnect");
    },
    ["--grace=1"],
  );
});
