import type { Meter } from "../meter.ts";
import { CelError, NO_SUCH_OVERLOAD, sizeOf, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration, overloadsOf } from "./declare.ts";
import { patternOf } from "./pattern.ts";

function stringTest(
  name: string,
  id: string,
  test: (text: string, part: string) => boolean,
): readonly FunctionDeclaration[] {
  const call = ([text, part]: readonly Value[]): Value =>
    typeof text === "string" && typeof part === "string" ? test(text, part) : NO_SUCH_OVERLOAD;
  const declared = declareFunctions({ [name]: { [`${id}: string.(string) -> bool`]: call } });
  return declared.map((declaration) => ({ ...declaration, unguarded: true }));
}

function matches([text, pattern]: readonly Value[], meter: Meter): Value {
  if (typeof text !== "string" || typeof pattern !== "string") return NO_SUCH_OVERLOAD;
  const compiled = patternOf(pattern);
  const problem = meter.compile(compiled);
  return problem === "" ? meter.test(compiled, text) : new CelError(problem);
}

/** `size` and the string functions of CEL itself. */
export const STANDARD_STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "size",
    overloads: overloadsOf(
      "size_bytes: (bytes) -> int",
      "bytes_size: bytes.() -> int",
      "size_list: (list(A)) -> int",
      "list_size: list(A).() -> int",
      "size_map: (map(A, B)) -> int",
      "map_size: map(A, B).() -> int",
      "size_string: (string) -> int",
      "string_size: string.() -> int",
    ),
    singleton: {
      call: ([value = null]) => BigInt(sizeOf(value) ?? 0),
      accepts: (first) => sizeOf(first) !== undefined,
    },
  },
  ...stringTest("contains", "contains_string", (text, part) => text.includes(part)),
  ...stringTest("endsWith", "ends_with_string", (text, part) => text.endsWith(part)),
  ...stringTest("startsWith", "starts_with_string", (text, part) => text.startsWith(part)),
  {
    name: "matches",
    overloads: overloadsOf(
      "matches: (string, string) -> bool",
      "matches_string: string.(string) -> bool",
    ),
    singleton: { call: matches, accepts: (first) => typeof first === "string" },
  },
];
