import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  inNamespace,
  installed,
  madeAt,
  view,
  withSpec,
} from "../../test/preflight/provider-views.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { builtOn, coreOf } from "./core-of.ts";

const ready = installed("v1.13.6");
const elder = view("CoreProvider", "cluster-api", inNamespace("capi1"), ready);
const younger = view(
  ...(["CoreProvider", "cluster-api"] as const),
  ...[inNamespace("capi2"), madeAt("2026-02-01T00:00:00Z"), ready],
);
const aws = view("InfrastructureProvider", "aws");

const leaving = (one: ProviderView): ProviderView => {
  const { provider } = one;
  const metadata = { ...provider.metadata, deletionTimestamp: "2026-03-01T00:00:00Z" };
  return { ...one, provider: { ...provider, metadata } };
};

describe("the core that a provider builds on", () => {
  it("is the eldest", () => assert.equal(coreOf(aws, [younger, elder]), elder));

  it("is the eldest of those that stay", () => {
    const going = leaving(elder);
    assert.equal(coreOf(aws, [younger, going]), younger);
    assert.deepEqual(
      builtOn(going, [younger, aws]),
      [],
      "which does not hold up the one that goes",
    );
  });

  it("is the one that is installed, also while it goes and another waits to take its place", () => {
    const going = leaving(elder);
    const waiting = view("CoreProvider", "other", madeAt("2026-02-01T00:00:00Z"));
    assert.equal(coreOf(aws, [waiting, going]), going);
    assert.deepEqual(builtOn(going, [waiting, aws]), [aws]);
  });

  it("is not one with the provider's own API groups that is not installed, once the provider is", () => {
    const suffix = withSpec({ apiGroupSuffix: "team.example.com" });
    const waiting = view("CoreProvider", "own", suffix);
    const apart = view("InfrastructureProvider", "aws", suffix, ready);
    assert.equal(coreOf(apart, [waiting, elder]), elder);
    assert.deepEqual(builtOn(elder, [waiting, apart]), [apart]);
    const isNew = view("InfrastructureProvider", "aws", suffix);
    assert.equal(coreOf(isNew, [waiting, elder]), waiting, "which a new one waits for");
  });

  it("is one that goes where there is no other: it has to wait for what is built on it", () => {
    const going = leaving(elder);
    assert.equal(coreOf(aws, [going]), going);
    assert.deepEqual(builtOn(going, [aws]), [aws]);
  });
});
