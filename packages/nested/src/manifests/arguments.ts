export interface Argument {
  readonly name: string;
  readonly value: string;
}

/** The flags of a program. Extra flags replace own ones of the same name, or follow them. */
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
