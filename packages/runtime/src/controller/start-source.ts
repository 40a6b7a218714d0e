import type { MonotonicClock } from "../clock/clock.ts";
import { CacheSyncTimeoutError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { RequestQueue } from "./request.ts";
import type { Source } from "./source.ts";

/** What a source is started with. */
export interface SourceContext {
  readonly controller: string;
  readonly queue: RequestQueue;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
  readonly cacheSyncTimeout: number;
}

/**
 * Starts a source and waits until it has synced. Throws what it throws, or a CacheSyncTimeoutError;
 * a signal that is aborted meanwhile ends the wait without an error.
 */
export async function startSource(
  source: Source,
  context: SourceContext,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const logger = context.logger.withValues({ source: source.name });
  logger.info("Starting EventSource");
  const deadline = new AbortController();
  const ended = Promise.withResolvers<void>();
  const timer = context.clock.setTimer(() => {
    const { controller, cacheSyncTimeout } = context;
    deadline.abort(new CacheSyncTimeoutError(controller, source.name, cacheSyncTimeout));
    ended.reject(deadline.signal.reason);
  }, context.cacheSyncTimeout);
  const abort = () => {
    deadline.abort(signal.reason);
    ended.resolve();
  };
  signal.addEventListener("abort", abort, { once: true });
  const sync = async () => {
    await source.start(context.queue, signal, logger);
    await source.waitForSync?.(deadline.signal);
  };
  try {
    await Promise.race([sync(), ended.promise]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    timer.stop();
    signal.removeEventListener("abort", abort);
  }
}
