// What people write is never more than text.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

/** Each is at most as long as a name may be. */
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
 * Opens a game as a program would.
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
 * Makes sure that everything is inside of what it belongs to.
 *
 * @param {Player} player
 */
async function holds(player) {
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

play("names and lines that would be scripts are only read", async (stage) => {
  const page = await stage.window({ viewport: { width: 360, height: 740 } });
  page.on("dialog", (dialog) => stage.troubles.add(`a dialog: ${dialog.message()}`));
  await page.addInitScript(() => {
    Object.assign(window, { boom: () => console.error("a script has run") });
  });
  const ben = new Player(page);
  for (let number = 0; number < NAMES.length; number += 2) {
    const [name = "", other = ""] = NAMES.slice(number, number + 2);
    // The form does not take every name; the relay takes them from programs.
    const answer = await open(stage.relay, name);
    assert.equal(answer.status, 201, name);
    const { code } = /** @type {{ code: string }} */ (await answer.json());
    await ben.join(code, other);
    await ben.sees(/Waiting for/);
    await page.getByRole("group", { name: `White: ${name}` }).getByText(name, { exact: true }).waitFor();
    await page.getByRole("group", { name: `Black: ${other}` }).getByText(other, { exact: true }).waitFor();
    await holds(ben);
  }
  const anna = new Player(await stage.window());
  await ben.join(await anna.create({ name: NAMES[0] ?? "" }), NAMES[1]);
  await anna.mayMove();
  for (const [number, line] of LINES.entries()) {
    await page.getByLabel("Say something").fill(line);
    await ben.button("Send").click();
    await ben.chat.getByRole("listitem").nth(number).waitFor();
  }
  await anna.chat.getByRole("listitem").nth(LINES.length - 1).waitFor();
  const said = await ben.chat.getByRole("listitem").allInnerTexts();
  assert.ok(said[1]?.includes("<script>boom()</script><style>"), said[1]);
  assert.ok(!said.some((line) => /[\u202a-\u202e\u2066-\u2069]/.test(line)), "nothing turns the words around");
  for (const player of [anna, ben]) {
    assert.equal(await player.page.locator('body :is(img[src=x], script, style, a[href^="javascript"], [onload], [onerror])').count(), 0);
    await holds(player);
  }
});

play("names that hide something are refused, by the page and by the relay", async (stage) => {
  const page = await stage.window();
  await page.goto("/");
  const form = page.getByRole("form", { name: "New game" });
  for (const name of ["\u202egnp.exe", "zero\u200bwidth", "line\u2028break", "é".repeat(17)]) {
    await form.getByLabel("Your name").fill(name);
    await form.getByRole("button", { name: "Create game" }).click();
    await form.getByText(/This name is too long|characters in this name that cannot be seen/).waitFor();
    await form.getByLabel("Your name").fill("");
    assert.equal((await open(stage.relay, name)).status, 400, name);
  }
});
