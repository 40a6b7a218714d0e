import type { BindAddress } from "../http-server/bind-address.ts";
import {
  createHttpServerRunnable,
  type HttpServerRunnable,
} from "../http-server/http-server-runnable.ts";
import type { Logger } from "../logging/logger.ts";
import { createProfilerHandler } from "./profiler-handler.ts";

export interface ProfilerServerOptions {
  /** From --profiler-address. Without a host it is for this machine only: a heap holds secrets. */
  readonly address: BindAddress;
  readonly logger?: Logger;
}

/** Serves profiles of this process. */
export function createProfilerServer(options: ProfilerServerOptions): HttpServerRunnable {
  const { address, logger } = options;
  return createHttpServerRunnable({
    name: "profiler server",
    address: { ...address, host: address.host || "127.0.0.1" },
    handler: createProfilerHandler(),
    ...(logger && { logger }),
  });
}
