import { type KubeObject, ownerReferenceTo } from "@rookery/kube";
import type { ManagementCluster } from "./management.ts";

export const core = "cluster.x-k8s.io/v1beta2";
export const infrastructure = "infrastructure.cluster.x-k8s.io";
const bootstrap = "bootstrap.cluster.x-k8s.io";
export const controlPlane = "controlplane.cluster.x-k8s.io";

/** So long ago that its age is the same a minute later. */
export const longAgo = "2010-01-01T00:00:00Z";

interface Stated {
  readonly status?: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export const condition = (type: string, stated: Stated = {}) => ({
  type,
  status: "True",
  reason: `Is${type}`,
  message: "",
  lastTransitionTime: longAgo,
  ...stated,
});

/** As the contract before had them, which knew no empty message. */
export const older = (...conditions: readonly object[]) => ({
  deprecated: {
    v1beta1: { conditions: conditions.map((one) => ({ message: "x", ...withoutEmpty(one) })) },
  },
});

const withoutEmpty = (one: object) =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ""));

interface Parts {
  readonly spec?: object;
  readonly status?: object;
  readonly labels?: Readonly<Record<string, string>>;
  readonly owner?: KubeObject;
  readonly finalizers?: readonly string[];
}

/** Makes the objects of one cluster in a namespace. */
export class Scene {
  readonly #management: ManagementCluster;
  readonly #namespace: string;
  readonly #cluster: string;

  constructor(management: ManagementCluster, namespace: string, cluster: string) {
    this.#management = management;
    this.#namespace = namespace;
    this.#cluster = cluster;
  }

  make(apiVersion: string, kind: string, name: string, parts: Parts = {}): Promise<KubeObject> {
    const { spec, status, labels, owner, finalizers } = parts;
    return this.#management.make({
      apiVersion,
      kind,
      ...(spec && { spec }),
      ...(status && { status }),
      metadata: {
        name,
        namespace: this.#namespace,
        labels: { "cluster.x-k8s.io/cluster-name": this.#cluster, ...labels },
        ...(owner && { ownerReferences: [{ ...ownerReferenceTo(owner), controller: true }] }),
        ...(finalizers && { finalizers }),
      },
    } as KubeObject);
  }

  async delete({ apiVersion, kind, metadata }: KubeObject): Promise<void> {
    const resources = await this.#management.client.kind({ apiVersion, kind });
    await resources.delete({ namespace: this.#namespace, name: metadata.name ?? "" });
  }

  cluster(spec: object, status: object, finalizers: readonly string[] = []): Promise<KubeObject> {
    return this.make(core, "Cluster", this.#cluster, { spec, status, finalizers });
  }

  infrastructure(
    kind: string,
    name: string,
    conditions: readonly object[] = [],
    parts: Parts = {},
  ): Promise<KubeObject> {
    const status = { conditions };
    return this.make(`${infrastructure}/v1beta2`, kind, name, { spec: {}, status, ...parts });
  }

  /** A machine with its infrastructure and its bootstrap configuration. */
  async machine(name: string, owner: KubeObject | undefined, given: MachineParts = {}) {
    const { conditions = healthy(), infra = [condition("Ready")], ...rest } = given;
    await this.infrastructure("InfraMachine", name, infra);
    await this.make(`${bootstrap}/v1beta2`, "KubeadmConfig", name, {
      spec: { joinConfiguration: { nodeRegistration: { name: "x" } } },
      status: { conditions: [condition("Ready")] },
    });
    return this.make(core, "Machine", name, {
      ...rest,
      ...(owner && { owner }),
      spec: {
        clusterName: this.#cluster,
        infrastructureRef: { apiGroup: infrastructure, kind: "InfraMachine", name },
        bootstrap: { configRef: { apiGroup: bootstrap, kind: "KubeadmConfig", name } },
      },
      status: { conditions, ...older(condition("Ready")) },
    });
  }

  async deployment(name: string, replicas: number, status: object) {
    const labels = { pool: name };
    const template = {
      metadata: { labels },
      spec: {
        clusterName: this.#cluster,
        infrastructureRef: {
          apiGroup: infrastructure,
          kind: "InfraMachineTemplate",
          name: `${name}-infra`,
        },
        bootstrap: {
          configRef: { apiGroup: bootstrap, kind: "KubeadmConfigTemplate", name: `${name}-config` },
        },
      },
    };
    const spec = {
      clusterName: this.#cluster,
      replicas,
      selector: { matchLabels: labels },
      template,
    };
    const deployment = await this.make(core, "MachineDeployment", name, { spec, status });
    const set = await this.make(core, "MachineSet", `${name}-set`, {
      owner: deployment,
      spec,
      status: { replicas, readyReplicas: 1, availableReplicas: 1 },
    });
    return { deployment, set };
  }
}

interface MachineParts {
  readonly conditions?: readonly object[];
  readonly infra?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

export const healthy = (ready: Stated = {}) => [
  condition("Available"),
  condition("Ready", ready),
  condition("UpToDate"),
  condition("Paused", { status: "False", reason: "NotPaused" }),
];
