import type { Handler } from "@rookery/http";
import type { BindAddress } from "../http-server/bind-address.ts";
import {
  createHttpServerRunnable,
  type HttpServerRunnable,
} from "../http-server/http-server-runnable.ts";
import { notFound } from "../http-server/text-response.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import { createHealthHandler, type HealthCheck } from "./health-handler.ts";

/** The checks of a process: whether it should go on living, and whether it can do its work. */
export interface Health {
  /** Serves /healthz and /readyz. */
  readonly handler: Handler;
  /** A check of the same name is replaced. */
  addHealthzCheck(name: string, check: HealthCheck): void;
  addReadyzCheck(name: string, check: HealthCheck): void;
}

export function createHealth({ logger = silentLogger }: { logger?: Logger } = {}): Health {
  const healthz = new Map<string, HealthCheck>();
  const readyz = new Map<string, HealthCheck>();
  const handlers = new Map([
    ["healthz", createHealthHandler("healthz", healthz, logger)],
    ["readyz", createHealthHandler("readyz", readyz, logger)],
  ]);
  return {
    handler: (request) => handlers.get(request.path.split("/")[1] ?? "")?.(request) ?? notFound,
    addHealthzCheck: (name, check) => void healthz.set(name, check),
    addReadyzCheck: (name, check) => void readyz.set(name, check),
  };
}

export interface HealthServerOptions {
  readonly health: Pick<Health, "handler">;
  /** From --health-addr. */
  readonly address: BindAddress;
  readonly logger?: Logger;
}

/** Serves the checks of a process. */
export function createHealthServer(options: HealthServerOptions): HttpServerRunnable {
  const { health, address, logger } = options;
  const { handler } = health;
  return createHttpServerRunnable({
    name: "health server",
    address,
    handler,
    ...(logger && { logger }),
  });
}
