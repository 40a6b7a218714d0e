import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Kubernetes,
  normalize,
  play,
  realOptions,
  type Scenario,
  startKubernetes,
} from "@rookery/testing";
import { claims } from "./scenes/claims.ts";
import { endpoints } from "./scenes/endpoints.ts";
import { podParts } from "./scenes/pod-parts.ts";
import { playScene } from "./workloads/play-scene.ts";
import { quickScenes } from "./workloads/scenes.ts";

const workloads =
  "deployment-controller,replicaset-controller,statefulset-controller,daemonset-controller,job-controller,cronjob-controller";
const controllerManagerArgs = realOptions.controllerManagerArgs.map((arg) => `${arg},${workloads}`);

// Most of the time is spent in waiting for what controllers do.
describe("scenes with controllers, on a real Kubernetes and here", { concurrency: 4 }, () => {
  let real: Kubernetes;
  let own: Kubernetes;

  before(async () => {
    [real, own] = await Promise.all([
      startKubernetes({ ...realOptions, controllerManagerArgs }),
      startKubernetes({ flavour: "embedded", private: true }),
    ]);
  });
  after(async () => {
    await Promise.all([real, own].map((kubernetes) => kubernetes?.[Symbol.asyncDispose]()));
  });

  for (const scene of [...podParts, ...endpoints, ...claims]) {
    it(scene.name, async () => {
      const [theirs, ours] = await Promise.all([told(scene, real), told(scene, own)]);
      for (const [what, answer] of theirs) assert.deepEqual(ours.get(what), answer, what);
    });
  }

  for (const [name, play] of Object.entries(quickScenes)) {
    it(name, () => playScene(play, [real, own]));
  }
});

/** What is answered to each exchange, without what depends on how often something was written. */
async function told(scene: Scenario, kubernetes: Kubernetes): Promise<Map<string, unknown>> {
  const { answers, namespace } = await play(scene, kubernetes);
  const shown = normalize(answers, namespace).map((answer) => {
    const text = JSON.stringify(answer, (key, value) => {
      if (key === "resourceVersion") return undefined;
      return key === "managedFields" ? managers(value) : value;
    });
    return JSON.parse(
      text
        .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access-{random}")
        .replace(/object meta: \d+/g, "object meta: {version}"),
    );
  });
  const entries = scene.exchanges.map(({ what, silent }, index) => {
    return silent ? [] : [[what, shown[index]] as const];
  });
  return new Map(entries.flat());
}

interface Entry {
  readonly manager: string;
  readonly subresource?: string;
  readonly fieldsV1: object;
}

/**
 * By their names: the order is that of times. The API server is one of its own where it takes from
 * a budget, which is not accounted for here.
 */
function managers(entries: readonly Entry[]): readonly Entry[] | undefined {
  if (JSON.stringify(entries).includes("f:disruptionsAllowed")) return undefined;
  const nameOf = ({ manager, subresource = "" }: Entry) => `${manager} ${subresource}`;
  return entries.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
