import type { Handler } from "@rookery/http";
import type { GroupVersionKind } from "@rookery/kube";
import type { Logger } from "../logging/logger.ts";

/** The environment of a webhook's handler. */
export interface WebhookEnvironment {
  readonly logger: Logger;
  /** Called when the webhook throws an error that only a programming mistake throws. */
  readonly onPanic: () => void;
}

/** A handler of calls from the API server. */
export interface Webhook {
  /** Such as "/validate-cluster-x-k8s-io-v1beta2-cluster". */
  readonly path: string;
  readonly kind: "admission" | "conversion";
  createHandler(environment: WebhookEnvironment): Handler;
}

/** The path of conversions in controller-runtime. */
export const conversionPath = "/convert";

/** The path of a validating webhook in controller-runtime. */
export function validatingPath(kind: GroupVersionKind): string {
  return `/validate-${pathOf(kind)}`;
}

/** The path of a mutating webhook in controller-runtime. */
export function mutatingPath(kind: GroupVersionKind): string {
  return `/mutate-${pathOf(kind)}`;
}

function pathOf({ group, version, kind }: GroupVersionKind): string {
  return `${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}
