// A TCP proxy between a browser and the relay. While it is unplugged it drops all bytes, and neither end is told.

import { once } from "node:events";
import { connect, createServer } from "node:net";

export class Cable {
  /** @type {Set<import("node:net").Socket>} */ #ends = new Set();
  #isPulled = false;

  /** @param {import("node:net").Server} server */
  constructor(server) {
    this.server = server;
  }

  /** @param {string} url of the relay */
  static async to(url) {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const cable = new Cable(server);
    server.on("connection", (near) => cable.#join(near, connect(Number(port), hostname)));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return cable;
  }

  /** The address of the relay through this proxy. */
  get url() {
    const address = this.server.address();
    if (!address || typeof address === "string") throw new Error("the proxy does not listen");
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

  /** Drops everything that the connections carry from now on. */
  pull() {
    this.#isPulled = true;
  }

  /** Passes data on again. The connections that have lost data are closed. */
  plug() {
    this.#isPulled = false;
    for (const end of this.#ends) end.destroy();
  }

  async discard() {
    this.server.close();
    for (const end of this.#ends) end.destroy();
  }
}
