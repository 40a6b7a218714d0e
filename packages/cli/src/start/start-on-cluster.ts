import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { readConfig } from "../config/read-config.ts";
import { StartError } from "../errors.ts";
import type { ConfigFlags } from "../flags.ts";
import { connectTo, type KubeFlags } from "../kube-flags.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { type ComeUpOptions, comeUp } from "./come-up.ts";
import { realCore } from "./real-core.ts";
import { formatSummary, rookeryWords } from "./summary.ts";

export interface ClusterOptions
  extends KubeFlags,
    ConfigFlags,
    Pick<ComeUpOptions, "image" | "waitMs"> {}

type Node = KubeObject<
  unknown,
  { readonly nodeInfo?: { readonly containerRuntimeVersion?: string } }
>;

/** Puts the plane on a cluster that is there. Errors: StartError where it is not ready in time. */
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
      "could not bring up all of the plane; what is not ready is named above, and goes on by itself where it can",
    );
  }
}

/** Whether pods there are processes of this machine. */
async function hasNodeOfProcesses(client: Client): Promise<boolean> {
  const nodes = await client.mapper.resourceForKind({ group: "", kind: "Node" });
  const { items } = await client.resource<Node>(nodes).list();
  return items.some(({ status }) =>
    status?.nodeInfo?.containerRuntimeVersion?.startsWith("rookery://"),
  );
}
