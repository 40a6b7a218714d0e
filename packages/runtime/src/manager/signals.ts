/** What of `process` is needed here. */
export interface SignalTarget {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): unknown;
}

/**
 * A signal that is aborted when the process is asked to end, by SIGTERM or SIGINT. At the second
 * one the process exits at once. This is the only place that listens for them: call it once, in main.
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
