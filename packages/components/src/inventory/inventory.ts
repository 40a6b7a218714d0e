import type { Component } from "../documents/documents.ts";
import { installStages } from "../render/install-order.ts";
import type { Stage } from "../render/known-kinds.ts";
import { type ComponentKey, componentKeyOf } from "./component-key.ts";
import { contentHash } from "./content-hash.ts";

/** One object that was rendered. */
export interface InventoryEntry extends ComponentKey {
  readonly stage: Stage;
  /** SHA-256 of its content, whatever the order of its fields. */
  readonly hash: string;
}

/** What was rendered: small enough to keep where the components themselves are not. */
export interface Inventory {
  /** In the order to apply them. */
  readonly entries: readonly InventoryEntry[];
  /** SHA-256 over all entries: equal where nothing has to be applied. */
  readonly hash: string;
}

export function inventoryOf(components: readonly Component[]): Inventory {
  const entries = installStages(components).flatMap(({ stage, components: members }) =>
    members.map((one) => ({ ...componentKeyOf(one), stage, hash: contentHash(one) })),
  );
  return { entries, hash: contentHash(entries.map(({ hash }) => hash).sort()) };
}
