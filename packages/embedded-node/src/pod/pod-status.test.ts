import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContainerStatus, PodSpec } from "@rookery/api";
import { containerOf, podOf, runningStatus, terminated, waiting } from "../../test/pod.ts";
import { type ObservedPod, podPhase, podStatus } from "./pod-status.ts";

const moment: ObservedPod = {
  initStatuses: [],
  statuses: [runningStatus("main")],
  ephemeralStatuses: [],
  podIP: "127.64.0.1",
  hostIP: "127.0.0.1",
  hasSandbox: true,
  isTerminal: false,
  failure: undefined,
  startTime: "2026-01-01T00:00:00Z",
  now: "2026-01-01T00:00:05Z",
};
const sidecar = containerOf("side", { restartPolicy: "Always" });
const backedOff = waiting("main", "CrashLoopBackOff", {
  lastState: { terminated: { exitCode: 1 } },
});

interface Row {
  readonly spec?: PodSpec;
  readonly statuses: readonly ContainerStatus[];
  readonly isTerminal?: boolean;
  readonly hasInitialized?: boolean;
  readonly phase: string;
}

const rows: Readonly<Record<string, Row>> = {
  "a container that waits for its first run": {
    statuses: [waiting("main", "ContainerCreating")],
    phase: "Pending",
  },
  "a container that runs": { statuses: [runningStatus("main")], phase: "Running" },
  "a container that is started again later": { statuses: [backedOff], phase: "Running" },
  "a container that ended well and is started again": {
    statuses: [terminated("main", 0)],
    phase: "Running",
  },
  "the same in a pod that is deleted": {
    statuses: [terminated("main", 0)],
    isTerminal: true,
    phase: "Succeeded",
  },
  "a container that failed in a pod that is deleted": {
    statuses: [terminated("main", 143)],
    isTerminal: true,
    phase: "Failed",
  },
  "a job's container that succeeded": {
    spec: { restartPolicy: "OnFailure" },
    statuses: [terminated("main", 0)],
    phase: "Succeeded",
  },
  "a job's container that failed and may try again": {
    spec: { restartPolicy: "OnFailure" },
    statuses: [terminated("main", 1)],
    phase: "Running",
  },
  "a container that failed and may not": {
    spec: { restartPolicy: "Never" },
    statuses: [terminated("main", 1)],
    phase: "Failed",
  },
  "one of two that has not begun": {
    spec: { containers: [containerOf("main"), containerOf("other")] },
    statuses: [runningStatus("main"), waiting("other", "ContainerCreating")],
    phase: "Pending",
  },
  "an init container that runs": {
    spec: { initContainers: [containerOf("init")] },
    statuses: [runningStatus("init"), waiting("main", "PodInitializing")],
    phase: "Pending",
  },
  "an init container that failed for good": {
    spec: { restartPolicy: "Never", initContainers: [containerOf("init")] },
    statuses: [terminated("init", 1), waiting("main", "PodInitializing")],
    phase: "Failed",
  },
  "a sidecar that has not started": {
    spec: { initContainers: [sidecar] },
    statuses: [runningStatus("side", { started: false }), waiting("main", "PodInitializing")],
    phase: "Pending",
  },
  "a sidecar that is restarted beside a running container": {
    spec: { initContainers: [sidecar] },
    statuses: [runningStatus("side", { started: false }), runningStatus("main")],
    hasInitialized: true,
    phase: "Running",
  },
  "a sidecar that failed when it was ended": {
    spec: { restartPolicy: "Never", initContainers: [sidecar] },
    statuses: [terminated("side", 137), terminated("main", 0)],
    phase: "Succeeded",
  },
};

describe("the phase of a pod", () => {
  for (const [sentence, row] of Object.entries(rows)) {
    it(`is ${row.phase} with ${sentence}`, () => {
      const { isTerminal = false, hasInitialized = false } = row;
      const phase = podPhase(podOf(row.spec), row.statuses, { isTerminal, hasInitialized });
      assert.equal(phase, row.phase);
    });
  }

  it("is Failed of a pod that ended before it began", () => {
    const statuses = [waiting("main", "ContainerCreating")];
    assert.equal(podStatus(podOf(), { ...moment, statuses, isTerminal: true }).phase, "Failed");
  });

  it("never leaves Succeeded or Failed", () => {
    assert.equal(podStatus(podOf({}, { phase: "Failed" }), moment).phase, "Failed");
  });
});

