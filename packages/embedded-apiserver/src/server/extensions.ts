import type { ApiServer, Delegation, ServedGroup } from "@rookery/apiserver";
import { createAggregator } from "../aggregation/aggregator.ts";
import { createCrdRegistry } from "../crds/crd-registry.ts";
import { mergeGroups } from "../crds/served-crds.ts";
import { customResourceDefinitionKind } from "../kinds/apiextensions/custom-resource-definition.ts";
import { apiServiceKind } from "../kinds/apiregistration/api-service.ts";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import type { ConvertObjects } from "../webhooks/equivalents.ts";
import { WebhookClients } from "../webhooks/webhook-client.ts";
import type { Parts } from "./parts.ts";

/** What is served beside the built-in kinds, and changes while the server runs. */
export interface Extensions extends AsyncDisposable {
  /** All groups that are served now. */
  readonly groups: () => readonly ServedGroup[];
  /** Who asks webhooks. */
  readonly clients: WebhookClients;
  readonly convert: ConvertObjects;
  /** What other servers serve. */
  readonly delegation: Delegation;
  /** From now on the server serves what comes, and no longer what goes. */
  serveThrough(apiServer: ApiServer): void;
}

export function createExtensions(
  { pki, options: { store, now, onError } }: Parts,
  own: readonly ServedGroup[],
): Extensions {
  const clients = new WebhookClients(store);
  const context = { store, now, onError };
  const crds = createCrdRegistry({
    ...context,
    clients,
    fieldManager: createBuiltInFieldManager(customResourceDefinitionKind),
  });
  const aggregator = createAggregator({
    ...context,
    builtIn: own,
    custom: () => crds.groups(),
    certificate: () => pki.leaves["front-proxy-client"],
    fieldManager: createBuiltInFieldManager(apiServiceKind({ now })),
  });
  let known = { custom: [] as readonly ServedGroup[], all: own };
  // The same list as long as nothing changes: controllers ask for it at every write.
  const groups = () => {
    const custom = crds.groups();
    if (custom !== known.custom) known = { custom, all: mergeGroups([...own, ...custom]) };
    return known.all;
  };
  return {
    groups,
    clients,
    convert: (objects, kind) => crds.convert(objects, kind),
    delegation: aggregator,
    serveThrough(apiServer) {
      crds.onChange(() => {
        apiServer.setGroups(groups());
        aggregator.syncCustom();
      });
      aggregator.onChange(() => apiServer.setGroups(groups()));
    },
    async [Symbol.asyncDispose]() {
      await aggregator[Symbol.asyncDispose]();
      await crds[Symbol.asyncDispose]();
      await clients[Symbol.asyncDispose]();
    },
  };
}
