import type { Field } from "../message.ts";

/**
 * What is renamed in kinds, by group and by kind; "v1 Kind" where versions have different numbers.
 * Field 1 is an ObjectMeta where it is not said otherwise.
 */
export type KindTable = Readonly<Record<string, Readonly<Record<string, KindFields>>>>;

type KindFields = Readonly<Record<number, Field | undefined>>;
