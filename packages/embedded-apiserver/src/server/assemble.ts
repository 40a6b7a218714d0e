import type { PodStreams } from "@rookery/apiserver";
import {
  type ApiServer,
  type Audit,
  createApiServer,
  type HealthCheck,
  type ServedGroup,
} from "@rookery/apiserver";
import type { Client } from "@rookery/client";
import { builtInAdmission } from "../admission/built-in-admission.ts";
import { openIdDocuments } from "../authentication/discovery-documents.ts";
import { encodedJson } from "../registry/encoded-answers.ts";
import { ProxyClients } from "../streaming/target/proxy-clients.ts";
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
  readonly access: Access;
  /** The server's own. */
  readonly client: Client;
  /** The groups that are served now; another list after each change. */
  readonly groups: () => readonly ServedGroup[];
}

/** Puts the API server together from its parts, with a client of its own. */
export function assemble(parts: Parts, options: AssembleOptions): Assembled {
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
    ...{ apiServer, access, client, groups },
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

function admissionOf({ options }: Parts, access: Access, extensions: Extensions) {
  const { store, disabledAdmission: disabled } = options;
  const { authorize, decide, resolver } = access;
  const { clients, convert, groups } = extensions;
  const equivalentsOf = equivalentsIn(groups);
  const webhooks = createWebhookAdmission({ store, clients, equivalentsOf, convert, decide });
  return builtInAdmission({ store, authorize, resolver, webhooks, disabled });
}
