import type {
  NestedAPIServerManifest,
  NestedControllerManagerManifest,
  NestedControlPlane,
  NestedEtcdManifest,
} from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { controlPlaneGroup } from "@rookery/cluster-api";
import { controllerReferenceTo, type KubeObject } from "@rookery/kube";
import type { ComponentField } from "../control-plane/component.ts";

/** The version that a component was created for; other fields of its spec may be changed. */
export const defaultedVersionAnnotation = "nested.rookery.dev/defaulted-version";

/** The etcd version for all supported versions of Kubernetes. */
const etcdVersion = "3.6.8";

export type DefaultComponentManifest =
  | NestedEtcdManifest
  | NestedAPIServerManifest
  | NestedControllerManagerManifest;

export interface DefaultComponent extends KubeObject {
  readonly spec?: { readonly version?: string; readonly profile?: string };
}

export type DefaultComponents = Readonly<Record<ComponentField, DefaultComponentManifest>>;

const apiVersion = `${controlPlaneGroup}/v1alpha4` as const;

/** The components to create for a control plane, by the fields of its spec. */
export function defaultComponents(
  controlPlane: NestedControlPlane,
  owner: OwnerCluster,
): DefaultComponents {
  const { version = "", profile } = controlPlane.spec;
  const isLight = profile === "light";
  const all = owner.spec?.clusterNetwork?.services?.cidrBlocks ?? [];
  // The profile light supports one family.
  const ranges = isLight ? all.slice(0, 1) : all;
  const common = (suffix: string) => ({
    apiVersion,
    metadata: metadataOf(controlPlane, suffix),
  });
  return {
    etcd: { ...common("etcd"), kind: "NestedEtcd", spec: { version: etcdVersion } },
    apiserver: {
      ...common("apiserver"),
      kind: "NestedAPIServer",
      spec: {
        version,
        ...(isLight && { profile }),
        ...(ranges.length > 0 && { serviceCidr: ranges.join(",") }),
      },
    },
    controllerManager: {
      ...common("controller-manager"),
      kind: "NestedControllerManager",
      spec: { version },
    },
  };
}

/** Owned from the beginning: an unused component is deleted with the control plane. */
function metadataOf(controlPlane: NestedControlPlane, suffix: string) {
  const { namespace, name } = controlPlane.metadata;
  return {
    ...(namespace && { namespace }),
    name: `${name}-${suffix}`,
    annotations: { [defaultedVersionAnnotation]: controlPlane.spec.version ?? "" },
    ownerReferences: [controllerReferenceTo(controlPlane)],
  };
}
