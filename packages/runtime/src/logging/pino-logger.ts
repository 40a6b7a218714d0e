import { destination, pino } from "pino";
import type { Logger, LogValues } from "./logger.ts";
import { redacted, shownText } from "./shown-text.ts";

export interface LoggerOptions {
  /** The flag --v: lines of `debug` are shown from 4 on. */
  readonly verbosity?: number;
  /** The output of lines, stderr by default. Each line is written before the call returns. */
  readonly output?: { write(line: string): void };
}

interface Line {
  readonly logger?: string;
  readonly values: LogValues;
}

// As in Kubernetes: 4 is for debugging.
const debugVerbosity = 4;
const longestStack = 8192;
const longestCause = 2048;

/** A logger that writes a line of JSON for each message, in the format of controller-runtime. */
export function createLogger({ verbosity = 0, output }: LoggerOptions = {}): Logger {
  const settings = {
    level: verbosity >= debugVerbosity ? "debug" : "info",
    base: null,
    timestamp: () => `,"ts":"${new Date().toISOString()}"`,
    formatters: { level: (level: string) => ({ level }) },
  };
  return withLine(pino(settings, output ?? destination({ dest: 2, sync: true })), { values: {} });
}

/** Values are merged only when a line is written: most loggers never write one. */
function withLine(log: pino.Logger, line: Line): Logger {
  const { logger, values } = line;
  const fields = (more?: LogValues) => ({
    ...(logger !== undefined && { logger }),
    ...(redact({ ...values, ...more }) as LogValues),
  });
  return {
    info: (message, more) => log.info(fields(more), message),
    debug(message, more) {
      if (log.isLevelEnabled("debug")) log.debug(fields(more), message);
    },
    error: (error, message, more) =>
      log.error({ ...fields(more), ...describeError(error) }, message),
    withValues: (more) => withLine(log, { ...line, values: { ...values, ...more } }),
    withName: (name) =>
      withLine(log, { ...line, logger: logger === undefined ? name : `${logger}.${name}` }),
  };
}

/** The standard fields of errors only: others may contain whole requests and responses. */
function describeError(error: unknown): LogValues {
  if (!(error instanceof Error)) return { error: redact(error) };
  const causes = causesOf(error);
  return {
    error: redact(error.message),
    ...("code" in error && { errorCode: redact(error.code) }),
    ...(causes.length > 0 && { errorCauses: causes }),
    stacktrace: shownText(error.stack ?? "", longestStack),
  };
}

function causesOf(error: Error): string[] {
  const causes: string[] = [];
  const parts = error instanceof AggregateError ? error.errors : [];
  for (const part of parts.slice(0, 10)) causes.push(describeCause(part));
  for (let next = error.cause; next instanceof Error && causes.length < 10; next = next.cause) {
    causes.push(describeCause(next));
  }
  return causes;
}

function describeCause(cause: unknown): string {
  return shownText(String(cause), longestCause);
}

const deepest = 6;
/** The limits of a text, in characters, and of a list or an object, in parts. */
const longest = 2048;
const most = 100;

// By the end of a key: "bearerToken" contains a secret, "tokenFile" and "secretName" do not.
const secretKey =
  /(password|passphrase|token|secret|authorization|cookie|credentials?|kubeconfig|(private|client)[-_]?key)$/i;

/**
 * A value that may be logged: without values that look like secrets, by their key or their form, and without bytes. A
 * Kubernetes object becomes its kind and name: its fields may be long, or secret.
 */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return shownText(value, longest);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return shownText(value.message, longest);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= deepest) return "[…]";
  if (Array.isArray(value)) return redactList(value, depth);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return redact(value.toJSON(), depth + 1);
  }
  return redactObject(value, depth);
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  const shown = list.slice(0, most).map((item) => redact(item, depth + 1));
  return list.length > most ? [...shown, `and ${list.length - most} more`] : shown;
}

function redactObject(value: object, depth: number): unknown {
  const reference = kubernetesReference(value);
  if (reference !== undefined) return reference;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most)
      .map(([key, child]) => [
        shownText(key, longest),
        secretKey.test(key) && child !== undefined ? redacted : redact(child, depth + 1),
      ]),
  );
}

function kubernetesReference(value: object): object | undefined {
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const { namespace, name } = metadata as Record<string, unknown>;
  return { apiVersion, kind, namespace, name };
}
