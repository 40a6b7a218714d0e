import assert from "node:assert/strict";
import { test } from "node:test";
import { instance } from "../../test/instances/family.ts";
import { becoming, installed } from "../../test/preflight/provider-views.ts";
import { describeSet } from "../identity/namespace-set.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { abandonedNamespaces, familyOf, handoverObstacle } from "./family.ts";

const there = installed("v1.0.0");
const going = (view: ProviderView): ProviderView => {
  const metadata = { ...view.provider.metadata, deletionTimestamp: "2026-02-01T00:00:00Z" };
  return { ...view, provider: { ...view.provider, metadata } };
};
const hasShared = (view: ProviderView): ProviderView => ({ ...view, isFirst: true });

const first = instance("capi1-system", { namespaces: ["a"] }, there, going);
const second = instance("capi2-system", { namespaces: ["b"] }, there);
const rest = instance("capi3-system", { rest: true }, there);

const abandoned: Readonly<Record<string, [others: readonly ProviderView[], text: string]>> = {
  "what nobody else claims is abandoned": [[second], "namespace a"],
  "a last resort takes what an instance leaves": [[second, rest], "no namespace"],
  "one that goes as well takes nothing": [[second, going(rest)], "namespace a"],
  "one that is not installed takes nothing": [
    [instance("capi3-system", { rest: true })],
    "namespace a",
  ],
  "one whose install is under way takes nothing": [
    [
      instance(
        "capi3-system",
        { rest: true },
        becoming({ version: "v1.0.0", contract: "v1beta2" }),
      ),
    ],
    "namespace a",
  ],
};
for (const [sentence, [others, text]] of Object.entries(abandoned)) {
  test(sentence, () =>
    assert.equal(describeSet(abandonedNamespaces(familyOf(first, others))), text),
  );
}

const waits: Readonly<
  Record<string, [isFirst: boolean, others: readonly ProviderView[], why: RegExp | undefined]>
> = {
  "the first waits until another has what all share": [
    true,
    [second],
    /capi2-system.* to take over/,
  ],
  "the first goes when another has what all share": [true, [hasShared(second)], undefined],
  "of instances that all go, the first goes last": [true, [going(second)], /the first goes last/],
  "the first waits for one whose install is under way": [
    true,
    [
      instance(
        "capi2-system",
        { rest: true },
        becoming({ version: "v1.0.0", contract: "v1beta2" }),
      ),
    ],
    /capi2-system.* to be installed, or to be deleted/,
  ],
  "the last one goes, with all of it": [true, [], undefined],
  "one that is not the first goes at once": [false, [second], undefined],
};
for (const [sentence, [isFirst, others, why]] of Object.entries(waits)) {
  test(sentence, () => {
    const found = handoverObstacle(familyOf(first, others), isFirst);
    if (why === undefined) assert.equal(found, undefined);
    else assert.match(found ?? "", why);
  });
}
