// A cable between a browser and the relay. When it is pulled, nothing comes through, and neither end is told.

import { once } from "node:events";
import { connect, createServer } from "node:net";

export class Cable {
  /** @type {Set<import("node:net").Socket>} */ #ends = new Set();
  #isPulled = false;

  /** @param {import("node:net").Server} server */
  constructor(server) {
    this.server = server;
  }

  /** @param {string} url where the relay is */
  static async to(url) {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const cable = new Cable(server);
    server.on("connection", (near) => cable.#join(near, connect(Number(port), hostname)));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return cable;
  }

  /** Where the relay is, through this cable. */
  get url() {
    const address = this.server.address();
    if (!address || typeof address === "string") throw new Error("the cable has no end");
    return `http://127.0.0.1:${address.port}`;
  }

  /**
   * @param {import("node:net").Socket} near
   * @param {import("node:net").Socket} far
   */
  #join(near, far) {
    for (const [from, to] of /** @type {const} */ ([[near, far], [far, near]])) {
      this.#ends.add(from);
      from.on("data", (data) => this.#isPulled || to.write(data));
      from.on("error", () => from.destroy());
      from.on("close", () => {
        this.#ends.delete(from);
        if (!this.#isPulled) to.destroy();
      });
    }
  }

  /** What was on its way is lost, and so is everything that follows on lines that are there. */
  pull() {
    this.#isPulled = true;
  }

  /** Plugs it in again. Lines that were there before have missed something, and are broken. */
  plug() {
    this.#isPulled = false;
    for (const end of this.#ends) end.destroy();
  }

  async discard() {
    this.server.close();
    for (const end of this.#ends) end.destroy();
  }
}
