import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withNamespace } from "./template.ts";

describe("an object of a template", () => {
  it("is put into the namespace, whatever it says itself", () => {
    const object = { kind: "Secret", metadata: { name: "a", namespace: "b" } };
    assert.deepEqual(withNamespace(object, "team").metadata, { name: "a", namespace: "team" });
    assert.deepEqual(withNamespace({ kind: "Any" }, "team").metadata, { namespace: "team" });
  });

  it("stays without one where its kind has none", () => {
    const object = { kind: "ClusterRole", metadata: { name: "a" } };
    assert.deepEqual(withNamespace(object, "team"), object);
  });

  it("is the namespace itself", () => {
    const object = { kind: "Namespace", metadata: { name: "any" } };
    assert.deepEqual(withNamespace(object, "team").metadata, { name: "team" });
  });

  it("binds accounts that are there as well", () => {
    const subjects = [{ namespace: "any" }, {}];
    const { subjects: bound } = withNamespace({ kind: "ClusterRoleBinding", subjects }, "team");
    assert.deepEqual(bound, [{ namespace: "team" }, {}]);
  });
});
