// One player of each kind of client, behind one interface, so that any two can play each other.

import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { ChessataClient } from "./chessata-client.js";
import { ChezzClient } from "./chezz-client.js";
import { PanelClient } from "./panel-client.js";
import { Player } from "./player.js";
import { SocketIoClient, index } from "./socketio-client.js";

/**
 * @typedef {object} Place
 * @property {string} url of the relay that this player uses
 * @property {string} code of the room
 * @property {(options?: import("playwright-core").BrowserContextOptions) => Promise<import("playwright-core").Page>} window
 */

/** @typedef {{ uci: string, san: string }} Move */

/**
 * @typedef {object} Contestant
 * @property {() => Promise<"white" | "black">} started waits for the game, and returns the side
 * @property {(move: Move) => Promise<void>} make
 * @property {(fen: string, move: Move) => Promise<void>} sees waits for the position after the opponent's move
 * @property {(fen: string, url: string) => Promise<void>} reconnect through this relay; the page and the board keep their own
 * @property {(fen: string) => Promise<void>} shows waits until this player's own view is this position
 * @property {() => void | Promise<void>} close
 */

/** @type {Record<string, (place: Place) => Promise<Contestant>>} */
export const CONTESTANTS = {
  async chessata({ url, code }) {
    const client = new ChessataClient(url, "anna", code);
    await client.connect();
    const until = async (/** @type {() => boolean} */ isIt) => {
      while (!isIt()) await client.inbox.next(() => true, "message");
    };
    return {
      async started() {
        await until(() => client.color !== null);
        return client.color === "white" ? "white" : "black";
      },
      async make({ uci }) {
        const before = client.fen;
        const promotion = uci[4];
        client.send({ type: "move", start: uci.slice(0, 2), end: uci.slice(2, 4), ...(promotion && { promotion }) });
        await until(() => client.fen !== before);
      },
      sees: (fen) => until(() => client.fen === fen),
      async reconnect(fen, other) {
        client.fen = "";
        client.url = other;
        await client.connect();
        await until(() => client.fen === fen);
      },
      shows: (fen) => until(() => client.fen === fen),
      close: () => client.close(),
    };
  },

  async socketio({ url, code }) {
    let client = new SocketIoClient(url);
    client.emit("roomJoin", code, "sio");
    await client.next("getGameId");
    let fen = "";
    const update = async () => (fen = String((await client.next("boardUpdated"))[0]));
    return {
      async started() {
        const [color] = await client.next("playerColor");
        return color === 0 ? "white" : "black";
      },
      async make({ uci }) {
        client.emit("makeMove", code, index(uci.slice(0, 2)), index(uci.slice(2, 4)));
        if (uci[4]) {
          const [player] = await client.next("startPawnPromotion");
          client.emit("promotePawn", code, player === 0 ? uci[4].toUpperCase() : uci[4]);
        }
        await update();
      },
      async sees(expected) {
        while (fen !== expected) await update();
      },
      async reconnect(expected, other) {
        const { token } = client;
        client.close();
        client = new SocketIoClient(other);
        client.token = token;
        client.emit("reJoin", code, token);
        const [, back] = await client.next("reJoinSuccess");
        if (back !== expected) throw new Error(`${back} after the return, not ${expected}`);
        fen = expected;
      },
      async shows(expected) {
        while (fen !== expected) await update();
      },
      close: () => client.close(),
    };
  },

  async chezz({ url, code }) {
    const client = new ChezzClient(url);
    const relation = await client.play(code);
    return {
      async started() {
        await client.next("start");
        return relation === "white" ? "white" : "black";
      },
      async make({ uci }) {
        client.send(uci);
        await client.next("move");
      },
      async sees(_fen, { uci }) {
        const { uci: made } = await client.next("move");
        if (String(made).toLowerCase() !== uci) throw new Error(`${made}, not ${uci}`);
      },
      async reconnect(_fen, other) {
        client.url = other;
        if ((await client.play(code)) !== relation) throw new Error("the session has lost its seat");
      },
      async shows(fen) {
        const { board } = await client.show(code);
        const decoded = spawn(PROGRAM, ["layout", "decode", Buffer.from(board, "base64").toString("hex")]);
        const shown = JSON.parse((await decoded.stdout.toArray()).join("")).fen;
        if (shown !== fen) throw new Error(`${shown}, not ${fen}`);
      },
      close: () => client.close(),
    };
  },

  async page({ url, code, window }) {
    const player = new Player(await window({ baseURL: url }));
    await player.join(code, "Page");
    return {
      async started() {
        await player.button("Abort").waitFor();
        // Black waits for the other player by name.
        const headline = player.page.getByRole("heading", { level: 1, name: /Your move$|^Waiting for (?!an )/ });
        return /Your move$/.test((await headline.textContent()) ?? "") ? "white" : "black";
      },
      make: ({ san }) => player.type(san),
      sees: (fen) => player.showsPlacement(fen),
      async reconnect(fen) {
        await player.page.reload();
        await player.showsPlacement(fen);
      },
      shows: (fen) => player.showsPlacement(fen),
      close: () => player.page.close(),
    };
  },
};

