import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderConcierge } from "@rookery/concierge";
import type { KubeObject } from "@rookery/kube";
import { createKubeconfig } from "@rookery/pki";
import { type Kubernetes, runCommand, type TestNamespace, waitFor } from "@rookery/testing";
import { hostAddress } from "./host-address.ts";

export interface InstallationOptions {
  readonly kubernetes: Kubernetes;
  /** For files of this instance. */
  readonly folder: string;
  /** The default one where absent. */
  readonly suffix?: string;
  /** Whether it gets the cluster's signing key. */
  readonly withKey: boolean;
}

type Manifest = KubeObject<Record<string, unknown>>;

const signingSecret = "signing-key";

/**
 * The manifests of an instance in a cluster without a node: all but its pods. Its account's kubeconfig
 * is there for a process that stands for them; what is cluster-wide goes when it is disposed of.
 */
export class InstalledConcierge implements AsyncDisposable {
  readonly suffix: string;
  readonly namespace: string;
  /** Acts as the ServiceAccount, with just its rights. */
  readonly kubeconfig: string;
  /** The arguments of the pods, of which some are changed for this machine. */
  readonly args: readonly string[];
  readonly #kubernetes: Kubernetes;
  readonly #owned: TestNamespace;
  readonly #manifests: readonly Manifest[];

  private constructor(
    options: InstallationOptions,
    parts: { owned: TestNamespace; manifests: readonly Manifest[]; kubeconfig: string },
  ) {
    this.suffix = options.suffix ?? "pinniped.dev";
    this.namespace = parts.owned.name;
    this.kubeconfig = parts.kubeconfig;
    this.args = argumentsOf(parts.manifests);
    this.#kubernetes = options.kubernetes;
    this.#owned = parts.owned;
    this.#manifests = parts.manifests;
  }

  static async apply(options: InstallationOptions): Promise<InstalledConcierge> {
    const { kubernetes, suffix, withKey, folder } = options;
    const owned = await kubernetes.createNamespace("concierge");
    const manifests = (await renderConcierge({
      namespace: owned.name,
      image: "rookery:test",
      ...(suffix && { apiGroupSuffix: suffix }),
      ...(withKey && { signingSecret }),
    })) as readonly Manifest[];
    const stdin = manifests.map((manifest) => JSON.stringify(adapted(manifest))).join("\n---\n");
    await kubernetes.kubectl(["apply", "--filename=-"], { stdin });
    if (withKey) await storeSigningKey(kubernetes, owned.name);
    const kubeconfig = join(folder, `${owned.name}.kubeconfig`);
    await writeFile(kubeconfig, await accountKubeconfig(kubernetes, owned.name));
    return new InstalledConcierge(options, { owned, manifests, kubeconfig });
  }

  group(name: string): string {
    return `${name}.concierge.${this.suffix}`;
  }

  /** Tells the cluster where the process listens, and waits until it has found it. */
  async connect(port: number): Promise<void> {
    const path = `/apis/discovery.k8s.io/v1/namespaces/${this.namespace}/endpointslices`;
    const body = endpointSlice(this.namespace, port);
    const { status } = await this.#kubernetes.request("POST", path, { body });
    if (status !== 201) throw new Error(`could not create an EndpointSlice: ${status}`);
    const services = ["login", "identity"].map((name) => `v1alpha1.${this.group(name)}`);
    for (const service of services) await this.#available(service);
  }

  /** Tells the cluster another port, from which on new connections go there. */
  async moveTo(port: number): Promise<void> {
    const slice = `${this.namespace}/endpointslices/rookery-concierge`;
    const path = `/apis/discovery.k8s.io/v1/namespaces/${slice}`;
    const { ports } = endpointSlice(this.namespace, port);
    await this.#kubernetes.request("PATCH", path, { body: { ports } });
  }

  async #available(service: string): Promise<void> {
    const path = `/apis/apiregistration.k8s.io/v1/apiservices/${service}`;
    let last = "";
    await waitFor(
      async () => {
        const { body } = await this.#kubernetes.request("GET", path);
        const conditions: { type: string; status: string }[] = body.status?.conditions ?? [];
        last = JSON.stringify(conditions);
        const isAvailable = conditions.some(
          ({ type, status }) => type === "Available" && status === "True",
        );
        return isAvailable && this.#isServed(service);
      },
      { what: `APIService ${service} to be available`, timeout: 120_000, detail: () => last },
    );
  }

  /** The aggregator takes up later what the status of an APIService says already. */
  async #isServed(service: string): Promise<boolean> {
    const [version = "", ...group] = service.split(".");
    const path = `/apis/${group.join(".")}/${version}`;
    return (await this.#kubernetes.request("GET", path)).status === 200;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kubectl = this.#kubernetes.description.kubectl;
    const stdin = this.#manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n");
    const args = ["delete", "--ignore-not-found", "--wait=false", "--filename=-"];
    const env = { ...process.env, KUBECONFIG: this.#kubernetes.kubeconfig };
    await runCommand(kubectl, args, { stdin, env });
    await this.#owned[Symbol.asyncDispose]();
  }
}

/** Without a node nobody makes endpoints from a selector, and no pod starts. */
function adapted(manifest: Manifest): Manifest {
  if (manifest.kind === "Deployment") {
    return { ...manifest, spec: { ...manifest.spec, replicas: 0 } };
  }
  if (manifest.kind !== "Service") return manifest;
  const { selector: _, ...spec } = manifest.spec ?? {};
  return { ...manifest, spec };
}

interface DeploymentSpec {
  readonly template: {
    readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
  };
}

function argumentsOf(manifests: readonly Manifest[]): readonly string[] {
  return manifests
    .filter(({ kind }) => kind === "Deployment")
    .map(({ spec }) => spec as unknown as DeploymentSpec)
    .flatMap(({ template }) => template.spec.containers.flatMap(({ args }) => args));
}

async function storeSigningKey(kubernetes: Kubernetes, namespace: string): Promise<void> {
  const file = (name: string) => readFile(join(kubernetes.description.folder, "pki", name));
  const data = {
    "tls.crt": (await file("ca.crt")).toString("base64"),
    "tls.key": (await file("ca.key")).toString("base64"),
  };
  const metadata = { name: signingSecret, namespace };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "kubernetes.io/tls", data };
  await kubernetes.kubectl(["apply", "--filename=-"], { stdin: JSON.stringify(secret) });
}

async function accountKubeconfig(kubernetes: Kubernetes, namespace: string): Promise<string> {
  const token = await kubernetes.kubectl([
    "create",
    "token",
    "rookery-concierge",
    `--namespace=${namespace}`,
    "--duration=2h",
  ]);
  return JSON.stringify(
    createKubeconfig({
      clusterName: "test",
      server: kubernetes.server,
      certificateAuthority: kubernetes.ca,
      userName: "rookery-concierge",
      credentials: { token: token.trim() },
    }),
  );
}

function endpointSlice(namespace: string, port: number) {
  const name = "rookery-concierge";
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name, namespace, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    ports: [{ name: "https", port, protocol: "TCP" }],
    endpoints: [{ addresses: [hostAddress()], conditions: { ready: true } }],
  };
}
