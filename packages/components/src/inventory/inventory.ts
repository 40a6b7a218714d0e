import { createHash } from "node:crypto";
import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";
import type { Stage } from "../render/known-kinds.ts";
import { installStages } from "../render/known-kinds.ts";

export interface InventoryEntry extends ComponentKey {
  readonly stage: Stage;
  /** SHA-256 of its content, whatever the order of its fields. */
  readonly hash: string;
}

/** A summary of rendered components. */
export interface Inventory {
  /** In the order to apply them. */
  readonly entries: readonly InventoryEntry[];
  /** SHA-256 over all entries. */
  readonly hash: string;
}

export function inventoryOf(components: readonly Component[]): Inventory {
  const entries = installStages(components).flatMap(({ stage, components: members }) =>
    members.map((one) => ({ ...componentKeyOf(one), stage, hash: contentHash(one) })),
  );
  return { entries, hash: contentHash(entries.map(({ hash }) => hash).sort()) };
}

/** The key of a component, whose version is not a part of its identity. */
export interface ComponentKey {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

export function componentKeyOf({ apiVersion, kind, metadata }: Component): ComponentKey {
  const { group, version } = parseApiVersion(apiVersion);
  const { namespace, name = "" } = metadata;
  return { group, version, kind, ...(namespace && { namespace }), name };
}

/** Does not depend on the version of the kind. */
export function formatComponentKey({ group, kind, namespace = "", name }: ComponentKey): string {
  return `${kind}.${group}/${namespace}/${name}`;
}

/** SHA-256 of a value as JSON, whatever the order of its fields. */
export function contentHash(value: unknown): string {
  // Generated YAML is sorted already, and native JSON is several times faster.
  const ordered = isSorted(value) ? value : sorted(value);
  return createHash("sha256")
    .update(JSON.stringify(ordered) ?? "null")
    .digest("hex");
}

function isSorted(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  const keys = Object.keys(value);
  return (
    keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key) &&
    Object.values(value).every(isSorted)
  );
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
