import type { NestedEtcd } from "@rookery/api";
import { formatTime, getCondition, type KubeObject, type Resource } from "@rookery/kube";
import type { Request } from "@rookery/runtime";
import type { Siblings } from "../../src/component/parent.ts";
import { EtcdRequestError } from "../../src/errors.ts";
import type { EtcdGateway, EtcdMember } from "../../src/etcd/gateway.ts";
import { etcdLifecycle } from "../../src/etcd/reconcile.ts";
import type { ConfigMap, Pod, StatefulSet } from "../../src/manifests/kinds.ts";
import { etcdMemberHost, selectorLabels } from "../../src/names.ts";
import { ComponentWorld, cluster, namespace } from "../component/component-world.ts";

const finalizer = "nestedetcd.controlplane.cluster.x-k8s.io";
export const labels = selectorLabels(cluster, "etcd");

function etcd(spec: Partial<NestedEtcd["spec"]> = {}): NestedEtcd {
  const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
  const owner = { apiVersion, kind: "NestedControlPlane", name: cluster, uid: "plane" };
  return {
    apiVersion,
    kind: "NestedEtcd",
    metadata: {
      name: cluster,
      namespace,
      uid: "netcd",
      generation: 1,
      finalizers: [finalizer],
      labels: { "cluster.x-k8s.io/cluster-name": cluster },
      ownerReferences: [{ ...owner, controller: true }],
    },
    spec: {
      version: "3.6.8",
      replicas: 1,
      storage: { size: "1Gi" },
      deletionPolicy: "Delete",
      ...spec,
    },
  };
}

/** An etcd whose members are as real as a list: a pod that runs is a member that has started. */
export class EtcdScene {
  readonly world = new ComponentWorld();
  siblings: Siblings = { etcd: undefined, apiServer: undefined, controllerManager: undefined };
  members: EtcdMember[] = [];
  /** Ordinals whose process does not answer. */
  readonly silent = new Set<number>();
  /** Whether what is started from now on never becomes ready. */
  breaks = false;
  /** Pods that the server has and the cache does not show yet, by their names. */
  readonly live = new Map<string, Pod>();
  #claims = 0;

  constructor(spec: Partial<NestedEtcd["spec"]> = {}) {
    this.world.put(etcd(spec));
    this.world.controlPlane();
    this.world.issue();
  }

  reconcile() {
    const world = this.world.scope<NestedEtcd>("NestedEtcd");
    const scope = {
      ...world,
      read: async <O extends KubeObject>(resource: Resource, key: Request) =>
        (resource.kind === "Pod" ? (this.live.get(key.name) as O | undefined) : undefined) ??
        world.read<O>(resource, key),
      getSiblings: async () => this.siblings,
      connect: ({ tls }: { tls?: { servername?: string } }) => this.#gateway(tls?.servername ?? ""),
    };
    return etcdLifecycle.reconcile({ namespace, name: cluster }, scope);
  }

