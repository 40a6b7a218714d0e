import { parseUntrustedConfig } from "@rookery/client";
import type { CommandIo } from "../command.ts";
import { KubeconfigError } from "../errors.ts";
import type { Connection, KubeFlags } from "../kube-flags.ts";
import { readKubeconfig, refuseLocalPrograms } from "./kubeconfig.ts";
import { kubeconfigFile, mergeKubeconfig } from "./merge-kubeconfig.ts";

export interface MergeFlags extends KubeFlags {
  /** What the context is called. */
  readonly as?: string;
}

/** What was merged, for who asked for it. */
export interface Merged {
  readonly context: string;
  readonly file: string;
  /** The context that was the current one. */
  readonly before: string | undefined;
}

/** Reads the kubeconfig of a cluster and puts it into the user's. Errors: KubeconfigError, KubeconfigFileError. */
export async function mergeCluster(
  name: string,
  { flags, isCurrent }: { readonly flags: MergeFlags; readonly isCurrent: boolean },
  { connection, io }: { readonly connection: Connection; readonly io: CommandIo },
): Promise<Merged> {
  const { client, namespace, server: management } = connection;
  const place = { namespace, name };
  const text = await readKubeconfig(client, place);
  await refuseLocalPrograms(text, place);
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
