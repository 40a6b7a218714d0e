import type { Logger, LogValues } from "../../src/logging/logger.ts";

export interface LogLine {
  readonly level: "info" | "debug" | "error";
  readonly message: string;
  readonly values: LogValues;
  readonly error?: unknown;
}

/** A logger for tests, which keeps what is said. */
export function createRecordingLogger(
  lines: LogLine[] = [],
  values: LogValues = {},
): Logger & { readonly lines: readonly LogLine[] } {
  const at =
    (level: "info" | "debug") =>
    (message: string, more: LogValues = {}) =>
      void lines.push({ level, message, values: { ...values, ...more } });
  return {
    lines,
    info: at("info"),
    debug: at("debug"),
    error: (error, message, more = {}) =>
      void lines.push({ level: "error", message, values: { ...values, ...more }, error }),
    withValues: (more) => createRecordingLogger(lines, { ...values, ...more }),
    withName: () => createRecordingLogger(lines, values),
  };
}
