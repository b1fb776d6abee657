// The page in other languages than English.

import assert from "node:assert/strict";

import { play } from "../harness/play.js";
import { Player } from "../harness/player.js";

/** @typedef {import("playwright-core").Page} Page */

play("the browser chooses the language, and a switch another one", async (env) => {
  const page = await env.window({ locale: "de-AT" });
  const loaded = /** @type {string[]} */ ([]);
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Schach über jede Entfernung" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  assert.deepEqual(loaded.filter((path) => /\/language\/\w\w\.js$/.test(path)).map((path) => path.slice(-5)), ["de.js"]);
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("Slovenčina");
  await page.getByRole("heading", { level: 1, name: "Šach na akúkoľvek vzdialenosť" }).waitFor();
  // The choice holds on all pages.
  await page.goto("/board");
  await page.getByText("Spojenie so serverom").waitFor();
  // So does what the board itself says.
  await page.locator("#sentence").getByText("Figúrky stoja ako v partii.").waitFor();
  await page.locator("#headline").getByText(/^Na ťahu: /).waitFor();
  env.failures.expect(/404/);
  await page.goto("/nowhere");
  await page.getByRole("heading", { level: 1, name: "Stránka sa nenašla" }).waitFor();
  // A language that is not there becomes English.
  const other = await env.window({ locale: "ja-JP" });
  await other.goto("/");
  await other.getByRole("heading", { level: 1, name: "Play chess across any distance" }).waitFor();
});

/** Serves every German text in brackets, so that what is not one of them stands out. */
async function bracketTexts(/** @type {Page} */ page) {
  const { default: german } = await import("../../../host-server/page/language/de.js");
  // Placeholders stay outside: a value is no text.
  const inBrackets = (/** @type {string} */ text) => text.replaceAll(/[^{}]+(?![^{}]*\})/g, (words) => `⟦${words}⟧`);
  const everyForm = (/** @type {any} */ text) =>
    typeof text === "string" ? inBrackets(text) : Object.fromEntries(Object.entries(text).map(([form, words]) => [form, inBrackets(words)]));
  const texts = Object.fromEntries(Object.entries(german).map(([key, text]) => [key, everyForm(text)]));
  await page.route(/\/language\/de\.js$/, (route) =>
    route.fulfill({ contentType: "text/javascript; charset=utf-8", body: `export default ${JSON.stringify(texts)}` }),
  );
}

/**
 * The words on the screen, or for a screen reader, that are in no language file.
 *
 * @param {Page} page
 * @param {RegExp} data words that are no texts: names, codes, moves
 * @returns {Promise<string[]>}
 */
async function untranslated(page, data) {
  const words = await page.evaluate(() => {
    const outside = (/** @type {string} */ text) => text.replaceAll(/⟦[^⟦⟧]*⟧/g, " ");
    const found = [outside(document.title)];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest("noscript, option")) continue;
      if (node instanceof Element) {
        for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(outside(node.getAttribute(name) ?? ""));
      } else {
        found.push(outside(node.textContent ?? ""));
      }
    }
    return found;
  });
  return [...new Set(words.flatMap((text) => text.split(/[\s,.:()„“…]+/)))].filter((word) => /\p{L}{2}/u.test(word) && !data.test(word));
}

