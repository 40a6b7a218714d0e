import { daemonScenes } from "./daemon-scenes.ts";
import { deploymentScenes } from "./deployment-scenes.ts";
import { jobScenes } from "./job-scenes.ts";
import { ownershipScenes } from "./ownership-scenes.ts";
import { statefulScenes } from "./stateful-scenes.ts";
import type { World } from "./world.ts";

/** A story that is played in two clusters, by its name. */
export type Scenes = Readonly<Record<string, (world: World) => Promise<void>>>;

export const scenes: Scenes = {
  ...deploymentScenes,
  ...ownershipScenes,
  ...statefulScenes,
  ...daemonScenes,
  ...jobScenes,
};
