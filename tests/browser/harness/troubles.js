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

export class Troubles {
  /** @type {string[]} */ #seen = [];
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
    context.on("requestfailed", (request) => {
      // Who goes on to another page gives up what was asked on this one.
      if (request.failure()?.errorText === "net::ERR_ABORTED") return;
      this.#seen.push(`failed request: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
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

  /** Those that nobody expected. */
  unexpected() {
    return this.#seen.filter((trouble) => !this.#expected.some((like) => like.test(trouble)));
  }
}
