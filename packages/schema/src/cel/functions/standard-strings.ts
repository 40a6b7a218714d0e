import { BOOL, BYTES, INT, listOf, mapOf, STRING, typeParam } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { sizeOf, type Value } from "../values/value.ts";
import { type FunctionDeclaration, member, overload } from "./declare.ts";
import { patternOf } from "./pattern.ts";

const LIST_A = listOf(typeParam("A"));
const MAP_AB = mapOf(typeParam("A"), typeParam("B"));

function stringTest(
  name: string,
  id: string,
  test: (text: string, part: string) => boolean,
): FunctionDeclaration {
  const call = ([text, part]: readonly Value[]): Value =>
    typeof text === "string" && typeof part === "string" ? test(text, part) : NO_SUCH_OVERLOAD;
  return { name, overloads: [member([id, [STRING, STRING], BOOL], call)], unguarded: true };
}

function matches([text, pattern]: readonly Value[], meter: Meter): Value {
  if (typeof text !== "string" || typeof pattern !== "string") return NO_SUCH_OVERLOAD;
  const compiled = patternOf(pattern);
  const problem = meter.compile(compiled);
  return problem === "" ? meter.test(compiled, text) : new CelError(problem);
}

/** `size` and the string functions of the language itself. */
export const STANDARD_STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "size",
    overloads: [
      overload(["size_bytes", [BYTES], INT]),
      member(["bytes_size", [BYTES], INT]),
      overload(["size_list", [LIST_A], INT]),
      member(["list_size", [LIST_A], INT]),
      overload(["size_map", [MAP_AB], INT]),
      member(["map_size", [MAP_AB], INT]),
      overload(["size_string", [STRING], INT]),
      member(["string_size", [STRING], INT]),
    ],
    singleton: {
      call: ([value = null]) => BigInt(sizeOf(value) ?? 0),
      accepts: (first) => sizeOf(first) !== undefined,
    },
  },
  stringTest("contains", "contains_string", (text, part) => text.includes(part)),
  stringTest("endsWith", "ends_with_string", (text, part) => text.endsWith(part)),
  stringTest("startsWith", "starts_with_string", (text, part) => text.startsWith(part)),
  {
    name: "matches",
    overloads: [
      overload(["matches", [STRING, STRING], BOOL]),
      member(["matches_string", [STRING, STRING], BOOL]),
    ],
    singleton: { call: matches, accepts: (first) => typeof first === "string" },
  },
];
