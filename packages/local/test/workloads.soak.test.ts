import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { createMeeting, type Meet } from "./workloads/meeting.ts";
import { scenes } from "./workloads/scenes.ts";
import { World } from "./workloads/world.ts";

const controllers = [
  "garbage-collector-controller,namespace-controller,serviceaccount-controller",
  "deployment-controller,replicaset-controller,statefulset-controller,daemonset-controller",
  "job-controller,ttl-after-finished-controller,cronjob-controller",
  "root-ca-certificate-publisher-controller,persistentvolumeclaim-protection-controller",
];

describe("workloads, on a real kube-controller-manager and on the embedded one", {
  concurrency: 4,
}, () => {
  let real: Kubernetes;
  let own: Kubernetes;

  before(async () => {
    [real, own] = await Promise.all([
      startKubernetes({ controllerManagerArgs: [`--controllers=${controllers}`] }),
      startKubernetes({ flavour: "embedded" }),
    ]);
  });
  after(async () => {
    await Promise.all([real, own].map((kubernetes) => kubernetes?.[Symbol.asyncDispose]()));
  });

  for (const [name, play] of Object.entries(scenes)) {
    it(name, async () => {
      const meet = createMeeting();
      const [expected, actual] = await Promise.all(
        [real, own].map((kubernetes) => playIn(kubernetes, play, meet)),
      );
      assert.deepEqual(actual, expected);
    });
  }
});

/** Plays a scene in a namespace of its own; what it has kept. */
async function playIn(
  kubernetes: Kubernetes,
  play: (world: World) => Promise<void>,
  meet: Meet,
): Promise<readonly unknown[]> {
  await using namespace = await kubernetes.createNamespace("scene");
  const world = new World(kubernetes, namespace.name, meet);
  const stopping = new AbortController();
  const running = world.run(stopping.signal);
  try {
    await Promise.race([play(world), running]);
  } finally {
    stopping.abort();
    await running;
  }
  return world.snapshots;
}
