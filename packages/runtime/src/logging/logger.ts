/** The keys and values of a message: errors and plain data. Secrets are redacted. */
export type LogValues = Readonly<Record<string, unknown>>;

/**
 * A log of structured lines. Messages are constant, and the values vary, so that lines can be searched for.
 */
export interface Logger {
  info(message: string, values?: LogValues): void;
  /** For debugging: shown from --v=4 on. */
  debug(message: string, values?: LogValues): void;
  /** For errors that are not handled or reported elsewhere. */
  error(error: unknown, message: string, values?: LogValues): void;
  /** A logger that adds values to every line. */
  withValues(values: LogValues): Logger;
  /** A logger with a further part in its name, such as "manager.controller". */
  withName(name: string): Logger;
}

/** Discards all lines. */
export const silentLogger: Logger = {
  info() {},
  debug() {},
  error() {},
  withValues: () => silentLogger,
  withName: () => silentLogger,
};
