import assert from "node:assert/strict";
import { createClient, loadConfig } from "@rookery/client";
import { type Kubernetes, PretendKubelet } from "@rookery/testing";
import { createMeeting, type Meet } from "./meeting.ts";
import { fateByImage } from "./workloads.ts";
import { World } from "./world.ts";

/** Plays a scene in two clusters at once, each in a namespace of its own: both have to end alike. */
export async function playScene(
  play: (world: World) => Promise<void>,
  clusters: readonly [real: Kubernetes, own: Kubernetes],
): Promise<void> {
  const meet = createMeeting();
  const [expected, actual] = await Promise.all(
    clusters.map((kubernetes) => playIn(kubernetes, play, meet)),
  );
  assert.deepEqual(actual, expected);
}

/** What the scene has kept. */
async function playIn(
  kubernetes: Kubernetes,
  play: (world: World) => Promise<void>,
  meet: Meet,
): Promise<readonly unknown[]> {
  await using namespace = await kubernetes.createNamespace("scene");
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  await using _ = new PretendKubelet(client, {
    fateOf: fateByImage,
    namespace: namespace.name,
  });
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
