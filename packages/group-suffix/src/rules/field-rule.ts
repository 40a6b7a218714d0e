import { InvalidRuleError } from "../errors.ts";
import type { Form } from "../forms/form.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";

/** A field of a kind that contains an API group. */
export interface FieldRule {
  /** The app's name; "" for the core group. "*" for both group and kind means any object. */
  readonly group: string;
  readonly kind: string;
  /** For patches, where the plural differs from Kubernetes' guess. */
  readonly resource?: string;
  /**
   * From the top of the object: "spec.authenticator.apiGroup", "rules[].apiGroups[]" for lists,
   * "spec.hard.*" for the values of a map, "spec.hard.{}" for its keys, and
   * "metadata.labels['example.com/a.b']" for keys with dots.
   */
  readonly path: string;
  /** "object" for a whole object with its own apiVersion and kind. */
  readonly form: Form | "object";
}

export interface RenamerOptions {
  readonly mapping: GroupMapping;
  /** Fields of the app's own kinds, beside those of Kubernetes. */
  readonly rules?: readonly FieldRule[];
  /**
   * Receives each text with a mapped group that is not renamed; request renamers report it once.
   */
  readonly onWarning?: (text: string) => void;
}

/** A step of a path. */
export type PathStep =
  | { readonly key: string }
  /** Each element of a list, or the first. */
  | { readonly element: "each" | "first" }
  /** Each value of a map. */
  | "values"
  /** The keys of a map. */
  | "keys";

const stepPattern = /\['([^']+)'\]|\[(0?)\]|(\{\})|(\*)|([^.[\]{}*']+)/y;

/** Reads a path of a FieldRule. Throws InvalidRuleError. */
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
