import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { builtInResources } from "./built-in-resources.ts";

describe("builtInResources", () => {
  for (const [name, resource] of Object.entries(builtInResources)) {
    it(`has ${name} under their plural name`, () => {
      assert.equal(resource.plural, name.toLowerCase());
      assert.equal(resource.singular, resource.kind.toLowerCase());
    });
  }

  it("has resources with a namespace and without one", () => {
    assert.equal(builtInResources.pods.namespaced, true);
    assert.equal(builtInResources.nodes.namespaced, false);
    assert.equal(builtInResources.endpoints.plural, "endpoints");
  });
});
