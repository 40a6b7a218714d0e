import { isIP } from "node:net";
import type { NestedAPIServer } from "@rookery/api";
import { deepEqual, isInvalid } from "@rookery/kube";
import { applyObjects } from "../../component/apply-objects.ts";
import type { Parent } from "../../component/parent.ts";
import type { Report } from "../../component/report.ts";
import { applyPatches } from "../../manifests/apply-patches.ts";
import type { Service } from "../../manifests/kinds.ts";
import { workloadName } from "../../names.ts";
import { services } from "../../resources.ts";
import { type Endpoint, endpointAvailable, endpointOf } from "../endpoint.ts";
import { apiServerService } from "../manifests.ts";
import type { ApiServerScope } from "../scope.ts";

export type Exposure = Pick<Report, "others" | "status">;

/** Keeps the former endpoint: the Service stays unchanged while the spec has fields that are not allowed. */
export async function keepEndpoint(
  { status }: NestedAPIServer,
  parent: Parent,
  scope: ApiServerScope,
): Promise<Exposure> {
  if (!status?.endpoint) return {};
  await publish(status.endpoint, parent, scope);
  return { others: [endpointAvailable] };
}

/** Exposes the API server before its deployment: certificates contain its address. */
export async function ensureEndpoint(
  apiServer: NestedAPIServer,
  parent: Parent,
  scope: ApiServerScope,
): Promise<Exposure> {
  const { spec } = apiServer;
  const patches = spec.patches?.filter(({ kind }) => kind === "Service");
  const [rendered] = applyPatches(
    [apiServerService({ ...parent, service: spec.service })],
    patches,
  );
  const service = await applyService(apiServer, rendered as Service, { ...scope, parent });
  const endpoint = endpointOf(spec.service, service);
  const { apiVersion, kind, metadata } = service;
  const { name = "", namespace = "" } = metadata;
  const status = { apiserverService: { apiVersion, kind, name, namespace } };
  if ("status" in endpoint) return { others: [endpoint], status };
  await publish(endpoint, parent, scope);
  return { others: [endpointAvailable], status: { ...status, endpoint } };
}

/** A recreated Service gets its former address, which clients and Cluster API's core keep. */
async function applyService(
  apiServer: NestedAPIServer,
  rendered: Service,
  { parent, ...scope }: ApiServerScope & { readonly parent: Parent },
): Promise<Service> {
  const apply = async (service: Service) =>
    (await applyObjects(apiServer, [service], scope))[0] as Service;
  const clusterIP = await formerAddress(apiServer, parent, scope);
  if (!clusterIP) return apply(rendered);
  try {
    return await apply({ ...rendered, spec: { ...rendered.spec, clusterIP } } as Service);
  } catch (error) {
    if (!isInvalid((error as Error).cause)) throw error;
    const note = `The Service cannot have its former address ${clusterIP}: ${(error as Error).message}`;
    scope.recorder.event(apiServer, { type: "Warning", reason: "AddressLost", note });
    return apply(rendered);
  }
}

/** The address of a deleted Service; undefined if the Service exists or no address is known. */
async function formerAddress(
  { spec }: NestedAPIServer,
  { controlPlane, namespace, cluster }: Parent,
  { find, read }: ApiServerScope,
): Promise<string | undefined> {
  const { host } = controlPlane.status?.apiserver?.endpoint ?? {};
  if (!host || isIP(host) === 0 || spec.service.type !== "ClusterIP" || spec.service.host) {
    return undefined;
  }
  const key = { namespace, name: workloadName(cluster, "apiserver") };
  return (await find(services, key)) || (await read(services, key)) ? undefined : host;
}

async function publish(
  controlPlaneEndpoint: Endpoint,
  { controlPlane }: Parent,
  { commitControlPlane }: ApiServerScope,
): Promise<void> {
  const { spec } = controlPlane;
  if (deepEqual(spec.controlPlaneEndpoint, controlPlaneEndpoint)) return;
  await commitControlPlane(controlPlane, {
    ...controlPlane,
    spec: { ...spec, controlPlaneEndpoint },
  });
}
