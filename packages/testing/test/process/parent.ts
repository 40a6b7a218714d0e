/**
 * Starts a child and a folder, tells them on standard output, then ends in the way it was told:
 * by itself, by an error, or by the signal that it waits for.
 */
import { join } from "node:path";
import { startChild } from "../../src/process/child.ts";
import { createTemporaryFolder } from "../../src/process/temporary-folder.ts";

const folder = await createTemporaryFolder("parent");
const child = await startChild({
  name: "family",
  command: "/bin/sh",
  // It ignores what a polite shutdown sends, and has a child of its own.
  args: ["-c", "trap '' TERM INT HUP; sleep 1000 & echo $! > grandchild; wait"],
  cwd: folder.path,
  log: join(folder.path, "family.log"),
});
process.stdout.write(`${JSON.stringify({ folder: folder.path, child: child.pid })}\n`);
process.stdin.once("data", (order) => {
  if (String(order).trim() === "throw") throw new Error("on purpose");
  process.exit(0);
});
