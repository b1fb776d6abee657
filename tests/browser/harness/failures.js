// Failures in the browser: console errors and warnings, exceptions, violated policies, failed requests and layout shifts. A test
// fails on every failure that it does not expect.

/** Runs in every page before its own scripts. */
function reportLayoutShifts() {
  const nameOf = (/** @type {Node | null} */ node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? `${element.tagName.toLowerCase()}#${element.id}.${element.getAttribute("class")}` : "?";
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = /** @type {any} */ (entry);
      if (shift.hadRecentInput) continue;
      const what = shift.sources.map((/** @type {any} */ source) => {
        const [from, to] = [source.previousRect, source.currentRect];
        return `${nameOf(source.node)} from ${from.x},${from.y} ${from.width}x${from.height} to ${to.x},${to.y} ${to.width}x${to.height}`;
      });
      console.error(`layout shift of ${shift.value} at ${location.pathname}: ${what.join("; ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Failures that a browser logs while the relay is down. A page that asks why may find the relay up again, and gets a 426. */
export const RELAY_DOWN = [
  /WebSocket connection to .* failed/,
  /ERR_CONNECTION_REFUSED/,
  /ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
  /\b426\b.*\/ws\/api\/|\/ws\/api\/.*\b426\b/,
];

/**
 * A request that the browser has aborted, as it does on navigation, when a page closes, and when a navigation becomes a download.
 *
 * @typedef {{ request: import("playwright-core").Request, page: import("playwright-core").Page | null }} Aborted
 */

export class Failures {
  /** @type {string[]} */ #seen = [];
  /** @type {Aborted[]} */ #aborted = [];
  /** @type {Map<import("playwright-core").Page, import("playwright-core").Request[]>} */ #requests = new Map();
  /** @type {Set<string>} */ #downloads = new Set();
  /** @type {RegExp[]} */ #expected = [];
  /** @type {string[]} All console messages. */ console = [];

  /**
   * Records the failures in these windows.
   *
   * @param {import("playwright-core").BrowserContext} context
   */
  async watch(context) {
    await context.addInitScript(reportLayoutShifts);
    context.on("console", (message) => {
      const line = `${message.type()}: ${message.text()} (${message.location().url})`;
      this.console.push(line);
      if (message.type() === "error" || message.type() === "warning") this.#seen.push(line);
    });
    context.on("weberror", (error) => this.#seen.push(`exception: ${error.error().stack ?? error.error()}`));
    context.on("page", (page) => page.on("download", (download) => this.#downloads.add(download.url())));
    context.on("request", (request) => {
      const page = pageOf(request);
      if (!page) return;
      const requests = this.#requests.get(page);
      if (requests) requests.push(request);
      else this.#requests.set(page, [request]);
    });
    context.on("requestfailed", (request) => {
      // The event of an abort may come before that of its cause, so it is judged at the end of the test.
      if (request.failure()?.errorText === ABORTED) this.#aborted.push({ request, page: pageOf(request) });
      else this.#seen.push(failed(request));
    });
    context.on("response", (response) => {
      if (response.status() >= 400) this.#seen.push(`refused request: ${response.status()} ${response.url()}`);
    });
  }

  /** @param {string} failure */
  add(failure) {
    this.#seen.push(failure);
  }

  /**
   * Declares that failures which match are part of the test.
   *
   * @param {...RegExp} like
   */
  expect(...like) {
    this.#expected.push(...like);
  }

  /**
   * Whether a request was aborted by a navigation, a closed page or a download.
   *
   * @param {Aborted} aborted
   */
  #isHarmless({ request, page }) {
    if (!page || page.isClosed() || this.#downloads.has(request.url())) return true;
    const requests = this.#requests.get(page) ?? [];
    const after = requests.slice(requests.indexOf(request) + 1);
    return after.some((later) => later.isNavigationRequest());
  }

  /** The failures that the test does not expect. */
  unexpected() {
    const aborted = this.#aborted.filter((one) => !this.#isHarmless(one)).map(({ request }) => failed(request));
    return [...this.#seen, ...aborted].filter((failure) => !this.#expected.some((like) => like.test(failure)));
  }
}

const ABORTED = "net::ERR_ABORTED";

/** @param {import("playwright-core").Request} request */
function failed(request) {
  return `failed request: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`;
}

/**
 * The page of a request, if it is still open.
 *
 * @param {import("playwright-core").Request} request
 */
function pageOf(request) {
  try {
    return request.frame().page();
  } catch {
    // The request came before its frame, or the page is closed.
    return null;
  }
}
