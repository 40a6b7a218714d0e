import type { ResourceClient } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";

/** What a reflector asks the server with; a ResourceClient is one. */
export type ListWatch<T extends KubeObject> = Pick<ResourceClient<T>, "listParts" | "watch">;

/** Which objects of the resource are listed and watched. */
export interface Selection {
  /** All namespaces where absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}
