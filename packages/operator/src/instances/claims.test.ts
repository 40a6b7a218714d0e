import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { instance } from "../../test/instances/family.ts";
import { installed } from "../../test/preflight/provider-views.ts";
import { describeSet, everyNamespace, only } from "../identity/namespace-set.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { claimWarnings, namespacesKeptForOthers } from "./claims.ts";
import { familyOf } from "./family.ts";

type Stated = Readonly<Record<string, readonly [status: "True" | "False", reason: string]>>;

/** An instance whose object has conditions, for the generation before the spec where it is behind. */
function stating(stated: Stated, observedGeneration = 2) {
  return (view: ProviderView): ProviderView => {
    const conditions = Object.entries(stated).map(([type, [status, reason]]) => {
      return { type, status, reason, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
    });
    const { provider } = view;
    const metadata = { ...provider.metadata, generation: 2 };
    return {
      ...view,
      provider: { ...provider, metadata, status: { conditions, observedGeneration } },
    };
  };
}

const there = installed("v1.0.0");
const passed: Stated = { PreflightCheckPassed: ["True", "PreflightChecksPassed"] };
const named = { namespaces: ["a"] };
const rest = instance("capi1-system", { rest: true }, there);
const recorded = everyNamespace;

const kept: Readonly<Record<string, [claimant: ProviderView, text: string]>> = {
  "is not installed": [instance("capi2-system", named), "namespace a"],
  "is installed and ready to take them": [
    instance("capi2-system", named, there, stating(passed)),
    "no namespace",
  ],
  "has not looked at its new spec yet": [
    instance("capi2-system", named, there, stating(passed, 1)),
    "namespace a",
  ],
  "was refused at preflight": [
    instance(
      ...(["capi2-system", named, there] as const),
      stating({ PreflightCheckPassed: ["False", "RbacNotPossible"] }),
    ),
    "namespace a",
  ],
};

describe("who has namespaces, and another one claims them that", () => {
  for (const [sentence, [claimant, text]] of Object.entries(kept)) {
    it(`${sentence}, keeps ${text}`, () => {
      assert.equal(
        describeSet(namespacesKeptForOthers(familyOf(rest, [claimant]), recorded)),
        text,
      );
    });
  }

  it("keeps nothing that it did not have", () => {
    const family = familyOf(rest, [instance("capi2-system", named)]);
    assert.equal(describeSet(namespacesKeptForOthers(family, only(["b"]))), "no namespace");
  });
});

describe("a gap", () => {
  const failing = stating({
    ...passed,
    Ready: ["False", "PodsFailing"],
    ProviderAvailable: ["False", "PodsFailing"],
  });
  const has = (view: ProviderView, ...names: string[]) => ({ ...view, watching: only(names) });
  const reasons = (self: ProviderView, ...others: ProviderView[]) =>
    claimWarnings(familyOf(self, others)).map(({ reason }) => reason);

  it("is what an instance has whose pods fail, and all instances tell", () => {
    const broken = has(instance("capi2-system", named, there, failing), "a");
    const well = { ...rest, watching: only(["b"]) };
    assert.deepEqual(reasons(well, broken), ["NamespaceGap"]);
    assert.deepEqual(reasons(broken, well), ["NamespaceGap"]);
  });

  it("is what a new instance claims that cannot be installed, where nobody else watches it", () => {
    const absent = stating({ Ready: ["False", "VersionNotFound"] }, 2);
    const broken = instance("capi2-system", named, absent);
    assert.deepEqual(reasons(broken, has(rest, "b")), ["NamespaceGap"]);
    assert.deepEqual(reasons(has(rest, "a", "b"), broken), ["NamespacesKept"]);
  });

  it("is none while an instance is only on its way", () => {
    const waiting = stating({ Ready: ["False", "WaitingForHandOver"] });
    assert.deepEqual(reasons(has(rest, "b"), instance("capi2-system", named, there, waiting)), []);
  });
});
