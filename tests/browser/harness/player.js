// A player at the page, who uses it as a person with a mouse, a touch screen or a keyboard does.

/**
 * @typedef {import("playwright-core").Page} Page
 * @typedef {import("playwright-core").Locator} Locator
 */

import { isDeepStrictEqual } from "node:util";

import { placementOfFen } from "../../../host-server/page/board/placement.js";
import { SQUARES } from "../../../host-server/page/board/squares.js";

/** Enough for a slow machine under load. */
const PLACEMENT_TIMEOUT_MS = 30_000;

export class Player {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.board = page.getByRole("grid", { name: "Chessboard" });
    this.status = page.getByRole("heading", { level: 1 });
    this.moves = page.getByRole("list", { name: "Moves" });
    this.typed = page.getByLabel("Type a move");
    this.chat = page.getByRole("list", { name: "Messages" });
  }

  /** @param {string} name */
  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /**
   * An offer of the opponent.
   *
   * @param {"draw" | "takeback" | "rematch"} kind
   */
  offer(kind) {
    return this.page.getByRole("group", { name: kind, exact: true });
  }

  /**
   * Creates a game in the lobby.
   *
   * @param {{
   *   name?: string,
   *   color?: "White" | "Black" | "Random",
   *   clock?: string,
   *   time?: { minutes: string, seconds: string },
   *   isCounted?: boolean,
   * }} terms a preset time control or another one, and whether there is a countdown
   * @returns {Promise<string>} its code
   */
  async create({ name = "Anna", color = "White", clock = "No clock", time, isCounted = false } = {}) {
    await this.page.goto("/");
    const form = this.page.getByRole("form", { name: "New game" });
    await form.getByLabel("Your name").fill(name);
    await form.getByRole("radio", { name: color }).check();
    await form.getByRole("radio", { name: time ? "Other …" : clock, exact: true }).check();
    if (time) {
      await form.getByLabel("Minutes each").fill(time.minutes);
      await form.getByLabel("Seconds per move").fill(time.seconds);
    }
    if (isCounted) await form.getByRole("checkbox", { name: /^Count down/ }).check();
    await form.getByRole("button", { name: "Create game" }).click();
    await this.sees("Waiting for an opponent");
    return this.code();
  }

  /** The code of the game that this window shows. */
  code() {
    const code = /^\/g\/(\w+)$/.exec(new URL(this.page.url()).pathname)?.[1];
    if (!code) throw new Error(`no game is at ${this.page.url()}`);
    return code;
  }

  /**
   * Follows the link to a game.
   *
   * @param {string} code
   * @param {string} [name]
   */
  async join(code, name = "Ben") {
    await this.page.goto(`/g/${code}`);
    await this.page.getByLabel("Your name").fill(name);
    await this.button("Play").click();
  }

  /**
   * Waits until the headline says this.
   *
   * @param {string | RegExp} words
   */
  async sees(words) {
    await this.page.getByRole("heading", { level: 1, name: words }).waitFor();
  }

  /** @param {string} square */
  square(square) {
    return this.board.getByRole("gridcell", { name: new RegExp(`^${square},`) });
  }

  /**
   * Waits until the name of a square has these words, like `white queen`, `last move`, `in check`.
   *
   * @param {string} square
   * @param {string} words
   */
  async seesOn(square, words) {
    await this.board.getByRole("gridcell", { name: new RegExp(`^${square},.*\\b${words}\\b`) }).waitFor();
  }

  /**
   * Waits until every square has its piece or is empty, in the grid and as drawn.
   *
   * @param {string} fen
   */
  async showsPlacement(fen) {
    const placement = placementOfFen(fen);
    const expected = SQUARES.map((square, at) => `${square}${placement[at]}`);
    const isPiece = (/** @type {string} */ named) => !named.endsWith(".");
    const isShown = (/** @type {{ squares: string[], drawn: string[] }} */ { squares, drawn }) =>
      isDeepStrictEqual(squares.toSorted(), expected.toSorted()) && isDeepStrictEqual(drawn.toSorted(), expected.filter(isPiece).toSorted());
    const shown = () =>
      this.board.evaluate((grid) => ({
        squares: [...grid.querySelectorAll("[data-square]")].map(
          (cell) => `${cell.getAttribute("data-square")}${cell.getAttribute("data-piece") ?? "."}`,
        ),
        drawn: [...(grid.parentElement?.querySelectorAll("svg[data-piece]") ?? [])].map(
          (piece) => `${piece.getAttribute("data-at")}${piece.getAttribute("data-piece")}`,
        ),
      }));
    const deadline = Date.now() + PLACEMENT_TIMEOUT_MS;
    for (let now = await shown(); !isShown(now); now = await shown()) {
      if (Date.now() > deadline) throw new Error(`the board shows ${now.squares} and draws ${now.drawn}, not ${fen}`);
      await this.page.waitForTimeout(20);
    }
  }

  /**
   * A move in the list of moves.
   *
   * @param {string} name as it is written, and as a screen reader says it
   */
  move(name) {
    return this.moves.getByRole("button", { name, exact: true });
  }

  /**
   * Clicks on one square, and then on the other.
   *
   * @param {string} from
   * @param {string} to
   */
  async click(from, to) {
    await this.square(from).click();
    await this.square(to).click();
  }

  /**
   * Taps on one square, and then on the other.
   *
   * @param {string} from
   * @param {string} to
   */
  async tap(from, to) {
    await this.square(from).tap();
    await this.square(to).tap();
  }

  /**
   * Drags a piece with the mouse.
   *
   * @param {string} from
   * @param {string} to
   */
  async drag(from, to) {
    const [start, end] = [await this.middle(from), await this.middle(to)];
    const { mouse } = this.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 5 });
    await mouse.up();
  }

  /**
   * Goes from square to square with the arrow keys, and chooses both with Enter.
   *
   * @param {string} from
   * @param {string} to
   */
  async press(from, to) {
    await this.goTo(from);
    await this.page.keyboard.press("Enter");
    await this.goTo(to);
    await this.page.keyboard.press("Space");
  }

  /**
   * Goes to a square with the arrow keys.
   *
   * @param {string} square
   */
  async goTo(square) {
    const { keyboard } = this.page;
    let here = await this.focused();
    if (!here) throw new Error("the keyboard is not on the board");
    const isTurned = (await this.board.getAttribute("aria-label"))?.includes("Black below");
    const [right, up] = isTurned ? ["ArrowLeft", "ArrowDown"] : ["ArrowRight", "ArrowUp"];
    const [left, down] = isTurned ? ["ArrowRight", "ArrowUp"] : ["ArrowLeft", "ArrowDown"];
    const files = square.charCodeAt(0) - here.charCodeAt(0);
    const ranks = square.charCodeAt(1) - here.charCodeAt(1);
    for (let step = 0; step < Math.abs(files); step++) await keyboard.press(files > 0 ? right : left);
    for (let step = 0; step < Math.abs(ranks); step++) await keyboard.press(ranks > 0 ? up : down);
    here = await this.focused();
    if (here !== square) throw new Error(`the keyboard is on ${here} instead of ${square}`);
  }

  /** The square that the keyboard is on. */
  async focused() {
    const label = await this.page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    return /^([a-h][1-8]),/.exec(label ?? "")?.[1] ?? null;
  }

  /** What the keyboard is on, by the name that a screen reader has for it. */
  async here() {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const name = element?.getAttribute("aria-label") ?? (labels.length > 0 ? labels[0]?.innerText : element?.textContent);
      return (name ?? "").trim();
    });
  }

  /**
   * Presses Tab until the keyboard is there.
   *
   * @param {string | RegExp} name
   */
  async tabTo(name) {
    /** @type {string[]} */
    const passed = [];
    for (let stop = 0; stop < 80; stop++) {
      await this.page.keyboard.press("Tab");
      const here = await this.here();
      if (typeof name === "string" ? here === name : name.test(here)) return;
      passed.push(here);
    }
    throw new Error(`Tab does not lead to ${name}, but to ${passed.join(" | ")}`);
  }

  /**
   * Waits until this is announced to screen readers.
   *
   * @param {string | RegExp} words
   */
  async spoken(words) {
    const spoken = this.page.getByRole("status").or(this.page.getByRole("alert"));
    await spoken.filter({ hasText: words }).first().waitFor({ state: "attached" });
  }

  /** Waits until it is this player's turn. */
  async mayMove() {
    await this.sees(/Your move$/);
  }

  /**
   * Types a move, as soon as it may be made.
   *
   * @param {string} san
   */
  async type(san) {
    await this.mayMove();
    await this.typed.fill(san);
    await this.typed.press("Enter");
  }

  /** @param {string} square */
  async middle(square) {
    const box = await this.square(square).boundingBox();
    if (!box) throw new Error(`${square} is not visible`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}

/**
 * Plays these moves, given in SAN, in turn.
 *
 * @param {Player} mover who makes the first move
 * @param {Player} waiting
 * @param {string} moves
 */
export async function playOut(mover, waiting, moves) {
  for (const san of moves.split(" ")) {
    await mover.type(san);
    [mover, waiting] = [waiting, mover];
  }
}

/**
 * Two players in two browsers, and a game between them.
 *
 * @param {import("./play.js").Environment} env
 * @param {{ clock?: string, white?: string, black?: string }} [terms]
 */
export async function twoPlayers(env, { clock, white = "Anna", black = "Ben" } = {}) {
  const [anna, ben] = [new Player(await env.window()), new Player(await env.window())];
  const code = await anna.create({ name: white, color: "White", ...(clock && { clock }) });
  await ben.join(code, black);
  await anna.sees("Your move");
  await ben.sees(/^Waiting for/);
  return { anna, ben, code };
}
