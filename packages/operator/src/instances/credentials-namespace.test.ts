import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { installed, withSpec } from "../preflight/provider-views-fixture.ts";
import type { ProviderView } from "../provider/provider-view.ts";
import { credentialsNamespaceOf } from "./credentials-namespace.ts";
import { familyOf } from "./family.ts";
import { instance } from "./family-fixture.ts";

const one = instance("capv1", { namespaces: ["a"] }, installed("v0.1.0"));
const two = instance("capv2", { namespaces: ["b"] }, installed("v0.1.0"));
const three = instance("capv3", { rest: true });

const naming = (view: ProviderView, namespace: string) => {
  const containers = [{ name: "manager", args: { "credentials-namespace": namespace } }];
  return withSpec({ deployment: { containers } })(view);
};
const having = (view: ProviderView, credentials: string): ProviderView => ({
  ...view,
  credentials,
});
/** What each of some instances is told; of none it was recorded before. */
const told = (...members: readonly ProviderView[]) =>
  members.map((self) => credentialsNamespaceOf(familyOf(self, members), undefined));

describe("all instances look for credentials in one namespace", () => {
  it("that of the first", () => {
    assert.deepEqual(told(one, two, three), ["capv1", "capv1", "capv1"]);
  });

  it("the one that a spec names, the eldest's where several do", () => {
    assert.deepEqual(told(one, naming(two, "vault")), ["vault", "vault"]);
    assert.deepEqual(told(naming(one, "safe"), naming(two, "vault")), ["safe", "safe"]);
  });

  it("the one that it was, when the first goes and others come", () => {
    const staying = having(two, "capv1");
    assert.equal(credentialsNamespaceOf(familyOf(staying, [three]), "capv1"), "capv1");
    assert.equal(credentialsNamespaceOf(familyOf(three, [staying]), undefined), "capv1");
  });

  it("another one than it was, once a spec names it", () => {
    const moved = naming(two, "vault");
    assert.equal(credentialsNamespaceOf(familyOf(moved, [one]), "capv1"), "vault");
  });
});
