import type { CredentialIssuer } from "@rookery/api";
import { type Client, getOptional, ignoreAlreadyExists } from "@rookery/client";
import { type Clock, formatApiVersion, isForbidden, type KubeObject } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { configMaps, credentialIssuers } from "../resources.ts";
import type { CredentialSource } from "../signing/credential-source.ts";
import type { StrategyReport } from "../signing/strategy.ts";
import { type ClusterInfo, readClusterInfo } from "./phases/read-cluster-info.ts";

export interface CredentialIssuerScope extends LifecycleScope<CredentialIssuer> {
  readonly signal: AbortSignal;
  readonly create: (name: string) => Promise<void>;
  /** Undefined until the first check of the strategies. */
  readonly reports: () => readonly StrategyReport[] | undefined;
  readonly clusterInfo: () => Promise<ClusterInfo | undefined>;
  readonly now: Clock;
}

export function credentialIssuerScope(
  { client, signal, get, commit }: ReconcileContext<CredentialIssuer>,
  source: Pick<CredentialSource, "reports">,
  now: Clock,
): CredentialIssuerScope {
  return {
    get,
    commit,
    signal,
    create: (name) => create(client, name),
    reports: () => source.reports,
    clusterInfo: () => clusterInfo(client),
    now,
  };
}

async function create(client: Client, name: string): Promise<void> {
  const { kind } = credentialIssuers;
  const apiVersion = formatApiVersion(credentialIssuers);
  const issuer = { apiVersion, kind, metadata: { name } } as CredentialIssuer;
  await ignoreAlreadyExists(client.resource<CredentialIssuer>(credentialIssuers).create(issuer));
}

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

const clusterInfoKey = { namespace: "kube-public", name: "cluster-info" };

/** Undefined also without the right to read it. */
async function clusterInfo(client: Client): Promise<ClusterInfo | undefined> {
  try {
    const found = await getOptional(client.resource<ConfigMap>(configMaps), clusterInfoKey);
    return found && readClusterInfo(found.data ?? {});
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
