import type { Writable } from "node:stream";

/** What a shell says of a command that SIGPIPE has ended. */
const exitCode = 141;

/**
 * Ends this process without a word when whoever read its output has gone, as `head` does after some
 * lines. What serves, and hence listens for SIGTERM, ends in order.
 */
export function endUnheard(outputs: readonly Writable[]): void {
  let isEnding = false;
  for (const output of outputs) {
    output.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (isEnding) return;
      isEnding = true;
      if (process.listenerCount("SIGTERM") === 0) process.exit(exitCode);
      process.kill(process.pid, "SIGTERM");
    });
  }
}
