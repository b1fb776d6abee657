// Themes, and the page on a phone.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";
import { Touch } from "../harness/touch.js";

/** @typedef {import("playwright-core").Page} Page */

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/**
 * How light the page is, from 0 to 255.
 *
 * @param {Page} page
 */
async function brightness(page) {
  const color = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const parts = color.match(/\d+/g)?.map(Number) ?? [];
  return parts.slice(0, 3).reduce((sum, part) => sum + part, 0) / 3;
}

/**
 * Checks that the page does not scroll horizontally.
 *
 * @param {Page} page
 */
async function fits(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `the page is ${content} wide, the window ${window}`);
}

play("the theme follows the system until one is chosen", async (env) => {
  const page = await env.window({ colorScheme: "dark" });
  await page.goto("/");
  assert.ok((await brightness(page)) < 60);
  await page.getByRole("button", { name: "Use light colours" }).click();
  assert.ok((await brightness(page)) > 200);
  await page.reload();
  assert.ok((await brightness(page)) > 200);
  await page.getByRole("button", { name: "Use dark colours" }).click();
  assert.ok((await brightness(page)) < 60);
  // A choice that equals the system's setting follows the system again.
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Use dark colours" }).waitFor();
  assert.ok((await brightness(page)) > 200);
});

/**
 * The contrast of two colours, as WCAG defines it.
 *
 * @param {readonly number[]} one
 * @param {readonly number[]} other
 */
function contrast(one, other) {
  const linear = (/** @type {number} */ part) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (/** @type {readonly number[]} */ [r = 0, g = 0, b = 0]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

play("the lobby is aligned, and offers the virtual board only to those who may move its pieces", async (env) => {
  const page = await env.window();
  await page.goto("/");
  const form = page.getByRole("form", { name: "New game" });
  const lefts = await form.locator("label[for=create-name], legend").evaluateAll((labels) =>
    labels.map((label) => {
      const text = document.createRange();
      text.selectNodeContents(label);
      return text.getBoundingClientRect().left;
    }),
  );
  assert.equal(lefts.length, 3);
  assert.ok(lefts.every((left) => Math.abs(left - (lefts[0] ?? 0)) < 0.5), lefts.join());
  for (const width of [1280, 820, 390, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await page.locator(".lead").evaluate((lead) => {
      const text = /** @type {Text} */ (lead.firstChild);
      const words = [...text.data.matchAll(/\S+/g)].map(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return Math.round(range.getBoundingClientRect().top);
      });
      return [...new Set(words)].map((top) => words.filter((one) => one === top).length);
    });
    assert.ok((lines.at(-1) ?? 0) > 1, `at ${width} the last line of the lead has one word: ${lines}`);
  }
  const link = page.getByRole("link", { name: "Play on the virtual board" });
  await link.waitFor();
  await page.route("**/whereabouts", (route) => route.fulfill({ json: { nearby: null, board: false } }));
  const answered = page.waitForResponse("**/whereabouts");
  await page.reload();
  await answered;
  await page.getByText("Boards that wait").or(page.getByRole("link", { name: /^Challenge/ })).first().waitFor();
  assert.equal(await link.count(), 0);
});

play("black pieces can be seen beside boards in dark colours", async (env) => {
  const page = await env.window({ colorScheme: "dark" });
  for (const [path, element] of /** @type {const} */ ([
    ["/", ".color span > .choice-piece"],
    ["/board", "#tray"],
  ])) {
    await page.goto(path);
    const [piece = "", ground = ""] = await page.locator(element).first().evaluate((one) => {
      const probe = document.createElement("i");
      probe.style.color = "var(--piece-black)";
      one.append(probe);
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      const colors = [getComputedStyle(probe).color, backgroundImage === "none" ? backgroundColor : backgroundImage];
      probe.remove();
      return colors;
    });
    const rgb = (/** @type {string} */ color) => color.match(/[\d.]+/g)?.slice(0, 3).map(Number) ?? [];
    assert.ok(contrast(rgb(piece), rgb(ground)) >= 3, `${path}: ${piece} on ${ground}`);
  }
});

play("a game can be played on a phone by touch", async (env) => {
  const [anna, ben] = [new Player(await env.window(PHONE)), new Player(await env.window())];
  await anna.page.goto("/");
  await fits(anna.page);
  const code = await anna.create({ clock: "5+3" });
  await fits(anna.page);
  await ben.join(code);
  await anna.mayMove();
  await fits(anna.page);
  const strip = anna.page.getByRole("group", { name: "Black: Ben" });
  const [name, clock] = [await strip.locator(".name").boundingBox(), await strip.getByRole("timer").boundingBox()];
  assert.ok(name && clock && name.x + name.width <= clock.x, "the name is beside the clock");
  assert.ok(Math.abs(name.y + name.height / 2 - clock.y - clock.height / 2) <= 3, JSON.stringify({ name, clock }));
  const board = await anna.board.boundingBox();
  assert.ok(board && board.width > 330 && board.x >= 0, "the board is as wide as the phone");
  assert.ok(board.y + board.height <= 740, "the whole board is visible");

  await anna.tap("e2", "e4");
  await ben.type("e5");
  await anna.mayMove();
  const finger = await Touch.on(anna.page);
  await finger.drag(await anna.middle("d1"), await anna.middle("h5"));
  await ben.seesOn("h5", "white queen");
  assert.equal(await anna.page.evaluate(() => scrollY), 0, "the page does not scroll while a piece is dragged");
  await ben.type("Nc6");
  await anna.mayMove();
  await anna.tap("f1", "c4");
  await ben.type("Nf6");
  await anna.mayMove();
  await anna.tap("h5", "f7");
  await anna.sees("You won by checkmate.");
  await fits(anna.page);
});
