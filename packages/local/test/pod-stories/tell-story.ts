import { type Client, createClient, loadConfig } from "@rookery/client";
import { isNotFound, type KubeObject, type Resource } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import type { DayCluster } from "../workloads-day/day-clusters.ts";
import { nodeName } from "../workloads-day/typed-workload.ts";
import { isReady, type PodStatus, type PodStory } from "./stories.ts";

/** What a node has made of a pod. */
export interface Told {
  readonly status: unknown;
  readonly events: readonly string[];
}

/** A story that was played. */
export interface ToldStory {
  /** What is told of the pod by now. */
  look(): Promise<Told>;
  end(): Promise<void>;
}

interface PodSpec {
  readonly nodeName: string;
  readonly volumes?: readonly { readonly name: string }[];
}

type BoundPod = KubeObject<PodSpec, PodStatus>;

const resource = (kind: string, namespaced = true): Resource => {
  const singular = kind.toLowerCase();
  return { group: "", version: "v1", kind, singular, plural: `${singular}s`, namespaced };
};
const resources = {
  namespaces: resource("Namespace", false),
  serviceAccounts: resource("ServiceAccount"),
  pods: resource("Pod"),
  events: resource("Event"),
};

interface PodEvent extends KubeObject {
  readonly involvedObject: { readonly uid?: string };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** One cluster with its only node. */
export class StoryTeller implements AsyncDisposable {
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  static async start({ kubeconfig }: DayCluster, namespace: string): Promise<StoryTeller> {
    const client = createClient(await loadConfig({ path: kubeconfig }));
    const metadata = { name: namespace };
    await client
      .resource(resources.namespaces)
      .create({ apiVersion: "v1", kind: "Namespace", metadata });
    const accounts = client.resource(resources.serviceAccounts);
    await waitFor(() => accounts.get({ namespace, name: "default" }), {
      what: "the service account",
    });
    return new StoryTeller(client, namespace);
  }

  /** Plays a story until its point has come. */
  async tell(name: string, story: PodStory): Promise<ToldStory> {
    const { spec, onceReady, debuggedBy, isTold, passes, deletedWithin } = story;
    const namespace = this.#namespace;
    const pods = this.#client.resource<BoundPod>(resources.pods);
    const metadata = { name, namespace };
    await pods.create({ apiVersion: "v1", kind: "Pod", metadata, spec: { ...spec, nodeName } });
    let last: BoundPod | undefined;
    const until = (holds: PodStory["isTold"]) =>
      waitFor(
        async () => {
          last = await pods.get({ namespace, name });
          return holds(last.status ?? {}) ? last : undefined;
        },
        { what: `pod ${name}`, timeout: 180_000, detail: () => JSON.stringify(last?.status) },
      );
    if (onceReady) {
      await until(isReady);
      await pods.patch({ namespace, name }, { type: "merge", patch: { spec: onceReady } });
    }
    if (debuggedBy) {
      await until(isReady);
      const patch = { spec: { ephemeralContainers: debuggedBy } };
      await pods
        .subresource("ephemeralcontainers")
        .patch({ namespace, name }, { type: "merge", patch });
    }
    const pod = await until(isTold);
    const end = async (gracePeriodSeconds: number) => {
      await pods.delete({ namespace, name }, { gracePeriodSeconds });
    };
    if (deletedWithin === undefined) {
      return {
        look: async () => this.#tellOf(passes ? pod : await pods.get({ namespace, name })),
        end: () => end(0),
      };
    }
    await end(deletedWithin);
    const isGone = () => pods.get({ namespace, name }).then(() => false, isNotFound);
    await waitFor(isGone, { what: `the end of pod ${name}`, timeout: 120_000 });
    return { look: () => this.#tellOf(pod), end: async () => {} };
  }

  async #tellOf(pod: BoundPod): Promise<Told> {
    return { status: comparable(pod), events: await this.#eventsOf(pod) };
  }

  async #eventsOf({ metadata }: BoundPod): Promise<string[]> {
    const { items } = await this.#client
      .resource<PodEvent>(resources.events)
      .list({ namespace: this.#namespace });
    const own = items.filter(({ involvedObject }) => involvedObject.uid === metadata.uid);
    const texts = own
      // The node of the run has no DNS, and its kubelet says so of each pod.
      .filter(({ reason }) => reason !== "MissingClusterDNS")
      // A kubelet that is slow to hear of a namespace's objects says so, and tries again.
      .filter(({ message }) => !/failed to sync \w+ cache: timed out/.test(message))
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`)
      .map((text) => text.replaceAll(metadata.uid ?? "-", "UID"));
    return [...new Set(texts)].sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.resource(resources.namespaces).delete({ name: this.#namespace });
    await this.#client[Symbol.asyncDispose]();
  }
}

/** What is the same on any node: no times, no ids, no addresses. */
function comparable({ metadata, status, spec }: BoundPod): unknown {
  const volume = spec?.volumes?.find(({ name }) => name.startsWith("kube-api-access-"))?.name;
  const text = JSON.stringify(status, (key, value) => {
    if (/^(startTime|lastTransitionTime|startedAt|finishedAt)$/.test(key)) return "TIME";
    if (/^(containerID|imageID)$/.test(key)) return value === "" ? "" : "ID";
    if (/^(podIP|hostIP|ip)$/.test(key)) return "ADDRESS";
    // A real node knows one content by several names, and says one of them.
    if (key === "image") return "IMAGE";
    return value;
  });
  const named = text.replaceAll(metadata.uid ?? "-", "UID");
  return JSON.parse(volume ? named.replaceAll(volume, "ACCESS") : named);
}
