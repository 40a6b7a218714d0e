import { ControlPlaneError } from "./errors.ts";

/**
 * Waits for all, then throws all problems as one error, so that a user sees all of them at once. Errors:
 * ControlPlaneError; any other error comes first.
 */
export async function allOrProblems<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(all);
  const problem = problemOf(outcomes);
  if (problem) throw problem;
  return outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

/** All problems as one error with the reason of the first. Throws other errors. */
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
