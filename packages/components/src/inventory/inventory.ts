import { createHash } from "node:crypto";
import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";
import type { Stage } from "../render/known-kinds.ts";
import { installStages } from "../render/known-kinds.ts";

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

/** Which object a component is. Its version is how to reach it, and no part of what it is. */
export interface ComponentKey {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent for what is cluster-wide. */
  readonly namespace?: string;
  readonly name: string;
}

export function componentKeyOf({ apiVersion, kind, metadata }: Component): ComponentKey {
  const { group, version } = parseApiVersion(apiVersion);
  const { namespace, name = "" } = metadata;
  return { group, version, kind, ...(namespace && { namespace }), name };
}

/** Equal for the same object, also in another version of its kind. */
export function formatComponentKey({ group, kind, namespace = "", name }: ComponentKey): string {
  return `${kind}.${group}/${namespace}/${name}`;
}

/** SHA-256 of a value as JSON, whatever the order of its fields. */
export function contentHash(value: unknown): string {
  // Generated YAML is sorted already, and native JSON is several times faster than anything here.
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
