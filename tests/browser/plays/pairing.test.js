// A board without a key is paired on the page of the relay's owner, by its eight squares.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { play } from "../harness/play.js";
import { VirtualBoard } from "../harness/virtual-board.js";

/**
 * Starts a virtual board that asks the relay to be paired. Returns the address of its page, and how to end it.
 *
 * @param {import("../harness/relay.js").Relay} relay
 */
async function startBoard(relay) {
  const program = process.env.TABIYA_PROGRAM ?? "";
  const args = ["board", "--relay", relay.url.replace("http", "ws"), "--name", "kitchen", "--listen", "127.0.0.1:0"];
  const child = spawn(program, [...args, "--journal", join(relay.folder, "journal")], {
    cwd: relay.folder,
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = /http:\S+/.exec(line)?.[0];
  if (!url) throw new Error(`the board says ${line}`);
  const end = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { url, end };
}

/** @param {import("playwright-core").Page} owner */
const requests = (owner) => owner.getByRole("list", { name: "Boards that ask to be paired" }).getByRole("listitem");

play("a board is paired by the squares on the owner's page", async (env) => {
  const owner = await env.window();
  await owner.goto("/owner");
  await owner.getByText("No board asks to be paired now.").waitFor();
  const board = await startBoard(env.relay);
  try {
    const request = requests(owner);
    await request.getByRole("heading", { name: "A board at 127.0.0.1 asks to be paired" }).waitFor();
    const names = (await request.getByRole("img").getAttribute("aria-label"))?.split(" ") ?? [];
    if (new Set(names).size !== 8) throw new Error(`eight squares, not ${names.join(" ")}`);

    const virtual = new VirtualBoard(await env.window());
    await virtual.page.goto(board.url);
    await virtual.shows(Object.fromEntries(names.map((name) => [name, "magenta"])));
    await request.getByLabel("Name of the board").fill("cellar");
    await request.getByRole("button", { name: "Accept" }).click();
    await owner.getByText("cellar is paired.").waitFor();
    await request.waitFor({ state: "detached" });
    const lobby = await env.window();
    await lobby.goto("/");
    await lobby.getByRole("link", { name: "Challenge cellar" }).waitFor();
  } finally {
    await board.end();
  }
});

play("a request is declined on the owner's page", async (env) => {
  const owner = await env.window();
  await owner.goto("/owner");
  const board = await startBoard(env.relay);
  try {
    await owner.getByRole("button", { name: "Decline" }).click();
    await owner.getByText("The request is declined.").waitFor();
    await requests(owner).waitFor({ state: "detached" });
  } finally {
    await board.end();
  }
});
