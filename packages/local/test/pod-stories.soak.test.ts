import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { startNode, waitFor } from "@rookery/testing";
import { podStories } from "./pod-stories/stories.ts";
import { StoryTeller } from "./pod-stories/tell-story.ts";
import { embeddedCluster, realCluster } from "./workloads-day/day-clusters.ts";

const namespace = "pod-stories";

describe("a node of processes tells what a kubelet tells", { concurrency: true }, () => {
  const stack = new AsyncDisposableStack();
  let tellers: readonly StoryTeller[] = [];

  before(async () => {
    const node = stack.use(await startNode());
    const clusters = [await realCluster(node, stack), await embeddedCluster(stack)];
    tellers = await Promise.all(clusters.map((cluster) => StoryTeller.start(cluster, namespace)));
    for (const teller of tellers) stack.use(teller);
  });
  after(() => stack.disposeAsync());

  for (const [name, story] of Object.entries(podStories)) {
    it(`of a pod that ${name.replaceAll("-", " ")}`, async () => {
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
    });
  }
});
