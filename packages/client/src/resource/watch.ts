import type { Handler } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { ask, type Question } from "./exchange.ts";
import { followBody } from "./follow-body.ts";
import type { WatchOptions } from "./options.ts";
import { type OnWatchEvent, WatchSink } from "./watch-sink.ts";

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
    await followBody(response.body, sink);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
