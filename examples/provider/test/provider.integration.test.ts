import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  applyCoreCrds,
  clusterApiManager,
  type Kubernetes,
  startClusterApiCore,
  startKubernetes,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { parseAllDocuments, stringify } from "yaml";
import { RunningProvider } from "./running-provider.ts";

const skip = await whyUnavailable(clusterApiManager);
const example = await readFile(join(import.meta.dirname, "..", "cluster.yaml"), "utf8");
const infrastructure = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/team";
const core = "/apis/cluster.x-k8s.io/v1beta2/namespaces/team";

interface Shown {
  readonly spec?: { readonly host?: string; readonly providerID?: string };
  readonly status?: {
    readonly phase?: string;
    readonly hosts?: { readonly total?: number; readonly free?: number };
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
  };
}

describe("the example provider, with the real core of Cluster API", { skip }, () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  let provider: RunningProvider;

  before(async () => {
    kubernetes = stack.use(await startKubernetes({ private: true, controllerManager: false }));
    await applyCoreCrds(kubernetes);
    await kubernetes.kubectl(["create", "namespace", "team"]);
    provider = stack.use(await RunningProvider.install(kubernetes));
    stack.use(await startClusterApiCore(kubernetes));
  });
  after(() => stack.disposeAsync());

  const get = async (path: string): Promise<Shown | undefined> => {
    const { status, body } = await kubernetes.request("GET", path);
    return status === 200 ? body : undefined;
  };
  const reasonOf = (shown: Shown | undefined) =>
    shown?.status?.conditions?.find(({ type }) => type === "Ready")?.reason;
  const until = (path: string, what: string, holds: (shown: Shown) => boolean) => {
    let shown: Shown | undefined;
    const ask = async () => {
      shown = await get(path);
      return shown && holds(shown) ? shown : undefined;
    };
    return waitFor(ask, { what, timeout: 120_000, detail: () => JSON.stringify(shown) });
  };
  const apply = (stdin: string) =>
    kubernetes.kubectl(["apply", "--namespace=team", "-f", "-"], { stdin });
  const addHosts = async (...hosts: readonly { name: string; address: string }[]) => {
    const { status, body } = await kubernetes.request(
      "PATCH",
      `${infrastructure}/hostclusters/demo`,
      {
        contentType: "application/json-patch+json",
        body: hosts.map((value) => ({ op: "add", path: "/spec/hosts/-", value })),
      },
    );
    assert.equal(status, 200, JSON.stringify(body));
  };
  /** The hosts that machines of the burst have claimed. */
  const burst = async (): Promise<string[]> => {
    const { body } = await kubernetes.request("GET", `${infrastructure}/hostmachines`);
    const items = body.items as (Shown & { readonly metadata: { readonly name: string } })[];
    return items.flatMap(({ metadata, spec }) =>
      metadata.name.startsWith("burst-") && spec?.host ? [spec.host] : [],
    );
  };
  const applyMachines = (...names: readonly string[]) => {
    const documents = parseAllDocuments(example).map((document) => document.toJS());
    const worker = documents.filter(({ metadata }) => metadata.name === "demo-worker");
    const texts = worker.map((object) => stringify(object));
    return apply(
      names
        .flatMap((name) => texts.map((text) => text.replaceAll("demo-worker", name)))
        .join("---\n"),
    );
  };

  it("provisions the cluster and both machines of the example", async () => {
    await apply(example);
    await until(
      `${core}/clusters/demo`,
      "the Cluster",
      ({ status }) => status?.phase !== "Pending",
    );
    for (const name of ["demo-control-plane", "demo-worker"]) {
      await until(
        `${core}/machines/${name}`,
        name,
        ({ status }) => status?.phase === "Provisioned",
      );
    }
    const machine = await get(`${infrastructure}/hostmachines/demo-control-plane`);
    assert.deepEqual(machine?.spec, { host: "rack-1", providerID: "host://team/demo/rack-1" });
    await until(
      `${infrastructure}/hostclusters/demo`,
      "the free hosts",
      ({ status }) => status?.hosts?.total === 2 && status.hosts.free === 0,
    );
  });

  it("lets a machine wait until a host is added", async () => {
    await applyMachines("late");
    const path = `${infrastructure}/hostmachines/late`;
    await until(path, "the reason", (shown) => reasonOf(shown) === "NoFreeHost");
    await addHosts({ name: "rack-3", address: "10.0.0.13" });
    await until(path, "the claim", ({ spec }) => spec?.host === "rack-3");
  });

  it("claims each host once, also when the manager is killed between claims", async () => {
    const numbers = Array.from({ length: 8 }, (_, index) => index + 20);
    await addHosts(...numbers.map((n) => ({ name: `rack-${n}`, address: `10.0.0.${n}` })));
    await provider.kill();
    await applyMachines(...numbers.map((number) => `burst-${number}`));
    for (const claims of [1, 3, 5]) {
      await provider.spawn();
      const isReached = async () => (await burst()).length >= claims;
      await waitFor(isReached, { what: `${claims} claims`, timeout: 120_000, interval: 5 });
      await provider.kill();
    }
    await provider.start();
    const isDone = async () => (await burst()).length === numbers.length;
    await waitFor(isDone, { what: "all claims", timeout: 120_000 });
    assert.equal(new Set(await burst()).size, numbers.length);
  });

  it("rejects the removal of a host in use, and names the machine", async () => {
    const { status, body } = await kubernetes.request(
      "PATCH",
      `${infrastructure}/hostclusters/demo`,
      { body: { spec: { hosts: [{ name: "rack-1", address: "10.0.0.11", controlPlane: true }] } } },
    );
    assert.equal(status, 422);
    assert.match(body.message, /rack-2 is used by the HostMachine demo-worker/);
  });

  it("keeps the host of a machine", async () => {
    const path = `${infrastructure}/hostmachines/late`;
    const { status, body } = await kubernetes.request("PATCH", path, {
      body: { spec: { host: "rack-2" } },
    });
    assert.equal(status, 422);
    assert.match(body.message, /host cannot be changed/);
  });

  it("gives the host of a deleted machine to the next one", async () => {
    await applyMachines("next");
    const path = `${infrastructure}/hostmachines/next`;
    await until(path, "the reason", (shown) => reasonOf(shown) === "NoFreeHost");
    await kubernetes.kubectl(["delete", "machine", "late", "--namespace=team"]);
    await until(path, "the claim", ({ spec }) => spec?.host === "rack-3");
  });

  it("lets the HostCluster go after its machines, and logs no error", async () => {
    await kubernetes.kubectl(["delete", "cluster", "demo", "--namespace=team", "--wait=false"]);
    const path = `${infrastructure}/hostclusters/demo`;
    const isGone = async () => (await get(path)) === undefined;
    await waitFor(isGone, { what: "the end of the HostCluster", timeout: 120_000 });
    assert.deepEqual(await provider.errors(), []);
  });
});
