import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "@rookery/errors";

export interface UntilDoneOptions {
  /** Ends the attempts; the promise is then rejected. */
  readonly signal: AbortSignal;
  /** Is called with the reason of each attempt that fails. */
  readonly onFailure: (why: string) => void;
}

const firstPauseMs = 100;
const longestPauseMs = 1_000;

/** Whatever is in the way, such as a kind that is not served yet, may go: it is reported, and tried again. */
export async function untilDone<T>(
  attempt: () => Promise<T>,
  { signal, onFailure }: UntilDoneOptions,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      onFailure(messageOf(error));
    }
    await delay(pauseMs, undefined, { signal });
  }
}
