import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { Fingerprint } from "./fingerprint.ts";
import { createRenamers, type Renamers } from "./renamers.ts";
import { Warnings } from "./warnings.ts";

export type RenameOptions = RenamerOptions;

/** What requests and answers are renamed with. */
export interface Renaming {
  readonly mapping: GroupMapping;
  readonly renamers: Renamers;
  readonly fingerprint: Fingerprint;
  readonly warnings: Warnings;
}

/** Errors: InvalidRuleError. */
export function createRenaming(options: RenameOptions): Renaming {
  const fingerprint = new Fingerprint(options);
  const warnings = new Warnings(options.onWarning);
  const onWarning = (text: string) => warnings.add(text);
  const renamers = createRenamers({ ...options, onWarning }, (url) => fingerprint.markHash(url));
  return { mapping: options.mapping, renamers, fingerprint, warnings };
}
