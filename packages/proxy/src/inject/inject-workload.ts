import { defaultPorts, serviceAccountFolder, sidecarEnvironment } from "../sidecar.ts";
import type { Callback } from "./callbacks.ts";
import { UnsafeManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import {
  type Container,
  containersOf,
  type PodSpec,
  podSpecOf,
  updateContainers,
  updatePodSpec,
} from "./pods.ts";
import {
  type AccountSource,
  accountMountOf,
  isAccountMount,
  ownAccountMount,
  ownAccountVolume,
} from "./service-account.ts";
import {
  type SidecarOptions,
  sidecarContainer,
  sidecarVolumes,
  volumeNames,
} from "./sidecar-container.ts";

export interface WorkloadOptions extends Omit<SidecarOptions, "accountMount" | "podIsRoot"> {
  readonly account: AccountSource;
}

/**
 * Adds the proxy to the pods of a workload, and redirects their clients to it. Pods without a
 * service account and webhooks stay unchanged. Errors: UnsafeManifestError.
 */
export function injectWorkload(manifest: Manifest, options: WorkloadOptions): Manifest {
  const spec = podSpecOf(manifest);
  if (!spec || (options.account === "none" && !options.callback)) return manifest;
  refuseUnsafe(manifest, spec);
  return updatePodSpec(manifest, (found) => injectPod(found, options));
}

function injectPod(spec: PodSpec, options: WorkloadOptions): PodSpec {
  const none = options.account === "none";
  const accountMount = none ? ownAccountMount : accountMountOf(spec);
  const podIsRoot = spec.securityContext?.runAsUser === 0;
  const sidecar = { ...options, accountMount, podIsRoot };
  const pointed = none ? spec : updateContainers(spec, pointAtProxy);
  return {
    ...pointed,
    initContainers: [sidecarContainer(sidecar), ...(pointed.initContainers ?? [])],
    volumes: [
      ...(pointed.volumes ?? []),
      ...sidecarVolumes(sidecar),
      ...(none ? [ownAccountVolume] : []),
    ],
  };
}

function pointAtProxy(container: Container): Container {
  const env = Object.entries(sidecarEnvironment()).map(([name, value]) => ({ name, value }));
  const mount = { name: volumeNames.app, mountPath: serviceAccountFolder, readOnly: true };
  const mounts = (container.volumeMounts ?? []).filter((found) => !isAccountMount(found));
  return {
    ...container,
    env: [...(container.env ?? []), ...env],
    volumeMounts: [...mounts, mount],
  };
}

function refuseUnsafe(manifest: Manifest, spec: PodSpec): void {
  const why = unsafeBecause(spec);
  if (why !== undefined) throw new UnsafeManifestError(manifest, why);
}

function unsafeBecause(spec: PodSpec): string | undefined {
  if (spec.hostNetwork === true) {
    return "its pods are on the network of their node, where the proxies of two instances would listen at the same address; take hostNetwork away";
  }
  const containers = containersOf(spec);
  const pointed = containers.find(({ env }) =>
    env?.some(({ name }) => name in sidecarEnvironment()),
  );
  if (pointed) {
    return `container ${pointed.name} sets KUBERNETES_SERVICE_HOST or KUBERNETES_SERVICE_PORT itself, which is how it is led to the proxy; take them away`;
  }
  const taken: readonly number[] = Object.values(defaultPorts);
  for (const { name, ports } of containers) {
    const clash = ports?.find(({ containerPort }) => taken.includes(containerPort));
    if (clash)
      return `container ${name} listens at port ${clash.containerPort}, which its proxy needs; give it another`;
  }
  return undefined;
}

/** Redirects the Service ports of webhooks to the callback listener. */
export function pointService(service: Manifest, callbacks: readonly Callback[]): Manifest {
  const ports = new Set(
    callbacks.filter((callback) => callback.service === service).map((found) => found.servicePort),
  );
  if (ports.size === 0) return service;
  const spec = service.spec as { readonly ports: readonly { readonly port: number }[] };
  const pointed = spec.ports.map((port) =>
    ports.has(port.port) ? { ...port, targetPort: defaultPorts.callbacks } : port,
  );
  return { ...service, spec: { ...spec, ports: pointed } };
}
