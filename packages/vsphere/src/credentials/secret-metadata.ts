import type { Client } from "@rookery/client";
import type { KubeObject, PartialObjectMetadata } from "@rookery/kube";
import {
  byOwnerUid,
  type Cache,
  createInformer,
  type Informer,
  isInScope,
  type Logger,
  type Manager,
  metadataOnlyClient,
} from "@rookery/runtime";
import { secrets } from "../resources.ts";

/** What is known of Secrets at any time. Their content is read when it is needed, and never kept. */
export interface SecretMetadata {
  /** In the namespaces that this instance watches. */
  readonly watched: Informer<PartialObjectMetadata>;
  /** In the namespace of credentials at least, whether this instance watches that one or not. */
  readonly credentials: Informer<PartialObjectMetadata>;
}

export interface SecretMetadataOptions {
  readonly client: Client;
  readonly cache: Cache;
  readonly manager: Pick<Manager, "add">;
  readonly logger: Logger;
  readonly credentialsNamespace: string;
}

/** Watches Secrets while the manager runs. */
export function watchSecretMetadata(options: SecretMetadataOptions): SecretMetadata {
  const watched = options.cache.metadataInformerFor(secrets);
  const isWatched = isInScope(options.cache.scope, options.credentialsNamespace);
  const credentials = isWatched ? watched : watchCredentials(options);
  for (const informer of new Set([watched, credentials])) {
    informer.addIndex(ownedBy, byOwnerUid);
  }
  return { watched, credentials };
}

/** The Secrets that an object owns. */
export function ownedIn(
  informer: Informer<PartialObjectMetadata>,
  { metadata }: KubeObject,
): readonly PartialObjectMetadata[] {
  return informer.list({ index: { name: ownedBy, value: metadata.uid ?? "" } });
}

const ownedBy = "owner";

/** The cache watches no namespace out of its scope, so this one is beside it. */
function watchCredentials(options: SecretMetadataOptions): Informer<PartialObjectMetadata> {
  const { client, manager, logger, credentialsNamespace } = options;
  const informer = createInformer<PartialObjectMetadata>({
    resource: secrets,
    listWatch: metadataOnlyClient(client.handler, secrets),
    scope: { type: "namespaces", namespaces: [credentialsNamespace] },
    transform: ({ metadata }) => ({ apiVersion: "v1", kind: "Secret", metadata }),
    logger,
  });
  manager.add({
    name: "cache of credentials",
    group: "caches",
    start: (signal) => informer.run(signal),
    waitForReady: (signal) => informer.waitForSync(signal),
  });
  return informer;
}