const PROGRAM = process.env["TABIYA_PROGRAM"] ?? "";

/**
 * A board in software that is paired with a relay, and the hands at it. It opens its own room and plays White, or is seated in another room.
 *
 * @param {string} url of the relay
 * @param {string} folder
 * @param {string[]} store the options of the relay's store
 * @param {string} [room] the code of the room in which it is seated
 */
export async function softwareBoard(url, folder, store, room) {
  const name = `board${Math.floor(Math.random() * 1e9)}`;
  const added = spawn(PROGRAM, ["boards", "add", name, "--json", ...store], { cwd: folder });
  const { key, code } = JSON.parse((await added.stdout.toArray()).join(""));
  const keyFile = join(folder, `${name}.key`);
  await writeFile(keyFile, key);
  const args = ["board", "--relay", url.replace("http", "ws"), "--name", name, "--key-file", keyFile, "--listen", "127.0.0.1:0"];
  const board = spawn(PROGRAM, args, { cwd: folder });
  let address = "";
  for await (const line of board.stdout) {
    address = /(127\.0\.0\.1|localhost):\d+/.exec(String(line))?.[0] ?? "";
    if (address) break;
  }
  const panel = await PanelClient.connect(`http://${address}`);
  if (room) {
    await panel.until(({ online }) => online === true);
    const seated = spawn(PROGRAM, ["boards", "play", name, room, ...store], { cwd: folder });
    const [, problem] = await Promise.all([seated.stdout.toArray(), seated.stderr.toArray()]);
    if (problem.length > 0) throw new Error(problem.join(""));
  }

  /** @param {Move} move made by hand, own or the opponent's */
  const carry = async ({ uci, san }) => {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const isEnPassant = san.endsWith("e.p.");
    if (san.includes("x")) await panel.takeOff(isEnPassant ? `${to[0]}${from[1]}` : to);
    await panel.lift(from);
    await panel.put(to);
    if (san.startsWith("O-O")) {
      const rank = from[1];
      const [rookFrom, rookTo] = san === "O-O" ? [`h${rank}`, `f${rank}`] : [`a${rank}`, `d${rank}`];
      await panel.lift(rookFrom);
      await panel.put(rookTo);
    }
  };

  /** @type {Contestant} */
  const contestant = {
    async started() {
      await panel.until(({ seat }) => seat === "white" || seat === "black");
      return panel.board["seat"];
    },
    async make(move) {
      const { plies } = panel.board;
      await carry(move);
      if (move.uci[4]) {
        // A knight is chosen on the square next to the pawn's.
        const tapped = `${move.uci[2]}${move.uci[3] === "8" ? 7 : 2}`;
        await panel.lift(tapped);
        await panel.put(tapped);
      }
      await panel.until((board) => board["plies"] === plies + 1);
    },
    async sees(fen, move) {
      // The move is in the game when it arrives, and on the board when the hand has made it.
      await panel.until((board) => board["plies"] === pliesOf(fen));
      await carry(move);
      await panel.untilInOrder();
    },
    async reconnect() {
      panel.send({ type: "power", plugged: false });
      await panel.until(({ power }) => power === false);
      panel.send({ type: "power", plugged: true });
      await panel.until(({ power, online }) => power === true && online === true);
    },
    async shows(fen) {
      // After a power cut the board has the game that is in its journal.
      await this.reconnect(fen, url);
      await panel.until(({ plies }) => plies === pliesOf(fen));
      const expected = pieces(fen).map(([square, piece]) => `${square} ${piece}`).toSorted();
      const standing = [...panel.standing].flatMap((letter, at) => {
        const name = NAMES[/** @type {keyof typeof NAMES} */ (letter.toLowerCase())];
        const color = letter === letter.toUpperCase() ? "white" : "black";
        return name ? [`${"abcdefgh"[at % 8]}${Math.floor(at / 8) + 1} ${color} ${name}`] : [];
      });
      if (standing.toSorted().join() !== expected.join()) throw new Error(`${panel.standing} is not ${fen}`);
    },
    close() {
      panel.close();
      board.kill();
    },
  };
  return { code: String(code), contestant };
}

/**
 * The number of plies before a position.
 *
 * @param {string} fen
 */
function pliesOf(fen) {
  const [, turn, , , , number] = fen.split(" ");
  return Number(number) * 2 - (turn === "b" ? 1 : 2);
}

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/**
 * The pieces of a position, by square.
 *
 * @param {string} fen
 * @returns {[square: string, piece: string][]}
 */
function pieces(fen) {
  return (fen.split(" ")[0] ?? "").split("/").flatMap((row, rank) => {
    const letters = row.replaceAll(/\d/g, (count) => ".".repeat(Number(count)));
    return [...letters].flatMap((letter, file) => {
      const name = NAMES[/** @type {keyof typeof NAMES} */ (letter.toLowerCase())];
      if (!name) return [];
      const color = letter === letter.toUpperCase() ? "white" : "black";
      return [/** @type {[string, string]} */ ([`${"abcdefgh"[file]}${8 - rank}`, `${color} ${name}`])];
    });
  });
}
