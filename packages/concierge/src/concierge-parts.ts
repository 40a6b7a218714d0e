import type { ClusterAuthenticationSource } from "@rookery/apiserver";
import { replace } from "@rookery/group-suffix";
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
import { renamedClient } from "./renamed-client.ts";

/** The parts that a concierge shares. The client and the cache use the default groups. */
export interface ConciergeParts extends AuthenticatorParts {
  /** Its client uses the groups of the cluster: for leases, Secrets and reviews. */
  readonly provider: Provider;
  readonly flags: ConciergeFlagValues;
  /** Where the concierge itself runs. */
  readonly namespace: string;
  /** How the cluster authenticates. */
  readonly cluster: ClusterAuthenticationSource;
  /** What a default group is called in this instance. */
  readonly group: (group: string) => string;
}

/** Errors: OwnNamespaceError. */
export function createParts(provider: Provider, flags: ConciergeFlagValues): ConciergeParts {
  const { ownNamespace: namespace, metrics, logger } = provider;
  if (namespace === undefined) throw new OwnNamespaceError("the concierge");
  const client = renamedClient(provider.client, flags.apiGroupSuffix);
  const cluster = createClusterAuthentication(provider.client);
  const now: Clock = () => new Date();
  const { apiGroupSuffix: suffix } = flags;
  const group = (name: string) => (suffix === "" ? name : (replace(name, suffix) ?? name));
  const cache = cacheOver(client, provider, flags);
  return { provider, flags, namespace, client, cache, cluster, metrics, logger, now, group };
}

/** The provider's own, where nothing is renamed. */
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
