// A Socket.IO client that sends packets as they are, so that a test can send what JSON.stringify does not write.

import { once } from "node:events";

import { WebSocket } from "ws";

import { Inbox } from "./inbox.js";

const PING = "2";
const PONG = "3";

export class RawClient {
  /** @type {Inbox<string>} */ #inbox = new Inbox();

  /** @param {string} relay */
  static async connect(relay) {
    const client = new RawClient(new WebSocket(`${relay.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`));
    await once(client.socket, "open");
    client.send("40");
    await client.#inbox.next((packet) => packet.startsWith("40"), "connection");
    return client;
  }

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.on("message", (data) => {
      const packet = String(data);
      if (packet === PING) this.send(PONG);
      else this.#inbox.push(packet);
    });
    socket.on("close", () => this.#inbox.push("closed"));
  }

  /** @param {string} packet */
  send(packet) {
    this.socket.send(packet);
  }

  /** Waits for the next packet. */
  next() {
    return this.#inbox.next(() => true, "packet");
  }

  close() {
    this.socket.close();
  }
}
