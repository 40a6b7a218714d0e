import {
  ClusterAuthenticationSource,
  createDelegatingAuthenticator,
  createDelegatingAuthorizer,
} from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import type { Clock, KubeObject, Resource } from "@rookery/kube";
import { configMaps, subjectAccessReviews, tokenReviews } from "../resources.ts";

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

const authenticationConfig = {
  namespace: "kube-system",
  name: "extension-apiserver-authentication",
};

/** Reads from the cluster how it authenticates clients and front proxies. */
export function createClusterAuthentication(client: Client): ClusterAuthenticationSource {
  const maps = client.resource<ConfigMap>(configMaps);
  return new ClusterAuthenticationSource({
    read: async (signal) => {
      const { data } = await maps.get(authenticationConfig, { signal });
      return data;
    },
  });
}

/** Lets the cluster say who asks, and what they may. */
export function createDelegation(client: Client, cluster: ClusterAuthenticationSource, now: Clock) {
  const review = createReview(client);
  return {
    authenticate: createDelegatingAuthenticator({
      cluster,
      reviewToken: (spec, signal) => review(tokenReviews, spec, signal),
      now,
    }),
    authorize: createDelegatingAuthorizer({
      reviewSubjectAccess: (spec, signal) => review(subjectAccessReviews, spec, signal),
      now,
    }),
  };
}

/** Creates a review and returns what it came to. */
function createReview(client: Client) {
  return async <Status extends object>(
    resource: Resource,
    spec: object,
    signal: AbortSignal,
  ): Promise<Status> => {
    const { group, version, kind } = resource;
    const question = { apiVersion: `${group}/${version}`, kind, metadata: {}, spec };
    const answer = await client.resource(resource).create(question, { signal });
    return (answer.status ?? {}) as Status;
  };
}
