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
