import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { ResourceClient } from "@rookery/client";
import { findStatusError, isInvalid, type Resource } from "@rookery/kube";
import { parseCertificate } from "@rookery/pki";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { converter, dryRuns, mutator, validator } from "./webhook-logic.ts";
import { type ConfigMap, configMaps, type Nest, nestGroup, nests } from "./webhook-resources.ts";
import { addresses, WebhookWorld } from "./webhook-world.ts";

describe("webhooks called by a real API server", () => {
  let kubernetes: Kubernetes;
  let world: WebhookWorld;
  let maps: ResourceClient<ConfigMap>;

  before(async () => {
    kubernetes = await startKubernetes();
    world = await WebhookWorld.start(kubernetes);
    maps = world.client.resource<ConfigMap>(configMaps);
    await callable();
  });

  after(async () => {
    await world?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const nestsOf = (resource: Resource) => world.client.resource<Nest>(resource);

  /** Until the API server has taken up the configurations and the bundle in them. */
  async function callable(): Promise<void> {
    const mapWorks = async () => {
      const { metadata } = await maps.create(configMap("probe"), { dryRun: true });
      return metadata.labels?.["rookery.dev/seen"] === "true" && dryRuns.length > 0;
    };
    await waitFor(mapWorks, { what: "webhooks to be called" });
    const nest = { ...nestOf("v2", "probe"), spec: { clutch: 1 } };
    const create = () => nestsOf(nests.v2).create(nest, { dryRun: true });
    await waitFor(() => create().then(() => true), { what: "conversion to be called" });
  }

  function configMap(name: string, data: ConfigMap["data"] = {}): ConfigMap {
    const metadata = { name, namespace: world.namespace.name };
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
  }

  function nestOf(version: string, name: string): Nest {
    const metadata = { name, namespace: world.namespace.name };
    return { apiVersion: `${nestGroup}/${version}`, kind: "Nest", metadata };
  }

  it("refuses an object with the reason, its causes and a warning", async () => {
    const creation = maps.create(configMap("refused", { forbidden: "yes", old: "yes" }));
    const error = await creation.then(() => undefined, findStatusError);
    assert.ok(isInvalid(error));
    assert.match(error?.message ?? "", /^admission webhook "webhooks-\d+\.rookery\.dev" denied/);
    assert.match(error?.message ?? "", /data\.forbidden: Forbidden: may not be set/);
    assert.equal(error?.status.details?.causes?.[0]?.field, "data.forbidden");
    assert.deepEqual(world.warnings, ["data.old is deprecated"]);
  });

  it("changes what is stored, and knows a dry run", async () => {
    dryRuns.length = 0;
    await maps.create(configMap("dry"), { dryRun: true });
    const created = await maps.create(configMap("seen"));
    assert.equal(created.metadata.labels?.["rookery.dev/seen"], "true");
    assert.deepEqual(dryRuns, [true, false]);
  });

  it("sees what is deleted", async () => {
    const map = configMap("kept");
    await maps.create({ ...map, metadata: { ...map.metadata, labels: { keep: "" } } });
    const key = { namespace: world.namespace.name, name: "kept" };
    await assert.rejects(maps.delete(key), isInvalid);
    await maps.patch(key, { type: "merge", patch: { metadata: { labels: { keep: null } } } });
    await maps.delete(key);
  });

  it("refuses without a word where it fails by mistake", async () => {
    const creation = maps.create(configMap("broken", { broken: "yes" }));
    const error = await creation.then(() => undefined, findStatusError);
    assert.equal(error?.httpStatus, 500);
    assert.doesNotMatch(error?.message ?? "", /secret detail/);
  });

  it("converts objects on their way in and out, one and many", async () => {
    const [v1, v2] = [nestsOf(nests.v1), nestsOf(nests.v2)];
    await v2.create({ ...nestOf("v2", "a"), spec: { clutch: 3 } });
    await v1.create({ ...nestOf("v1", "b"), spec: { eggs: 4 } });
    const key = { namespace: world.namespace.name, name: "a" };
    assert.deepEqual((await v1.get(key)).spec, { eggs: 3 });
    const list = await v2.list({ namespace: world.namespace.name });
    assert.deepEqual(
      list.items.map(({ spec }) => spec),
      [{ clutch: 3 }, { clutch: 4 }],
    );
  });

  it("tells why an object cannot be converted", async () => {
    const creation = nestsOf(nests.v2).create({ ...nestOf("v2", "unlucky"), spec: { clutch: 13 } });
    await assert.rejects(creation, /could not convert Nest unlucky: 13 is bad luck/);
  });

  it("answers every request while its authority is replaced", async () => {
    const failures: unknown[] = [];
    let requests = 0;
    const before = world.served.length;
    const isRotated = () => world.served.length > before && world.servedByOther.length > before;
    const request = async (index: number) => {
      const nest = { ...nestOf("v2", `n${index}`), spec: { clutch: 1 } };
      await maps.create(configMap(`m${index}`), { dryRun: true });
      await nestsOf(nests.v2).create(nest, { dryRun: true });
      requests += 2;
    };
    let movesAfterwards = 0;
    const isOver = () => requests >= 300 && movesAfterwards >= 10;
    /** Others need the machine too while the new bundle settles. */
    const leisure = () => delay(requests >= 300 && !isRotated() ? 200 : 0);
    const call = async (lane: number) => {
      for (let i = 0; !isOver(); i++) {
        await request(lane * 10_000 + i).catch((error) => failures.push(error));
        await leisure();
      }
    };
    const move = async () => {
      for (let i = 0; !isOver(); i++) {
        await world.moveTo(addresses[i % addresses.length] ?? "");
        if (isRotated()) movesAfterwards += 1;
        await leisure();
      }
    };
    // Past the renewal of the authority, within the backdate of what is issued then.
    world.offset = 299_500;
    await Promise.all([call(1), call(2), call(3), move()]);
    assert.deepEqual(failures.map(String), []);
    const issuers = world.served
      .slice(before - 1)
      .map(({ certificate }) => parseCertificate(certificate).issuer.commonName);
    assert.equal(new Set(issuers).size, 2, "the certificate of another authority is served");
    assert.equal(world.servedByOther.at(-1)?.certificate, world.served.at(-1)?.certificate);
  });

  it("was measured", async () => {
    const text = await world.metrics.registry.metrics();
    for (const { path } of [validator, mutator, converter]) {
      const line = `controller_runtime_webhook_requests_total{webhook="${path}",code="200"} `;
      const count = Number(text.split(line)[1]?.split("\n")[0]);
      assert.ok(count > 100, `${path}: ${count}`);
    }
    assert.match(text, /controller_runtime_webhook_panics_total 1\n/);
  });
});
