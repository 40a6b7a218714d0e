import { networkInterfaces } from "node:os";
import type { Client } from "@rookery/client";
import { builtInResources, getCondition, type KubeObject, StatusError } from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import { waitFor } from "@rookery/testing";
import type { Pod } from "../../../operator/test/process-node.ts";

type Service = KubeObject<{
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly name?: string }[];
}>;

const { endpointSlices: slices, pods, services } = builtInResources;
const timeout = 180_000;

/** The port of the webhooks of a pod with this address; see `manager-main.ts`. */
export function webhookPortOf(podIP: string): number {
  return 20_000 + Number(podIP.split(".").at(-1));
}

/**
 * Publishes ready pods as endpoints of their Services by an address of this machine: a real API server
 * calls webhooks there, and takes no loopback address for an endpoint.
 */
export function publishWebhooks(client: Client): AsyncDisposable {
  const stop = new AbortController();
  const published = new Set<string>();
  const informer = createInformer<Pod>({ resource: pods, listWatch: client.resource<Pod>(pods) });
  informer.addEventHandler((event) => {
    const pod = event.type === "update" ? event.objectNew : event.object;
    const { uid = "", deletionTimestamp } = pod.metadata;
    const isGone = event.type === "delete" || deletionTimestamp !== undefined;
    if (isGone ? !published.delete(uid) : published.has(uid) || !isReady(pod)) return;
    if (!isGone) published.add(uid);
    void (isGone ? withdraw(client, pod) : publish(client, pod));
  });
  const running = informer.run(stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function isReady({ status }: Pod): boolean {
  return getCondition(status?.conditions, "Ready")?.status === "True";
}

async function publish(client: Client, pod: Pod): Promise<void> {
  for (const service of await servicesOf(client, pod)) {
    const slice = sliceOf(service, pod);
    await untilAnswered(() => client.resource<KubeObject>(slices).create(slice));
  }
}

async function withdraw(client: Client, pod: Pod): Promise<void> {
  const { namespace = "" } = pod.metadata;
  for (const service of await servicesOf(client, pod)) {
    const name = sliceName(service, pod);
    await untilAnswered(() => client.resource(slices).delete({ namespace, name }));
  }
}

/** Refusals are of a namespace that goes with its pods; a server that is busy is asked again. */
async function untilAnswered(ask: () => Promise<unknown>): Promise<void> {
  const isAnswered = () =>
    ask().then(
      () => true,
      (error: unknown) => error instanceof StatusError && (error.status.code ?? 500) < 500,
    );
  await waitFor(isAnswered, { what: "an EndpointSlice to be accepted", timeout });
}

async function servicesOf(client: Client, { metadata }: Pod): Promise<readonly Service[]> {
  const { namespace = "", labels = {} } = metadata;
  const ask = () => client.resource<Service>(services).list({ namespace });
  const { items } = await waitFor(ask, { what: `the Services of ${namespace}`, timeout });
  return items.filter(({ spec }) =>
    Object.entries(spec?.selector ?? { none: "" }).every(([key, value]) => labels[key] === value),
  );
}

function sliceName(service: Service, pod: Pod): string {
  return `${service.metadata.name}-${pod.metadata.name}`;
}

function sliceOf(service: Service, pod: Pod): KubeObject {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  const { namespace = "", name = "" } = service.metadata;
  const [served] = service.spec?.ports ?? [];
  const port = webhookPortOf(pod.status?.podIP ?? "");
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      namespace,
      name: sliceName(service, pod),
      labels: { "kubernetes.io/service-name": name },
    },
    addressType: "IPv4",
    ports: [{ name: served?.name ?? "", port, protocol: "TCP" }],
    endpoints: [{ addresses: [own?.address], conditions: { ready: true } }],
  } as KubeObject;
}
