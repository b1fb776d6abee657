// The connection to the board. It comes back by itself.

import { hearBytes, hearText } from "./messages.js";

/** @typedef {import("./messages.js").Touch} Touch */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

/**
 * @param {import("./messages.js").Hearing} hearing
 */
export function openLine(hearing) {
  /** @type {WebSocket | undefined} */
  let socket;
  let wait = FIRST_WAIT;

  function connect() {
    const url = new URL("/ws/panel", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wait = FIRST_WAIT;
      hearing.line(true);
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") hearText(event.data, hearing);
      else hearBytes(event.data, hearing);
    };
    socket.onclose = () => {
      hearing.line(false);
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  }
  connect();

  return {
    /**
     * Has something done, if somebody is there to do it.
     *
     * @param {Touch} touch
     */
    send(touch) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(touch));
    },
  };
}
