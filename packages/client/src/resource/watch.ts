import { type Body, type Handler, writeBody } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { ask, type Question } from "./exchange.ts";
import type { WatchOptions } from "./options.ts";
import { type OnWatchEvent, WatchSink } from "./watch-sink.ts";

/** As in client-go. */
const defaultMaxEventBytes = 16 * 1024 * 1024;

export interface WatchQuestion<T extends KubeObject> extends Question {
  readonly options: WatchOptions;
  readonly onEvent: OnWatchEvent<T>;
}

/**
 * Watches until the server ends it.
 *
 * Guarantees: events come one at a time and in order; none comes after the promise is settled.
 * Errors: StatusError of the answer or of an ERROR event; RequestError where the connection is cut;
 * WatchEventError where what comes is no event; what `onEvent` threw; the reason of the signal.
 * However it ends, the connection is free or closed.
 */
export async function watch<T extends KubeObject>(
  handler: Handler,
  question: WatchQuestion<T>,
): Promise<void> {
  const { options, onEvent, path } = question;
  const { signal, maxEventBytes = defaultMaxEventBytes } = options;
  const response = await ask(handler, { ...question, signal });
  const sink = new WatchSink({ onEvent, maxEventBytes, path });
  const onAbort = () => sink.fail(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  else options.onOpen?.();
  try {
    await follow(response.body, sink);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Does not wait for a writer, or a callback, that goes on after the sink is gone. */
function follow<T extends KubeObject>(body: Body, sink: WatchSink<T>): Promise<void> {
  const { signal } = sink;
  return new Promise((resolve, reject) => {
    const onGone = () => reject(signal.reason);
    signal.addEventListener("abort", onGone, { once: true });
    if (signal.aborted) onGone();
    const write = async () => {
      await writeBody(body, sink);
      await sink.end();
    };
    write().then(resolve, (error) => {
      sink.fail(error);
      reject(error);
    });
  });
}
