/** Keys and values that go with a message. Errors and plain data; secrets are left out of the log. */
export type LogValues = Readonly<Record<string, unknown>>;

/**
 * A log of structured lines. Messages are constant; what varies goes into the values, so that lines
 * can be searched for.
 */
export interface Logger {
  info(message: string, values?: LogValues): void;
  /** For what only helps to find a fault: shown from --v=4 on. */
  debug(message: string, values?: LogValues): void;
  /** For an error that nobody else handles or reports. */
  error(error: unknown, message: string, values?: LogValues): void;
  /** A logger that adds these values to every line. */
  withValues(values: LogValues): Logger;
  /** A logger whose name has one more part, such as "manager.controller". */
  withName(name: string): Logger;
}

/** Says nothing. */
export const silentLogger: Logger = {
  info() {},
  debug() {},
  error() {},
  withValues: () => silentLogger,
  withName: () => silentLogger,
};
