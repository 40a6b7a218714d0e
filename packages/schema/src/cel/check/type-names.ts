import { type CelType, LANGUAGE_TYPES } from "../cel-type.ts";
import { CIDR, IP } from "../functions/addresses.ts";

const TYPES: ReadonlyMap<string, CelType> = new Map(
  [...LANGUAGE_TYPES, IP, CIDR].map((type) => [type.name, type] as const),
);

/** The type that a name stands for, as in `type(x) == string`. */
export function runtimeType(name: string): CelType | undefined {
  return TYPES.get(name);
}
