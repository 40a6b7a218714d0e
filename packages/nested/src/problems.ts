import { ControlPlaneError } from "./errors.ts";

/**
 * Waits for all, then throws what stands in the way: who has to mend three Secrets learns of them at
 * once. Errors: ControlPlaneError; first of all, whatever else went wrong.
 */
export async function allOrProblems<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(all);
  const problem = problemOf(outcomes);
  if (problem) throw problem;
  return outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

/** All that stands in the way, under the reason of the first; throws what is no such thing. */
export function problemOf(
  outcomes: readonly PromiseSettledResult<unknown>[],
): ControlPlaneError | undefined {
  const errors = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  const unexpected = errors.find((error) => !(error instanceof ControlPlaneError));
  if (unexpected !== undefined) throw unexpected;
  const [first, ...others] = errors as ControlPlaneError[];
  if (!first || others.length === 0) return first;
  const messages = [first, ...others].map(({ message }) => message);
  return new ControlPlaneError(first.reason, messages.join("; "), { cause: first });
}
