// A test in the browser: it has its own relay and fresh windows, and fails if anything unexpected was logged meanwhile.

import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { browser, closeBrowser } from "./browser.js";
import { Relay } from "./relay.js";
import { Failures } from "./failures.js";

/** A test that takes longer hangs. */
const TEST_TIMEOUT_MS = 120_000;
/** How long a single condition may take. */
const CONDITION_TIMEOUT_MS = 20_000;

after(closeBrowser);

/**
 * @typedef {object} Environment
 * @property {Relay} relay
 * @property {Failures} failures
 * @property {(options?: import("playwright-core").BrowserContextOptions) => Promise<import("playwright-core").Page>} window
 *   a window with its own storage
 */

/**
 * @param {string} title
 * @param {(env: Environment) => Promise<void>} run
 * @param {readonly string[]} [options] of the relay
 */
export function play(title, run, options = []) {
  test(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const relay = await Relay.start(...options);
    const failures = new Failures();
    /** @type {import("playwright-core").BrowserContext[]} */
    const contexts = [];
    try {
      await run({
        relay,
        failures,
        window: async (contextOptions = {}) => {
          const context = await (await browser()).newContext({ baseURL: relay.url, locale: "en-GB", ...contextOptions });
          contexts.push(context);
          context.setDefaultTimeout(CONDITION_TIMEOUT_MS);
          await failures.watch(context);
          return context.newPage();
        },
      });
      const unexpected = [...failures.unexpected(), ...relay.failures()];
      if (unexpected.length > 0) throw new Error(`unexpected during the test:\n${unexpected.join("\n")}`);
    } catch (error) {
      await keepEvidence(title, contexts, failures, relay);
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
 * @param {Failures} failures
 * @param {Relay} relay
 */
async function keepEvidence(title, contexts, failures, relay) {
  if (contexts.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), "tabiya-browser-evidence-"));
  const pages = contexts.flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    const path = join(folder, `window-${number + 1}.png`);
    // A crashed window has no screenshot.
    await page.screenshot({ path, timeout: 5000 }).catch(() => {});
    const text = await page.locator("main").innerText({ timeout: 5000 }).catch(() => "nothing");
    // On a CI runner the folder may be out of reach.
    process.stderr.write(`${title}: window ${number + 1}, ${page.url()}, shows: ${text.replaceAll(/\s+/g, " ")}\n`);
  }
  const console = [...failures.console, "", "unexpected:", ...failures.unexpected()];
  await writeFile(join(folder, "console.txt"), console.join("\n"));
  await writeFile(join(folder, "relay.txt"), relay.log.join("\n"));
  process.stderr.write(`${title}: screenshots, console and log are in ${folder}\n`);
}