describe("the status of a pod", () => {
  const statements = (status: ReturnType<typeof podStatus>) =>
    status.conditions?.map(({ type, status, reason, message }) =>
      [type, status, reason, message].filter(Boolean).join(" "),
    );

  it("tells of a container that somebody looks around with, and nothing else depends on it", () => {
    const ephemeralStatuses = [terminated("looks", 4), runningStatus("at")];
    const status = podStatus(podOf(), { ...moment, ephemeralStatuses });
    const told = status.ephemeralContainerStatuses?.map(({ name, ready, started }) => [
      ...[name, ready, started],
    ]);
    assert.deepEqual(told, [
      ["at", false, undefined],
      ["looks", false, undefined],
    ]);
    assert.equal(status.phase, "Running");
  });

  it("has a kubelet's conditions in its order", () => {
    const { conditions, ...status } = podStatus(podOf(), moment);
    assert.deepEqual(
      conditions?.map(({ type }) => type),
      ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"],
    );
    assert.ok(conditions?.every((one) => one.status === "True" && one.observedGeneration === 1));
    assert.deepEqual(status, {
      observedGeneration: 1,
      phase: "Running",
      hostIP: "127.0.0.1",
      hostIPs: [{ ip: "127.0.0.1" }],
      podIP: "127.64.0.1",
      podIPs: [{ ip: "127.64.0.1" }],
      startTime: "2026-01-01T00:00:00Z",
      containerStatuses: moment.statuses,
    });
  });

  it("keeps the time of a condition that stays, and not of one that changes", () => {
    const before = [
      { type: "Initialized", status: "True", lastTransitionTime: "2025-01-01T00:00:00Z" },
      { type: "Ready", status: "False", lastTransitionTime: "2025-01-01T00:00:00Z" },
    ];
    const { conditions = [] } = podStatus(podOf({}, { conditions: before }), moment);
    const times = new Map(conditions.map((one) => [one.type, one.lastTransitionTime]));
    assert.equal(times.get("Initialized"), "2025-01-01T00:00:00Z");
    assert.equal(times.get("Ready"), moment.now);
  });

  it("names the containers that are not ready, and the init containers that are not done", () => {
    const spec = { initContainers: [containerOf("init"), sidecar] };
    const statuses = [waiting("main", "PodInitializing")];
    const initStatuses = [
      runningStatus("init", { ready: false }),
      waiting("side", "PodInitializing"),
    ];
    const status = podStatus(podOf(spec), { ...moment, statuses, initStatuses });
    assert.deepEqual(statements(status), [
      "PodReadyToStartContainers True",
      "Initialized False ContainersNotInitialized containers with incomplete status: [init side]",
      "Ready False ContainersNotReady containers with unready status: [side main]",
      "ContainersReady False ContainersNotReady containers with unready status: [side main]",
      "PodScheduled True",
    ]);
  });

  it("says that a pod is completed, which has no sandbox then", () => {
    const pod = podOf({ restartPolicy: "Never" });
    const ended = { ...moment, statuses: [terminated("main", 0)], hasSandbox: false };
    assert.deepEqual(statements(podStatus(pod, ended)), [
      "PodReadyToStartContainers False",
      "Initialized True PodCompleted",
      "Ready False PodCompleted",
      "ContainersReady False PodCompleted",
      "PodScheduled True",
    ]);
  });

  it("waits for readiness gates that others set", () => {
    const readinessGates = [{ conditionType: "a.b/open" }, { conditionType: "a.b/warm" }];
    const conditions = [{ type: "a.b/warm", status: "False" }];
    const [, , ready, containers] =
      statements(podStatus(podOf({ readinessGates }, { conditions }), moment)) ?? [];
    assert.equal(
      ready,
      'Ready False ReadinessGatesNotReady corresponding condition of pod readiness gate "a.b/open" does not exist., the status of pod readiness gate "a.b/warm" is not "True", but False',
    );
    assert.equal(containers, "ContainersReady True");
  });

  it("says why the node gave it up, and says so still afterwards", () => {
    const failure = { reason: "DeadlineExceeded", message: "too long" };
    const first = podStatus(podOf(), { ...moment, failure });
    assert.equal(first.phase, "Failed");
    const later = podStatus(podOf({}, first), moment);
    assert.deepEqual(
      [later.phase, later.reason, later.message],
      ["Failed", "DeadlineExceeded", "too long"],
    );
  });
});