  /** What the StatefulSet's controller, a node and etcd itself would do. */
  act(): void {
    const { statefulSet } = this;
    if (!statefulSet) return;
    const { replicas = 1, updateStrategy } = statefulSet.spec ?? {};
    const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
    const updateRevision = JSON.stringify(statefulSet.spec?.template);
    for (let ordinal = 0; ordinal < 5; ordinal++) {
      const pod = this.pod(ordinal);
      if (ordinal >= replicas) this.#drop(ordinal);
      else if (!pod) this.#start(ordinal, ordinal < partition ? this.revision : updateRevision);
      else if (ordinal >= partition && revisionOf(pod) !== updateRevision) {
        this.#start(ordinal, updateRevision);
        break;
      }
    }
    const { generation: observedGeneration = 0 } = statefulSet.metadata;
    this.world.put({ ...statefulSet, status: { observedGeneration, updateRevision } });
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 40; round++) {
      const { kind } = await this.reconcile();
      if (kind === "done" && round > 0) return;
      this.act();
    }
  }

  change(spec: Partial<NestedEtcd["spec"]>): void {
    const { metadata, ...rest } = this.now;
    const generation = (metadata.generation ?? 0) + 1;
    const changed = { ...rest.spec, ...spec };
    this.world.put({ ...rest, metadata: { ...metadata, generation }, spec: changed });
  }

  /** The volume and the pod go, and come back empty. */
  lose(ordinal: number): void {
    this.#drop(ordinal);
  }

  get now(): NestedEtcd {
    return this.world.get("NestedEtcd", cluster);
  }

  get statefulSet(): StatefulSet {
    return this.world.get("StatefulSet", "blue-etcd");
  }

  get membership(): Readonly<Record<string, string>> {
    return this.world.get<ConfigMap>("ConfigMap", "blue-etcd").data ?? {};
  }

  get names(): string[] {
    return this.members.map(({ name, isLearner }) => `${name}${isLearner ? "?" : ""}`);
  }

  pod(ordinal: number): Pod | undefined {
    return this.world.get<Pod>("Pod", `blue-etcd-${ordinal}`);
  }

  get revision(): string {
    return this.statefulSet.status?.updateRevision ?? "";
  }

  reason(type: string): string | undefined {
    const found = getCondition(this.now.status?.conditions, type);
    return found && `${found.status} ${found.reason}`;
  }

  #drop(ordinal: number): void {
    this.world.objects.delete(`Pod/${namespace}/blue-etcd-${ordinal}`);
    this.world.objects.delete(`PersistentVolumeClaim/${namespace}/data-blue-etcd-${ordinal}`);
  }

  /** A member without data starts only where it finds itself in the initial cluster. */
  #start(ordinal: number, revision: string): void {
    const name = `blue-etcd-${ordinal}`;
    const claim = this.world.get("PersistentVolumeClaim", `data-${name}`);
    if (!claim) this.#claim(name);
    const url = `https://${etcdMemberHost(cluster, namespace, ordinal)}:2380`;
    const isInvited = this.membership["initial-cluster"]?.includes(url) ?? false;
    const known = this.members.find(({ peerUrls }) => peerUrls.includes(url));
    if (!claim && isInvited && !known) {
      this.members.push({ id: `${ordinal}`, name, peerUrls: [url], isLearner: false });
    } else if (!claim && isInvited && known?.name === "") {
      this.members = this.members.map((one) => (one === known ? { ...one, name } : one));
    } else if (!claim) this.silent.add(ordinal);
    if (claim || isInvited) this.silent.delete(ordinal);
    if (this.breaks) this.silent.add(ordinal);
    const status = { podIP: `10.0.0.${ordinal}`, conditions: this.#conditions(ordinal) };
    const creationTimestamp = formatTime(this.world.now);
    const own = { ...labels, "controller-revision-hash": revision };
    const metadata = { name, namespace, labels: own, creationTimestamp };
    this.world.put({ apiVersion: "v1", kind: "Pod", metadata, status } as Pod);
  }

  #conditions(ordinal: number) {
    return [{ type: "Ready", status: this.silent.has(ordinal) ? "False" : "True" }];
  }

  #claim(name: string): void {
    const metadata = { name: `data-${name}`, namespace, labels, uid: `claim-${this.#claims++}` };
    this.world.put({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata } as KubeObject);
  }

  #gateway(servername: string): EtcdGateway {
    const ordinal = Number(/-(\d+)\./.exec(servername)?.[1]);
    const answers = () => {
      if (this.silent.has(ordinal)) throw new EtcdRequestError("list", "no answer");
    };
    const change = (id: string, to: (member: EtcdMember) => EtcdMember[]) => {
      answers();
      this.members = this.members.flatMap((one) => (one.id === id ? to(one) : [one]));
    };
    return {
      members: async () => {
        answers();
        return this.members;
      },
      addLearner: async (url) => {
        answers();
        this.members.push({
          id: `${url} ${this.#claims++}`,
          name: "",
          peerUrls: [url],
          isLearner: true,
        });
      },
      promote: async (id) => {
        change(id, (one) => [{ ...one, isLearner: false }]);
        return true;
      },
      remove: async (id) => change(id, () => []),
      isHealthy: async () => {
        const own = this.members.find(({ peerUrls }) => peerUrls[0]?.includes(servername));
        return !this.silent.has(ordinal) && own !== undefined && own.name !== "";
      },
      [Symbol.asyncDispose]: async () => {},
    };
  }
}

/** Of the template that a pod is made from. */
export function revisionOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.["controller-revision-hash"];
}