play("every word of every view is in the language files", async (env) => {
  const pages = [await env.window({ locale: "de-DE" }), await env.window({ locale: "de-DE" })];
  for (const page of pages) await bracketTexts(page);
  const [anna, ben] = pages.map((page) => new Player(page));
  assert.ok(anna && ben);
  const german = (/** @type {Player} */ player, /** @type {string} */ name) => player.page.getByRole("button", { name: `⟦${name}⟧`, exact: true });
  /** @type {string[]} */
  const found = [];
  let code = "";
  const look = async (/** @type {string} */ view, /** @type {Page} */ page) => {
    const data = new RegExp(`^(Anna|Ben|Tabiya|DE|virtual|tabiya-virtual|ms|FEN|PGN|[SACHX]{2,3}|[0-9a-f]{6}|\\d+s|https?|//.*|\\d+/g/.*|.*127|${code || "-"}|${code.slice(0, 6) || "-"}|[KQRBNO]?[a-hO-]*x?[a-h]?[1-8]?[+#]?|Nf3|g1f3)$`);
    found.push(...(await untranslated(page, data)).map((word) => `${view}: ${word}`));
  };
  await anna.page.goto("/");
  await anna.page.getByLabel("⟦Dein Name⟧").first().fill("Anna");
  await anna.page.getByRole("radio", { name: "⟦Weiß⟧" }).check();
  await anna.page.getByRole("radio", { name: "⟦Andere …⟧" }).check();
  await look("lobby", anna.page);
  await anna.page.getByRole("radio", { name: "10+5" }).check();
  await german(anna, "Partie erstellen").click();
  await anna.sees("⟦Warten auf einen Gegner⟧");
  code = anna.code();
  await look("invitation of one's own", anna.page);
  await ben.page.goto(`/g/${code}`);
  await german(ben, "Spielen").waitFor();
  await look("invitation", ben.page);
  await ben.page.getByLabel("⟦Dein Name⟧").fill("Ben");
  await german(ben, "Spielen").click();
  await anna.sees("⟦Du bist am Zug⟧");
  let [mover, other] = [anna, ben];
  for (const san of "e4 d5 exd5 Qxd5 Nc3 Qe5".split(" ")) {
    await mover.sees(/Du bist am Zug/);
    await mover.page.getByLabel("⟦Zug eingeben⟧").fill(san);
    await mover.page.keyboard.press("Enter");
    [mover, other] = [other, mover];
  }
  await anna.sees(/⟦Schach! ⟧⟦Du bist am Zug⟧/);
  await look("game", anna.page);
  await look("game of the other", ben.page);
  await german(ben, "Remis anbieten").or(ben.page.locator('[data-action="draw"]')).first().click();
  await anna.page.getByText(/bietet Remis an/).first().waitFor();
  await look("offer", anna.page);
  await anna.page.locator('[data-action="resign"]').click();
  await look("question", anna.page);
  await anna.page.getByRole("dialog").getByRole("button", { name: "⟦Aufgeben⟧" }).click();
  await ben.sees(/Du hast gewonnen/);
  await look("game over", ben.page);
  await anna.page.goto(`/g/${code}?clock`);
  await anna.sees(/Schwarz hat gewonnen/);
  await look("clocks", anna.page);
  await anna.page.goto("/games");
  await anna.page.getByRole("link", { name: /Anna – Ben/ }).waitFor();
  await look("games", anna.page);
  await anna.page.getByRole("link", { name: /Anna – Ben/ }).click();
  await anna.sees(/Schwarz hat gewonnen/);
  await look("stored game", anna.page);
  await anna.page.goto("/");
  await german(anna, "Gegen den Computer spielen").click();
  await anna.page.getByText(/⟦Tabiya Stufe ⟧3/).first().waitFor();
  code = anna.code();
  await look("game against the computer", anna.page);
  await anna.page.goto("/rules");
  await anna.page.getByLabel("⟦Vorlage⟧").selectOption({ index: 1 });
  await german(anna, "Ausprobieren").click();
  await anna.page.getByText(/Die Anfangsstellung/).waitFor();
  await look("rules", anna.page);
  await anna.page.goto("/lab");
  const dna = anna.page.getByLabel(/^⟦DNA: /);
  const count = anna.page.getByText(/⟦Die Figur auf ⟧d4/);
  for (const text of [
    // A block without moves, a step of each kind, effects and a debuff, a piece that changes its owner, and faults.
    "AHH HSH HSH CHA CHA CHA HHA",
    "AHH HSH HAA HHH AHS CHA HHA SAS SSS CAC AAA",
    "AHH HSH HSC HHH CHA AHS HHA SAS",
    "AHX",
    "AHH HHS",
    "AHH HSH",
    "SAS",
  ]) {
    await dna.fill(text);
    await anna.page.getByText(text.length > 20 ? /⟦Gültig/ : /⟦Zeichen /).waitFor();
    await count.waitFor();
    await look(`laboratory with ${text}`, anna.page);
  }
  // What cannot be saved is refused.
  env.failures.expect(/422/);
  await german(anna, "Genom speichern").click();
  await anna.page.getByText("⟦Diese DNA ist nicht gültig.⟧").waitFor();
  await look("laboratory with a refusal", anna.page);
  const board = await env.window({ locale: "de-DE" });
  await bracketTexts(board);
  /** @type {(message: object) => void} */
  let sayToBoard = () => assert.fail("the page is not connected");
  await board.routeWebSocket(/\/ws\/panel/, (socket) => {
    socket.connectToServer();
    sayToBoard = (message) => socket.send(JSON.stringify(message));
  });
  await board.goto("/board");
  await board.getByText("⟦Mit dem Server verbunden⟧").waitFor();
  await board.getByText("⟦Sensoren und Lichter⟧").click();
  await look("virtual board", board);
  // Somebody else was quicker.
  sayToBoard({ type: "error", message: "e4 is occupied" });
  await board.getByText("⟦Das Brett lehnt ab: ⟧e4⟦ ist besetzt⟧").waitFor();
  await look("refusal of the virtual board", board);
  await board.goto("/owner");
  await board.getByRole("link", { name: "virtual" }).waitFor();
  await look("owner", board);
  await board.goto("/owner/boards/virtual");
  await board.getByText("⟦Letzter Fehler⟧").waitFor();
  await look("owner's page of a board", board);
  assert.deepEqual(found, []);
});
