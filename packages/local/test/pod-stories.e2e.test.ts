import { startNode } from "@rookery/testing";
import { playStories } from "./pod-stories/play-stories.ts";
import { quickStories } from "./pod-stories/stories.ts";

playStories("a node of processes tells what a kubelet tells, in a quarter of a minute", {
  namespace: "quick-pod-stories",
  stories: quickStories,
  startNode: () => startNode({ shared: true }),
});
