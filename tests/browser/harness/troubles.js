// What nobody wants to see in a browser: errors on its console, exceptions, violated policies, requests that fail, and things
// that jump about. Whatever of it a test has not announced makes the test fail.

/** Runs in every page before its own scripts. */
function confessLayoutShifts() {
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

/**
 * What a browser says while the relay is away. A page that asks why it was not let in may hear that the relay is back: then
 * it is told that this is a WebSocket.
 */
export const RELAY_AWAY = [
  /WebSocket connection to .* failed/,
  /ERR_CONNECTION_REFUSED/,
  /ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
  /\b426\b.*\/ws\/api\/|\/ws\/api\/.*\b426\b/,
];

/**
 * A request that the browser has given up. Who goes on to another page, or closes this one, gives up what was asked on it; and
 * what turns out to be a file to keep is given up as a page.
 *
 * @typedef {{ request: import("playwright-core").Request, page: import("playwright-core").Page | null }} Aborted
 */

export class Troubles {
  /** @type {string[]} */ #seen = [];
  /** @type {Aborted[]} */ #aborted = [];
  /** @type {Map<import("playwright-core").Page, import("playwright-core").Request[]>} */ #requests = new Map();
  /** @type {Set<string>} */ #downloads = new Set();
  /** @type {RegExp[]} */ #expected = [];
  /** @type {string[]} Everything that was on a console. */ console = [];

  /**
   * Looks at everything that happens in these windows.
   *
   * @param {import("playwright-core").BrowserContext} context
   */
  async watch(context) {
    await context.addInitScript(confessLayoutShifts);
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
      // What is given up for a reason may be heard of before the reason, so this is judged in the end.
      if (request.failure()?.errorText === ABORTED) this.#aborted.push({ request, page: pageOf(request) });
      else this.#seen.push(failed(request));
    });
    context.on("response", (response) => {
      if (response.status() >= 400) this.#seen.push(`refused request: ${response.status()} ${response.url()}`);
    });
  }

  /** @param {string} trouble */
  add(trouble) {
    this.#seen.push(trouble);
  }

  /**
   * Says that troubles like this belong to the test.
   *
   * @param {...RegExp} like
   */
  expect(...like) {
    this.#expected.push(...like);
  }

  /**
   * Whether a request was given up for a good reason.
   *
   * @param {Aborted} aborted
   */
  #isGivenUp({ request, page }) {
    if (!page || page.isClosed() || this.#downloads.has(request.url())) return true;
    const requests = this.#requests.get(page) ?? [];
    const after = requests.slice(requests.indexOf(request) + 1);
    return after.some((later) => later.isNavigationRequest());
  }

  /** Those that nobody expected. */
  unexpected() {
    const aborted = this.#aborted.filter((one) => !this.#isGivenUp(one)).map(({ request }) => failed(request));
    return [...this.#seen, ...aborted].filter((trouble) => !this.#expected.some((like) => like.test(trouble)));
  }
}

const ABORTED = "net::ERR_ABORTED";

/** @param {import("playwright-core").Request} request */
function failed(request) {
  return `failed request: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`;
}

/**
 * The window that has asked, if it is still known.
 *
 * @param {import("playwright-core").Request} request
 */
function pageOf(request) {
  try {
    return request.frame().page();
  } catch {
    // It is asked for before there is a frame, or the window has gone.
    return null;
  }
}
