import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { nestedRelease } from "@rookery/nested";
import { rookeryImage } from "@rookery/packaging";
import {
  clusterApiManager,
  clusterApiProviders,
  clusterApiRelease,
  fittingComponents,
  type KubernetesNode,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { stringify } from "yaml";

const deploy = join(import.meta.dirname, "../../../deploy/operator.yaml");
const coreVersion = "v1.13.6";
const coreImage = `registry.k8s.io/cluster-api/cluster-api-controller:${coreVersion}`;
/** What deploy/operator.yaml names, as containerd calls it. */
const rookery = "docker.io/library/rookery:0.0.0";
const nestedVersion = "v0.3.0";
const namespace = "capi-system";

/** Why Cluster API cannot be had on this machine, if so. */
export async function managementUnavailable(): Promise<string | false> {
  const [core] = clusterApiProviders;
  return (
    (await whyUnavailable(clusterApiManager)) ||
    (await whyUnavailable(() => clusterApiRelease(core, coreVersion)))
  );
}

/**
 * Brings up what tenants are managed by, all of it in pods: the operator, and through it Cluster API's
 * real core and both providers of nested control planes.
 */
export async function installManagement(node: KubernetesNode): Promise<void> {
  await node.importImage(await rookeryImage({ name: rookery }));
  await node.importImage({
    name: coreImage,
    entries: [{ path: "manager", source: await clusterApiManager(), mode: 0o755 }],
    entrypoint: ["/manager"],
    user: "65532:65532",
  });
  await node.kubectl(["apply", "--filename", deploy]);
  await node.kubectl([
    ...["wait", "deployment/rookery-operator", "--namespace=rookery-system"],
    ...["--for=condition=Available", "--timeout=300s"],
  ]);
  await node.kubectl(["create", "namespace", namespace]);
  const [core] = clusterApiProviders;
  const { components, metadata } = await clusterApiRelease(core, coreVersion);
  await install(node, "CoreProvider", {
    name: "cluster-api",
    version: coreVersion,
    components: fittingComponents(node, components),
    metadata,
  });
  const release = nestedRelease({ image: "rookery:0.0.0" });
  const file = (name: string) =>
    (release.get(name) ?? []).map((one) => stringify(one)).join("---\n");
  const nested = { name: "nested", version: nestedVersion, metadata: file("metadata.yaml") };
  for (const [kind, name] of Object.entries(providers)) {
    await install(node, kind, { ...nested, components: file(name) });
  }
  for (const kind of ["CoreProvider", ...Object.keys(providers)]) await isReady(node, kind);
}

const providers = {
  InfrastructureProvider: "infrastructure-components.yaml",
  ControlPlaneProvider: "control-plane-components.yaml",
};

interface Release {
  readonly name: string;
  readonly version: string;
  readonly components: string;
  readonly metadata: string;
}

/** A provider, with its release in a ConfigMap. */
async function install(node: KubernetesNode, kind: string, release: Release): Promise<void> {
  const { name, version, components, metadata } = release;
  const labels = { provider: kind.toLowerCase() };
  const objects = [
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: `${kind.toLowerCase()}-${version}`,
        namespace,
        labels: { ...labels, "provider.cluster.x-k8s.io/version": version },
        annotations: { "provider.cluster.x-k8s.io/compressed": "true" },
      },
      data: { metadata },
      binaryData: { components: gzipSync(components).toString("base64") },
    },
    {
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind,
      metadata: { name, namespace },
      spec: { version, fetchConfig: { selector: { matchLabels: labels } } },
    },
  ];
  const stdin = objects.map((object) => JSON.stringify(object)).join("\n---\n");
  let last: unknown;
  const isTaken = () =>
    node.kubectl(["apply", "--server-side", "--filename=-"], { stdin }).catch((error: unknown) => {
      last = error;
    });
  // Until the operator has told API servers of its authority, they cannot ask it.
  await waitFor(isTaken, {
    what: `${kind} to be taken`,
    timeout: 120_000,
    detail: () => String(last),
  });
}

async function isReady(node: KubernetesNode, kind: string): Promise<void> {
  let last = "";
  await waitFor(
    async () => {
      const resource = `${kind.toLowerCase()}s.management.cluster.x-k8s.io`;
      last = await node.kubectl(["get", resource, `--namespace=${namespace}`, "--output=json"]);
      const [{ status } = { status: undefined }] = JSON.parse(last).items;
      const conditions: { type: string; status: string }[] = status?.conditions ?? [];
      return conditions.some(({ type, status }) => type === "Ready" && status === "True");
    },
    { what: `${kind} to be ready`, timeout: 480_000, interval: 500, detail: () => last },
  );
}
