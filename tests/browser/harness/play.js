// A test: a relay of its own, fresh windows, and a close look at both when it is over.

import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { browser, closeBrowser } from "./browser.js";
import { Relay } from "./relay.js";
import { Troubles } from "./troubles.js";

/** Nothing here takes so long, unless it hangs. */
const HANGS_MS = 120_000;
/** How long to wait for something to be seen. */
const PATIENCE_MS = 20_000;

after(closeBrowser);

/**
 * @typedef {object} Stage
 * @property {Relay} relay
 * @property {Troubles} troubles
 * @property {(options?: import("playwright-core").BrowserContextOptions) => Promise<import("playwright-core").Page>} window
 *   a window of a browser that has never been here
 */

/**
 * @param {string} title
 * @param {(stage: Stage) => Promise<void>} scene
 * @param {readonly string[]} [words] on the command line of the relay
 */
export function play(title, scene, words = []) {
  test(title, { timeout: HANGS_MS }, async () => {
    const relay = await Relay.start(...words);
    const troubles = new Troubles();
    /** @type {import("playwright-core").BrowserContext[]} */
    const contexts = [];
    try {
      await scene({
        relay,
        troubles,
        window: async (options = {}) => {
          const context = await (await browser()).newContext({ baseURL: relay.url, locale: "en-GB", ...options });
          contexts.push(context);
          context.setDefaultTimeout(PATIENCE_MS);
          await troubles.watch(context);
          return context.newPage();
        },
      });
      const unexpected = [...troubles.unexpected(), ...relay.troubles()];
      if (unexpected.length > 0) throw new Error(`this went wrong meanwhile:\n${unexpected.join("\n")}`);
    } catch (error) {
      await keepEvidence(title, contexts, troubles, relay);
      throw error;
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
      await relay.discard();
    }
  });
}

/**
 * @param {string} title
 * @param {import("playwright-core").BrowserContext[]} contexts
 * @param {Troubles} troubles
 * @param {Relay} relay
 */
async function keepEvidence(title, contexts, troubles, relay) {
  if (contexts.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), "tabiya-browser-evidence-"));
  const pages = contexts.flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    const path = join(folder, `window-${number + 1}.png`);
    // A window that has crashed has nothing to show.
    await page.screenshot({ path, timeout: 5000 }).catch(() => {});
    const words = await page.locator("main").innerText({ timeout: 5000 }).catch(() => "nothing");
    // Where the folder cannot be looked at, this is all there is.
    process.stderr.write(`${title}: window ${number + 1}, ${page.url()}, says: ${words.replaceAll(/\s+/g, " ")}\n`);
  }
  const console = [...troubles.console, "", "unexpected:", ...troubles.unexpected()];
  await writeFile(join(folder, "console.txt"), console.join("\n"));
  await writeFile(join(folder, "relay.txt"), relay.log.join("\n"));
  process.stderr.write(`${title}: screenshots, console and log are in ${folder}\n`);
}
