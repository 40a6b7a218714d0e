import assert from "node:assert/strict";
import { test } from "node:test";
import { type ContainerState, podStatus } from "./pod-status.ts";

const running: ContainerState = {
  name: "etcd",
  image: "etcd:3",
  waiting: undefined,
  startedAt: "2026-01-01T00:00:01Z",
  started: true,
  ready: true,
  restartCount: 0,
  lastExit: undefined,
};
const now = "2026-01-01T00:00:10Z";

test("a pod is ready while all its containers are, and keeps since when", () => {
  const first = podStatus(undefined, "127.1.1.1", { containers: [running], now });
  const later = { containers: [running], now: "2026-01-01T00:01:00Z" };
  assert.deepEqual(podStatus(first, "127.1.1.1", later), first);
  const ready = first.conditions.find(({ type }) => type === "Ready");
  assert.deepEqual(ready, { type: "Ready", status: "True", lastTransitionTime: now });
});

test("a pod with a container that waits is not ready, and says why", () => {
  const waiting = { reason: "CrashLoopBackOff", message: "back-off" };
  const lastExit = { exitCode: 1, reason: "Error", message: "m", startedAt: now, finishedAt: now };
  const crashed = { ...running, waiting, ready: false, restartCount: 2, lastExit };
  const status = podStatus(undefined, "127.1.1.1", { containers: [running, crashed], now });
  assert.equal(status.conditions.at(-1)?.status, "False");
  assert.equal(status.phase, "Running");
  assert.deepEqual(status.containerStatuses[1]?.state, { waiting });
  assert.deepEqual(status.containerStatuses[1]?.lastState, { terminated: lastExit });
});

test("a pod of which nothing ever ran is pending", () => {
  const waiting = { reason: "ErrImagePull" };
  const state = { ...running, waiting, startedAt: undefined, ready: false, started: false };
  assert.equal(podStatus(undefined, "127.1.1.1", { containers: [state], now }).phase, "Pending");
});
