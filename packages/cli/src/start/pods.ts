import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import {
  builtInResources,
  type Condition,
  hasConditionStatus,
  type KubeObject,
} from "@rookery/kube";
import { StartError } from "../errors.ts";
import { parseImageName } from "../local/image-programs.ts";

type Pod = KubeObject<
  unknown,
  {
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
  }
>;

interface ContainerStatus {
  readonly image: string;
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly waiting?: { readonly reason?: string; readonly message?: string };
  };
}

interface PodOptions {
  readonly namespaces: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

const imagePauseMs = 1_000;
const runningPauseMs = 250;

async function listPods(
  client: Client,
  { namespaces, signal }: PodOptions,
): Promise<readonly Pod[]> {
  const { items } = await client.resource<Pod>(builtInResources.pods).list({ signal });
  return items.filter(({ metadata }) => namespaces.has(metadata.namespace ?? ""));
}

export interface ImageOptions extends PodOptions {
  readonly image: string;
}

/**
 * Rejects as soon as a node can't get an image, as waiting does not help then. Throws StartError and
 * the reason of the signal.
 */
export async function untilImageFails(client: Client, options: ImageOptions): Promise<never> {
  const { image, signal } = options;
  for (;;) {
    const failed = (await listPods(client, options))
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .find((container) => hasImageFailed(container) && !isFormer(container, image));
    if (failed) throw imageError(image, failed);
    await delay(imagePauseMs, undefined, { signal });
  }
}

/** Reasons of containers whose image was tried several times, or never will be. */
const imageFailures: ReadonlySet<string> = new Set([
  ...["ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"],
]);

function hasImageFailed({ state }: ContainerStatus): boolean {
  return imageFailures.has(state?.waiting?.reason ?? "");
}

/** Whether it is Rookery's image of an earlier start: its pods go when the new ones run. */
function isFormer({ image: wanted }: ContainerStatus, image: string): boolean {
  return wanted !== image && parseImageName(wanted).name === parseImageName(image).name;
}

function imageError(image: string, { image: wanted, state }: ContainerStatus): StartError {
  const why = state?.waiting?.message ?? state?.waiting?.reason;
  const way =
    wanted === image
      ? `make it by "npm run image", bring it to a registry that the cluster pulls from, or to its nodes, and name it by --image`
      : "bring it to where the cluster pulls from, or name another one in the configuration (--config)";
  return new StartError(
    `could not bring up the plane: no node gets the image ${wanted} (${why}); ${way}`,
  );
}

export interface RunningOptions extends PodOptions {
  /** The start of the node. */
  readonly since: Date;
  /** Is called with the pods that do not run yet. */
  readonly onWaiting: (why: string) => void;
}

/**
 * Waits until every pod of these namespaces has been started by the current node. Until then the API has
 * the status of the last run.
 */
export async function untilPodsRun(client: Client, options: RunningOptions): Promise<void> {
  const { since, signal, onWaiting } = options;
  // Times in the status of pods have no milliseconds.
  const start = Math.floor(since.getTime() / 1000) * 1000;
  for (;;) {
    try {
      const pods = await listPods(client, options);
      const open = pods.filter((pod) => !isRunningSince(pod, start));
      const [first] = open;
      if (!first) return;
      const { namespace, name } = first.metadata;
      onWaiting(`${open.length} of ${pods.length} do not run yet, such as ${namespace}/${name}`);
    } catch (error) {
      signal.throwIfAborted();
      onWaiting(messageOf(error));
    }
    await delay(runningPauseMs, undefined, { signal });
  }
}

function isRunningSince({ status }: Pod, start: number): boolean {
  const starts = (status?.containerStatuses ?? []).map(({ state }) => state?.running?.startedAt);
  return (
    hasConditionStatus(status?.conditions, "Ready", "True") &&
    starts.every((time) => time !== undefined && Date.parse(time) >= start)
  );
}
