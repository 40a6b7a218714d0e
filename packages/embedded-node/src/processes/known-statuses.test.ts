import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContainerStatus, PodSpec } from "@rookery/api";
import { containerOf, podOf, runningStatus, terminated } from "../../test/pod.ts";
import { knownContainer } from "./known-statuses.ts";

const now = new Date("2026-01-02T00:00:00Z");
const id = { containerID: "rookery://1" };

function known(status: ContainerStatus, spec: PodSpec = {}) {
  const pod = podOf({ containers: [containerOf("main")], ...spec });
  const { initContainers = [], containers: main = [], ephemeralContainers = [] } = pod.spec;
  const container = [...initContainers, ...main, ...ephemeralContainers].find(
    ({ name }) => name === status.name,
  );
  const containers = { [status.name ?? ""]: { status } };
  const record = { uid: "uid-1", namespace: "team", name: "web-0", address: "", containers };
  return knownContainer(pod, container ?? {}, { record, now });
}

describe("a container of a former run", () => {
  it("that ran has ended, nobody knows how", () => {
    const found = known({ ...runningStatus("main"), ...id });
    const { exitCode, reason, finishedAt } = found?.status.state?.terminated ?? {};
    assert.deepEqual([exitCode, reason, finishedAt], [255, "Unknown", "2026-01-02T00:00:00Z"]);
    assert.equal(found?.isOver, false);
    assert.equal(
      known({ ...runningStatus("main"), ...id }, { restartPolicy: "Never" })?.isOver,
      true,
    );
  });

  it("that was done stays done, but an init container runs again", () => {
    const done = { ...terminated("main", 0), ...id };
    assert.equal(known(done, { restartPolicy: "OnFailure" })?.isOver, true);
    const initContainers = [containerOf("init")];
    const init = { ...terminated("init", 0), ...id };
    assert.equal(known(init, { restartPolicy: "Never", initContainers })?.isOver, false);
  });

  it("that somebody looked around with is not begun again, however it ended", () => {
    const ephemeralContainers = [containerOf("looks")];
    const ran = { ...runningStatus("looks"), ...id };
    assert.equal(known(ran, { ephemeralContainers })?.isOver, true);
    const failed = { ...terminated("looks", 1), ...id };
    assert.equal(known(failed, { ephemeralContainers })?.isOver, true);
  });

  it("that never began is nothing", () => {
    assert.equal(known({ name: "main", state: { waiting: {} } }), undefined);
  });
});
