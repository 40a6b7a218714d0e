import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { collectBody, discardBody } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import type { ShardLoad } from "./shard-report.ts";

export type ManagerPod = KubeObject<
  {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  },
  { readonly phase?: string }
>;

/** The names of ports with metrics, with the scheme for the pod proxy. */
const metricsPorts: Readonly<Record<string, string>> = { metrics: "", diagnostics: "https:" };
const limit = 20_000_000;

/** The load of one instance, by the metrics of its pods through the API server's proxy; {} if unreachable. */
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
  const done = totalOf(after, "reconciles") - totalOf(before, "reconciles");
  const reconcilesPerSecond = Math.round((Math.max(0, done) / seconds) * 10) / 10;
  return { reconcilesPerSecond, queueDepth: totalOf(after, "queueDepth") };
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
    // The load of an unreachable pod is unknown.
  }
  return undefined;
}

function totalOf(samples: readonly ManagerSample[], field: keyof ManagerSample): number {
  return samples.reduce((total, one) => total + one[field], 0);
}

export interface ManagerSample {
  readonly reconciles: number;
  readonly queueDepth: number;
}

/** Parses the metrics of a manager; undefined if they do not count reconciles. */
export function readMetrics(text: string): ManagerSample | undefined {
  const reconciles = sumOf(text, "controller_runtime_reconcile_total");
  const queueDepth = sumOf(text, "workqueue_depth");
  return reconciles === undefined ? undefined : { reconciles, queueDepth: queueDepth ?? 0 };
}

/** The sum over all series of a name: "name{labels} value". */
function sumOf(text: string, name: string): number | undefined {
  const values = text
    .split("\n")
    .map((line) => /^(\w+)(?:\{.*\})? ([^ ]+)$/.exec(line.trim()))
    .filter((match) => match?.[1] === name)
    .map((match) => Number(match?.[2]));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
