// The connection of a window to the virtual board at `/ws/panel`.

import { readBytes, readText } from "./panel-messages.js";
import { ReconnectingSocket } from "./socket.js";

export class PanelConnection {
  /** @param {import("./panel-messages.js").PanelListener} listener */
  constructor(listener) {
    this.socket = new ReconnectingSocket({
      path: () => "/ws/panel",
      opened: () => {
        this.socket.resetBackoff();
        listener.connected(true);
      },
      received: (data) => {
        if (typeof data === "string") readText(data, listener);
        else readBytes(data, listener);
      },
      lost: () => {
        listener.connected(false);
        this.socket.retry();
      },
    });
  }

  /**
   * Sends what a hand does. While the connection is lost nothing is sent.
   *
   * @param {import("./panel-messages.js").Touch} touch
   */
  send(touch) {
    this.socket.send(touch);
  }
}
