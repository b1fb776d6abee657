// Makes the pictures of the README and the documents: every main view, with the same people in the same games.
//
//     node screenshots.js FOLDER

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { browser, closeBrowser } from "./harness/browser.js";
import { Player, playOut } from "./harness/player.js";
import { Relay } from "./harness/relay.js";
import { compressed } from "./harness/compress.js";
import { Failures } from "./harness/failures.js";
import { VirtualBoard } from "./harness/virtual-board.js";

/** @typedef {import("playwright-core").Page} Page */

const DESKTOP = { viewport: { width: 1200, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** The palette of pictures that show wood. */
const WOODEN = 128;

const folder = process.argv[2];
if (!folder) throw new Error("the folder for the pictures is missing");
await mkdir(folder, { recursive: true });

const relay = await Relay.start();
const failures = new Failures();

/** @type {import("./harness/play.js").Environment} */
const env = {
  relay,
  failures,
  window: async (options = {}) => {
    const context = await (await browser()).newContext({ baseURL: relay.url, locale: "en-GB", reducedMotion: "reduce", ...options });
    context.setDefaultTimeout(20_000);
    return context.newPage();
  },
};

/**
 * @param {string} name
 * @param {Page} page
 */
async function take(name, page, colours = 256) {
  // The address of this machine does not belong in a picture.
  await page.getByRole("link", { name: /^127\.0\.0\.1:\d+\/g\// }).evaluateAll((links) => {
    for (const link of links) link.textContent = "chess.example/g/K4TABIYA";
  });
  await unfocus(page);
  await keep(name, await page.screenshot(), colours);
}

/**
 * Removes the focus, unless a dialog is open.
 *
 * @param {Page} page
 */
async function unfocus(page) {
  await page.evaluate(() => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && !focused.closest("dialog")) focused.blur();
  });
}

/**
 * @param {string} name
 * @param {Buffer} picture
 * @param {number} colours
 */
async function keep(name, picture, colours) {
  const small = await compressed(picture, colours);
  await writeFile(join(folder ?? "", `${name}.png`), small);
  process.stdout.write(`${name}.png, ${Math.round(small.length / 1000)} KB\n`);
}

/** Two players after some moves. */
async function game(/** @type {import("playwright-core").BrowserContextOptions} */ options, moves = "") {
  const [anna, ben] = [new Player(await env.window(options)), new Player(await env.window())];
  await ben.join(await anna.create({ name: "Anna", clock: "10+5" }), "Ben");
  await playOut(anna, ben, moves);
  return { anna, ben };
}

const SPANISH = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5";
const PAWNS = "a4 h5 a5 h4 a6 h3 axb7 hxg2";

try {
  const lobby = new Player(await env.window(DESKTOP));
  await lobby.page.goto("/");
  await lobby.page.getByRole("link", { name: /^Challenge/ }).waitFor();
  await take("lobby", lobby.page);

  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const { anna, ben } = await game({ ...DESKTOP, colorScheme }, SPANISH);
    await anna.mayMove();
    await ben.page.getByLabel("Write a message").fill("Good luck, and have fun!");
    await ben.button("Send").click();
    await anna.chat.getByText("Good luck").waitFor();
    await anna.square("d4").click();
    await anna.seesOn("f5", "can go here");
    await take(colorScheme === "light" ? "game" : "game-dark", anna.page);
    if (colorScheme === "dark") continue;
    await anna.button("Resign").click();
    await anna.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await anna.sees("You lost by resignation.");
    await anna.move("Bxc6, bishop takes c6").click();
    await anna.sees(/^Reviewing/);
    await take("review", anna.page);
  }

  const phone = await game(PHONE, SPANISH);
  await phone.anna.mayMove();
  await phone.anna.page.evaluate(() => scrollTo(0, 0));
  await phone.anna.square("d4").tap();
  await phone.anna.seesOn("f5", "can go here");
  await take("game-phone", phone.anna.page);

  const pawns = await game(DESKTOP, PAWNS);
  await pawns.anna.mayMove();
  await pawns.anna.click("b7", "a8");
  await pawns.anna.page.getByRole("dialog", { name: "Promote the pawn" }).waitFor();
  await take("promotion", pawns.anna.page);

  // The board alone: a knight in the hand.
  const board = await VirtualBoard.open(env, DESKTOP);
  await board.move("e2", "e4");
  await board.reads("Black to move");
  await board.move("e7", "e5");
  await board.reads("White to move");
  await board.lift("g1");
  await board.page.mouse.move(580, 300, { steps: 4 });
  await board.shows({ g1: "white", f3: "green", h3: "green", e2: "green" });
  await take("board", board.page, WOODEN);
  const { x, y } = await board.middle("f3");
  await board.page.mouse.move(x, y, { steps: 4 });
  await board.page.mouse.up();
  await board.reads("Black to move");

  // One piece stands on a wrong square, and others are missing.
  await board.takeOff("d2");
  await board.takeOff("b1");
  await board.takeOff("c8");
  await board.place("black bishop", "e6");
  await board.shows({ d2: "green", b1: "green", c8: "green" });
  // It blinks: the picture is taken when it has just come on.
  while ((await board.lit()).has("e6")) await board.nextFrame();
  await board.shows({ e6: "orange" });
  await take("board-guide", board.page, WOODEN);

  await sideBySide();
} finally {
  await closeBrowser();
  await relay.discard();
}

/** A game between the page and the board, whose lights show the last move of the page. */
async function sideBySide() {
  await relay.kill();
  const fresh = await Relay.start();
  try {
    const half = { viewport: { width: 760, height: 900 } };
    const context = await (await browser()).newContext({ baseURL: fresh.url, locale: "en-GB", reducedMotion: "reduce", ...half });
    const board = new VirtualBoard(await context.newPage());
    await board.page.goto("/board");
    await board.page.getByText("Connected to the relay").waitFor();
    const ben = new Player(await context.newPage());
    await ben.page.goto("/");
    await ben.page.getByRole("link", { name: /^Challenge/ }).waitFor();
    const { boards } = await (await ben.page.request.get("/boards")).json();
    await ben.page.goto(`/g/${boards[0].code}`);
    await ben.page.getByLabel("Your name").fill("Ben");
    await ben.button("Play").click();
    await ben.sees(/^Waiting for/);
    await board.move("e2", "e4");
    await ben.type("e5");
    await board.reads("from e7 to e5");
    await board.move("e7", "e5");
    await board.move("g1", "f3");
    await ben.mayMove();
    await ben.click("b8", "c6");
    await board.reads("from b8 to c6");
    await board.shows({ b8: "blue", c6: "blue" });
    await unfocus(board.page);
    const frame = await board.page.locator("#frame").screenshot();
    const table = await ben.page.locator(".board-column").screenshot();
    const page = await context.newPage();
    await page.setViewportSize({ width: 960, height: 512 });
    const shown = [frame, table].map((picture) => `<img src="data:image/png;base64,${picture.toString("base64")}">`);
    const style = "body{margin:0;height:512px;display:flex;gap:26px;justify-content:center;align-items:center;background:#f5efe5}img{height:480px;border-radius:10px}";
    await page.setContent(`<style>${style}</style>${shown.join("")}`);
    await keep("side-by-side", await page.screenshot(), WOODEN);
  } finally {
    await fresh.discard();
  }
}
