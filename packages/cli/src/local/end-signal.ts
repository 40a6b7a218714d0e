export interface EndSignal extends Disposable {
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
}

/**
 * Listens for Ctrl-C and SIGTERM until it is disposed. Further signals are ignored: npm repeats a signal
 * that the terminal has sent already, and the shutdown must not be interrupted.
 */
export function listenForEnd(): EndSignal {
  const end = new AbortController();
  const asked = Promise.withResolvers<void>();
  const onSignal = () => {
    end.abort();
    asked.resolve();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: end.signal,
    asked: asked.promise,
    [Symbol.dispose]() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
