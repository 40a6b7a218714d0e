import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { instance } from "../../test/instances/family.ts";
import { installed, withSpec } from "../../test/preflight/provider-views.ts";
import type { InstanceLayout } from "../state/install-state.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { credentialsNamespaceOf, credentialWarnings } from "./credentials-namespace.ts";
import { familyOf } from "./family.ts";

const one = instance("capv1", { namespaces: ["a"] }, installed("v0.1.0"));
const two = instance("capv2", { namespaces: ["b"] }, installed("v0.1.0"));

const naming = (view: ProviderView, namespace: string) => {
  const containers = [{ name: "manager", args: { "credentials-namespace": namespace } }];
  return withSpec({ deployment: { containers } })(view);
};
const layout = (credentials: string): InstanceLayout => {
  const all = { type: "all" } as const;
  const rights = { rbac: "Cluster", accounts: [] } as const;
  return { scope: all, by: "flag", first: false, admits: all, ...rights, credentials };
};

describe("beside its own namespace, an instance looks for credentials", () => {
  const rows: Record<string, [ProviderView, string | undefined, string | undefined]> = {
    "nowhere, where it is new": [two, undefined, undefined],
    "where all looked when it was installed": [two, "capv1", "capv1"],
    "where its spec says, whatever it was": [naming(two, "capv2"), "capv1", "capv2"],
  };
  for (const [where, [self, recorded, expected]] of Object.entries(rows)) {
    it(where, () =>
      assert.equal(credentialsNamespaceOf(familyOf(self, [one]), recorded), expected),
    );
  }

  it("not where the spec of another instance says", () => {
    const family = familyOf(two, [naming(one, "vault")]);
    assert.equal(credentialsNamespaceOf(family, undefined), undefined);
  });
});

describe("an administrator learns that an instance reads the Secrets of others", () => {
  it("with the way out", () => {
    const [warning] = credentialWarnings(familyOf(two, [one]), layout("capv1"));
    assert.equal(warning?.reason, "SharedCredentials");
    assert.match(warning?.message ?? "", /into capv2, and set the argument credentials-namespace/);
  });

  it("and hears nothing where it reads its own alone", () => {
    assert.deepEqual(credentialWarnings(familyOf(two, [one]), layout("capv2")), []);
    assert.deepEqual(credentialWarnings(familyOf(two, [one]), undefined), []);
  });
});
