import { InvalidRuleError } from "../errors.ts";
import type { Form } from "../forms/form.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";

/** Says that a field of a kind names an API group. */
export interface FieldRule {
  /** As the app calls it; "" for the core group. With kind "*" and group "*" any object. */
  readonly group: string;
  readonly kind: string;
  /** Where the plural is not the one that Kubernetes guesses from the kind: for patches. */
  readonly resource?: string;
  /**
   * From the top of the object: "spec.authenticator.apiGroup", "rules[].apiGroups[]" for what is in
   * lists, "spec.hard.*" for each value of a map, "spec.hard.{}" for its keys, and
   * "metadata.labels['example.com/a.b']" for keys with dots.
   */
  readonly path: string;
  /** "object" for a whole object in a field, with its own apiVersion and kind. */
  readonly form: Form | "object";
}

/** What all renamers are made from. */
export interface RenamerOptions {
  readonly mapping: GroupMapping;
  /** Fields of the app's own kinds, beside what is known of Kubernetes'. */
  readonly rules?: readonly FieldRule[];
  /** Hears of each text that names a mapped group and is not renamed: who renames requests, once. */
  readonly onWarning?: (text: string) => void;
}

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
