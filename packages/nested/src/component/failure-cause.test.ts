import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContainerStatus, Pod } from "../manifests/kinds.ts";
import { failureCause } from "./failure-cause.ts";

const pod = (status: Pod["status"], name = "blue-etcd-0", metadata: object = {}): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  status: status ?? {},
});
const container = (status: ContainerStatus) =>
  pod({ containerStatuses: [{ name: "etcd", ready: false, ...status }] });
const crash = { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } };

describe("the cause of a failure", () => {
  const cases: Record<string, readonly [Pod, string | undefined]> = {
    "of a program that ends is its exit code and its last line": [
      container({
        state: crash,
        lastState: {
          terminated: { exitCode: 2, reason: "Error", message: "usage:\nunknown flag: --x\n" },
        },
      }),
      "pod blue-etcd-0: container etcd ended with exit code 2: unknown flag: --x",
    ],
    "of a program that was killed has the reason": [
      container({ lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } } }),
      "pod blue-etcd-0: container etcd ended with exit code 137 (OOMKilled)",
    ],
    "of an image that cannot be pulled is what the kubelet says": [
      container({ state: { waiting: { reason: "ErrImagePull", message: "not found" } } }),
      "pod blue-etcd-0: container etcd waits: ErrImagePull: not found",
    ],
    "of a program that runs is that it does not become ready": [
      container({ state: { running: {} } }),
      "pod blue-etcd-0: container etcd runs and does not become ready",
    ],
    "of a pod without a node is what the scheduler says": [
      pod({
        conditions: [
          { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" },
        ],
      }),
      "pod blue-etcd-0: Unschedulable: 0/3 nodes",
    ],
    "of a pod that was evicted is why": [
      pod({ reason: "Evicted", message: "low on memory" }),
      "pod blue-etcd-0: Evicted: low on memory",
    ],
    "of an init container comes before those that wait for it": [
      pod({
        initContainerStatuses: [{ name: "first", lastState: { terminated: { exitCode: 1 } } }],
        containerStatuses: [{ name: "etcd", state: { waiting: { reason: "PodInitializing" } } }],
      }),
      "pod blue-etcd-0: container first ended with exit code 1",
    ],
    "is unknown where no status says it": [pod({}), undefined],
    "is not in a pod that is ready": [
      pod({
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [{ name: "etcd", lastState: { terminated: { exitCode: 1 } } }],
      }),
      undefined,
    ],
  };
  for (const [name, [given, expected]] of Object.entries(cases)) {
    it(name, () => assert.equal(failureCause([given]), expected));
  }

  it("is that of the newest pod that is not going", () => {
    const ends = (exitCode: number, name: string, metadata: object) =>
      pod(
        { containerStatuses: [{ name: "etcd", lastState: { terminated: { exitCode } } }] },
        name,
        metadata,
      );
    const at = (second: number) => ({ creationTimestamp: `2026-01-01T00:00:0${second}Z` });
    const gone = { ...at(3), deletionTimestamp: "2026-01-01T00:00:04Z" };
    const all = [ends(1, "old", at(1)), ends(2, "new", at(2)), ends(3, "gone", gone)];
    assert.match(failureCause(all) ?? "", /^pod new: .* 2$/);
  });

  it("has one short line without control characters, whatever a program writes", () => {
    const message = `first\n\u001b[31m${"x".repeat(5000)}\u202e`;
    const shown = failureCause([
      container({ lastState: { terminated: { exitCode: 1, message } } }),
    ]);
    assert.ok(shown && shown.length <= 512);
    assert.doesNotMatch(shown, /\p{Cc}|\u202e/u);
    assert.match(shown, /exit code 1: \\u001b\[31mx/);
  });
});
