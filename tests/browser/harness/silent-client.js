// A Socket.IO client over long polling that reads nothing until it is told to.

/** Between the packets of one request or response. */
const SEPARATOR = "\x1e";

/** The answer to a ping. */
const PONG = "3";

/** The packet with which the server disconnects one client. */
const DISCONNECT = "41";

export class SilentClient {
  #url;

  /** @param {string} url of its session */
  constructor(url) {
    this.#url = url;
  }

  /** @param {string} relay */
  static async connect(relay) {
    const url = `${relay}/socket.io/?EIO=4&transport=polling`;
    const opened = await (await fetch(url)).text();
    const { sid } = JSON.parse(/^0({.*?})/.exec(opened)?.[1] ?? "");
    const client = new SilentClient(`${url}&sid=${sid}`);
    await client.#post("40");
    // The answer that it is connected.
    await (await fetch(client.#url)).text();
    return client;
  }

  /**
   * @param {string} event
   * @param {unknown[]} args
   */
  async emit(event, ...args) {
    await this.#post(`42${JSON.stringify([event, ...args])}${SEPARATOR}${PONG}`);
  }

  /** Reads until the relay disconnects this client, and returns the packets. */
  async readAll() {
    /** @type {string[]} */
    const packets = [];
    while (!packets.includes(DISCONNECT)) {
      const response = await fetch(this.#url);
      if (!response.ok) throw new Error(`the session has ended without a packet: ${response.status}`);
      packets.push(...(await response.text()).split(SEPARATOR));
      if (!packets.includes(DISCONNECT)) await this.#post(PONG);
    }
    return packets;
  }

  /** @param {string} body */
  async #post(body) {
    const response = await fetch(this.#url, { method: "POST", headers: { "content-type": "text/plain;charset=UTF-8" }, body });
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
  }
}
