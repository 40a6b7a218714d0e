import {
  ClusterAuthenticationSource,
  createDelegatingAuthenticator,
  createDelegatingAuthorizer,
} from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import { type Clock, formatApiVersion, type KubeObject, type Resource } from "@rookery/kube";
import { configMaps, subjectAccessReviews, tokenReviews } from "../resources.ts";

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

const authenticationConfig = {
  namespace: "kube-system",
  name: "extension-apiserver-authentication",
};

/** Reads the cluster's authorities for clients and front proxies. */
export function createClusterAuthentication(client: Client): ClusterAuthenticationSource {
  const maps = client.resource<ConfigMap>(configMaps);
  return new ClusterAuthenticationSource({
    read: async (signal) => {
      const { data } = await maps.get(authenticationConfig, { signal });
      return data;
    },
  });
}

/** Delegates authentication and authorization of requests to the cluster. */
export function createDelegation(client: Client, cluster: ClusterAuthenticationSource, now: Clock) {
  const review = async <Status extends object>(
    resource: Resource,
    spec: object,
    signal: AbortSignal,
  ) => {
    const { kind } = resource;
    const object = { apiVersion: formatApiVersion(resource), kind, metadata: {}, spec };
    const { status = {} } = await client.resource(resource).create(object, { signal });
    return status as Status;
  };
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
