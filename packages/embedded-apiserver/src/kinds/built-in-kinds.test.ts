import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emptyStore } from "../../test/kinds/core/core-kind.ts";
import { goTypeOf } from "../types/go-types.ts";
import { builtInKinds } from "./built-in-kinds.ts";

const kinds = builtInKinds({
  store: emptyStore,
  now: () => new Date(),
  serviceCidr: "10.0.0.0/24",
});

describe("built-in kinds", () => {
  it("are there once each", () => {
    const names = kinds.map(({ group, kind }) => `${kind}.${group}`);
    assert.deepEqual(names, [...new Set(names)]);
  });

  for (const kind of kinds) {
    it(`have a Go type and a model: ${kind.kind} of ${kind.group || "core"}`, () => {
      assert.ok(goTypeOf(kind.goType));
      assert.match(kind.model, new RegExp(`\\.${kind.version}\\.${kind.kind}$`));
    });

    it(`are called as in Kubernetes: ${kind.kind} of ${kind.group || "core"}`, () => {
      assert.equal(kind.plural, kind.plural.toLowerCase());
      assert.equal(kind.singular, kind.kind.toLowerCase());
    });

    it(`say what each of their columns is: ${kind.kind} of ${kind.group || "core"}`, () => {
      for (const { name, description } of kind.columns) assert.ok(description, name);
    });
  }
});
