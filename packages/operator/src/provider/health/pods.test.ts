import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailing, type Pod, troubleOf } from "./pods.ts";

type Status = NonNullable<NonNullable<Pod["status"]>["containerStatuses"]>[number];

const pod = (
  status: Partial<Status>,
  conditions: NonNullable<Pod["status"]>["conditions"] = [],
): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "manager-1" },
  status: { containerStatuses: [{ name: "manager", ...status }], conditions },
});
const crashing = (restartCount: number) =>
  pod({
    restartCount,
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off" } },
    lastState: { terminated: { exitCode: 1, reason: "Error", message: "unknown flag: --a" } },
  });

test("a container that crashes is told of with how it ended", () => {
  assert.deepEqual(troubleOf([crashing(4)]), [
    "container manager of pod manager-1 is in CrashLoopBackOff after 4 restarts: it ended with code 1 unknown flag: --a",
  ]);
});

test("one that ended once may only have been early, one that ends again and again has failed", () => {
  assert.equal(isFailing(crashing(1)), false);
  assert.equal(isFailing(crashing(3)), true);
});

test("an image that may come is waited for, a name that is none is not", () => {
  const pulling = pod({
    state: { waiting: { reason: "ImagePullBackOff", message: "no such tag" } },
  });
  const invalid = pod({ state: { waiting: { reason: "InvalidImageName" } } });
  assert.equal(isFailing(pulling), false);
  assert.match(troubleOf([pulling]).join(), /ImagePullBackOff: no such tag/);
  assert.equal(isFailing(invalid), true);
});

test("a pod without a node says why", () => {
  const waiting = pod({}, [{ type: "PodScheduled", status: "False", message: "0/3 nodes fit" }]);
  assert.deepEqual(troubleOf([waiting]), ["pod manager-1 has no node: 0/3 nodes fit"]);
  assert.deepEqual(troubleOf([pod({ state: { waiting: { reason: "ContainerCreating" } } })]), []);
});
