import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { FieldRule } from "../rules/field-rule.ts";
import { Fingerprint } from "./fingerprint.ts";
import { createRenamers, type Renamers } from "./renamers.ts";

export interface RenameOptions {
  readonly mapping: GroupMapping;
  /** Fields of the app's own kinds, beside what is known of Kubernetes'. */
  readonly rules?: readonly FieldRule[];
  /** Hears of what may need a hand: text that names a group and is not renamed. */
  readonly onWarning?: (text: string) => void;
}

/** What requests and answers are renamed with. */
export interface Renaming {
  readonly mapping: GroupMapping;
  readonly renamers: Renamers;
  readonly fingerprint: Fingerprint;
}

/** Errors: InvalidRuleError. */
export function createRenaming(options: RenameOptions): Renaming {
  const fingerprint = new Fingerprint(options);
  const renamers = createRenamers(options, (url) => fingerprint.markHash(url));
  return { mapping: options.mapping, renamers, fingerprint };
}
