import { messageOf } from "@rookery/errors";
import type { Handler, HttpRequest, HttpResponse } from "@rookery/http";
import type { BindAddress } from "../http-server/bind-address.ts";
import { notFound, readOnly, textResponse } from "../http-server/handlers.ts";
import { createPlainServer, type PlainServer } from "../http-server/plain-server.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";

/** Throws, or rejects, if something is wrong. */
export type HealthCheck = (request: HttpRequest) => void | Promise<void>;

/** A check that always succeeds: the process answers. */
export const ping: HealthCheck = () => {};

type HealthChecks = ReadonlyMap<string, HealthCheck>;

/** The checks of a process: whether it should be restarted (/healthz), and whether it can work (/readyz). */
export interface Health {
  /** Serves /healthz and /readyz. */
  readonly handler: Handler;
  /** Replaces a check of the same name. */
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

interface HealthServerOptions {
  readonly health: Pick<Health, "handler">;
  /** From --health-addr. */
  readonly address: BindAddress;
  readonly logger?: Logger;
}

/** Serves the checks of a process. */
export function createHealthServer({ health, ...options }: HealthServerOptions): PlainServer {
  return createPlainServer({ ...options, name: "health server", handler: health.handler });
}

interface Verdict {
  readonly name: string;
  readonly state: "ok" | "excluded" | "failed";
  readonly error?: unknown;
}

/**
 * Answers below `/<name>` with the texts of kube-apiserver: all checks together, in detail with `?verbose` or after a
 * failure, without those of `?exclude=`; and each check alone at its name. Only that path and the log contain the
 * reason of a failure.
 */
function createHealthHandler(name: string, checks: HealthChecks, logger: Logger): Handler {
  return readOnly(async (request) => {
    const installed = checks.size === 0 ? new Map([["ping", ping]]) : checks;
    const checkName = decodePath(request.path)
      .slice(name.length + 2)
      .replace(/\/+$/, "");
    if (checkName === "") return answerAll({ name, checks: installed, logger }, request);
    const check = installed.get(checkName);
    return check ? answerOne(check, request) : notFound;
  });
}

interface Installed {
  readonly name: string;
  readonly checks: HealthChecks;
  readonly logger: Logger;
}

async function answerAll(installed: Installed, request: HttpRequest): Promise<HttpResponse> {
  const { name, checks, logger } = installed;
  const query = new URLSearchParams(request.query);
  const excluded = new Set(query.getAll("exclude"));
  const verdicts = await Promise.all(
    [...checks.entries()].map(([check, run]): Verdict | Promise<Verdict> =>
      excluded.has(check) ? { name: check, state: "excluded" } : judge(check, run, request),
    ),
  );
  const failed = verdicts.filter(({ state }) => state === "failed");
  for (const { name: check, error } of failed) {
    logger.error(error, "Health check failed", { endpoint: name, check });
  }
  const isHealthy = failed.length === 0;
  if (isHealthy && !query.has("verbose")) return textResponse(200, "ok");
  const unknown = [...excluded].filter((check) => !checks.has(check));
  const lines = [...verdicts.toSorted(byName).map(describe), ...warning(unknown)];
  const text = [...lines, `${name} check ${isHealthy ? "passed" : "failed"}`, ""].join("\n");
  return textResponse(isHealthy ? 200 : 500, text);
}

async function judge(name: string, check: HealthCheck, request: HttpRequest): Promise<Verdict> {
  try {
    await check(request);
    return { name, state: "ok" };
  } catch (error) {
    return { name, state: "failed", error };
  }
}

function byName(a: Verdict, b: Verdict): number {
  return a.name < b.name ? -1 : 1;
}

function describe({ name, state }: Verdict): string {
  switch (state) {
    case "ok":
      return `[+]${name} ok`;
    case "excluded":
      return `[+]${name} excluded: ok`;
    case "failed":
      return `[-]${name} failed: reason withheld`;
  }
}

function warning(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  const names = unknown
    .toSorted()
    .map((name) => JSON.stringify(name))
    .join(",");
  return [`warn: some health checks cannot be excluded: no matches for ${names}`];
}

async function answerOne(check: HealthCheck, request: HttpRequest): Promise<HttpResponse> {
  const { state, error } = await judge("", check, request);
  if (state === "ok") return textResponse(200, "ok");
  return textResponse(500, `internal server error: ${messageOf(error)}\n`);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
