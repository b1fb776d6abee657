// The browser of a test file: Debian's Chromium, as it is on the path.
//
// The plays run in the headless shell, which needs half the resources. `TABIYA_BROWSER=chromium` selects the full browser.

import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";

/** @type {Promise<import("playwright-core").Browser> | null} */
let running = null;

/** The browser, started by the first call. */
export function browser() {
  running ??= launch();
  return running;
}

export async function closeBrowser() {
  await (await running)?.close();
  running = null;
}

async function launch() {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: await onPath(process.env.TABIYA_BROWSER ?? "chromium-headless-shell"),
    headless: true,
    chromiumSandbox: !isRoot,
    args: [
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-quic",
      // Background windows must not be throttled.
      "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows",
    ],
  });
}

/** @param {string} program */
async function onPath(program) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, program);
    const isThere = await access(path, constants.X_OK).then(() => true, () => false);
    if (isThere) return path;
  }
  throw new Error(`there is no ${program} on the path; \`cargo xtask setup\` installs it`);
}
