import { configMapOf } from "@rookery/components";
import { coreRelease } from "@rookery/core";
import type { KubeObject } from "@rookery/kube";
import { nestedRelease } from "@rookery/nested";
import { vsphereRelease } from "@rookery/vsphere";
import { releaseText } from "../releases/release-text.ts";
import { releaseVersion } from "../releases/release-version.ts";
import { groups, namespace, type Place } from "./manifests.ts";
import { milestone, type Part } from "./part.ts";

const label = "provider-components";

/** What the operator calls the core of the embedded mode. */
export const coreName = "rookery-core";

type Release = ReadonlyMap<string, readonly object[]>;

interface ProviderOptions {
  /** As clusterctl and the operator call it. */
  readonly name: string;
  readonly kind: "CoreProvider" | "InfrastructureProvider" | "ControlPlaneProvider";
  readonly namespace: string;
  readonly release: Release;
  /** The file of the release that has its components. */
  readonly file: string;
  /** What else is said in its spec. */
  readonly spec?: object;
  /** What has to be there before. */
  readonly before?: readonly KubeObject[];
}

/** A provider as objects, and how it is seen to be there. */
interface Installed {
  readonly objects: readonly KubeObject[];
  readonly ready: Part["ready"];
}

/** How a tenant's own instance of the vSphere provider differs from the one that all share. */
export interface VSphereInstance {
  readonly namespace: string;
  readonly spec: object;
  readonly before?: readonly KubeObject[];
}

export function core(image: string): Part {
  return {
    name: "core",
    what: "Cluster, Machine and ClusterResourceSet",
    ...provider({
      name: coreName,
      kind: "CoreProvider",
      namespace: "rookery-core-system",
      release: coreRelease({ image }),
      file: "core-components.yaml",
    }),
  };
}

export function nested(image: string): Part {
  const release = nestedRelease({ image });
  const parts = [
    provider({
      name: "nested",
      kind: "InfrastructureProvider",
      namespace: "capn-system",
      release,
      file: "infrastructure-components.yaml",
    }),
    provider({
      name: "nested",
      kind: "ControlPlaneProvider",
      namespace: "capn-control-plane-system",
      release,
      file: "control-plane-components.yaml",
    }),
  ];
  return {
    name: "nested provider",
    what: "control planes as pods",
    objects: parts.flatMap(({ objects }) => objects),
    ready: parts.flatMap(({ ready }) => ready),
  };
}

/** The files of the vSphere provider, installed once more. */
export function vsphere(image: string, instance: VSphereInstance): Installed {
  const release = vsphereRelease({ image });
  const file = "infrastructure-components.yaml";
  const kind = "InfrastructureProvider";
  return provider({ ...instance, name: "vsphere", kind, release, file });
}

/** Its release in a ConfigMap beside it, so that no network is needed. */
function provider(options: ProviderOptions): Installed {
  const { name, kind, namespace: home, release, file, spec = {}, before = [] } = options;
  const place: Place = { namespace: home, name };
  const text = (of: string) => releaseText(release.get(of) ?? []);
  const labels = { [label]: name };
  const names = [...release.keys()].filter((of) => of.startsWith("cluster-template"));
  const files = {
    components: text(file),
    metadata: text("metadata.yaml"),
    // Those of the infrastructure are looked for alone.
    ...(kind === "InfrastructureProvider" && {
      templates: Object.fromEntries(names.map((of) => [of, text(of)])),
    }),
    version: releaseVersion,
  };
  const declared: KubeObject = {
    apiVersion: `${groups.management}/v1alpha1`,
    kind,
    metadata: { ...place },
    spec: { version: releaseVersion, fetchConfig: { selector: { matchLabels: labels } }, ...spec },
  };
  return {
    objects: [
      namespace(home),
      ...before,
      configMapOf({ namespace: home, name: `${name}-${releaseVersion}`, labels }, files),
      declared,
    ],
    ready: [milestone(declared, "Ready")],
  };
}
