import type { APIServiceCondition, EndpointSlice, Service } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import { Context, collectBody } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { goNetworkError } from "../webhooks/go-network-error.ts";
import { type Address, resolveService } from "../webhooks/service-resolver.ts";
import { type ApiService, pathOf, serviceOf } from "./api-service.ts";
import { userHeaders } from "./proxy-handler.ts";
import type { RemoteClients } from "./remote-clients.ts";

export type Availability = Pick<APIServiceCondition, "status" | "reason" | "message">;

export interface ProbeContext {
  readonly store: Store;
  readonly clients: RemoteClients;
}

const probeTimeoutMs = 5000;
const maxBytes = 16 * 1024 * 1024;

/** The user of the aggregator's own requests. */
const aggregator = { name: "system:kube-aggregator", groups: ["system:masters"] };

/** Checks the Service, the endpoints and the discovery document behind an APIService. */
export async function checkAvailability(
  apiService: ApiService,
  context: ProbeContext,
): Promise<Availability> {
  const problem = serviceProblem(apiService, context.store);
  if (problem) return { status: "False", ...problem };
  const path = pathOf(apiService);
  try {
    const address = addressOf(apiService, context.store);
    const url = `https://${address.host}:${address.port}${path}`;
    const why = await probe(apiService, { address, path, context });
    if (why === undefined) {
      return { status: "True", reason: "Passed", message: "all checks passed" };
    }
    const message = `failing or missing response from ${url}: ${why.replace("<url>", url)}`;
    return { status: "False", reason: "FailedDiscoveryCheck", message };
  } catch (error) {
    const message = messageOf(error);
    return { status: "False", reason: "FailedDiscoveryCheck", message };
  }
}

/** Fetches a document from the server behind an APIService; undefined unless it answers 200. */
export async function fetchDocument(
  apiService: ApiService,
  path: string,
  { context, accept }: { readonly context: ProbeContext; readonly accept: string },
): Promise<unknown> {
  const address = addressOf(apiService, context.store);
  const { status, body } = await ask(apiService, { address, path, context, accept });
  return status === 200 ? JSON.parse(Buffer.from(body).toString("utf8")) : undefined;
}

function addressOf(apiService: ApiService, store: Store): Address {
  return resolveService(store, serviceOf(apiService) ?? { namespace: "", name: "", port: 443 });
}

interface Probe {
  readonly address: Address;
  readonly path: string;
  readonly context: ProbeContext;
  readonly accept?: string;
}

async function ask(apiService: ApiService, probe: Probe) {
  const { address, path, context, accept = "*/*" } = probe;
  const { status, body } = await context.clients.clientOf(apiService, address, false).handler({
    method: "GET",
    path,
    query: "",
    headers: { accept, ...userHeaders(aggregator) },
    signal: AbortSignal.timeout(probeTimeoutMs),
    context: Context.empty,
  });
  return { status, body: await collectBody(body, { limit: maxBytes }) };
}

async function probe(apiService: ApiService, given: Probe): Promise<string | undefined> {
  const { path, address } = given;
  try {
    const { status } = await ask(apiService, given);
    return status >= 200 && status < 300 ? undefined : `bad status from <url>: ${status}`;
  } catch (error) {
    return `Get "https://${address.host}:${address.port}${path}": ${goNetworkError(error, address)}`;
  }
}

type Problem = Required<Pick<APIServiceCondition, "reason" | "message">>;

function serviceProblem(apiService: ApiService, store: Store): Problem | undefined {
  const { namespace = "", name = "", port = 443 } = serviceOf(apiService) ?? {};
  const service = store.get({ resource: "services", namespace, name })?.object as
    | (KubeObject & Service)
    | undefined;
  const shown = `service/${name} in "${namespace}"`;
  if (!service) return { reason: "ServiceNotFound", message: `${shown} is not present` };
  if (service.spec?.type !== "ClusterIP") return undefined;
  const found = service.spec.ports?.find((each) => each.port === port);
  if (!found) {
    return { reason: "ServicePortError", message: `${shown} is not listening on port ${port}` };
  }
  return endpointsProblem({ store, namespace, name, shown }, found.name ?? "");
}

interface Place {
  readonly store: Store;
  readonly namespace: string;
  readonly name: string;
  readonly shown: string;
}

function endpointsProblem(
  { store, namespace, name, shown }: Place,
  portName: string,
): Problem | undefined {
  // The controller that mirrors Endpoints to slices may not run here.
  if (store.get({ resource: "endpoints", namespace, name })) return undefined;
  const slices = store
    .list("endpointslices.discovery.k8s.io", { namespace })
    .entries.map(({ object }) => object as KubeObject & EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name);
  if (slices.length === 0) {
    return { reason: "EndpointsNotFound", message: `cannot find endpointslices for ${shown}` };
  }
  const isActive = slices.some(
    ({ endpoints, ports }) =>
      endpoints?.some(({ conditions }) => conditions?.ready !== false) &&
      ports?.some((each) => (each.name ?? "") === portName && each.port !== undefined),
  );
  if (isActive) return undefined;
  const message = `endpointslices for ${shown} have no addresses with port name "${portName}"`;
  return { reason: "MissingEndpoints", message };
}
