import type { ClusterAuthenticationSource } from "@rookery/apiserver";
import type { Clock } from "@rookery/kube";
import {
  type Cache,
  createCache,
  OwnNamespaceError,
  type Provider,
  withoutManagedFields,
} from "@rookery/runtime";
import { createClusterAuthentication } from "./aggregated-api/delegation.ts";
import type { AuthenticatorParts } from "./authenticators/controllers.ts";
import type { ConciergeFlagValues } from "./flags.ts";
import { renamedClient, renamedGroup } from "./group-suffix.ts";

/** The shared parts of a concierge. The client and the cache use the default groups. */
export interface ConciergeParts extends AuthenticatorParts {
  /** Its client does not rename groups: for Leases, Secrets and reviews. */
  readonly provider: Provider;
  readonly flags: ConciergeFlagValues;
  /** The namespace of the concierge itself. */
  readonly namespace: string;
  /** How the cluster authenticates. */
  readonly cluster: ClusterAuthenticationSource;
  /** The name of a default group in this instance. */
  readonly group: (group: string) => string;
}

/** Errors: OwnNamespaceError. */
export function createParts(provider: Provider, flags: ConciergeFlagValues): ConciergeParts {
  const { ownNamespace: namespace, metrics, logger } = provider;
  if (namespace === undefined) throw new OwnNamespaceError("the concierge");
  const { apiGroupSuffix: suffix } = flags;
  const client = renamedClient(provider.client, suffix);
  const cluster = createClusterAuthentication(provider.client);
  const now: Clock = () => new Date();
  const group = (name: string) => renamedGroup(name, suffix);
  const cache = cacheOver(client, provider, flags);
  return { provider, flags, namespace, client, cache, cluster, metrics, logger, now, group };
}

/** The cache of the provider, if no group is renamed. */
function cacheOver(
  client: ConciergeParts["client"],
  provider: Provider,
  flags: ConciergeFlagValues,
): Cache {
  if (client === provider.client) return provider.cache;
  const cache = createCache({
    client,
    transform: withoutManagedFields,
    resyncPeriod: flags.syncPeriod,
    logger: provider.logger,
  });
  provider.manager.add(cache);
  return cache;
}
