import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Client, createClient, loadConfig, type ResourceClient } from "@rookery/client";
import { builtInResources } from "@rookery/kube";
import { LeaderElector, type Leadership, type Lease, LeaseTakenError } from "@rookery/runtime";
import {
  type Child,
  createTemporaryFolder,
  type Kubernetes,
  startChild,
  startKubernetes,
  type TemporaryFolder,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";

const script = join(import.meta.dirname, "leader-election-candidate.ts");
/** So long that no lease runs out in a test, however busy the machine is. */
const ages = 600;
/** To wait for, and yet so long that a leader which gets no time for seconds keeps it. */
const leaseSeconds = 15;

describe("leader election on a real API server", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let leases: ResourceClient<Lease>;
  let namespace: TestNamespace;
  let folder: TemporaryFolder;
  const stop = new AbortController();

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("leader-election");
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    leases = client.resource<Lease>(builtInResources.leases);
    folder = await createTemporaryFolder("leader-election");
  });

  after(async () => {
    stop.abort();
    await folder?.[Symbol.asyncDispose]();
    await namespace?.[Symbol.asyncDispose]();
    await client?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const keyOf = (name: string) => ({ namespace: namespace.name, name });
  const specOf = async (name: string) => (await leases.get(keyOf(name))).spec ?? {};

  /** A process that leads. */
  async function startLeader(name: string, seconds: number): Promise<Child> {
    const log = join(folder.path, `${name}.log`);
    const child = await startChild({
      name: "candidate",
      command: process.execPath,
      args: [script, kubernetes.kubeconfig, namespace.name, name, String(seconds)],
      log,
      grace: 60_000,
    });
    await waitFor(async () => (await readFile(log, "utf8")).includes("leading"), {
      what: "the process to lead",
      detail: () => log,
    });
    return child;
  }

  /** A candidate of this process, and when it came to lead. */
  function stand(name: string) {
    const durations = { leaseDuration: ages * 1000, renewDeadline: ages * 900, retryPeriod: 500 };
    const lease = keyOf(name);
    const elector = new LeaderElector({ leases, lease, identity: "test", ...durations });
    const state: { leadership?: Leadership; at?: number } = {};
    elector.acquire(stop.signal).then(
      (leadership) => Object.assign(state, { leadership, at: Date.now() }),
      () => {},
    );
    return state;
  }

  const leads = (state: { leadership?: Leadership }) =>
    waitFor(() => state.leadership, { what: "lead" });

  it("lets another lead when the leader is killed, and not before its lease is over", async () => {
    await using leader = await startLeader("killed", leaseSeconds);
    const other = stand("killed");
    const { holderIdentity, leaseTransitions } = await specOf("killed");
    assert.equal(holderIdentity, "process");
    assert.equal(leaseTransitions, 0);
    await leader.kill();
    const last = Date.parse((await specOf("killed")).renewTime ?? "");
    const leadership = await leads(other);
    assert.ok(
      (other.at ?? 0) - last >= leaseSeconds * 1000,
      `${(other.at ?? 0) - last} ms after the last renewal`,
    );
    const spec = await specOf("killed");
    assert.equal(spec.holderIdentity, "test");
    assert.equal(spec.leaseTransitions, 1);
    assert.match(spec.renewTime ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    await leadership.release();
  });

  it("lets another lead at once when the leader stops in order", async () => {
    await using leader = await startLeader("stopped", ages);
    const other = stand("stopped");
    await leader.stop();
    assert.equal(leader.ending, "exit code 0");
    const leadership = await leads(other);
    await leadership.release();
    assert.equal((await specOf("stopped")).holderIdentity, "");
  });

  it("goes on renewing, and stops at once when the lease is stolen", async () => {
    const state = stand("stolen");
    const leadership = await leads(state);
    const { renewTime } = await specOf("stolen");
    await waitFor(async () => (await specOf("stolen")).renewTime !== renewTime, {
      what: "renewal",
    });
    const patch = { spec: { holderIdentity: "thief" } };
    await leases.patch(keyOf("stolen"), { type: "merge", patch });
    await waitFor(() => leadership.lost.aborted, { what: "loss" });
    assert.ok(leadership.lost.reason instanceof LeaseTakenError);
    assert.equal((await specOf("stolen")).holderIdentity, "thief");
  });
});
