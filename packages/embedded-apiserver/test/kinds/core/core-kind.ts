import assert from "node:assert/strict";
import { coreKinds } from "../../../src/kinds/built-in-kinds.ts";
import type { BuiltInKind } from "../../../src/kinds/declaration/kind.ts";
import type { Store } from "../../../src/store/store.ts";

/** A store without objects in which nothing happens: what kinds with a memory are given here. */
export const emptyStore = {
  revision: 1,
  list: () => ({ entries: [], revision: 1 }),
  watch: () => ({ close: () => {} }),
} as unknown as Store;

const kinds = coreKinds({
  store: emptyStore,
  now: () => new Date(),
  serviceCidr: "10.0.0.0/24",
});

export function coreKind(name: string): BuiltInKind {
  const kind = kinds.find((each) => each.kind === name);
  assert.ok(kind, `there is no kind ${name}`);
  return kind;
}
