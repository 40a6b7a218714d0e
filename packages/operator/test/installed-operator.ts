import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { type Child, freePort, type Kubernetes, startChild, waitFor } from "@rookery/testing";
import { type Manifest, operatorAccount, shippedManifests } from "./operator-account.ts";
import { managementGroup } from "./running-operator.ts";

const root = join(import.meta.dirname, "../../..");
const { namespace, name } = operatorAccount;
/** Tries often, so that a test need not wait long for another leader, and does not give up soon on a busy machine. */
const election = [
  "--leader-elect-lease-duration=15s",
  "--leader-elect-renew-deadline=14s",
  "--leader-elect-retry-period=500ms",
];

interface PodOwner {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
    };
  };
}

/** What differs from the pods. */
interface ReplicaOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A replica of the operator as a process, with the account and the arguments of its pods. */
export interface Replica extends Child {
  readonly metrics: string;
}

/**
 * deploy/operator.yaml in a cluster without a node: all but its pods, for which processes stand. They
 * act as its account, with just its rights.
 */
export class InstalledOperator {
  readonly #kubernetes: Kubernetes;
  readonly #kubeconfig: string;
  readonly #args: readonly string[];
  #started = 0;

  private constructor(kubernetes: Kubernetes, kubeconfig: string, args: readonly string[]) {
    this.#kubernetes = kubernetes;
    this.#kubeconfig = kubeconfig;
    this.#args = args;
  }

  static async apply(kubernetes: Kubernetes): Promise<InstalledOperator> {
    const manifests = await shippedManifests();
    const stdin = manifests.map((manifest) => JSON.stringify(adapted(manifest))).join("\n---\n");
    await kubernetes.kubectl(["apply", "--filename=-"], { stdin });
    return InstalledOperator.find(kubernetes);
  }

  /** One that somebody else has applied. */
  static async find(kubernetes: Kubernetes): Promise<InstalledOperator> {
    const args = ["get", `deployment/${name}`, `--namespace=${namespace}`, "--output=json"];
    const deployment = JSON.parse(await kubernetes.kubectl(args));
    const { kubeconfig } = await kubernetes.serviceAccount(operatorAccount);
    return new InstalledOperator(kubernetes, kubeconfig, argumentsOf(deployment));
  }

  /** Starts one, lets API servers call its webhooks once it is ready, and waits until they can. */
  async start(options: ReplicaOptions = {}): Promise<Replica> {
    const [webhooks, health, metrics] = [await freePort(), await freePort(), await freePort()];
    const id = `replica-${this.#started++}`;
    const child = await startChild({
      name: id,
      command: process.execPath,
      args: [
        ...[join(root, "packages/cli/src/main.ts"), ...this.#args, ...election],
        ...(options.args ?? []),
        `--kubeconfig=${this.#kubeconfig}`,
        `--webhook-port=${webhooks}`,
        `--health-addr=127.0.0.1:${health}`,
        `--metrics-bind-address=127.0.0.1:${metrics}`,
      ],
      env: { ...process.env, POD_NAMESPACE: namespace, ...options.env },
      log: join(this.#kubernetes.logs, `${id}.log`),
      grace: 60_000,
    });
    await ready(child, `http://127.0.0.1:${health}/readyz`);
    await this.#connect(id, webhooks, child);
    await this.#answers();
    return Object.assign(child, { metrics: `http://127.0.0.1:${metrics}/metrics` });
  }

  /** Which process leads; empty where none does. */
  async leader(): Promise<string> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
    const { body } = await this.#kubernetes.request("GET", path);
    return body.spec?.holderIdentity ?? "";
  }

  /** An endpoint for as long as the process is there, as the control plane does it for pods. */
  async #connect(id: string, port: number, child: Child): Promise<void> {
    const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
    const body = endpointSlice(id, port);
    const { status } = await this.#kubernetes.request("POST", path, { body });
    if (status !== 201) throw new Error(`could not create an EndpointSlice: ${status}`);
    const remove = () => this.#kubernetes.request("DELETE", `${path}/${id}`).catch(() => {});
    child.ended.addEventListener("abort", () => void remove());
  }

  /** API servers learn of authorities and of endpoints in their own time. */
  async #answers(): Promise<void> {
    const apiVersion = `${managementGroup}/v1alpha1`;
    const path = `/apis/${apiVersion}/namespaces/${namespace}/coreproviders?dryRun=All`;
    const spec = { version: "v1.0.0" };
    const body = { apiVersion, kind: "CoreProvider", metadata: { name: "trial" }, spec };
    let last = "";
    await waitFor(
      async () => {
        const answer = await this.#kubernetes.request("POST", path, { body });
        last = JSON.stringify(answer.body);
        return answer.status === 201;
      },
      { what: "API servers to reach the webhooks", timeout: 180_000, detail: () => last },
    );
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

function argumentsOf(deployment: PodOwner): readonly string[] {
  return deployment.spec.template.spec.containers.flatMap(({ args }) => args);
}

async function ready(child: Child, url: string): Promise<void> {
  await waitFor(
    async () => {
      child.assertRunning();
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    { what: `${child.name} to be ready`, timeout: 180_000 },
  );
}

function endpointSlice(id: string, port: number) {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const own = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: id, namespace, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    ports: [{ name: "webhooks", port, protocol: "TCP" }],
    endpoints: [{ addresses: [own?.address], conditions: { ready: true } }],
  };
}
