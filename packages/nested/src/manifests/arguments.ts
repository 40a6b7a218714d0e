interface Argument {
  readonly name: string;
  readonly value: string;
}

/**
 * Flags of a program: ours, in their order, with those of the spec instead of ours of the same name
 * and after them otherwise. A flag that the spec gives more than once is given so often.
 */
export function argumentsOf(
  own: Readonly<Record<string, string>>,
  extra: readonly Argument[] = [],
): string[] {
  const replaced = new Set(extra.map(({ name }) => name));
  const kept = Object.entries(own).flatMap(([name, value]) =>
    replaced.has(name) ? extra.filter((one) => one.name === name) : [{ name, value }],
  );
  const added = extra.filter(({ name }) => !Object.hasOwn(own, name));
  return [...kept, ...added].map(({ name, value }) => `--${name}=${value}`);
}
