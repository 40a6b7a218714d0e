import { flushCompileCache } from "node:module";
import {
  type ImagePrograms,
  localVersion,
  processIdentity,
  startLocalServer,
} from "@rookery/local";
import { createLogger, type Logger } from "@rookery/runtime";
import type { CommandIo } from "../command.ts";
import { listenForEnd } from "./end-signal.ts";
import { describeError } from "./messages.ts";
import { type LocalRun, writeRun } from "./run-file.ts";

export interface RunLocalOptions {
  readonly data: string;
  readonly port: number;
  readonly images: ImagePrograms;
  readonly io: Pick<CommandIo, "writeError">;
  /** The logger of the node; it writes to standard error where absent. */
  readonly logger?: Logger;
  /** Is called when it is ready. The process waits for it, and aborts the signal when it is asked to end. */
  readonly onReady: (run: LocalRun, signal: AbortSignal) => void | Promise<void>;
}

const node = "rookery";

/** Runs API server, controllers, scheduler and node in this process, until it is asked to end. */
export async function runLocal(options: RunLocalOptions): Promise<void> {
  const { data, port, images, io, logger = createLogger(), onReady } = options;
  using end = listenForEnd();
  const server = await startLocalServer({
    data,
    port,
    node: { name: node, images, logger },
    onError: (error) => io.writeError(`rookery: ${describeError(error)}\n`),
  });
  try {
    const run: LocalRun = {
      pid: process.pid,
      identity: processIdentity(process.pid) ?? "",
      url: server.url,
      port: Number(new URL(server.url).port),
      kubeconfig: server.kubeconfig ?? "",
      node,
      version: localVersion.gitVersion,
      since: new Date().toISOString(),
    };
    writeRun(data, run);
    const ready = onReady(run, end.signal);
    // Node would write it at the end only: pods of Rookery's image and the next start use it before.
    flushCompileCache();
    await ready;
    await end.asked;
  } finally {
    await server.stop();
  }
}
