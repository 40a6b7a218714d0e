import { clusterStories } from "./cluster-stories.ts";
import { drainStories } from "./drain-stories.ts";
import { machineStories } from "./machine-stories.ts";
import { resourceSetStories } from "./resource-set-stories.ts";
import type { Story } from "./story.ts";

/** By what they are about; the name is that of their namespace, too. */
export const stories: Readonly<Record<string, Story>> = {
  ...clusterStories,
  ...machineStories,
  ...drainStories,
  ...resourceSetStories,
};
