import { startNode } from "@rookery/testing";
import { playStories } from "./pod-stories/play-stories.ts";
import { podStories } from "./pod-stories/stories.ts";

playStories("a node of processes tells what a kubelet tells", {
  namespace: "pod-stories",
  stories: podStories,
  startNode: () => startNode(),
});
