// A Redis of its own, on a free port.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Redis {
  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {number} port
   * @param {string} folder
   */
  constructor(child, port, folder) {
    this.child = child;
    this.port = port;
    this.folder = folder;
  }

  static async start() {
    const folder = await mkdtemp(join(tmpdir(), "tabiya-redis-"));
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    server.close();
    await once(server, "close");
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
    const child = spawn("redis-server", args, { stdio: "ignore" });
    for (;;) {
      const socket = createConnection(port, "127.0.0.1");
      const isUp = await Promise.race([once(socket, "connect").then(() => true), once(socket, "error").then(() => false)]).catch(() => false);
      socket.destroy();
      if (isUp) return new Redis(child, port, folder);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop() {
    const ended = once(this.child, "exit");
    this.child.kill();
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}
