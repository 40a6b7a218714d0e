import assert from "node:assert/strict";
import { before, it } from "node:test";
import type { NestedEtcd } from "@rookery/api";
import { Context, collectBody, createHttpClient } from "@rookery/http";
import { builtInResources } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import type { NestedWorld } from "./nested-world.ts";
import { isReadyPod, type Pod, ReadyPods } from "./ready-pods.ts";
import { resources, type Tenant } from "./tenant.ts";

const namespace = "members";
const patience = 300_000;
const inputsAnnotation = "nested.rookery.dev/inputs";
const { pods } = builtInResources;

/** The members that etcd is made of are real; no API server is needed to tell whether they agree. */
export function itChangesMembers(world: () => NestedWorld): void {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant(namespace, "tenant");
    const none = { replicas: 0 };
    await tenant.create({
      components: { etcd: { replicas: 3 }, apiserver: none, controllerManager: none },
    });
  });

  const readyPods = async () => {
    const { items } = await world().client.resource<Pod>(pods).list({ namespace });
    return items.filter(isReadyPod);
  };
  const isRunning = async (name: string) => {
    const { status } = await world().client.resource<Pod>(pods).get({ namespace, name });
    return status?.phase === "Running";
  };
  const settled = (replicas: number) =>
    waitFor(
      async () => {
        const { status } = (await tenant.isUpToDate("etcd")) as NestedEtcd;
        const isApplied = status?.addresses?.length === replicas;
        return isApplied && (await readyPods()).length === replicas;
      },
      { what: `${replicas} members and no more`, timeout: patience },
    );

  it("join one after another, also where one is killed meanwhile, until there are all", async () => {
    await waitFor(() => isRunning("tenant-etcd-1"), {
      what: "a member that joins",
      timeout: patience,
      interval: 20,
    });
    await world().kill({ namespace, name: "tenant-etcd-1" }, "etcd");
    await settled(3);
    await put("colour", "blue");
    assert.deepEqual(await memberNames(), ["tenant-etcd-0", "tenant-etcd-1", "tenant-etcd-2"]);
  });

  it("are replaced when their volume is gone, while the others go on", async () => {
    const former = await memberIds();
    const args = ["--namespace", namespace, "--wait=false"];
    await world().kubernetes.kubectl(["delete", "pvc", "data-tenant-etcd-1", ...args]);
    await world().kubernetes.kubectl(["delete", "pod", "tenant-etcd-1", ...args]);
    const isAnother = async () => {
      const now = await memberIds();
      return now.length === 3 && now.filter((id) => former.includes(id)).length === 2;
    };
    await waitFor(isAnother, { what: "another member", timeout: patience });
    await settled(3);
    assert.equal(await get("colour"), "blue");
  });

  it("are rolled one at a time while their authority is replaced, and a quorum is always ready", async () => {
    const { data: former } = await tenant.secret("etcd");
    const made = await createCertificateAuthority({ commonName: "another" });
    const [before = "", after] = [former["tls.crt"], made.certificate];
    await using readiness = await ReadyPods.follow(world(), { namespace, count: 3 });
    // First both are trusted, then the new one signs; to forget the former would roll them once more.
    await supplyAuthority(before + after, former["tls.key"] ?? "");
    await supplyAuthority(after + before, made.key);
    await readiness[Symbol.asyncDispose]();
    assert.equal(readiness.fewest, 2);
    assert.equal(await get("colour"), "blue");
  });

  /** As an administrator does it; returns when all members have it. */
  async function supplyAuthority(certificate: string, key: string): Promise<void> {
    const inputs = async () =>
      (await readyPods()).map(({ metadata }) => metadata.annotations?.[inputsAnnotation]);
    const [former] = await inputs();
    await world()
      .client.resource(builtInResources.secrets)
      .patch(
        { namespace, name: "tenant-etcd" },
        { type: "merge", patch: { stringData: { "tls.crt": certificate, "tls.key": key } } },
      );
    await waitFor(
      async () => {
        const now = await inputs();
        return now.length === 3 && now.every((one) => one !== former && one === now[0]);
      },
      { what: "all members with the authority", timeout: patience, interval: 200 },
    );
    await settled(3);
  }

  it("go until one is left, with all that was written", async () => {
    await tenant.change(resources.etcd, { replicas: 1 });
    await settled(1);
    assert.deepEqual(await memberNames(), ["tenant-etcd-0"]);
    assert.equal(await get("colour"), "blue");
    let claims = "";
    // They go after their pods: the garbage collector takes them.
    await waitFor(
      async () => {
        claims = await world().kubernetes.kubectl(["get", "pvc", "-n", namespace, "-o", "name"]);
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
}
