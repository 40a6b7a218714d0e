import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NestedEtcd } from "@rookery/api";
import { Context, collectBody, createHttpClient } from "@rookery/http";
import type { Condition, KubeObject, Resource } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { NestedWorld, worldUnavailable } from "./nested-world.ts";
import { resources, type Tenant } from "./tenant.ts";

const namespace = "members";
const patience = 300_000;
const pods: Resource = {
  group: "",
  version: "v1",
  plural: "pods",
  kind: "Pod",
  singular: "pod",
  namespaced: true,
};

type Pod = KubeObject<unknown, { podIP?: string; conditions?: readonly Condition[] }>;

/** The members that etcd is made of are real; no API server is needed to tell whether they agree. */
describe("members of etcd", { skip: await worldUnavailable() }, () => {
  let world: NestedWorld;
  let manager: AsyncDisposable;
  let tenant: Tenant;

  before(async () => {
    world = await NestedWorld.start();
    manager = await world.startManager();
    tenant = await world.tenant(namespace, "tenant");
    const none = { replicas: 0 };
    await tenant.create({
      components: { etcd: { replicas: 3 }, apiserver: none, controllerManager: none },
    });
  });
  after(async () => {
    await manager?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  const readyPods = async () => {
    const { items } = await world.client.resource<Pod>(pods).list({ namespace });
    return items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
    );
  };
  const settled = (replicas: number) =>
    waitFor(
      async () => {
        const { status } = (await tenant.isUpToDate("etcd")) as NestedEtcd;
        const isTold = status?.addresses?.length === replicas;
        return isTold && (await readyPods()).length === replicas;
      },
      { what: `${replicas} members and no more`, timeout: patience },
    );

  it("join one after another until there are as many as are wanted", async () => {
    await settled(3);
    await put("colour", "blue");
    assert.deepEqual(await memberNames(), ["tenant-etcd-0", "tenant-etcd-1", "tenant-etcd-2"]);
  });

  it("are replaced when their volume is gone, while the others go on", async () => {
    const former = await memberIds();
    const args = ["--namespace", namespace, "--wait=false"];
    await world.kubernetes.kubectl(["delete", "pvc", "data-tenant-etcd-1", ...args]);
    await world.kubernetes.kubectl(["delete", "pod", "tenant-etcd-1", ...args]);
    const isAnother = async () => {
      const now = await memberIds();
      return now.length === 3 && now.filter((id) => former.includes(id)).length === 2;
    };
    await waitFor(isAnother, { what: "another member", timeout: patience });
    await settled(3);
    assert.equal(await get("colour"), "blue");
  });

  it("are rolled one at a time, and a quorum is always ready", async () => {
    let fewest = 3;
    const stop = new AbortController();
    const watching = (async () => {
      while (!stop.signal.aborted) fewest = Math.min(fewest, (await readyPods()).length);
    })();
    const extraArgs = [{ name: "heartbeat-interval", value: "150" }];
    await tenant.change(resources.etcd, { extraArgs });
    await settled(3);
    stop.abort();
    await watching;
    assert.ok(fewest >= 2, `${fewest} members were ready`);
    assert.equal(await get("colour"), "blue");
  });

  it("go until one is left, with all that was written", async () => {
    await tenant.change(resources.etcd, { replicas: 1 });
    await settled(1);
    assert.deepEqual(await memberNames(), ["tenant-etcd-0"]);
    assert.equal(await get("colour"), "blue");
    let claims = "";
    // They go after their pods: the garbage collector takes them.
    await waitFor(
      async () => {
        claims = await world.kubernetes.kubectl(["get", "pvc", "-n", namespace, "-o", "name"]);
        return claims.trim() === "persistentvolumeclaim/data-tenant-etcd-0";
      },
      {
        what: "only the volume of the member that is left",
        detail: () => claims,
        timeout: patience,
      },
    );
  });

  /** As etcd's own clients do it, again where there was no leader at that moment. */
  const ask = (path: string, body: object) =>
    waitFor(() => askOnce(path, body), { what: `an answer to ${path}`, timeout: patience });

  async function askOnce(path: string, body: object) {
    const [pod] = await readyPods();
    const { data } = await tenant.secret("etcd-health-client-cert");
    const servername = `${pod?.metadata.name}.tenant-etcd.${namespace}.svc`;
    const [ca = "", cert = "", key = ""] = [data["ca.crt"], data["tls.crt"], data["tls.key"]];
    const origin = `https://${pod?.status?.podIP}:2379`;
    await using client = createHttpClient({ origin, tls: { ca, cert, key, servername } });
    const response = await client.handler({
      method: "POST",
      path,
      query: "",
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
      signal: AbortSignal.timeout(60_000),
      context: Context.empty,
    });
    const bytes = await collectBody(response.body, { limit: 1 << 20 });
    const text = new TextDecoder().decode(bytes);
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  const put = (key: string, value: string) =>
    ask("/v3/kv/put", { key: btoa(key), value: btoa(value) });
  const get = async (key: string) => {
    const { kvs = [] } = await ask("/v3/kv/range", { key: btoa(key) });
    return kvs.map(({ value }: { value: string }) => atob(value)).join();
  };
  const members = async (): Promise<{ name: string; ID: string }[]> =>
    (await ask("/v3/cluster/member/list", { linearizable: true })).members;
  const memberNames = async () => (await members()).map(({ name }) => name).toSorted();
  const memberIds = async () => (await members()).map(({ ID }) => ID);
});
