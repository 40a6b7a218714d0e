/**
 * Calls functions in order until one returns something. Synchronous up to the first one that is not.
 * What they throw is added to `errors`.
 */
export function firstAnswer<F, T>(
  functions: readonly F[],
  call: (f: F) => T | undefined | Promise<T | undefined>,
  errors: unknown[],
): T | undefined | Promise<T | undefined> {
  for (const [index, f] of functions.entries()) {
    try {
      const answer = call(f);
      if (answer instanceof Promise) {
        const rest = functions.slice(index + 1).map((next) => () => call(next));
        return laterAnswer([() => answer, ...rest], errors);
      }
      if (answer !== undefined) return answer;
    } catch (error) {
      errors.push(error);
    }
  }
  return undefined;
}

async function laterAnswer<T>(
  calls: readonly (() => T | undefined | Promise<T | undefined>)[],
  errors: unknown[],
): Promise<T | undefined> {
  for (const call of calls) {
    try {
      const answer = await call();
      if (answer !== undefined) return answer;
    } catch (error) {
      errors.push(error);
    }
  }
  return undefined;
}
