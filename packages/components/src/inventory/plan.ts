import { stages } from "../render/known-kinds.ts";
import type { Inventory, InventoryEntry } from "./inventory.ts";
import { formatComponentKey } from "./inventory.ts";

/** What an upgrade, or any other change, does with what is installed. */
export interface UpgradePlan {
  /** Those of the current instance that the new one has too, in the order to delete them. */
  readonly replaced: readonly InventoryEntry[];
  /** Those that the new instance has no longer, in the order to delete them. */
  readonly obsolete: readonly InventoryEntry[];
  /** CRDs, objects of their kinds and the namespace: they stay, because they hold what users made. */
  readonly kept: readonly InventoryEntry[];
  /** Those of the kept that the new instance does not have: nobody looks after them any more. */
  readonly abandoned: readonly InventoryEntry[];
}

/** Splits what is installed by what is to come. */
export function planUpgrade(installed: Inventory, next: Inventory): UpgradePlan {
  const coming = new Set(next.entries.map(formatComponentKey));
  const isComing = (entry: InventoryEntry) => coming.has(formatComponentKey(entry));
  // Others look after objects of their kinds: what they made of one is not lost by a change.
  const isKept = (entry: InventoryEntry) =>
    holdsUserObjects(entry) || (entry.stage === "external" && isComing(entry));
  const kept = installed.entries.filter(isKept);
  const instance = inDeletionOrder(installed.entries.filter((entry) => !isKept(entry)));
  return {
    replaced: instance.filter(isComing),
    obsolete: instance.filter((entry) => !isComing(entry)),
    kept,
    abandoned: kept.filter((entry) => !isComing(entry)),
  };
}

/** What goes with a provider, beside its running components. */
export interface DeletionPolicy {
  readonly deleteCrds?: boolean;
  readonly deleteNamespace?: boolean;
}

export interface DeletionPlan {
  /** In the order to delete them: webhooks first, so that they block nothing that follows. */
  readonly deleted: readonly InventoryEntry[];
  readonly kept: readonly InventoryEntry[];
}

/** Splits what is installed by what goes when the provider goes. */
export function planDeletion(installed: Inventory, policy: DeletionPolicy = {}): DeletionPlan {
  const goes = ({ stage }: InventoryEntry) => {
    if (stage === "namespace") return policy.deleteNamespace === true;
    return stage === "crds" || stage === "instances" ? policy.deleteCrds === true : true;
  };
  return {
    deleted: inDeletionOrder(installed.entries.filter(goes)),
    kept: installed.entries.filter((entry) => !goes(entry)),
  };
}

/** What is the same, and what is not, between two inventories. */
export interface InventoryDiff {
  readonly added: readonly InventoryEntry[];
  readonly removed: readonly InventoryEntry[];
  readonly changed: readonly InventoryEntry[];
  readonly unchanged: readonly InventoryEntry[];
}

/** Compares by content. `changed` and `unchanged` have the entries of `after`. */
export function diffInventories(before: Inventory, after: Inventory): InventoryDiff {
  const old = new Map(before.entries.map((entry) => [formatComponentKey(entry), entry]));
  const present = new Set(after.entries.map(formatComponentKey));
  const hashBefore = (entry: InventoryEntry) => old.get(formatComponentKey(entry))?.hash;
  const known = after.entries.filter((entry) => hashBefore(entry) !== undefined);
  return {
    added: after.entries.filter((entry) => hashBefore(entry) === undefined),
    removed: before.entries.filter((entry) => !present.has(formatComponentKey(entry))),
    changed: known.filter((entry) => hashBefore(entry) !== entry.hash),
    unchanged: known.filter((entry) => hashBefore(entry) === entry.hash),
  };
}

function holdsUserObjects({ stage }: InventoryEntry): boolean {
  return stage === "namespace" || stage === "crds" || stage === "instances";
}

function inDeletionOrder(entries: readonly InventoryEntry[]): readonly InventoryEntry[] {
  const rank = ({ stage }: InventoryEntry) => -stages.indexOf(stage);
  return entries.toSorted((a, b) => rank(a) - rank(b));
}
