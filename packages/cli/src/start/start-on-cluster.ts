import type { Client } from "@rookery/client";
import { FetchError, latestVersion } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { type CommandTools, readConfig } from "../config/read-config.ts";
import { StartError } from "../errors.ts";
import type { ConfigFlags } from "../flags.ts";
import { initObjects } from "../init/init-objects.ts";
import { planInit } from "../init/plan-init.ts";
import { connectTo, type KubeFlags } from "../kube-flags.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { type ComeUpOptions, comeUp } from "./come-up.ts";
import { milestone, type Part } from "./part.ts";
import { formatSummary, rookeryWords } from "./summary.ts";

export interface ClusterOptions
  extends KubeFlags,
    ConfigFlags,
    Pick<ComeUpOptions, "image" | "waitMs"> {}

type Node = KubeObject<
  unknown,
  { readonly nodeInfo?: { readonly containerRuntimeVersion?: string } }
>;

/** Applies the plane to an existing cluster. Throws StartError at the time limit. */
export async function startOnCluster(options: ClusterOptions, io: CommandIo): Promise<void> {
  using end = listenForEnd();
  await using connection = await connectTo(options, io);
  const { client, server } = connection;
  const since = { moment: performance.now(), date: new Date() };
  io.write(`Bringing up the plane on ${server}\n`);
  const isEmbedded = await hasNodeOfProcesses(client);
  const { image, waitMs } = options;
  const config = await readConfig(options, io);
  const newCore = () => realCore({ client, io, config });
  const { kubeconfig = io.env.KUBECONFIG ?? "" } = options;
  const rookery = rookeryWords();
  const summary: ComeUpOptions["summary"] = (states) =>
    formatSummary({ kubeconfig, rookery, isEmbedded, states }, io);
  const how = { since, isEmbedded, goesOn: false, summary, ...(!isEmbedded && { newCore }) };
  const seconds = await comeUp({ client, image, waitMs, end: end.signal, ...how }, io);
  if (end.signal.aborted) return;
  if (seconds === undefined) {
    throw new StartError(
      "could not bring up all of the plane; the parts that are not ready are named above; the operator continues with them",
    );
  }
}

/** Whether pods of the cluster are processes of this machine. */
async function hasNodeOfProcesses(client: Client): Promise<boolean> {
  const nodes = await client.mapper.resourceForKind({ group: "", kind: "Node" });
  const { items } = await client.resource<Node>(nodes).list();
  return items.some(({ status }) =>
    status?.nodeInfo?.containerRuntimeVersion?.startsWith("rookery://"),
  );
}

const identity = { kind: "CoreProvider", name: "cluster-api" } as const;
/** The contract of Rookery's providers. */
const contract = "v1beta2";

/** Cluster API's own core, as `rookery init` declares it. Throws StartError without a release. */
async function realCore({ client, io, config }: CommandTools): Promise<Part> {
  await using sources = new ReleaseSources(config, io, client);
  try {
    const version = await latestVersion(sources.open(identity).repository, { contract });
    const planned = await planInit([{ ...identity, version }], { sources, config });
    const objects = planned.flatMap((one) => {
      const { supplies, provider } = initObjects(one, { config });
      return [...supplies, provider as KubeObject];
    });
    const ready = objects
      .filter(({ kind }) => kind === identity.kind)
      .map((provider) => milestone(provider, "Ready"));
    return { name: "core", what: `Cluster API ${version}`, objects, ready };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    throw new StartError(
      `could not find a release of Cluster API's core, which belongs on a real cluster: ${error.message}; name a ` +
        'place that can be reached by "providers" of a configuration file (--config), or install the core before',
      { cause: error },
    );
  }
}
