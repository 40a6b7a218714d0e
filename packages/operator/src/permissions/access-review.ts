import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { selfSubjectAccessReviews } from "../resources.ts";

interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

interface SelfSubjectAccessReview
  extends KubeObject<{ readonly resourceAttributes: ResourceAttributes }> {
  readonly status?: { readonly allowed?: boolean };
}

/** Whether the API server lets a client do something with a resource, in all namespaces. */
export async function isAllowed(
  client: Client,
  resourceAttributes: ResourceAttributes,
  signal: AbortSignal,
): Promise<boolean> {
  const { status } = await client
    .resource<SelfSubjectAccessReview>(selfSubjectAccessReviews)
    .create(
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        metadata: {},
        spec: { resourceAttributes },
      },
      { signal },
    );
  return status?.allowed === true;
}
