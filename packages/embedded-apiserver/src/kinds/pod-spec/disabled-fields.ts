import type { Container, EphemeralContainer, PodSpec } from "@rookery/api";
import { containersOf } from "./defaults.ts";

/** Drops the fields whose feature gates are off by default in Kubernetes 1.34, without a warning. */
export function dropDisabledFields(spec: PodSpec | undefined): void {
  if (spec === undefined) return;
  delete spec.hostnameOverride;
  dropImageVolumes(spec);
  for (const source of (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? [])) {
    delete source.clusterTrustBundle;
    delete source.podCertificate;
  }
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy !== "Always") delete container.restartPolicy;
  }
  for (const container of spec.containers ?? []) delete container.restartPolicy;
  for (const container of spec.ephemeralContainers ?? []) delete container.restartPolicy;
  for (const container of containersOf(spec)) dropContainerFields(container);
}

function dropContainerFields(container: Container | EphemeralContainer): void {
  delete container.restartPolicyRules;
  for (const { valueFrom } of container.env ?? []) delete valueFrom?.fileKeyRef;
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
}

function dropImageVolumes(spec: PodSpec): void {
  const images = (spec.volumes ?? []).filter(({ image }) => image !== undefined);
  if (images.length === 0) return;
  const names = new Set(images.map(({ name }) => name));
  const volumes = (spec.volumes ?? []).filter((volume) => !images.includes(volume));
  if (volumes.length > 0) spec.volumes = volumes;
  else delete spec.volumes;
  for (const container of containersOf(spec)) {
    const mounts = (container.volumeMounts ?? []).filter(({ name }) => !names.has(name));
    if (mounts.length > 0) container.volumeMounts = mounts;
    else delete container.volumeMounts;
  }
}
