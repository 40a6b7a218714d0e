import { parseUntrustedConfig } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import { KubeconfigError } from "../errors.ts";
import type { Connection, KubeFlags } from "../kube-flags.ts";
import { readKubeconfig, rejectLocalPrograms } from "./kubeconfig.ts";
import { kubeconfigFile, mergeKubeconfig } from "./merge-kubeconfig.ts";

export interface MergeFlags extends KubeFlags {
  /** The name of the context. */
  readonly as?: string;
}

export interface Merged {
  readonly context: string;
  readonly file: string;
  /** The current context before the merge. */
  readonly before: string | undefined;
}

/** Merges the kubeconfig of a cluster into the user's. Throws KubeconfigError and KubeconfigFileError. */
export async function mergeCluster(
  name: string,
  { flags, isCurrent }: { readonly flags: MergeFlags; readonly isCurrent: boolean },
  { connection, io }: { readonly connection: Connection; readonly io: CommandIo },
): Promise<Merged> {
  const { client, namespace, server: management } = connection;
  const place = { namespace, name };
  const text = await readKubeconfig(client, place);
  await rejectLocalPrograms(text, place);
  const config = await parseUntrustedConfig(text, { source: `of cluster ${name}`, env: {} });
  if (config.insecureSkipTlsVerify) {
    throw new KubeconfigError(place, "it does not verify the certificate of its server");
  }
  const { as: context = `rookery-${namespace}-${name}` } = flags;
  const file = await kubeconfigFile(flags.kubeconfig, io.env);
  const cluster = { ...place, management };
  const before = await mergeKubeconfig({ file, entry: context, cluster, config, isCurrent });
  return { context, file, before };
}
