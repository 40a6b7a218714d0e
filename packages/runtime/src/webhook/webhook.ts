import type { Handler } from "@rookery/http";
import type { GroupVersionKind } from "@rookery/kube";
import type { Logger } from "../logging/logger.ts";

/** What a webhook needs besides its own logic. */
export interface WebhookEnvironment {
  readonly logger: Logger;
  /** Called when a webhook threw what only a mistake in it throws. */
  readonly onPanic: () => void;
}

/** Something that the API server calls. */
export interface Webhook {
  /** Such as "/validate-cluster-x-k8s-io-v1beta2-cluster". */
  readonly path: string;
  readonly kind: "admission" | "conversion";
  createHandler(environment: WebhookEnvironment): Handler;
}

/** Where controller-runtime serves conversions. */
export const conversionPath = "/convert";

/** Where controller-runtime serves a validating webhook. */
export function validatingPath(kind: GroupVersionKind): string {
  return `/validate-${pathOf(kind)}`;
}

/** Where controller-runtime serves a mutating webhook. */
export function mutatingPath(kind: GroupVersionKind): string {
  return `/mutate-${pathOf(kind)}`;
}

function pathOf({ group, version, kind }: GroupVersionKind): string {
  return `${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;
}
