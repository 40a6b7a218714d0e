import { createHash } from "node:crypto";
import type { Component } from "../documents/documents.ts";
import { installStages } from "../render/install-order.ts";
import type { Stage } from "../render/known-kinds.ts";
import { type ComponentKey, componentKeyOf } from "./component-key.ts";

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
    members.map((one) => ({ ...componentKeyOf(one), stage, hash: hashOf(one) })),
  );
  return { entries, hash: hashOf(entries.map(({ hash }) => hash).sort()) };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const object = value as Readonly<Record<string, unknown>>;
  const fields = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`);
  return `{${fields.join(",")}}`;
}
