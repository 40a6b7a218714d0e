import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { collectBody, discardBody } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { type ManagerSample, readMetrics } from "./manager-metrics.ts";
import type { ShardLoad } from "./shard-report.ts";

/** A pod, in what tells where its metrics are. */
export type ManagerPod = KubeObject<
  {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  },
  { readonly phase?: string }
>;

/** What managers call the port of their metrics, and how it is spoken to. */
const metricsPorts: Readonly<Record<string, string>> = { metrics: "", diagnostics: "https:" };
const limit = 20_000_000;

/**
 * How much the pods of one instance do, by their own metrics, which the API server is asked for. What
 * cannot be reached is not told.
 */
export async function readLoad(
  client: Client,
  pods: readonly ManagerPod[],
  seconds: number,
): Promise<Omit<ShardLoad, "objects">> {
  const before = await sampleAll(client, pods);
  if (before.length === 0) return {};
  await delay(seconds * 1000);
  const after = await sampleAll(client, pods);
  if (after.length !== before.length) return {};
  const done =
    sum(after, ({ reconciles }) => reconciles) - sum(before, ({ reconciles }) => reconciles);
  const reconcilesPerSecond = Math.round((Math.max(0, done) / seconds) * 10) / 10;
  return { reconcilesPerSecond, queueDepth: sum(after, ({ queueDepth }) => queueDepth) };
}

async function sampleAll(
  client: Client,
  pods: readonly ManagerPod[],
): Promise<readonly ManagerSample[]> {
  const samples = await Promise.all(pods.map((pod) => sample(client, pod)));
  return samples.filter((one) => one !== undefined);
}

async function sample(
  client: Client,
  { metadata, spec }: ManagerPod,
): Promise<ManagerSample | undefined> {
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const port = ports.find(({ name = "" }) => name in metricsPorts);
  if (port === undefined) return undefined;
  const scheme = metricsPorts[port.name ?? ""] ?? "";
  const pod = `${scheme}${metadata.name}:${port.containerPort}`;
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${pod}/proxy/metrics`;
  try {
    const { status, body } = await client.raw({ path });
    if (status === 200)
      return readMetrics(Buffer.from(await collectBody(body, { limit })).toString());
    await discardBody(body);
  } catch {
    // Where there is no way to a pod, nothing is known of its load.
  }
  return undefined;
}

function sum(samples: readonly ManagerSample[], of: (one: ManagerSample) => number): number {
  return samples.reduce((total, one) => total + of(one), 0);
}
