/** The labels or selectable fields of an object. */
export type Values = Readonly<Record<string, string>>;

/** Requirements that must all hold. Immutable. */
export interface Selector<Requirement> {
  readonly requirements: readonly Requirement[];
  /** Whether it matches everything. */
  readonly isEmpty: boolean;
  matches(values: Values): boolean;
  /** The only value that the key may have; undefined where several match. */
  requiredValue(key: string): string | undefined;
  /** In query syntax. */
  toString(): string;
}
