import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client, ResourceClient } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import type { Lease } from "@rookery/runtime";
import {
  createTemporaryFolder,
  type Kubernetes,
  startKubernetes,
  type TemporaryFolder,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { adminClient, configMaps, type Nest, nest, nests, nestsCrd } from "./nests.ts";
import { type ProviderProcess, startProvider } from "./provider-process.ts";

const nestCount = 10;
const eggCount = 5;
/** So patient that a machine under load does not cost a leader its lease. */
const election = [
  "--leader-elect",
  "--leader-elect-lease-duration=90s",
  "--leader-elect-renew-deadline=60s",
];
/** For longer than a lease: one that was asked for by a process that is killed may come afterwards. */
const patience = { timeout: 180_000 };

describe("a provider's process", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let resource: ResourceClient<Nest>;
  let namespace: TestNamespace;
  let folder: TemporaryFolder;
  before(async () => {
    kubernetes = await startKubernetes({ private: true, controllerManager: false });
    await kubernetes.applyCrd(nestsCrd);
    client = await adminClient(kubernetes);
    resource = client.resource(nests);
    folder = await createTemporaryFolder("processes");
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const start = async (program: string): Promise<ProviderProcess> => {
    const scope = [`--namespace=${namespace.name}`, ...election];
    const ownNamespace = namespace.name;
    const where = { program, kubernetes, ownNamespace, folder: folder.path };
    return startProvider({ ...where, args: scope });
  };
  const holderOf = async (name: string) => {
    const leases = client.resource<Lease>(builtInResources.leases);
    return (await leases.get({ namespace: namespace.name, name })).spec?.holderIdentity;
  };
  const keyOf = (name: string) => ({ namespace: namespace.name, name });
  const isHolding = async () => (await resource.get(keyOf("held"))).status?.holding;
  const letGo = () =>
    resource.patch(keyOf("held"), { type: "merge", patch: { spec: { hold: false } } });

  /** A process in the middle of a reconcile. */
  async function startHolding(): Promise<ProviderProcess> {
    namespace = await kubernetes.createNamespace("held");
    const process = await start("holding-manager.ts");
    const held = nest({ namespace: namespace.name, name: "held" });
    await resource.create({ ...held, spec: { hold: true } });
    await waitFor(isHolding, { what: "the reconcile to begin" });
    return process;
  }

  test("finishes the reconcile in hand when it is told to end, and only then gives its lease back", async () => {
    await using provider = await startHolding();
    process.kill(provider.pid, "SIGTERM");
    await waitFor(async () => /Stopping and waiting/.test(await provider.printed()), {
      what: "it to stop",
    });
    const holder = await holderOf("holding-manager");
    assert.notEqual(holder, "");
    provider.assertRunning();
    await letGo();
    await provider.whenEnded();
    assert.equal(provider.ending, "exit code 0");
    assert.equal(await isHolding(), false);
    assert.equal(await holderOf("holding-manager"), "");
  });

  test("ends at once when it is told so a second time, and keeps its lease until that is over", async () => {
    await using provider = await startHolding();
    process.kill(provider.pid, "SIGTERM");
    await waitFor(async () => /Stopping and waiting/.test(await provider.printed()), {
      what: "it to stop",
    });
    process.kill(provider.pid, "SIGTERM");
    await provider.whenEnded();
    assert.equal(provider.ending, "exit code 1");
    assert.equal(await isHolding(), true);
    assert.notEqual(await holderOf("holding-manager"), "");
  });

  test("ends at once when its lease is stolen, in the middle of a reconcile", async () => {
    await using provider = await startHolding();
    const leases = client.resource<Lease>(builtInResources.leases);
    const patch = { spec: { holderIdentity: "thief" } };
    await leases.patch(keyOf("holding-manager"), { type: "merge", patch });
    await provider.whenEnded();
    assert.equal(provider.ending, "exit code 1");
    assert.match(await provider.printed(), /LeadershipLost/);
    assert.equal(await holderOf("holding-manager"), "thief");
    assert.equal(await isHolding(), true);
  });

  const eggs = async () => {
    const { items } = await client
      .resource<KubeObject>(configMaps)
      .listAll({ namespace: namespace.name, labelSelector: "rookery.dev/nest" });
    return items;
  };
  const names = Array.from({ length: nestCount }, (_, index) => `n${index}`);

  test("leaves nothing that the next one does not heal, wherever it is killed", async () => {
    namespace = await kubernetes.createNamespace("killed");
    await Promise.all(names.map((name) => resource.create(nest(keyOf(name), eggCount))));
    const all = nestCount * eggCount;
    // Somewhere in each fifth of the work.
    for (let killed = 0; killed < 5; killed++) {
      await using provider = await start("brood-manager.ts");
      const enough = Math.ceil((all * (killed + 1 - Math.random())) / 5);
      await waitFor(async () => (await eggs()).length >= enough, {
        what: `${enough} eggs`,
        ...patience,
      });
      await provider.kill();
      await expire("brood-manager");
    }
    await using provider = await start("brood-manager.ts");
    await waitFor(
      async () => {
        const { items } = await resource.listAll({ namespace: namespace.name });
        return items.every(({ status }) => status?.eggs === eggCount);
      },
      { what: "every nest to be whole", detail: () => provider.log, ...patience },
    );
    const wanted = names.flatMap((name) =>
      Array.from({ length: eggCount }, (_, number) => `${name}-${number}`),
    );
    const there = (await eggs()).map(({ metadata }) => metadata.name ?? "");
    assert.deepEqual(there.toSorted(), wanted.toSorted());
    await resource.deleteCollection({ namespace: namespace.name });
    await waitFor(
      async () => (await resource.listAll({ namespace: namespace.name })).items.length === 0,
      { what: "every nest to be gone" },
    );
    assert.deepEqual(await eggs(), []);
    await provider.stop();
    assert.equal(provider.ending, "exit code 0");
  });

  /** As if the time of a lease were over; the process may have been killed before it had one. */
  async function expire(name: string): Promise<void> {
    const fieldSelector = `metadata.name=${name}`;
    const { name: where } = namespace;
    await client
      .resource(builtInResources.leases)
      .deleteCollection({ namespace: where, fieldSelector });
  }

  test("ends when it is told to although the API server is gone", async () => {
    namespace = await kubernetes.createNamespace("gone");
    await using provider = await start("brood-manager.ts");
    await resource.create(nest(keyOf("a"), 1));
    await waitFor(async () => (await resource.get(keyOf("a"))).status?.eggs === 1, {
      what: "the provider to work",
    });
    await kubernetes.apiServer.stop({ kill: true });
    process.kill(provider.pid, "SIGTERM");
    await provider.whenEnded();
    assert.equal(provider.ending, "exit code 0");
    await kubernetes.apiServer.start();
  });
});
