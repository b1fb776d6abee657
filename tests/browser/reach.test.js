// Weight, speed and accessibility of the pages.

import assert from "node:assert/strict";
import { after } from "node:test";

import { violations } from "./harness/axe.js";
import { broken, median, note, table } from "./harness/figures.js";
import { play } from "./harness/play.js";
import { Player, playOut, twoPlayers } from "./harness/player.js";
import { LANDSCAPE, PHONE } from "./harness/touch.js";
import { VirtualBoard } from "./harness/virtual-board.js";

/** @typedef {import("playwright-core").Page} Page */

after(() => {
  process.stdout.write(`\n${table()}\n\n`);
});

/**
 * Counts the received bytes, with headers. Answers "not modified" do not count: only a debug build, which serves files from the disk,
 * makes a browser ask for a file again.
 *
 * @param {Page} page
 * @returns {Promise<() => number>}
 */
async function weigh(page) {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  /** @type {Set<string>} */
  const unmodified = new Set();
  await session.send("Network.enable");
  session.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => {
    if (statusCode === 304) unmodified.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!unmodified.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

play("the pages stay below their weight limits", async (env) => {
  env.failures.expect(/404.*\/nowhere/);
  const lobby = await env.window();
  const lobbyBytes = await weigh(lobby);
  const anna = new Player(lobby);
  const code = await anna.create();
  await lobby.waitForLoadState("networkidle");
  note({ what: "weight of lobby and game, all over the wire", value: lobbyBytes() / 1000, limit: 150, unit: "KB", isTime: false });

  const ben = new Player(await env.window());
  const gameBytes = await weigh(ben.page);
  await ben.join(code);
  await anna.mayMove();
  await ben.page.waitForLoadState("networkidle");
  note({ what: "weight of a game that was joined by its link", value: gameBytes() / 1000, limit: 150, unit: "KB", isTime: false });

  const board = await env.window();
  const boardBytes = await weigh(board);
  await board.goto("/board");
  await board.getByText("Connected to the relay").waitFor();
  await board.waitForLoadState("networkidle");
  note({ what: "weight of the virtual board", value: boardBytes() / 1000, limit: 150, unit: "KB", isTime: false });

  for (const [what, path, heading] of /** @type {const} */ ([
    ["the list of games", "/games", "Your games"],
    ["the page of rules", "/rules", ""],
    ["the laboratory", "/lab", ""],
    ["the second screen", `/g/${code}?clock`, ""],
    ["the page of the owner", "/owner", ""],
    ["the owner's page of a board", "/owner/boards/virtual", ""],
    ["the page for an unknown address", "/nowhere", "Page not found"],
  ])) {
    const page = await env.window();
    const bytes = await weigh(page);
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    // The owner's page of a board asks for its state again and again.
    if (path === "/owner/boards/virtual") await page.getByText("Last failure").waitFor();
    else await page.waitForLoadState("networkidle");
    note({ what: `weight of ${what}`, value: bytes() / 1000, limit: 150, unit: "KB", isTime: false });
  }
  assert.deepEqual(broken(), []);
});

play("an invited player can move soon", async (env) => {
  /** @type {number[]} */
  const times = [];
  const host = new Player(await env.window());
  for (let round = 0; round < 5; round++) {
    const code = await host.create({ color: "Black" });
    const guest = await env.window();
    // The form is submitted as soon as it appears.
    await guest.addInitScript(() => {
      const now = () => Object.assign(window, { couldMoveAt: performance.now() });
      new MutationObserver((_, observer) => {
        const yes = [...document.querySelectorAll("button")].find((button) => button.textContent === "Play" && button.type === "submit");
        if (yes && document.querySelector("form.join")) yes.click();
        if (document.querySelector("h1")?.textContent !== "Your move") return;
        observer.disconnect();
        requestAnimationFrame(now);
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await guest.goto(`/g/${code}`);
    await new Player(guest).mayMove();
    times.push(await guest.evaluate(() => /** @type {any} */ (window).couldMoveAt));
    await guest.context().close();
  }
  note({ what: "first move possible, after the link was opened, median of 5", value: median(times), limit: 1000, unit: "ms", isTime: true });
});

play("a move is soon seen by the opponent", async (env) => {
  const { anna, ben } = await twoPlayers(env);
  for (const { page } of [anna, ben]) {
    await page.evaluate(() => {
      const state = Object.assign(window, { touchedAt: 0, seenAt: 0 });
      const now = () => performance.timeOrigin + performance.now();
      addEventListener("pointerup", () => (state.touchedAt = now()), { capture: true });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (state.seenAt = now());
      // The message is handled after the frame in which the headline changed.
      const headline = /** @type {Element} */ (document.querySelector("h1"));
      new MutationObserver(() => requestAnimationFrame(() => port2.postMessage(null))).observe(headline, {
        childList: true,
        subtree: true,
        characterData: true,
      });
    });
  }
  /** @type {number[]} */
  const times = [];
  let [mover, other] = [anna, ben];
  for (const way of "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5".split(" ")) {
    await mover.mayMove();
    await mover.click(way.slice(0, 2), way.slice(2));
    await other.mayMove();
    await other.page.waitForFunction(() => /** @type {any} */ (window).seenAt > 0);
    const [touchedAt, seenAt] = await Promise.all([
      mover.page.evaluate(() => /** @type {any} */ (window).touchedAt),
      other.page.evaluate(() => /** @type {any} */ (window).seenAt),
    ]);
    times.push(seenAt - touchedAt);
    for (const { page } of [anna, ben]) await page.evaluate(() => Object.assign(window, { touchedAt: 0, seenAt: 0 }));
    [mover, other] = [other, mover];
  }
  note({ what: `from input to the opponent's screen, median of ${times.length}`, value: median(times), limit: 50, unit: "ms", isTime: true });
});

/** @type {[string, import("playwright-core").BrowserContextOptions][]} */
const SCREENS = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", PHONE],
  ["phone on its side", LANDSCAPE],
];

/**
 * Looks at the pages around games: lists, rules, laboratory, the link of a board, and a challenge.
 *
 * @param {Player} visitor
 * @param {(view: string, player: Player) => Promise<void>} look
 */
async function lookAround(visitor, look) {
  const { page } = visitor;
  const { boards } = await (await page.request.get("/boards?all")).json();
  for (const [path, heading] of /** @type {const} */ ([
    ["/games", "Your games"],
    [`/games?board=${boards[0].code}`, "Games on virtual"],
    ["/rules", ""],
    ["/lab", ""],
    [`/g/${boards[0].code}`, "Challenge the board virtual"],
    ["/nowhere", "Page not found"],
  ])) {
    await page.goto(path);
    await visitor.sees(heading);
    if (path === "/lab") await page.getByText("The piece on d4 has 8 moves.").waitFor();
    await look(path, visitor);
  }
  await page.goto("/?board=virtual");
  await page.getByRole("form", { name: "New game" }).getByLabel("Your name").fill("Sam");
  await visitor.button("Challenge").click();
  await page.getByText("virtual has been asked.").waitFor();
  await look("challenge", visitor);
  await visitor.button("Leave").click();
  await visitor.sees(/Play chess/);
}

for (const [screen, options] of SCREENS) {
  play(`every view is accessible and still, ${screen}`, async (env) => {
    const [anna, ben] = [new Player(await env.window(options)), new Player(await env.window(options))];
    /** @type {string[]} */
    const found = [];
    let views = 0;
    const look = async (/** @type {string} */ view, /** @type {Player} */ { page } = anna) => {
      views += 1;
      found.push(...(await violations(page)).map((line) => `${view}: ${line}`));
    };
    await anna.page.goto("/");
    await anna.page.getByRole("form", { name: "New game" }).waitFor();
    await look("lobby");
    const code = await anna.create({ clock: "10+5" });
    await look("waiting");
    await ben.page.goto(`/g/${code}`);
    await ben.button("Play").waitFor();
    await look("invitation", ben);
    await ben.join(code);
    await playOut(anna, ben, "a4 h5 a5 h4 a6 h3 axb7 hxg2");
    await anna.mayMove();
    await anna.page.getByLabel("Write a message").fill("Look at this pawn!");
    await anna.button("Send").click();
    await ben.chat.getByText("Look at this pawn!").waitFor();
    const select = (/** @type {string} */ square) => ("hasTouch" in options ? anna.square(square).tap() : anna.square(square).click());
    await select("g1");
    await look("game");
    await look("game of the other", ben);
    await select("b7");
    await select("a8");
    await anna.page.getByRole("dialog", { name: "Promote the pawn" }).waitFor();
    await look("promotion");
    await anna.page.keyboard.press("q");
    await ben.mayMove();
    await ben.button("Offer draw").click();
    await anna.offer("draw").waitFor();
    await look("offer");
    await ben.button("Resign").click();
    await look("question", ben);
    await ben.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await anna.sees("You won by resignation.");
    await look("game over");
    await anna.move("a4, pawn a4").click();
    await look("review");
    const sam = new Player(await env.window(options));
    await sam.page.goto(`/g/${code}?clock`);
    await sam.sees("White won by resignation.");
    await look("clocks", sam);
    await anna.button("Leave").click();
    await anna.sees(/Play chess/);
    await ben.button("Leave").click();
    await ben.sees(/Play chess/);
    await sam.page.goto(`/g/${code}`);
    await sam.sees("White won by resignation.");
    await look("stored game", sam);
    env.failures.expect(/404.*\/nowhere/);
    await lookAround(sam, look);
    const board = await VirtualBoard.open(env, options);
    found.push(...(await violations(board.page)).map((line) => `virtual board: ${line}`));
    await board.page.getByText("Sensors and lights").click();
    await board.takeOff("d2");
    found.push(...(await violations(board.page)).map((line) => `virtual board, open: ${line}`));
    views += 2;
    const owner = await env.window(options);
    await owner.goto("/owner");
    await owner.getByRole("link", { name: "virtual" }).waitFor();
    found.push(...(await violations(owner)).map((line) => `owner: ${line}`));
    await owner.goto("/owner/boards/virtual");
    await owner.getByText("Last failure").waitFor();
    found.push(...(await violations(owner)).map((line) => `owner's page of a board: ${line}`));
    views += 2;
    note({ what: `violations that axe-core finds in ${views} views, ${screen}`, value: found.length, limit: 0, unit: "", isTime: false });
    const shifts = env.failures.console.filter((line) => line.includes("layout shift")).length;
    note({ what: `layout shifts in ${views} views, ${screen}`, value: shifts, limit: 0, unit: "", isTime: false });
    assert.deepEqual(found, []);
  });
}
