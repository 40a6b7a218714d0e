import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type KubernetesNode, waitFor } from "@rookery/testing";
import { embeddedCluster, realCluster } from "../workloads-day/day-clusters.ts";
import type { PodStory } from "./stories.ts";
import { StoryTeller } from "./tell-story.ts";

export interface StoryPlay {
  /** The name of its namespace. */
  readonly namespace: string;
  readonly stories: Readonly<Record<string, PodStory>>;
  startNode(): Promise<KubernetesNode>;
}

/** Plays the same on a real node and on one of processes: status and events have to become equal. */
export function playStories(title: string, { namespace, stories, startNode }: StoryPlay): void {
  describe(title, { concurrency: true }, () => {
    const stack = new AsyncDisposableStack();
    const tellers: StoryTeller[] = [];

    before(async () => {
      const node = stack.use(await startNode());
      for (const cluster of [await realCluster(node, stack), await embeddedCluster(stack)]) {
        tellers.push(stack.use(await StoryTeller.start(cluster, namespace)));
      }
    });
    after(() => stack.disposeAsync());

    for (const [name, story] of Object.entries(stories)) {
      it(`of a pod that ${name.replaceAll("-", " ")}`, () => compare(tellers, name, story));
    }
  });
}

async function compare(
  tellers: readonly StoryTeller[],
  name: string,
  story: PodStory,
): Promise<void> {
  const told = await Promise.all(tellers.map((teller) => teller.tell(name, story)));
  let [real, own] = await Promise.all(told.map(({ look }) => look()));
  // Each says the last of it in its own time.
  const isSame = async () => {
    [real, own] = await Promise.all(told.map(({ look }) => look()));
    return isDeepStrictEqual(own, real);
  };
  const settled = { what: "both to tell the same", timeout: 60_000, interval: 500 };
  await waitFor(isSame, settled).catch(() => assert.deepEqual(own, real));
  await Promise.all(told.map(({ end }) => end()));
}
