import { networkInterfaces } from "node:os";
import type { Client } from "@rookery/client";
import { builtInResources, type KubeObject, StatusError } from "@rookery/kube";
import { freePort, waitFor } from "@rookery/testing";
import type { Pod, PodProgram } from "../../../operator/test/process-kubelet.ts";
import { mainFile } from "../../src/local/own-process.ts";

type Service = KubeObject<{
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly name?: string }[];
}>;

const { endpointSlices: slices, services } = builtInResources;
const timeout = 180_000;

/**
 * Pods of Rookery's image as processes at ports of their own, on a cluster without a node: API servers reach
 * their webhooks at an address of this machine, as they take no loopback address for an endpoint.
 */
export function managerPods(client: Client): PodProgram {
  const ports = new Map<string, { readonly webhooks: number; readonly health: number }>();
  const uidOf = ({ metadata }: Pod) => metadata.uid ?? "";
  return {
    async argumentsOf(pod, kubeconfig) {
      const own = { webhooks: await freePort(), health: await freePort() };
      ports.set(uidOf(pod), own);
      const [container] = pod.spec?.containers ?? [];
      return [
        ...[mainFile(), ...(container?.args ?? []), `--kubeconfig=${kubeconfig}`],
        ...[`--webhook-port=${own.webhooks}`, `--health-addr=127.0.0.1:${own.health}`],
        "--metrics-bind-address=0",
      ];
    },
    async untilReady(pod, child) {
      const { health = 0, webhooks = 0 } = ports.get(uidOf(pod)) ?? {};
      const isReady = () => fetch(`http://127.0.0.1:${health}/readyz`).then(({ ok }) => ok);
      const what = `pod ${pod.metadata.name} to be ready`;
      await waitFor(async () => child.ending !== undefined || isReady().catch(() => false), {
        what,
        timeout,
        detail: () => child.log,
      });
      for (const service of await servicesOf(client, pod)) {
        const slice = sliceOf(service, pod, webhooks);
        await taken(() => client.resource<KubeObject>(slices).create(slice));
      }
    },
    async forget(pod) {
      const { namespace = "" } = pod.metadata;
      for (const service of await servicesOf(client, pod)) {
        const name = sliceName(service, pod);
        await taken(() => client.resource(slices).delete({ namespace, name }));
      }
    },
  };
}

/** Refusals are of a namespace that goes with its pods; a server that is busy is asked again. */
async function taken(ask: () => Promise<unknown>): Promise<void> {
  const isAnswered = () =>
    ask().then(
      () => true,
      (error: unknown) => error instanceof StatusError && (error.status.code ?? 500) < 500,
    );
  await waitFor(isAnswered, { what: "an EndpointSlice to be taken", timeout });
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

function sliceOf(service: Service, pod: Pod, port: number): KubeObject {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  const { namespace = "", name = "" } = service.metadata;
  const [served] = service.spec?.ports ?? [];
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
