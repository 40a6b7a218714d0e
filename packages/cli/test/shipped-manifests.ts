import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KubeObject } from "@rookery/kube";
import { createGroupMapping, injectProxy } from "@rookery/proxy";
import { parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The files of an installation, and the manifests in each. */
export type Installations = ReadonlyMap<string, readonly Shipped[]>;

export interface Shipped extends KubeObject {
  readonly automountServiceAccountToken?: boolean;
  readonly spec?: Record<string, unknown>;
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly serviceAccountName: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

export interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> };
  readonly securityContext?: Readonly<Record<string, unknown>>;
}

export interface Workload extends KubeObject {
  readonly spec: {
    readonly template: { readonly metadata: KubeObject["metadata"]; readonly spec: PodSpec };
  };
}

/** Everything that a release installs, and one of those behind the proxy as an instance of its own. */
export function shippedInstallations(): Installations {
  const files = globSync("deploy/{operator.yaml,*/*-components.yaml}", { cwd: root }).sort();
  const shipped = files.map((file) => [file, manifestsOf(file)] as const);
  const nested = "deploy/nested/control-plane-components.yaml";
  return new Map([...shipped, [`${nested} behind a proxy`, injected(manifestsOf(nested))]]);
}

function manifestsOf(file: string): readonly Shipped[] {
  const documents = parseAllDocuments(readFileSync(join(root, file), "utf8"));
  return documents.map((document) => document.toJS() as Shipped);
}

function injected(manifests: readonly Shipped[]): readonly Shipped[] {
  const virtual = "controlplane.cluster.x-k8s.io";
  const mapping = createGroupMapping([{ virtual, real: `blue.${virtual}`, match: "group" }]);
  const options = { instance: "blue", mapping, image: "rookery:test", webhookSecret: "cert" };
  return injectProxy(manifests as never, options).documents as readonly Shipped[];
}

/** The manifests that make pods. */
export function workloadsOf(manifests: readonly Shipped[]): readonly Workload[] {
  const isWorkload = ({ spec }: Shipped): boolean => spec !== undefined && "template" in spec;
  return manifests.filter(isWorkload) as unknown as readonly Workload[];
}
