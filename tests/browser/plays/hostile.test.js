// Names and messages are shown as text, also if they contain markup.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

/** Each is within the limit for names. */
const NAMES = [
  "<img src=x onerror=boom()>",
  "<script>boom()</script>",
  "'\"><svg onload=boom()>",
  "javascript:boom()",
  "W".repeat(32),
  "👩‍👩‍👧‍👦".slice(0, 2) + "🏳️".repeat(2),
  "שלום עולם",
  "&lt;b&gt; ${1+1} {{7*7}}",
];

const LINES = [
  "<img src=x onerror=boom()>",
  "<script>boom()</script><style>*{display:none}</style>",
  "<a href=javascript:boom()>click</a>",
  "\u202egnirts a\u202c and back",
  "M".repeat(500),
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞".repeat(2),
  "👩‍👩‍👧‍👦".repeat(40),
];

/**
 * Creates a game over HTTP.
 *
 * @param {import("../harness/relay.js").Relay} relay
 * @param {string} name
 */
async function open(relay, name) {
  return fetch(`${relay.url}/games`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, color: "white", clock: null }),
  });
}

/**
 * Checks that nothing overflows the page.
 *
 * @param {Player} player
 */
async function doesNotOverflow(player) {
  const outside = await player.page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) return [`the page is ${document.documentElement.scrollWidth} wide`];
    const elements = [...document.querySelectorAll("main *")].filter((element) => !element.closest("svg, .unseen"));
    return elements
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && (box.right > width + 1 || box.left < -1);
      })
      .map((element) => element.outerHTML.slice(0, 200));
  });
  assert.deepEqual(outside, []);
}

play("names and messages with markup are shown as text", async (env) => {
  const page = await env.window({ viewport: { width: 360, height: 740 } });
  page.on("dialog", (dialog) => env.failures.add(`a dialog: ${dialog.message()}`));
  await page.addInitScript(() => {
    Object.assign(window, { boom: () => console.error("a script has run") });
  });
  const ben = new Player(page);
  for (let number = 0; number < NAMES.length; number += 2) {
    const [name = "", other = ""] = NAMES.slice(number, number + 2);
    // The relay accepts more names than the form.
    const answer = await open(env.relay, name);
    assert.equal(answer.status, 201, name);
    const { code } = /** @type {{ code: string }} */ (await answer.json());
    await ben.join(code, other);
    await ben.sees(/Waiting for/);
    await page.getByRole("group", { name: `White: ${name}` }).getByText(name, { exact: true }).waitFor();
    await page.getByRole("group", { name: `Black: ${other}` }).getByText(other, { exact: true }).waitFor();
    await doesNotOverflow(ben);
  }
  const anna = new Player(await env.window());
  await ben.join(await anna.create({ name: NAMES[0] ?? "" }), NAMES[1]);
  await anna.mayMove();
  for (const [number, line] of LINES.entries()) {
    await page.getByLabel("Write a message").fill(line);
    await ben.button("Send").click();
    await ben.chat.getByRole("listitem").nth(number).waitFor();
  }
  await anna.chat.getByRole("listitem").nth(LINES.length - 1).waitFor();
  const lines = await ben.chat.getByRole("listitem").allInnerTexts();
  assert.ok(lines[1]?.includes("<script>boom()</script><style>"), lines[1]);
  assert.ok(!lines.some((line) => /[\u202a-\u202e\u2066-\u2069]/.test(line)), "no character changes the direction of the text");
  for (const player of [anna, ben]) {
    assert.equal(await player.page.locator('body :is(img[src=x], script, style, a[href^="javascript"], [onload], [onerror])').count(), 0);
    await doesNotOverflow(player);
  }
});

play("names with invisible characters are refused by the page and by the relay", async (env) => {
  const page = await env.window();
  await page.goto("/");
  const form = page.getByRole("form", { name: "New game" });
  for (const name of ["\u202egnp.exe", "zero\u200bwidth", "line\u2028break"]) {
    await form.getByLabel("Your name").fill(name);
    await form.getByRole("button", { name: "Create game" }).click();
    await form.getByText("This name has invisible characters.").waitFor();
    await form.getByLabel("Your name").fill("");
    assert.equal((await open(env.relay, name)).status, 400, name);
  }
  // The relay's limit is in bytes, and the field takes no more.
  await form.getByLabel("Your name").fill("é".repeat(17));
  assert.equal(await form.getByLabel("Your name").inputValue(), "é".repeat(16));
  assert.equal((await open(env.relay, "é".repeat(17))).status, 400);
});
