import { InvalidRuleError } from "../errors.ts";

/** One step from a value to a value in it. */
export type PathStep =
  | { readonly key: string }
  /** Each element of a list, or only the first. */
  | { readonly element: "each" | "first" }
  /** Each value of a map. */
  | "values"
  /** The keys of a map. */
  | "keys";

const stepPattern = /\['([^']+)'\]|\[(0?)\]|(\{\})|(\*)|([^.[\]{}*']+)/y;

/** Reads a path as FieldRule has it. Throws InvalidRuleError. */
export function parseFieldPath(path: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < path.length) {
    if (steps.length > 0 && path[at] === ".") at++;
    stepPattern.lastIndex = at;
    const match = stepPattern.exec(path);
    if (match === null) throw new InvalidRuleError(path, `it cannot be read from ${at} on`);
    steps.push(stepOf(match));
    at = stepPattern.lastIndex;
  }
  if (steps.length === 0) throw new InvalidRuleError(path, "it is empty");
  return steps;
}

function stepOf([, quoted, index, keys, values, key]: readonly (string | undefined)[]): PathStep {
  if (index !== undefined) return { element: index === "0" ? "first" : "each" };
  if (keys !== undefined) return "keys";
  if (values !== undefined) return "values";
  return { key: quoted ?? key ?? "" };
}
