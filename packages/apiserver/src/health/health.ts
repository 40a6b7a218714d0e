import { messageOf } from "@rookery/errors";
import type { Handler, HttpRequest, HttpResponse } from "@rookery/http";
import { parseQuery, quote } from "@rookery/kube";
import { writeText } from "../negotiation/encode.ts";

/** Throws if unhealthy. The reason is only logged. */
export interface HealthCheck {
  readonly name: string;
  readonly check: (signal: AbortSignal) => void | Promise<void>;
}

const ping: HealthCheck = { name: "ping", check: () => {} };

/** Called with the reason of a failed check. */
export type OnUnhealthy = (check: string, error: unknown) => void;

/** The paths of an endpoint such as "livez": all checks, and each by name. */
export function healthPaths(
  endpoint: string,
  checks: readonly HealthCheck[],
  onUnhealthy: OnUnhealthy,
): [string, Handler][] {
  const all = [ping, ...checks];
  return [
    [`/${endpoint}`, (request) => serveAll(request, { endpoint, checks: all, onUnhealthy })],
    ...all.map(({ name, check }): [string, Handler] => [
      `/${endpoint}/${name}`,
      (request) => serveOne(request, check),
    ]),
  ];
}

async function serveAll(
  { query, signal }: HttpRequest,
  options: { endpoint: string; checks: readonly HealthCheck[]; onUnhealthy: OnUnhealthy },
): Promise<HttpResponse> {
  const parameters = parseQuery(query);
  const excluded = new Set(parameters.getAll("exclude"));
  const { endpoint, checks, onUnhealthy } = options;
  const results = await Promise.all(
    checks.map((check) =>
      excluded.has(check.name) ? "excluded" : run(check, signal, onUnhealthy),
    ),
  );
  const lines = checks.map(({ name }, index) => describe(name, results[index] ?? "ok"));
  const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0) lines.push(unknownExclusions(unknown));
  const report = lines.map((line) => `${line}\n`).join("");
  if (results.includes("failed")) return writeText(500, `${report}${endpoint} check failed\n`);
  return writeText(200, parameters.has("verbose") ? `${report}${endpoint} check passed\n` : "ok");
}

type Result = "ok" | "failed" | "excluded";

async function run(
  { name, check }: HealthCheck,
  signal: AbortSignal,
  onUnhealthy: OnUnhealthy,
): Promise<Result> {
  try {
    await check(signal);
    return "ok";
  } catch (error) {
    onUnhealthy(name, error);
    return "failed";
  }
}

/** Public: the reason of a failure is withheld. */
function describe(name: string, result: Result): string {
  if (result === "failed") return `[-]${name} failed: reason withheld`;
  return result === "excluded" ? `[+]${name} excluded: ok` : `[+]${name} ok`;
}

function unknownExclusions(names: readonly string[]): string {
  const quoted = names.toSorted().map(quote).join(", ");
  return `warn: some health checks cannot be excluded: no matches for ${quoted}`;
}

async function serveOne(
  { signal }: HttpRequest,
  check: HealthCheck["check"],
): Promise<HttpResponse> {
  try {
    await check(signal);
    return writeText(200, "ok");
  } catch (error) {
    const why = messageOf(error);
    return writeText(500, `internal server error: ${why}\n`);
  }
}
