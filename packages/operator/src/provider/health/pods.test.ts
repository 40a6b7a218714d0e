import assert from "node:assert/strict";
import { test } from "node:test";
import { describePods, isFailing, type Pod, unsteadyContainers } from "./pods.ts";

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
  assert.deepEqual(describePods([crashing(4)]), [
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
  assert.match(describePods([pulling]).join(), /ImagePullBackOff: no such tag/);
  assert.equal(isFailing(invalid), true);
});

test("a pod without a node says why", () => {
  const waiting = pod({}, [{ type: "PodScheduled", status: "False", message: "0/3 nodes fit" }]);
  assert.deepEqual(describePods([waiting]), ["pod manager-1 has no node: 0/3 nodes fit"]);
  assert.deepEqual(
    describePods([pod({ state: { waiting: { reason: "ContainerCreating" } } })]),
    [],
  );
});

const now = new Date("2026-01-01T00:01:00Z");
const ranFor = (seconds: number, restartCount = 0) => {
  const startedAt = new Date(now.getTime() - seconds * 1000).toISOString();
  const lastState = restartCount > 0 && { terminated: { exitCode: 2, reason: "Error" } };
  return pod({ restartCount, state: { running: { startedAt } }, ...(lastState && { lastState }) });
};
const ended = { ...ranFor(1), status: { ...ranFor(1).status, phase: "Failed" } };
const unsteady: Readonly<Record<string, readonly [Pod, RegExp | undefined]>> = {
  "has just started": [ranFor(2), /no readiness probe and has not run for 10 s$/],
  "has run for a while": [ranFor(11), undefined],
  "has just restarted": [
    ranFor(11, 2),
    /not run for 60 s since its restart \(2\); it ended with code 2 Error$/,
  ],
  "restarted long ago": [ranFor(61, 2), undefined],
  "was evicted": [ended, undefined],
  "says nothing of when it started": [pod({ state: { running: {} } }), undefined],
};
for (const [name, [found, expected]] of Object.entries(unsteady)) {
  test(`a container without a readiness probe ${name}`, () => {
    const [text, ...more] = unsteadyContainers([found], new Set(["manager"]), now);
    assert.deepEqual(more, []);
    if (expected === undefined) assert.equal(text, undefined);
    else assert.match(text ?? "", expected);
    assert.deepEqual(unsteadyContainers([found], new Set(), now), []);
  });
}
