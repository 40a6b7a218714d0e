/** The part of `process` that is used here. */
interface SignalTarget {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): unknown;
}

/**
 * A signal that is aborted by SIGTERM or SIGINT. The second of them ends the process at once. Call this once, in main:
 * nothing else listens for these signals.
 */
export function setupSignalHandler(target: SignalTarget = process): AbortSignal {
  const controller = new AbortController();
  const listener = () => {
    if (controller.signal.aborted) target.exit(1);
    controller.abort();
  };
  target.on("SIGINT", listener);
  target.on("SIGTERM", listener);
  return controller.signal;
}
