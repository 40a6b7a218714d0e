import {
  clusterApiGroup,
  controlPlaneGroup,
  infrastructureGroup,
  releaseMetadata,
} from "@rookery/cluster-api";
import { lightVersion } from "../api-server/policies.ts";
import { controlPlaneComponents, infrastructureComponents } from "./components.ts";

export interface ReleaseOptions {
  /** The image of Rookery. */
  readonly image: string;
}

/** The files of a release of both providers, for clusterctl and provider operators. */
export function nestedRelease({ image }: ReleaseOptions): ReadonlyMap<string, readonly object[]> {
  return new Map<string, readonly object[]>([
    ["infrastructure-components.yaml", infrastructureComponents(image)],
    ["control-plane-components.yaml", controlPlaneComponents(image)],
    ["metadata.yaml", [releaseMetadata()]],
    ["cluster-template.yaml", clusterTemplate()],
    ["cluster-template-light.yaml", lightClusterTemplate()],
  ]);
}

/** A clusterctl variable. */
function variable(name: string, fallback?: string): string {
  return `\${${name}${fallback === undefined ? "" : `:=${fallback}`}}`;
}

const name = variable("CLUSTER_NAME");
const namespace = variable("NAMESPACE");

/** A cluster whose components are created for its version. */
function clusterTemplate(): object[] {
  return cluster({ version: variable("KUBERNETES_VERSION") });
}

/** A cluster whose control plane is one small pod. */
function lightClusterTemplate(): object[] {
  return cluster({ profile: "light", version: variable("KUBERNETES_VERSION", lightVersion) });
}

function cluster(controlPlane: object): object[] {
  return [
    object(clusterApiGroup, "Cluster", {
      clusterNetwork: {
        services: { cidrBlocks: [variable("SERVICE_CIDR", "10.96.0.0/12")] },
      },
      controlPlaneRef: reference(controlPlaneGroup, "NestedControlPlane"),
      infrastructureRef: reference(infrastructureGroup, "NestedCluster"),
    }),
    object(infrastructureGroup, "NestedCluster", {}),
    object(controlPlaneGroup, "NestedControlPlane", controlPlane),
  ];
}

function reference(apiGroup: string, kind: string): object {
  return { apiGroup, kind, name };
}

function object(group: string, kind: string, spec: object): object {
  const version = group === clusterApiGroup ? "v1beta2" : "v1alpha4";
  return { apiVersion: `${group}/${version}`, kind, metadata: { name, namespace }, spec };
}
