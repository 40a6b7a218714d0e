import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { instance } from "../../test/instances/family.ts";
import type { InstallState } from "../state/install-state.ts";
import { type Rights, recordedRights } from "../state/install-state.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { familyOf } from "./family.ts";
import { rightsOf, rightsWarnings } from "./rights.ts";

const named = { namespaces: ["a"] };
const having =
  (rights: Rights) =>
  (view: ProviderView): ProviderView => ({ ...view, rights });

describe("the rights of an instance", () => {
  const rows: Readonly<Record<string, [ProviderView, Rights]>> = {
    "that is new and names namespaces are in those": [instance("one", named), "Namespaced"],
    "that names none are in the whole cluster": [instance("one", { rest: true }), "Cluster"],
    "that leaves some out are in the whole cluster": [
      instance("one", { excludedNamespaces: ["a"] }),
      "Cluster",
    ],
    "from before stay as they were": [instance("one", named, having("Cluster")), "Cluster"],
    "stay narrow when the field is taken out": [
      instance("one", named, having("Namespaced")),
      "Namespaced",
    ],
    "are what its spec says": [instance("one", { ...named, rbac: "Cluster" }), "Cluster"],
    "are what its spec says now": [
      instance("one", { ...named, rbac: "Namespaced" }, having("Cluster")),
      "Namespaced",
    ],
    "are not widened by a status that somebody wrote": [
      withStatus(instance("one", named), "Cluster"),
      "Namespaced",
    ],
  };
  for (const [what, [view, expected]] of Object.entries(rows)) {
    it(what, () => assert.equal(rightsOf(view), expected));
  }
});

function withStatus(view: ProviderView, rbac: Rights): ProviderView {
  const status = { installedVersion: "v1.0.0", watch: { by: "flag", first: false, rbac } } as const;
  return { ...view, provider: { ...view.provider, status } };
}

describe("the rights that a record tells of", () => {
  const all = { type: "all" } as const;
  const layout = { scope: all, by: "flag", first: true, admits: all, accounts: [] } as const;
  const release = { id: "1", version: "v1.0.0", contract: "v1beta2", intent: "" };
  const rows: Readonly<Record<string, [InstallState, Rights | undefined]>> = {
    "are none where nothing was installed": [{ owned: [], phase: "Stable" }, undefined],
    "are all of the only instance": [{ owned: [], phase: "Stable", release }, "Cluster"],
    "are those of its layout": [
      { owned: [], phase: "Stable", release, layout: { ...layout, rbac: "Namespaced" } },
      "Namespaced",
    ],
  };
  for (const [what, [state, expected]] of Object.entries(rows)) {
    it(what, () => assert.equal(recordedRights(state), expected));
  }
});

describe("rights in the namespaces alone are recommended", () => {
  const reasons = (view: ProviderView) =>
    rightsWarnings(familyOf(view, [])).map((one) => one.reason);
  it("where an instance from before has more", () => {
    assert.deepEqual(reasons(instance("one", named, having("Cluster"))), ["ClusterRights"]);
  });
  it("not where somebody asked for more, or there is no less", () => {
    assert.deepEqual(reasons(instance("one", { ...named, rbac: "Cluster" })), []);
    assert.deepEqual(reasons(instance("one", { rest: true }, having("Cluster"))), []);
    assert.deepEqual(reasons(instance("one", named)), []);
  });
});
