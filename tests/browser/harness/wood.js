// Somebody at the virtual board: lifts and puts pieces, and sees the lights under them.

/**
 * @typedef {import("playwright-core").Page} Page
 * @typedef {"red" | "orange" | "amber" | "yellow" | "green" | "blue" | "magenta" | "white" | "ember"} Colour as
 *   docs/lights.md calls them
 */

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
  ember: [255, 151, 0],
};

/** What is weaker than this is not lit. */
const FAINT = 16;

export class Wood {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.board = page.getByRole("group", { name: /^Squares\./ });
    this.tray = page.getByRole("group", { name: "Beside the board" });
  }

  /** @param {import("./play.js").Stage} stage */
  static async open(stage, /** @type {import("playwright-core").BrowserContextOptions} */ options = {}) {
    const wood = new Wood(await stage.window(options));
    await wood.page.goto("/board");
    await wood.page.getByText("Connected to the relay").waitFor();
    return wood;
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
   * Waits until a piece stands on a square, or nothing.
   *
   * @param {string} square
   * @param {string} piece like `white queen`, or `empty`
   */
  async sees(square, piece) {
    await this.board.getByRole("button", { name: `${square}, ${piece}`, exact: true }).waitFor();
  }

  /**
   * Waits until this is written below the board.
   *
   * @param {string | RegExp} words
   */
  async reads(words) {
    await this.page.getByRole("region", { name: "The board" }).getByText(words).waitFor();
  }

  /** What stands where, by square. */
  async standing() {
    const labels = await this.board.getByRole("button").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
    return new Map(labels.map((label) => /** @type {[string, string]} */ (label.split(", "))));
  }

  /**
   * Takes a piece and puts it elsewhere, with the mouse.
   *
   * @param {string} from
   * @param {string} to
   */
  async carry(from, to) {
    await this.grasp(from);
    const { x, y } = await this.middle(to);
    await this.page.mouse.move(x, y, { steps: 4 });
    // Whoever only touches a piece holds it for a moment.
    if (from === to) await this.page.waitForTimeout(400);
    await this.page.mouse.up();
  }

  /**
   * Takes a piece up with the mouse, and holds it.
   *
   * @param {string} square
   */
  async grasp(square) {
    const { x, y } = await this.middle(square);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.sees(square, "empty");
  }

  /**
   * Pushes a piece from square to square with the mouse, along a line.
   *
   * @param {string} from
   * @param {string} to
   */
  async carryAlong(from, to) {
    const [start, end] = [await this.middle(from), await this.middle(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 12 });
    await this.sees(from, "empty");
    await this.page.mouse.up();
  }

  /**
   * Puts something that lies beside the board on a square.
   *
   * @param {string} piece
   * @param {string} square
   */
  async bring(piece, square) {
    // There may be several of them, or a spare one.
    await this.tray.getByRole("button", { name: new RegExp(`(^|\\b)${piece}$`) }).first().click();
    await this.square(square).click();
    await this.sees(square, piece);
  }

  /**
   * Takes something off the board.
   *
   * @param {string} square
   */
  async takeOff(square) {
    await this.square(square).focus();
    await this.page.keyboard.press("Delete");
    await this.sees(square, "empty");
  }

  /** @param {string} square */
  async middle(square) {
    const box = await this.square(square).boundingBox();
    if (!box) throw new Error(`${square} cannot be seen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /**
   * The squares that are lit, and in which colour, at this moment.
   *
   * @returns {Promise<Map<string, Colour>>}
   */
  async lit() {
    const seen = await this.board.evaluate((board, faint) => {
      const canvas = board.querySelector("canvas");
      if (!canvas) throw new Error("there are no lights");
      // A photograph, so that looking costs the lights nothing.
      const photograph = new OffscreenCanvas(canvas.width, canvas.height);
      const pen = photograph.getContext("2d", { willReadFrequently: true });
      if (!pen) throw new Error("there is no photograph");
      pen.drawImage(canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
      const whole = canvas.getBoundingClientRect();
      const scale = canvas.width / whole.width;
      return [...board.querySelectorAll("button")].flatMap((button) => {
        const box = button.getBoundingClientRect();
        // The middle of a light is white, whatever its colour.
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
   * Waits until these squares are lit so. Many lights come and go, so they need not be at the same time.
   *
   * What is lit for a moment only may go unseen: frames are left out when the browser is busy.
   *
   * @param {Record<string, Colour>} expected
   */
  async shines(expected) {
    await this.#watch(Object.keys(expected), (square, colour) => expected[square] === colour);
  }

  /**
   * Waits until all these squares are lit, in whatever colour but that of the last move.
   *
   * @param {readonly string[]} squares
   */
  async lights(squares) {
    await this.#watch(squares, (_, colour) => colour !== "ember");
  }

  /**
   * @param {readonly string[]} squares
   * @param {(square: string, colour: Colour) => boolean} isExpected
   */
  async #watch(squares, isExpected) {
    const missing = new Set(squares);
    const seen = new Set();
    const end = Date.now() + 20_000;
    while (missing.size > 0) {
      for (const [square, colour] of await this.lit()) {
        seen.add(`${square} ${colour}`);
        if (isExpected(square, colour)) missing.delete(square);
      }
      if (Date.now() > end) throw new Error(`not lit: ${[...missing].join(", ")}; what was seen: ${[...seen].join(", ")}`);
      await this.page.waitForTimeout(30);
    }
  }

  /** Waits until no square is lit in one of these colours for as long as the slowest of them takes to come back. */
  async isDark(/** @type {readonly Colour[]} */ ...colours) {
    const end = Date.now() + 20_000;
    let darkSince = Date.now();
    while (Date.now() - darkSince < 2500) {
      const lit = [...(await this.lit())].filter(([, colour]) => colours.length === 0 || colours.includes(colour));
      if (lit.length > 0) darkSince = Date.now();
      if (Date.now() > end) throw new Error(`still lit: ${lit.join("; ")}`);
      await this.page.waitForTimeout(50);
    }
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
