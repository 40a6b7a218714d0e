import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { Fingerprint } from "./fingerprint.ts";
import { createRenamers, type Renamers } from "./renamers.ts";

export type RenameOptions = RenamerOptions;

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
