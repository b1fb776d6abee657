// How far the pages reach: what they weigh, how soon one can play, and whether everybody can.

import assert from "node:assert/strict";
import { after } from "node:test";

import { violations } from "./harness/axe.js";
import { broken, median, note, table } from "./harness/figures.js";
import { play } from "./harness/play.js";
import { Player, playOut, twoPlayers } from "./harness/player.js";
import { Wood } from "./harness/wood.js";

/** @typedef {import("playwright-core").Page} Page */

after(() => {
  process.stdout.write(`\n${table()}\n\n`);
});

/**
 * Counts what comes over the wire, with all headers.
 *
 * @param {Page} page
 * @returns {Promise<() => number>}
 */
async function weigh(page) {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  return () => bytes;
}

play("the pages weigh little", async (stage) => {
  const lobby = await stage.window();
  const lobbyBytes = await weigh(lobby);
  const anna = new Player(lobby);
  const code = await anna.create();
  await lobby.waitForLoadState("networkidle");
  note({ what: "weight of lobby and game, all over the wire", value: lobbyBytes() / 1000, limit: 150, unit: "KB", isTime: false });

  const ben = new Player(await stage.window());
  const gameBytes = await weigh(ben.page);
  await ben.join(code);
  await anna.mayMove();
  await ben.page.waitForLoadState("networkidle");
  note({ what: "weight of a game that one was invited to", value: gameBytes() / 1000, limit: 150, unit: "KB", isTime: false });

  const board = await stage.window();
  const boardBytes = await weigh(board);
  await board.goto("/board");
  await board.getByText("Connected to the relay").waitFor();
  await board.waitForLoadState("networkidle");
  note({ what: "weight of the virtual board", value: boardBytes() / 1000, limit: 150, unit: "KB", isTime: false });
  assert.deepEqual(broken(), []);
});

play("one can soon play", async (stage) => {
  /** @type {number[]} */
  const times = [];
  const host = new Player(await stage.window());
  for (let round = 0; round < 5; round++) {
    const code = await host.create({ color: "Black" });
    const guest = await stage.window();
    // Whoever was here before says yes at once.
    await guest.addInitScript(() => {
      const now = () => Object.assign(window, { couldMoveAt: performance.now() });
      new MutationObserver((_, observer) => {
        const yes = [...document.querySelectorAll("button")].find((button) => button.textContent === "Play" && button.type === "submit");
        if (yes && document.querySelector("h1")?.textContent === "You are invited to a game") yes.click();
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

play("a move is soon seen", async (stage) => {
  const { anna, ben } = await twoPlayers(stage);
  for (const { page } of [anna, ben]) {
    await page.evaluate(() => {
      const state = Object.assign(window, { touchedAt: 0, seenAt: 0 });
      const now = () => performance.timeOrigin + performance.now();
      addEventListener("pointerup", () => (state.touchedAt = now()), { capture: true });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (state.seenAt = now());
      // What changes the headline is drawn with it; the message is handled when that is done.
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
  note({ what: `from a finger to the opponent's screen, median of ${times.length}`, value: median(times), limit: 50, unit: "ms", isTime: true });
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  play(`everybody can play, ${colorScheme}`, async (stage) => {
    const [anna, ben] = [new Player(await stage.window({ colorScheme })), new Player(await stage.window({ colorScheme }))];
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
    await anna.page.getByLabel("Say something").fill("Look at this pawn!");
    await anna.button("Send").click();
    await ben.chat.getByText("Look at this pawn!").waitFor();
    await anna.square("g1").click();
    await look("game");
    await look("game of the other", ben);
    await anna.drag("b7", "a8");
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
    await look("looking back");
    const wood = await Wood.open(stage, { colorScheme });
    found.push(...(await violations(wood.page)).map((line) => `virtual board: ${line}`));
    await wood.page.getByText("Under the wood").click();
    await wood.takeOff("d2");
    found.push(...(await violations(wood.page)).map((line) => `virtual board, open: ${line}`));
    views += 2;
    note({ what: `violations that axe-core finds in ${views} views, ${colorScheme}`, value: found.length, limit: 0, unit: "", isTime: false });
    assert.deepEqual(found, []);
  });
}
