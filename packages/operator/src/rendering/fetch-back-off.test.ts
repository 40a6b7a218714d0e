import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import { PhaseError } from "../errors.ts";
import { FetchBackOff } from "./fetch-back-off.ts";
import type { ProviderSource } from "./fetch-source.ts";

const { signal } = new AbortController();
const provider = (generation: number, spec: Provider["spec"] = {}): Provider => ({
  apiVersion: "management.cluster.x-k8s.io/v1alpha1",
  kind: "CoreProvider",
  metadata: { name: "cluster-api", uid: "1", generation },
  spec,
});

/** A source that asks to wait a minute, and counts how often it is asked. */
function busySource(): ProviderSource & { asked: number } {
  const refuse = async () => {
    source.asked++;
    throw new PhaseError("ProviderFetched", "RateLimited", {
      message: "wait",
      retryAfterSeconds: 60,
    });
  };
  const source = { asked: 0, latestVersion: refuse, metadata: refuse, fetch: refuse };
  return source;
}
const refused = (retryAfterSeconds: number) => (error: unknown) =>
  error instanceof PhaseError && error.retryAfterSeconds === retryAfterSeconds;

test("a source that asks to wait is left alone until then, whatever happens meanwhile", async () => {
  let now = 0;
  const backOff = new FetchBackOff({ now: () => now });
  const source = busySource();
  const ask = () => backOff.around(provider(1), source).fetch("v1.0.0", signal);
  await assert.rejects(ask, refused(60));
  now += 45_000;
  await assert.rejects(ask, refused(15));
  assert.equal(source.asked, 1);
  now += 15_000;
  await assert.rejects(ask, refused(60));
  assert.equal(source.asked, 2);
});

test("a changed spec, and ConfigMaps, are tried at once", async () => {
  const backOff = new FetchBackOff({ now: () => 0 });
  const source = busySource();
  await assert.rejects(() => backOff.around(provider(1), source).latestVersion(undefined, signal));
  await assert.rejects(() => backOff.around(provider(2), source).latestVersion(undefined, signal));
  const spec = { fetchConfig: { selector: { matchLabels: { a: "b" } } } };
  await assert.rejects(() =>
    backOff.around(provider(2, spec), source).latestVersion(undefined, signal),
  );
  assert.equal(source.asked, 3);
});
