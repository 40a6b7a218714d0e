import type { CredentialIssuer } from "@rookery/api";
import { ignoreAlreadyExists, type ResourceClient } from "@rookery/client";
import { formatApiVersion, isForbidden, isNotFound, type KubeObject } from "@rookery/kube";
import {
  type Controller,
  createController,
  createEventSource,
  createInformerSource,
  createResourceCommitter,
  enqueueRequestForObject,
  type Informer,
  type Source,
} from "@rookery/runtime";
import type { ControllerParts } from "../authenticators/controllers.ts";
import { conciergeName } from "../names.ts";
import { configMaps, credentialIssuers } from "../resources.ts";
import type { CredentialSource } from "../signing/credential-source.ts";
import { readClusterInfo } from "./phases/read-cluster-info.ts";
import { createReconcile } from "./reconcile.ts";

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

const name = "credentialissuer";
const clusterInfoKey = { namespace: "kube-public", name: "cluster-info" };

/** Lets CredentialIssuers say how certificates are signed. */
export function createCredentialIssuerController(
  parts: ControllerParts,
  source: CredentialSource,
): Controller {
  const { client, cache, metrics, logger, now } = parts;
  const issuers = client.resource<CredentialIssuer>(credentialIssuers);
  const informer = cache.informerFor<CredentialIssuer>(credentialIssuers);
  return createController({
    name,
    sources: [
      createInformerSource({ informer, handler: enqueueRequestForObject() }),
      checks(source, informer),
    ],
    reconcile: createReconcile({
      ownName: conciergeName,
      create: (issuerName, signal) => create(issuers, issuerName, signal),
      get: (key, signal) => cache.get<CredentialIssuer>(credentialIssuers, key, signal),
      reports: () => source.reports,
      clusterInfo: (signal) => clusterInfo(parts, signal),
      commit: createResourceCommitter(issuers),
      now,
    }),
    metrics: metrics.controller(name),
    logger,
  });
}

/** A request for every CredentialIssuer when it was checked how certificates are signed, and first. */
function checks(source: CredentialSource, informer: Informer<CredentialIssuer>): Source {
  return createEventSource({
    name: "signing checks",
    handler: enqueueRequestForObject(),
    subscribe(deliver, signal) {
      const tell = () => {
        const names = new Set([conciergeName, ...informer.list().map(nameOf)]);
        for (const issuer of names) {
          deliver({ type: "generic", object: { metadata: { name: issuer } } });
        }
      };
      tell();
      source.subscribe(tell, signal);
    },
  });
}

async function create(
  issuers: ResourceClient<CredentialIssuer>,
  issuerName: string,
  signal: AbortSignal,
): Promise<void> {
  const { group, version, kind } = credentialIssuers;
  const apiVersion = formatApiVersion({ group, version });
  const issuer = { apiVersion, kind, metadata: { name: issuerName } } as CredentialIssuer;
  await ignoreAlreadyExists(issuers.create(issuer, { signal }));
}

const nameOf = ({ metadata }: CredentialIssuer): string => metadata.name ?? "";

async function clusterInfo({ client }: ControllerParts, signal: AbortSignal) {
  try {
    const { data = {} } = await client
      .resource<ConfigMap>(configMaps)
      .get(clusterInfoKey, { signal });
    return readClusterInfo(data);
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}
