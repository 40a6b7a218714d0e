import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereVM } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { type Outcome, requeueAfter } from "@rookery/runtime";
import { TaskFailedError } from "../errors.ts";
import { inSession } from "./in-session.ts";
import type { ConnectedScope, VmScope } from "./scope.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const connection = { server: "vc.example", as: "Controller" };
const vm: VSphereVM = {
  apiVersion,
  kind: "VSphereVM",
  metadata: { namespace: "team", name: "a" },
  spec: { template: "t", network: { devices: [{ networkName: "n" }] } },
  status: { connection, taskRef: "Task:task-1" },
};
const task = { type: "Task", value: "task-1" };
const taskFailed = new TaskFailedError(task, "clone", { fault: "NoSpace", message: "full" });

type Phase = (vm: VSphereVM, scope: ConnectedScope) => Promise<Outcome<VSphereVM>>;

/** Runs a phase for a virtual machine of a cluster that uses the account of the controller. */
function run(phase: Phase, { hasCluster = true } = {}): Promise<Outcome<VSphereVM>> {
  const account = { username: "u", password: "p", servers: ["vc.example"] };
  const spec = { server: "vc.example" };
  const scope = {
    commit: async (_: VSphereVM, desired: VSphereVM) => desired,
    getCluster: async () => (hasCluster ? { ...vm, kind: "VSphereCluster", spec } : undefined),
    identitySources: { own: { read: async () => account, servers: async () => [] } },
    sessions: {
      use: (_: string, __: unknown, work: (session: unknown) => unknown) => work({}),
    },
    failures: { failed: () => {}, forget: () => {} },
    clock: () => new Date(0),
  };
  return inSession(vm, scope as unknown as VmScope, phase);
}

const readyReason = ({ object }: Outcome<VSphereVM>) =>
  getCondition(object.status?.conditions, "Ready")?.reason;

describe("a phase that needs a session", () => {
  it("returns its outcome", async () => {
    const outcome = await run(async (object) => ({ object, result: requeueAfter(9) }));
    assert.deepEqual(outcome, { object: vm, result: requeueAfter(9) });
  });

  it("reports a failure on the object that it wrote last", async () => {
    const outcome = await run(async (object, { commit }) => {
      const { taskRef: _, ...status } = object.status ?? {};
      await commit(object, { ...object, status });
      throw taskFailed;
    });
    assert.equal(outcome.object.status?.taskRef, undefined);
    assert.equal(readyReason(outcome), "TaskFailed");
    assert.deepEqual(outcome.result, requeueAfter(60));
  });

  it("throws errors that the provider does not know", async () => {
    const mistake = new TypeError("a mistake");
    await assert.rejects(
      run(() => Promise.reject(mistake)),
      mistake,
    );
  });

  it("waits for the VSphereCluster", async () => {
    const outcome = await run(() => Promise.reject(taskFailed), { hasCluster: false });
    assert.equal(readyReason(outcome), "WaitingForCluster");
    assert.equal(outcome.result, undefined);
  });
});
