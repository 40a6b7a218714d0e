import { isIP } from "node:net";
import type { NestedAPIServer } from "@rookery/api";
import { deepEqual, isInvalid } from "@rookery/kube";
import { applyObjects } from "../component/apply-objects.ts";
import type { ControlPlaneOf } from "../component/home.ts";
import { imageOf } from "../component/images.ts";
import type { Report } from "../component/report.ts";
import { revisionOf } from "../component/revision.ts";
import { advanceDeployment, findDeployment } from "../component/roll-out-deployment.ts";
import { secretInputs } from "../component/secret-inputs.ts";
import { blockedReport, deploymentReadiness, replicasOf } from "../component/serving.ts";
import { ComponentError } from "../errors.ts";
import { applyPatches } from "../manifests/apply-patches.ts";
import type { Service } from "../manifests/kinds.ts";
import { workloadName } from "../names.ts";
import { closedFields, refuseClosedFields } from "../policy/closed-fields.ts";
import { services } from "../resources.ts";
import { type Endpoint, endpointAvailable, endpointOf } from "./endpoint.ts";
import { apiServerManifests, apiServerService } from "./manifests.ts";
import { whenRead } from "./phases/await-authorities.ts";
import { advanceLight } from "./phases/deploy-light.ts";
import { lookAtPods } from "./phases/probe-pods.ts";
import { apiServerGate, etcdServersOf } from "./policies.ts";
import type { ApiServerDependencies } from "./scope.ts";
import { apiServerSecrets } from "./secrets.ts";

/** Brings an API server one step closer to what its spec says. */
export async function provisionApiServer(
  apiServer: NestedAPIServer,
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<Report> {
  let reached: Reached = {};
  try {
    const isClosed = closedFields(apiServer, dependencies.allowances).length > 0;
    const reach = isClosed ? endpointBefore : ensureEndpoint;
    reached = await reach(apiServer, home, dependencies);
    refuseClosedFields(apiServer, dependencies.allowances);
    await tellOfService(home, dependencies);
    const { profile } = apiServer.spec;
    const advanceProfile = profile === "light" ? advanceLight : advance;
    const advanced = await advanceProfile(apiServer, home, dependencies);
    const report = await lookAtPods(apiServer, advanced, { ...dependencies, home });
    return { ...report, ...reached, status: { ...report.status, ...reached.status, profile } };
  } catch (error) {
    const live = await findDeployment("apiserver", home, dependencies);
    const status = { ...(live && replicasOf(live)), ...reached.status };
    return { ...blockedReport(error, live && deploymentReadiness(live)), ...reached, status };
  }
}

/** At once: whoever asks the tenant need not wait until all that is known of it is written. */
async function tellOfService(
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<void> {
  const live = await findDeployment("apiserver", home, dependencies);
  if (live && deploymentReadiness(live).status === "True") dependencies.serves(home.controlPlane);
}

type Reached = Pick<Report, "others" | "status">;

/** Where it was reached before: the Service stays as it is while the spec says what is not allowed. */
async function endpointBefore(
  { status }: NestedAPIServer,
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<Reached> {
  if (!status?.endpoint) return {};
  await publish(status.endpoint, home, dependencies);
  return { others: [endpointAvailable] };
}

/** The Service comes first: certificates and kubeconfigs name its address. */
async function ensureEndpoint(
  apiServer: NestedAPIServer,
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<Reached> {
  const { spec } = apiServer;
  const patches = spec.patches?.filter(({ kind }) => kind === "Service");
  const [rendered] = applyPatches([apiServerService({ ...home, service: spec.service })], patches);
  const service = await applyService(apiServer, rendered as Service, { ...dependencies, home });
  const endpoint = endpointOf(spec.service, service);
  const { apiVersion, kind, metadata } = service;
  const { name = "", namespace = "" } = metadata;
  const status = { apiserverService: { apiVersion, kind, name, namespace } };
  if ("status" in endpoint) return { others: [endpoint], status };
  await publish(endpoint, home, dependencies);
  return { others: [endpointAvailable], status: { ...status, endpoint } };
}

/** A Service that is made anew has its former address again, which clients and Cluster API's core keep. */
async function applyService(
  apiServer: NestedAPIServer,
  rendered: Service,
  { home, ...dependencies }: ApiServerDependencies & { readonly home: ControlPlaneOf },
): Promise<Service> {
  const apply = async (service: Service) =>
    (await applyObjects(apiServer, [service], dependencies))[0] as Service;
  const clusterIP = await formerAddress(apiServer, home, dependencies);
  if (!clusterIP) return apply(rendered);
  try {
    return await apply({ ...rendered, spec: { ...rendered.spec, clusterIP } } as Service);
  } catch (error) {
    if (!isInvalid((error as Error).cause)) throw error;
    const note = `The Service cannot have its former address ${clusterIP}: ${(error as Error).message}`;
    dependencies.recorder.event(apiServer, { type: "Warning", reason: "AddressLost", note });
    return apply(rendered);
  }
}

/** The address of a Service that was there before; undefined where there is one, or none is known. */
async function formerAddress(
  { spec }: NestedAPIServer,
  { controlPlane, namespace, cluster }: ControlPlaneOf,
  { find, read }: ApiServerDependencies,
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
  { controlPlane }: ControlPlaneOf,
  { commitControlPlane }: ApiServerDependencies,
): Promise<void> {
  const { spec } = controlPlane;
  if (deepEqual(spec.controlPlaneEndpoint, controlPlaneEndpoint)) return;
  await commitControlPlane(controlPlane, {
    ...controlPlane,
    spec: { ...spec, controlPlaneEndpoint },
  });
}

async function advance(
  apiServer: NestedAPIServer,
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<Report> {
  const { spec } = apiServer;
  const etcdServers = etcdServersOf(home.controlPlane);
  if (etcdServers.length === 0) {
    throw new ComponentError("WaitingForEtcd", "nobody knows the addresses of etcd yet");
  }
  const siblings = await dependencies.getSiblings(home);
  const secrets = await secretInputs(apiServer, apiServerSecrets(home.cluster), dependencies);
  const { inputs, companions } = secrets;
  const patches = spec.patches?.filter(({ kind }) => kind !== "Service");
  const report = await advanceDeployment(
    apiServer,
    {
      ...home,
      component: "apiserver",
      desired: revisionOf("apiserver", { ...spec, ...(patches && { patches }) }),
      gate: ({ version }, from) => apiServerGate(version, from, siblings),
      render: (revision) => {
        const { imageRepository } = dependencies;
        const image = revision.image ?? imageOf("apiserver", revision.version, imageRepository);
        const common = { revision, image, replicas: spec.replicas, service: spec.service };
        return apiServerManifests({ ...home, ...common, etcdServers, inputs, companions });
      },
    },
    dependencies,
  );
  return whenRead(apiServer, report, { ...dependencies, home, secrets });
}
