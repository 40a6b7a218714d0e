import { stages } from "../render/known-kinds.ts";
import type { Inventory, InventoryEntry } from "./inventory.ts";
import { formatComponentKey } from "./inventory.ts";

/** The changes of an upgrade to the installed components. */
export interface UpgradePlan {
  /** Components that the new release has too, in the order of deletion. */
  readonly replaced: readonly InventoryEntry[];
  /** Components that the new release does not have, in the order of deletion. */
  readonly obsolete: readonly InventoryEntry[];
  /** CRDs, objects of their kinds and the namespace, which stay as they contain users' objects. */
  readonly kept: readonly InventoryEntry[];
  /** Kept components that the new release does not have. */
  readonly abandoned: readonly InventoryEntry[];
}

/** Splits the installed components by the next inventory. */
export function planUpgrade(installed: Inventory, next: Inventory): UpgradePlan {
  const coming = new Set(next.entries.map(formatComponentKey));
  const isComing = (entry: InventoryEntry) => coming.has(formatComponentKey(entry));
  // Objects of external kinds may have been changed by their controllers.
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

/** The kept components that are deleted with a provider. */
export interface DeletionPolicy {
  readonly deleteCrds?: boolean;
  readonly deleteNamespace?: boolean;
}

interface DeletionPlan {
  /** In the order of deletion: webhooks first, so that they reject no further deletion. */
  readonly deleted: readonly InventoryEntry[];
  readonly kept: readonly InventoryEntry[];
}

/** Splits the installed components by whether they are deleted with the provider. */
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

/** The differences between two inventories. */
interface InventoryDiff {
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
