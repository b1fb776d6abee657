// A player at the virtual board: moves its pieces with mouse and keyboard, and reads its lights.

/**
 * @typedef {import("playwright-core").Page} Page
 * @typedef {"red" | "orange" | "amber" | "yellow" | "green" | "blue" | "magenta" | "white" | "violet"} Colour as
 *   docs/lights.md calls them
 */

import { repeatUntil } from "./repeat.js";

/** @type {Record<Colour, [number, number, number]>} at their full strength */
const COLOURS = {
  red: [255, 0, 0],
  orange: [255, 104, 0],
  amber: [255, 168, 0],
  yellow: [255, 220, 32],
  green: [0, 255, 57],
  blue: [0, 72, 255],
  magenta: [255, 0, 160],
  white: [255, 228, 192],
  violet: [157, 39, 255],
};

/** A light with less opacity than this counts as off. */
const FAINT = 16;
/** How long to wait for lights. */
const TIMEOUT_MS = 20_000;
/** A blinking light is off for fewer animation frames than this. */
const LONGEST_PAUSE_FRAMES = 150;
/** Further than a tap may move, and still within a square, in pixels. */
const NO_TAP_PX = 14;

/** How long a hand holds a piece that it only touches. */
const HAND_MS = 200;

/** Longer than a king must be in the air to answer a challenge. */
const KING_MS = 1300;

