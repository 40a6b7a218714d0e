import {
  type ApiServer,
  type Audit,
  createApiServer,
  type Delegation,
  type HealthCheck,
  type PodStreams,
  type ServedGroup,
} from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import { builtInAdmission } from "../admission/built-in-admission.ts";
import { createAggregator } from "../aggregation/aggregator.ts";
import { openIdDocuments } from "../authentication/token-keys.ts";
import { createCrdRegistry } from "../crds/crd-registry.ts";
import { mergeGroups } from "../crds/served-crds.ts";
import { HttpClientPool } from "../http-client-pool.ts";
import { customResourceDefinitionKind } from "../kinds/apiextensions/custom-resource-definition.ts";
import { apiServiceKind } from "../kinds/apiregistration/api-service.ts";
import { createBuiltInFieldManager } from "../managed-fields/built-in-field-manager.ts";
import { encodedJson } from "../store/encoded-json.ts";
import { builtInGoType } from "../types/go-types.ts";
import { openApiModels } from "../types/models.ts";
import { protobufDecoder } from "../types/protobuf/protobuf-decoder.ts";
import type { ConvertObjects } from "../webhooks/equivalents.ts";
import { equivalentsIn } from "../webhooks/equivalents.ts";
import { createWebhookAdmission } from "../webhooks/webhook-admission.ts";
import { WebhookClients } from "../webhooks/webhook-client.ts";
import { type Access, createAccess, tokenIssuer } from "./access.ts";
import type { Parts } from "./api-server-options.ts";
import { builtInGroups } from "./built-in-groups.ts";
import { createLoopbackClient } from "./loopback.ts";
import { localVersion } from "./version.ts";

/** Clients for proxied pods, services and nodes. */
const maxProxyClients = 32;

export interface AssembleOptions {
  readonly audit: Audit | undefined;
  readonly readinessChecks: readonly HealthCheck[];
  /** The address of this server, such as "127.0.0.1:6443", once it listens. */
  readonly externalAddress: () => string;
  /** Streams of the node; undefined while there is none. */
  readonly podStreams: () => PodStreams | undefined;
}

export interface Assembled extends AsyncDisposable {
  readonly apiServer: ApiServer;
  readonly access: Access;
  /** The server's own client. */
  readonly client: Client;
  /** The current groups; a new list after each change. */
  readonly groups: () => readonly ServedGroup[];
}

export function assemble(parts: Parts, options: AssembleOptions): Assembled {
  const { now, onError } = parts.options;
  const access = createAccess(parts);
  const clients = new HttpClientPool(maxProxyClients);
  const { podStreams } = options;
  const own = builtInGroups(parts, access, { podStreams, clients });
  const extensions = createExtensions(parts, own);
  const { groups } = extensions;
  const apiServer = createApiServer({
    ...served(access, options),
    groups: groups(),
    delegation: extensions.delegation,
    admission: admissionOf(parts, access, extensions),
    onError,
    now,
  });
  extensions.serveThrough(apiServer);
  const client = createLoopbackClient(apiServer.handler);
  return {
    apiServer,
    access,
    client,
    groups,
    async [Symbol.asyncDispose]() {
      await clients[Symbol.asyncDispose]();
      await extensions[Symbol.asyncDispose]();
    },
  };
}

function served(access: Access, options: AssembleOptions) {
  const { keys, cluster, authenticate, authorize } = access;
  const { audit, readinessChecks, externalAddress } = options;
  return {
    cluster,
    authenticate,
    authorize,
    encodedJson,
    readinessChecks,
    ...(audit && { audit }),
    paths: openIdDocuments({ keys, issuer: tokenIssuer, externalAddress }),
    protobuf: protobufDecoder(builtInGoType),
    models: openApiModels().model,
    version: localVersion,
  };
}

function admissionOf({ options }: Parts, access: Access, extensions: Extensions) {
  const { store, disabledAdmission: disabled } = options;
  const { authorize, decide, resolver } = access;
  const { clients, convert, groups } = extensions;
  const equivalentsOf = equivalentsIn(groups);
  const webhooks = createWebhookAdmission({ store, clients, equivalentsOf, convert, decide });
  return builtInAdmission({ store, authorize, resolver, webhooks, disabled });
}

/** Extensions that change while the server runs: CRDs and aggregated APIs. */
interface Extensions extends AsyncDisposable {
  readonly groups: () => readonly ServedGroup[];
  /** Calls webhooks. */
  readonly clients: WebhookClients;
  readonly convert: ConvertObjects;
  readonly delegation: Delegation;
  /** Starts to apply changes to a server. */
  serveThrough(apiServer: ApiServer): void;
}

function createExtensions(
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
  // Returns the same list while nothing changes: controllers read it on every write.
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
