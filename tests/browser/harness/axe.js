// The accessibility violations that axe-core finds in a view.

import axe from "axe-core";

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>} a line for each violation
 */
export async function violations(page) {
  await settled(page);
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap((/** @type {any} */ { id, help, nodes }) =>
      nodes.map((/** @type {any} */ { target, any }) => `${id}: ${help}: ${target.join(" ")}: ${any.map((/** @type {any} */ { message }) => message)}`),
    );
  });
}

/**
 * Waits for animations to end: text that fades in has too little contrast meanwhile.
 *
 * @param {import("playwright-core").Page} page
 */
async function settled(page) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished)));
}
