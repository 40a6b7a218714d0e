import type { Writable } from "node:stream";

/** The exit code of a command that SIGPIPE ended. */
const exitCode = 141;

/**
 * Ends this process silently when its output is closed, as `head` does after some lines. A server, which
 * listens for SIGTERM, shuts down.
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
