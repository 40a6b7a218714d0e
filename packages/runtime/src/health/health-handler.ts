import { messageOf } from "@rookery/errors";
import type { Handler, HttpRequest, HttpResponse } from "@rookery/http";
import { readOnly } from "../http-server/route-by-path.ts";
import { notFound, textResponse } from "../http-server/text-response.ts";
import type { Logger } from "../logging/logger.ts";

/** Throws, or rejects, where something is not as it should be. */
export type HealthCheck = (request: HttpRequest) => void | Promise<void>;

/** By name; it may grow while it is served. */
export type HealthChecks = ReadonlyMap<string, HealthCheck>;

/** A check that always succeeds: it shows that the process answers. */
export const ping: HealthCheck = () => {};

interface Verdict {
  readonly name: string;
  readonly state: "ok" | "excluded" | "failed";
  readonly error?: unknown;
}

/**
 * Answers below `/<name>` in the words of kube-apiserver: all checks together, in detail with
 * `?verbose` or where one failed, without those of `?exclude=`; and each by itself at its name. Why a
 * check failed tells only its own path and the log.
 */
export function createHealthHandler(name: string, checks: HealthChecks, logger: Logger): Handler {
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
  const message = messageOf(error);
  return textResponse(500, `internal server error: ${message}\n`);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
