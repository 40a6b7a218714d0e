import { join } from "node:path";
import type { PodStreams } from "@rookery/apiserver";
import {
  type ApiServer,
  type Audit,
  type ClusterAuthenticationSource,
  createApiServer,
  type HealthCheck,
} from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import { builtInAdmission } from "../admission/built-in-admission.ts";
import { openIdDocuments } from "../authentication/discovery-documents.ts";
import { startControllers } from "../controllers/start-controllers.ts";
import { encodedJson } from "../registry/encoded-answers.ts";
import { ProxyClients } from "../streaming/proxy/proxy-clients.ts";
import { builtInGoType } from "../types/go-types.ts";
import { openApiModels } from "../types/models.ts";
import { protobufDecoder } from "../types/protobuf/protobuf-decoder.ts";
import { equivalentsIn } from "../webhooks/equivalents.ts";
import { createWebhookAdmission } from "../webhooks/webhook-admission.ts";
import { type Access, createAccess, tokenIssuer } from "./access.ts";
import { builtInGroups } from "./built-in-groups.ts";
import { createExtensions, type Extensions } from "./extensions.ts";
import { createLoopbackClient } from "./loopback.ts";
import type { Parts } from "./parts.ts";
import { localVersion } from "./version.ts";

export interface AssembleOptions {
  readonly audit: Audit | undefined;
  readonly readinessChecks: readonly HealthCheck[];
  /** Where it is reached, as in "127.0.0.1:6443"; asked when it is known. */
  readonly externalAddress: () => string;
  /** Of the node that runs pods; undefined while there is none. */
  readonly podStreams: () => PodStreams | undefined;
}

export interface Assembled extends AsyncDisposable {
  readonly apiServer: ApiServer;
  /** Whose certificates count. */
  readonly cluster: ClusterAuthenticationSource;
  /** The server's own. */
  readonly client: Client;
  startControllers(): AsyncDisposable;
}

/** Puts the API server together from its parts, with a client of its own and its controllers. */
export function assemble(parts: Parts, options: AssembleOptions): Assembled {
  const { store, pki } = parts;
  const { now, onError } = parts.options;
  const access = createAccess(parts);
  const clients = new ProxyClients();
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
    cluster: access.cluster,
    client,
    startControllers: () =>
      startControllers({
        ...{ store, client, groups, now, onError },
        controllerManager: parts.options.controllerManager,
        workloads: parts.options.workloads,
        ...(parts.options.node && { node: { volumes: join(parts.options.data, "volumes") } }),
        tokens: access.tokens,
        cluster: access.cluster,
        rootCa: () => pki.ca.certificate,
        authorize: access.authorize,
        authority: { sign: async (...request) => (await pki.authority()).sign(...request) },
      }),
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
    ...{ cluster, authenticate, authorize, encodedJson, readinessChecks },
    ...(audit && { audit }),
    paths: openIdDocuments({ keys, issuer: tokenIssuer, externalAddress }),
    protobuf: protobufDecoder(builtInGoType),
    models: openApiModels().model,
    version: localVersion,
  };
}

function admissionOf({ store, options }: Parts, access: Access, extensions: Extensions) {
  const { authorize, decide, resolver } = access;
  const { clients, convert, groups } = extensions;
  const equivalentsOf = equivalentsIn(groups);
  const webhooks = createWebhookAdmission({ store, clients, equivalentsOf, convert, decide });
  const { disabledAdmission: disabled } = options;
  return builtInAdmission({ store, authorize, resolver, webhooks, disabled });
}
