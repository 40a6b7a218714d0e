export interface EndSignal extends Disposable {
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
}

/**
 * Hears Ctrl-C and SIGTERM until it is disposed of, however often they come: npm passes on what a
 * terminal has sent to all already, and a second one must not cut off what the first one began to end.
 */
export function listenForEnd(): EndSignal {
  const end = new AbortController();
  const asked = Promise.withResolvers<void>();
  const hear = () => {
    end.abort();
    asked.resolve();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.on(name, hear);
  return {
    signal: end.signal,
    asked: asked.promise,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, hear);
    },
  };
}
