/** Labels of an object, or the fields of it that can be selected by. */
export type Values = Readonly<Record<string, string>>;

/** Requirements that must all hold. Immutable. */
export interface Selector<Requirement> {
  readonly requirements: readonly Requirement[];
  /** Whether it matches everything. */
  readonly isEmpty: boolean;
  matches(values: Values): boolean;
  /** The value that a key must have; undefined where several would do. */
  requiredValue(key: string): string | undefined;
  /** As it is written in a query, so that it can be parsed again. */
  toString(): string;
}
