export interface SlowStart {
  readonly succeeded: number;
  /** The first failure. */
  readonly failure: unknown;
}

/**
 * Does something that many times, in batches of 1, 2, 4 and so on, so that what cannot succeed is not
 * tried a hundred times. A batch with a failure is the last one.
 */
export async function slowStart(
  count: number,
  act: (index: number) => Promise<void>,
): Promise<SlowStart> {
  let succeeded = 0;
  for (let from = 0, size = 1; from < count; from += size, size *= 2) {
    const length = Math.min(size, count - from);
    const outcomes = await Promise.allSettled(
      Array.from({ length }, (_, index) => act(from + index)),
    );
    const failures = outcomes.filter(({ status }) => status === "rejected");
    succeeded += length - failures.length;
    const [first] = failures;
    if (first?.status === "rejected") return { succeeded, failure: first.reason };
  }
  return { succeeded, failure: undefined };
}
