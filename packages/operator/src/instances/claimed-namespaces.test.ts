import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { instance } from "../../test/instances/family.ts";
import { installed } from "../../test/preflight/provider-views.ts";
import { describeSet } from "../identity/namespace-set.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { claimedNamespaces, unclaimedInUse } from "./claimed-namespaces.ts";
import { familyOf, type Instance } from "./family.ts";

function nameOf({ view }: Instance): string {
  const { namespace, name } = view.provider.metadata;
  return `${namespace}/${name}`;
}

const rosaA = { namespaces: ["rosa-a", "rosa-b"] };
const butRosa = { excludedNamespaces: ["rosa-a", "rosa-b"] };
const installedNow = installed("v1.13.6");

interface Row {
  readonly members: readonly ProviderView[];
  /** What each claims. */
  readonly claims?: readonly string[];
  /** What the webhooks of each are to admit. */
  readonly admitted?: readonly string[];
  /** "<who>: <what>" for each clash of the first member. */
  readonly clashes?: readonly string[];
  readonly unclaimed?: string;
  readonly first?: string;
}

const table: Readonly<Record<string, Row>> = {
  "two instances of the seed divide all namespaces": {
    members: [instance("capi1-system", rosaA), instance("capi2-system", butRosa)],
    claims: ["namespaces rosa-a, rosa-b", "all namespaces but rosa-a, rosa-b"],
    admitted: ["namespaces rosa-a, rosa-b", "all namespaces but rosa-a, rosa-b"],
    clashes: [],
    unclaimed: "no namespace",
    first: "capi1-system/cluster-api",
  },
  "the last resort instance watches the rest of namespaces": {
    members: [
      instance("capi1-system", { namespaces: ["rosa-a"] }),
      instance("capi2-system", { namespaces: ["rosa-b"] }),
      instance("capi3-system", { rest: true }),
    ],
    claims: ["namespace rosa-a", "namespace rosa-b", "all namespaces but rosa-a, rosa-b"],
    clashes: [],
    unclaimed: "no namespace",
  },
  "the rest beside an exclusion is what it leaves": {
    members: [instance("capi1-system", { rest: true }), instance("capi2-system", butRosa)],
    claims: ["namespaces rosa-a, rosa-b", "all namespaces but rosa-a, rosa-b"],
    clashes: [],
  },
  "what nobody claims is admitted by the first": {
    members: [
      instance("capi1-system", { namespaces: ["rosa-a"] }),
      instance("capi2-system", { namespaces: ["rosa-b"] }),
    ],
    unclaimed: "all namespaces but rosa-a, rosa-b",
    admitted: ["all namespaces but rosa-b", "namespace rosa-b"],
  },
  "a namespace that two name is a clash": {
    members: [
      instance("capi1-system", rosaA),
      instance("capi2-system", { namespaces: ["rosa-b", "rosa-c"] }),
    ],
    clashes: ["capi2-system/cluster-api: namespace rosa-b"],
  },
  "a namespace that one names and another does not exclude is a clash": {
    members: [
      instance("capi1-system", rosaA),
      instance("capi2-system", { excludedNamespaces: ["rosa-a"] }),
    ],
    clashes: ["capi2-system/cluster-api: namespace rosa-b"],
  },
  "two exclusions clash in all that both leave, also in what is made later": {
    members: [
      instance("capi1-system", { excludedNamespaces: ["rosa-a"] }),
      instance("capi2-system", { excludedNamespaces: ["rosa-b"] }),
    ],
    clashes: ["capi2-system/cluster-api: all namespaces but rosa-a, rosa-b"],
  },
  "two last resorts clash": {
    members: [instance("capi1-system", { rest: true }), instance("capi2-system", { rest: true })],
    clashes: ["capi2-system/cluster-api: all namespaces"],
  },
  "an instance without spec.watch watches all namespaces": {
    members: [instance("capi1-system", undefined), instance("capi2-system", rosaA)],
    claims: ["all namespaces", "namespaces rosa-a, rosa-b"],
    clashes: ["capi2-system/cluster-api: namespaces rosa-a, rosa-b"],
  },
  "the eldest is the first": {
    members: [instance("capi2-system", butRosa), instance("capi1-system", rosaA)],
    first: "capi1-system/cluster-api",
  },
  "one that is installed is the first before an elder that is not": {
    members: [instance("capi1-system", rosaA), instance("capi2-system", butRosa, installedNow)],
    first: "capi2-system/cluster-api",
  },
  "one that goes is not the first": {
    members: [
      instance("capi1-system", rosaA, installedNow, going),
      instance("capi2-system", butRosa, installedNow),
    ],
    first: "capi2-system/cluster-api",
  },
};

describe("namespaces are divided among instances", () => {
  for (const [sentence, row] of Object.entries(table)) {
    it(sentence, () => {
      const families = row.members.map((self) => familyOf(self, row.members));
      const divisions = families.map(claimedNamespaces);
      const [division] = divisions;
      const seen = {
        claims: families.map(({ self }) => describeSet(self.claim)),
        admitted: divisions.map(({ admitted }) => describeSet(admitted)),
        clashes: (division?.clashes ?? []).map(
          ({ other, namespaces }) => `${nameOf(other)}: ${describeSet(namespaces)}`,
        ),
        unclaimed: division && describeSet(division.unclaimed),
        first: families[0] && nameOf(families[0].first),
      };
      const { members: _, ...expected } = row;
      assert.partialDeepStrictEqual(seen, expected);
      if (expected.clashes) assert.equal(seen.clashes.length, expected.clashes.length);
    });
  }

  it("objects of another name, kind or suffix are no instances", () => {
    const self = instance("capi1-system", rosaA);
    const { provider } = instance("capi2-system", butRosa);
    const others = [
      { ...self, provider, identity: { ...self.identity, name: "other" } },
      { ...self, provider, identity: { ...self.identity, kind: "AddonProvider" as const } },
      { ...self, provider: { ...provider, spec: { apiGroupSuffix: "team1.example.com" } } },
    ];
    assert.deepEqual(familyOf(self, others).others, []);
  });

  it("a gap is a namespace with objects that nobody claims", () => {
    const members = [instance("capi1-system", rosaA)];
    const [self] = members;
    if (!self) return;
    const { unclaimed } = claimedNamespaces(familyOf(self, members));
    assert.deepEqual(unclaimedInUse(unclaimed, ["x", "rosa-a", "x", "b"]), ["b", "x"]);
  });
});

function going(view: ProviderView): ProviderView {
  const metadata = { ...view.provider.metadata, deletionTimestamp: "2026-02-01T00:00:00Z" };
  return { ...view, provider: { ...view.provider, metadata } };
}
