import { builtInResources, type KubeObject } from "@rookery/kube";
import type { Client } from "./client.ts";

/** A request for the authorizer; without a namespace, in all of them. */
interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace?: string;
}

interface SelfSubjectAccessReview extends KubeObject<object> {
  readonly status?: { readonly allowed?: boolean };
}

/** Whether the user of a client may make a request. */
export async function isAllowed(
  client: Pick<Client, "resource">,
  resourceAttributes: ResourceAttributes,
): Promise<boolean> {
  const { status } = await client
    .resource<SelfSubjectAccessReview>(builtInResources.selfSubjectAccessReviews)
    .create({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      metadata: {},
      spec: { resourceAttributes },
    });
  return status?.allowed === true;
}
