import { StaleError } from "../errors.ts";

/** Repeats an attempt, which has to read fresh data each time, until its write is not stale. */
export async function retryOnStale<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
    }
  }
}
