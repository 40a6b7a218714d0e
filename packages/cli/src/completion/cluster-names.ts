import { type Client, listContexts } from "@rookery/client";
import { clusterKind } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { connectTo, type KubeFlags } from "../kube-flags.ts";
import type { ValueSource } from "./value-names.ts";

/** The time limit of a completion. */
const answerMs = 3_000;
const mostNames = 500;

/** The cluster, from the flags before the cursor. */
export interface Asked extends KubeFlags {
  /** The values of flags that name a kubeconfig. */
  readonly kubeconfigs: Readonly<Record<string, string | undefined>>;
  /** Whether the command takes names of new providers. */
  readonly isNew: boolean;
}

/** The names for a value. Throws errors of the cluster. */
export async function namesFrom(
  source: ValueSource,
  asked: Asked,
  io: CommandIo,
): Promise<readonly string[]> {
  switch (source.from) {
    case "contexts": {
      const path = asked.kubeconfigs[source.kubeconfig];
      return listContexts({ env: io.env, ...(path && { path }) });
    }
    case "namespaces":
      return listNames({ group: "", kind: "Namespace" }, asked, io);
    case "clusters":
      return listNames(clusterKind, asked, io);
    case "providers": {
      if (!asked.isNew) {
        return listNames({ group: "management.cluster.x-k8s.io", kind: source.kind }, asked, io);
      }
      const { defaultProviders } = await import("@rookery/components");
      return defaultProviders().flatMap(({ kind, name }) => (kind === source.kind ? [name] : []));
    }
    default:
      return [];
  }
}

async function listNames(
  kind: { readonly group: string; readonly kind: string },
  asked: KubeFlags,
  io: CommandIo,
): Promise<readonly string[]> {
  await using connection = await connectTo(asked, { ...io, writeError: () => {} });
  return await Promise.race([
    ask(connection.client, kind, asked.namespace ?? defaultNamespace(kind.kind, connection)),
    new Promise<never>((_, reject) => setTimeout(reject, answerMs).unref()),
  ]);
}

/** Commands read clusters of the context's namespace, and providers of all. */
function defaultNamespace(kind: string, { namespace }: { readonly namespace: string }) {
  return kind === "Cluster" ? namespace : undefined;
}

async function ask(
  client: Client,
  kind: { readonly group: string; readonly kind: string },
  namespace: string | undefined,
): Promise<readonly string[]> {
  const resource = await client.kind<KubeObject>(kind);
  const isNamespaced = kind.kind !== "Namespace" && namespace !== undefined;
  const { items } = await resource.list({ limit: mostNames, ...(isNamespaced && { namespace }) });
  return [...new Set(items.map(({ metadata }) => metadata.name ?? ""))];
}
