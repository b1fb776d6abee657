// Actions that a page or a browser may ignore at a bad moment.

/** How long to wait for the effect of one attempt. */
const ATTEMPT_MS = 1000;

/**
 * Repeats an action until the page shows its effect. The timeout of the test ends it.
 *
 * @param {() => Promise<void>} act
 * @param {import("playwright-core").Locator} effect
 * @param {"visible" | "hidden"} [state] of the effect
 */
export async function repeatUntil(act, effect, state = "visible") {
  let isSeen = false;
  while (!isSeen) {
    await act();
    isSeen = await effect.waitFor({ state, timeout: ATTEMPT_MS }).then(() => true, () => false);
  }
}
