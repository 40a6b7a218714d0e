import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContainerStatus, Pod } from "../manifests/kinds.ts";
import { memberStart } from "./member-pod.ts";

const made = "2026-01-01T00:00:00Z";
const after = (seconds: number) => () => new Date(Date.parse(made) + seconds * 1000);
const condition = (type: string, status: "True" | "False") => ({ type, status });
const scheduled = condition("PodScheduled", "True");
const pod = (container: ContainerStatus, ...conditions: ReturnType<typeof condition>[]): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "blue-etcd-2", creationTimestamp: made },
  status: { conditions, containerStatuses: [{ name: "etcd", ready: false, ...container }] },
});
const crash = { waiting: { reason: "CrashLoopBackOff" } };
const creating = { waiting: { reason: "ContainerCreating" } };
const running = { running: { startedAt: "2026-01-01T00:09:00Z" } };
const isSetUp = condition("PodReadyToStartContainers", "True");
const isSettingUp = condition("PodReadyToStartContainers", "False");

describe("the start of a member", () => {
  const rows: Record<string, [pod: Pod, seconds: number, expected: string]> = {
    "fails where the program ends again and again": [
      pod({ state: crash, restartCount: 3 }, scheduled),
      60,
      "failing run",
    ],
    "may succeed after it failed twice": [
      pod({ state: crash, restartCount: 2 }, scheduled),
      60,
      "run",
    ],
    "takes a while": [pod({ state: creating }, scheduled, isSettingUp), 179, ""],
    "is late where volumes or the network keep the pod": [
      pod({ state: creating }, scheduled, isSettingUp),
      181,
      "late",
    ],
    "is not late while an image is pulled": [pod({ state: creating }, scheduled, isSetUp), 599, ""],
    "is late where an image never comes": [
      pod({ state: creating }, scheduled, isSetUp),
      601,
      "late",
    ],
    "is not late while a node is looked for": [
      pod({}, condition("PodScheduled", "False")),
      599,
      "",
    ],
    "is late where no node is found": [pod({}, condition("PodScheduled", "False")), 601, "late"],
    "takes a while from when the program runs, however old the pod is": [
      pod({ state: running }, scheduled),
      540 + 179,
      "run",
    ],
    "is late where the program runs and never joins": [
      pod({ state: running }, scheduled),
      540 + 181,
      "late run",
    ],
  };
  for (const [name, [given, seconds, expected]] of Object.entries(rows)) {
    it(name, () => {
      const { isFailing, isLate, hasRun } = memberStart(given, after(seconds));
      const words = [isFailing && "failing", isLate && "late", hasRun && "run"];
      assert.equal(words.filter(Boolean).join(" "), expected);
    });
  }

  it("is that of the next pod where one is being deleted", () => {
    const given = pod({ state: crash, restartCount: 3 }, scheduled);
    const going = { ...given, metadata: { ...given.metadata, deletionTimestamp: made } };
    const { isFailing, isLate, cause } = memberStart(going, after(900));
    assert.deepEqual([isFailing, isLate], [false, false]);
    assert.equal(cause, "its former pod blue-etcd-2 is being deleted");
  });

  it("has the pod's state as its cause", () => {
    const cause = (given?: Pod) => memberStart(given, after(1)).cause;
    assert.equal(cause(), "it has no pod yet");
    assert.equal(
      cause(pod({ state: creating })),
      "pod blue-etcd-2: container etcd waits: ContainerCreating",
    );
    const { status: _, ...bare } = pod({});
    assert.equal(cause(bare), "pod blue-etcd-2 has no container yet");
  });
});
