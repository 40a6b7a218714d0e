import { once } from "node:events";
import { flushCompileCache } from "node:module";
import {
  type ImagePrograms,
  localVersion,
  processIdentity,
  startLocalServer,
} from "@rookery/local";
import { createLogger } from "@rookery/runtime";
import type { CommandIo } from "../command.ts";
import { describeError } from "./flags.ts";
import { type LocalRun, writeRun } from "./run-file.ts";

export interface RunLocalOptions {
  readonly data: string;
  readonly port: number;
  readonly images: ImagePrograms;
  readonly io: CommandIo;
  /** Hears when all of it is ready. */
  readonly onReady: (run: LocalRun) => void;
}

const node = "rookery";

/** Runs API server, controllers, scheduler and node in this process, until it is asked to end. */
export async function runLocal({ data, port, images, io, onReady }: RunLocalOptions) {
  const asked = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const server = await startLocalServer({
    data,
    port,
    node: { name: node, images, logger: createLogger() },
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
    onReady(run);
    // For pods of our own image, and for the next start if this one is killed: Node would do it at the end.
    flushCompileCache();
    await asked;
  } finally {
    await server.stop();
  }
}