export class VirtualBoard {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.board = page.getByRole("group", { name: /^Squares\./ });
    this.tray = page.getByRole("group", { name: "Beside the board" });
  }

  /** @param {import("./play.js").Environment} env */
  static async open(env, /** @type {import("playwright-core").BrowserContextOptions} */ options = {}) {
    const board = new VirtualBoard(await env.window(options));
    await board.page.goto("/board");
    await board.page.getByText("Connected to the relay").waitFor();
    return board;
  }

  /** @param {string} name */
  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** @param {string} square */
  square(square) {
    return this.board.getByRole("button", { name: new RegExp(`^${square},`) });
  }

  /**
   * Waits until a square has this piece, or is empty.
   *
   * @param {string} square
   * @param {string} piece like `white queen`, or `empty`
   */
  async sees(square, piece) {
    await this.board.getByRole("button", { name: `${square}, ${piece}`, exact: true }).waitFor();
  }

  /**
   * Waits until the headline or the sentence of the board says this.
   *
   * @param {string | RegExp} words
   */
  async reads(words) {
    await this.page.getByRole("region", { name: "The board" }).getByText(words).waitFor();
  }

  /** The names of all pieces by square. */
  async standing() {
    const labels = await this.board.getByRole("button").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
    return new Map(labels.map((label) => /** @type {[string, string]} */ (label.split(", "))));
  }

  /**
   * Carries a piece to another square with the mouse.
   *
   * @param {string} from
   * @param {string} to
   */
  async move(from, to) {
    await this.lift(from);
    await this.drop(to);
  }

  /**
   * Lifts a piece with the mouse, and puts it back on the same square when the board has noticed.
   *
   * @param {string} square
   */
  async touch(square) {
    await this.openSensors();
    await this.lift(square);
    await this.settles(square, "empty");
    // The board takes a shorter lift for a wobbling piece.
    await this.page.waitForTimeout(HAND_MS);
    await this.drop(square);
    await this.settles(square, "occupied");
  }

  /**
   * Presses the mouse on a piece, which lifts it.
   *
   * @param {string} square
   */
  async lift(square) {
    // The page may have been scrolled to a button below the board.
    await this.page.evaluate(() => scrollTo(0, 0));
    const { x, y } = await this.middle(square);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.sees(square, "empty");
  }

  /**
   * Drops the piece that the mouse carries.
   *
   * @param {string} square
   */
  async drop(square) {
    const { x, y } = await this.middle(square);
    await this.page.mouse.move(x + NO_TAP_PX, y, { steps: 4 });
    await this.page.mouse.up();
  }

  /**
   * Accepts a challenge with the king of the offered side.
   *
   * @param {string} king its square
   */
  async accept(king) {
    await this.shows({ [king]: "yellow" });
    await this.lift(king);
    await this.page.waitForTimeout(KING_MS);
    await this.drop(king);
    await this.board.getByRole("button", { name: new RegExp(`^${king}, .*king`) }).waitFor();
  }

  /**
   * Slides a piece across the board with the mouse.
   *
   * @param {string} from
   * @param {string} to
   */
  async slide(from, to) {
    const [start, end] = [await this.middle(from), await this.middle(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 12 });
    await this.sees(from, "empty");
    await this.page.mouse.up();
  }

  /** Opens the diagram of sensors and lights. */
  async openSensors() {
    const diagram = this.page.locator("#sensors");
    if ((await diagram.getAttribute("open")) !== null) return diagram;
    await diagram.getByText("Sensors and lights").click();
    // The click may have scrolled the board out of the window.
    await this.page.evaluate(() => scrollTo(0, 0));
    return diagram;
  }

  /**
   * Waits until the board takes a square for occupied or for empty, after its debounce.
   *
   * @param {string} square
   * @param {"occupied" | "empty"} state
   */
  async settles(square, state) {
    const cell = (await this.openSensors()).locator(`[data-name=${square}]`);
    await cell.and(this.page.locator(state === "occupied" ? ".settled" : ":not(.settled)")).waitFor();
  }

  /**
   * Waits until the reed switch of a square has opened this many times.
   *
   * @param {string} square
   * @param {number} times
   * @param {() => Promise<void>} cause what lets it flicker
   */
  async flickers(square, times, cause) {
    const cell = (await this.openSensors()).locator(`[data-name=${square}]`);
    await cell.evaluate((element) => {
      const counted = { opened: 0, wasClosed: element.classList.contains("closed") };
      Object.assign(window, { counted });
      new MutationObserver(() => {
        const isClosed = element.classList.contains("closed");
        if (counted.wasClosed && !isClosed) counted.opened += 1;
        counted.wasClosed = isClosed;
      }).observe(element, { attributes: true });
    });
    await cause();
    await this.page.waitForFunction((times) => /** @type {any} */ (window).counted.opened >= times, times);
  }

  /**
   * Puts a piece from beside the board on a square.
   *
   * @param {string} piece
   * @param {string} square
   */
  async place(piece, square) {
    // The button may name several of them, or a spare one.
    await this.tray.getByRole("button", { name: new RegExp(`(^|\\b)${piece}(, \\d+)?$`) }).first().click();
    // The second click puts down what the board has confirmed to be in the hand.
    await this.page.locator("svg.carried").waitFor();
    await this.square(square).click();
    await this.sees(square, piece);
  }

  /**
   * Takes a piece off the board.
   *
   * @param {string} square
   */
  async takeOff(square) {
    await this.square(square).focus();
    const empty = this.board.getByRole("button", { name: `${square}, empty`, exact: true });
    // While the hand still holds the piece that was taken off before, the key puts that one aside.
    await repeatUntil(() => this.page.keyboard.press("Delete"), empty);
  }

  /** @param {string} square */
  async middle(square) {
    const box = await this.square(square).boundingBox();
    if (!box) throw new Error(`${square} is not visible`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /**
   * The squares that are lit at this moment, with their colours.
   *
   * @returns {Promise<Map<string, Colour>>}
   */
  async lit() {
    const seen = await this.board.evaluate((board, faint) => {
      const canvas = board.querySelector("canvas");
      if (!canvas) throw new Error("the page has no canvas of lights");
      // Reading from a copy keeps the canvas of the page fast.
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext("2d", { willReadFrequently: true });
      if (!context) throw new Error("the browser has no 2d context");
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const whole = canvas.getBoundingClientRect();
      const scale = canvas.width / whole.width;
      return [...board.querySelectorAll("button")].flatMap((button) => {
        const box = button.getBoundingClientRect();
        // The middle of every light is white.
        const [x, y] = [box.left - whole.left + box.width * 0.65, box.top - whole.top + box.height * 0.5];
        const at = 4 * (Math.round(y * scale) * canvas.width + Math.round(x * scale));
        const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(at, at + 4);
        const name = button.getAttribute("aria-label")?.slice(0, 2) ?? "";
        return alpha < faint ? [] : [{ name, rgb: /** @type {[number, number, number]} */ ([r, g, b]) }];
      });
    }, FAINT);
    return new Map(seen.map(({ name, rgb }) => [name, nearest(rgb)]));
  }

  /**
   * Waits until each of these squares was lit in its colour, not necessarily at the same time: lights blink. A flash of a single
   * frame may be missed.
   *
   * @param {Record<string, Colour>} expected
   */
  async shows(expected) {
    await this.#watch(Object.keys(expected), (square, colour) => expected[square] === colour);
  }

  /**
   * Waits until each of these squares was lit, in any colour but that of the last move.
   *
   * @param {readonly string[]} squares
   */
  async lightsUp(squares) {
    await this.#watch(squares, (_, colour) => colour !== "violet");
  }

  /**
   * @param {readonly string[]} squares
   * @param {(square: string, colour: Colour) => boolean} isExpected
   */
  async #watch(squares, isExpected) {
    const missing = new Set(squares);
    const seen = new Set();
    const deadline = Date.now() + TIMEOUT_MS;
    while (missing.size > 0) {
      for (const [square, colour] of await this.lit()) {
        seen.add(`${square} ${colour}`);
        if (isExpected(square, colour)) missing.delete(square);
      }
      if (Date.now() > deadline) throw new Error(`not lit: ${[...missing].join(", ")}; seen: ${[...seen].join(", ")}`);
      await this.nextFrame();
    }
  }

  /** Waits until no square has been lit in one of these colours for longer than any light pauses when it blinks. */
  async isDark(/** @type {readonly Colour[]} */ ...colours) {
    const deadline = Date.now() + TIMEOUT_MS;
    for (let darkFrames = 0; darkFrames < LONGEST_PAUSE_FRAMES; darkFrames += 1) {
      const lit = [...(await this.lit())].filter(([, colour]) => colours.length === 0 || colours.includes(colour));
      if (lit.length > 0) darkFrames = -1;
      // A slow machine may need longer for the frames without a light.
      if (lit.length > 0 && Date.now() > deadline) throw new Error(`still lit: ${lit.join("; ")}`);
      await this.nextFrame();
    }
  }

  /** Waits for the next frame that the browser draws. */
  async nextFrame() {
    await this.page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/**
 * @param {[number, number, number]} rgb
 * @returns {Colour}
 */
function nearest(rgb) {
  const most = Math.max(...rgb, 1);
  const full = rgb.map((part) => (part * 255) / most);
  const far = (/** @type {readonly number[]} */ colour) => Math.hypot(...colour.map((part, at) => part - (full[at] ?? 0)));
  const [first] = Object.entries(COLOURS).sort(([, a], [, b]) => far(a) - far(b));
  return /** @type {Colour} */ (first?.[0]);
}
