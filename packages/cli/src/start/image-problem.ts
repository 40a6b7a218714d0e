import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { StartError } from "../errors.ts";
import { parseImageName } from "../local/image-programs.ts";

type Pod = KubeObject<unknown, { readonly containerStatuses?: readonly ContainerStatus[] }>;

interface ContainerStatus {
  readonly image: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
  };
}

export interface ImageProblemOptions {
  readonly image: string;
  readonly namespaces: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

const askMs = 1_000;
/** It was tried more than once, or will never be. */
const hopeless: ReadonlySet<string> = new Set([
  ...["ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"],
]);

/**
 * Rejects as soon as a node can't get the image of Rookery, which is nothing that goes away by waiting.
 * Errors: StartError, the reason of the signal.
 */
export async function untilImageFails(
  client: Client,
  options: ImageProblemOptions,
): Promise<never> {
  const { image, namespaces, signal } = options;
  const resource = await client.mapper.resourceForKind({ group: "", kind: "Pod" });
  for (;;) {
    const { items } = await client.resource<Pod>(resource).list({ signal });
    const ours = items.filter(({ metadata }) => namespaces.has(metadata.namespace ?? ""));
    const why = ours
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .find((container) => isHopeless(container) && !isFormer(container, image));
    if (why) throw problemWith(image, why);
    await delay(askMs, undefined, { signal });
  }
}

/** Pods of an image of ours that another start has named go when those of this one are there. */
function isFormer({ image: wanted }: ContainerStatus, image: string): boolean {
  return wanted !== image && parseImageName(wanted).name === parseImageName(image).name;
}

function isHopeless({ state }: ContainerStatus): boolean {
  return hopeless.has(state?.waiting?.reason ?? "");
}

function problemWith(image: string, { image: wanted, state }: ContainerStatus): StartError {
  const why = state?.waiting?.message ?? state?.waiting?.reason;
  const way =
    wanted === image
      ? `make it by "npm run image", bring it to a registry that the cluster pulls from, or to its nodes, and name it by --image`
      : "bring it to where the cluster pulls from, or name another one in the configuration (--config)";
  return new StartError(
    `could not bring up the plane: no node gets the image ${wanted} (${why}); ${way}`,
  );
}
