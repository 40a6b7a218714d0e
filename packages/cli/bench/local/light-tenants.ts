import { coreRelease } from "@rookery/core";
import { type Condition, isNotFound, type KubeObject, ownerReferenceTo } from "@rookery/kube";
import { nestedRelease } from "@rookery/nested";
import { processesOfPods } from "@rookery/testing";
import { memoryOf } from "./process-usage.ts";
import type { RunningLocal } from "./running-local.ts";

type Conditioned = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;

const image = "rookery:0.0.0";
const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
const name = "tenant";

/** Installs the providers of nested control planes, as pods of the node. */
export async function installNested(local: RunningLocal): Promise<void> {
  // Of Cluster API's core only the kind is needed: nobody but the bench acts on Clusters.
  const clusters = (coreRelease({ image }).get("core-components.yaml") ?? []).filter(
    (object) => (object as KubeObject).metadata.name === "clusters.cluster.x-k8s.io",
  );
  const release = nestedRelease({ image });
  const files = ["infrastructure-components.yaml", "control-plane-components.yaml"];
  for (const object of [...clusters, ...files.flatMap((file) => release.get(file) ?? [])]) {
    await local.apply(object);
  }
  const deployments = await local.resource<Conditioned>("apps/v1", "Deployment");
  await local.until(
    async () => (await deployments.list()).items.every((one) => isTrue(one, "Available")),
    { what: "the providers to be available" },
  );
}

/** A tenant in a namespace of its own, with one pod as its whole control plane. */
export class LightTenant implements AsyncDisposable {
  readonly #local: RunningLocal;
  readonly #namespace: string;

  static async create(local: RunningLocal, namespace: string): Promise<LightTenant> {
    const tenant = new LightTenant(local, namespace);
    await local.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    return tenant;
  }

  private constructor(local: RunningLocal, namespace: string) {
    this.#local = local;
    this.#namespace = namespace;
  }

  /** Seconds from the first object until its control plane is Ready. */
  async time(): Promise<number> {
    const started = performance.now();
    const place = { namespace: this.#namespace, name };
    const cluster = await this.#local.apply({
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: place,
      spec: { paused: false },
    });
    const reference = (kind: string) => ({ apiVersion, kind, name });
    const objects: [kind: string, spec: object][] = [
      ["NestedEtcd", {}],
      ["NestedControllerManager", {}],
      ["NestedAPIServer", { profile: "light" }],
    ];
    await this.#local.apply({
      apiVersion,
      kind: "NestedControlPlane",
      metadata: { ...place, ownerReferences: [ownerReferenceTo(cluster)] },
      spec: {
        etcd: reference("NestedEtcd"),
        apiserver: reference("NestedAPIServer"),
        controllerManager: reference("NestedControllerManager"),
      },
    });
    for (const [kind, spec] of objects) {
      await this.#local.apply({ apiVersion, kind, metadata: place, spec });
    }
    const plane = { apiVersion, kind: "NestedControlPlane", metadata: place };
    await this.#local.untilSo<Conditioned>(plane, (one) => isTrue(one, "Ready"));
    return (performance.now() - started) / 1000;
  }

  /** In MB. */
  async memory(): Promise<number> {
    const pids = processesOfPods(await this.#local.podUids(this.#namespace));
    return pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  }

  /** Its control plane first: with the namespace alone, who takes it down might go before it. */
  async [Symbol.asyncDispose](): Promise<void> {
    const planes = await this.#local.resource<KubeObject>(apiVersion, "NestedControlPlane");
    const place = { namespace: this.#namespace, name };
    await planes.delete(place).catch(ignoreMissing);
    await this.#local.until(async () => (await this.#local.podUids(this.#namespace)).size === 0, {
      what: "the tenant to be gone",
    });
  }
}

export function isTrue({ status }: Conditioned, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === "True") ?? false;
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
