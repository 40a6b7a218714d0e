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

const quick = [
  "a Deployment rolls out, and then another revision",
  "a Job is deleted with its pods",
  "a pod of a StatefulSet that ended is replaced",
  "revisions of a StatefulSet have the very names that Kubernetes gives them",
  "a DaemonSet updates what is deleted, where told so",
  "a Job runs until enough pods have succeeded",
  "an indexed Job has a pod for each index",
  "a CronJob makes a job at its time",
];

/** One or two of each kind, seconds each; all of them are for the soak. */
export const quickScenes: Scenes = Object.fromEntries(
  Object.entries(scenes).filter(([name]) => quick.includes(name)),
);
