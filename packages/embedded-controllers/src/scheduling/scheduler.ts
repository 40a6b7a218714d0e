import type { Node, Pod } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources, storedObjects, withPodCondition } from "@rookery/kube";
import type { EventRecorder, Runnable } from "@rookery/runtime";
import { createEventBroadcaster, eventResource, type KubeEvent } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { isOvertaken } from "../context/store-controller.ts";
import { NodeState, takesRoom } from "./node-state.ts";
import { followPending, inOrder, isPending } from "./pending-pods.ts";
import { placePod } from "./place-pod.ts";
import { judgeClaims } from "./pod-claims.ts";

const fieldManager = "kube-scheduler";
const selectedNode = "volume.kubernetes.io/selected-node";
/** The delay after a failure that no pod caused. */
const retryMs = 1000;

/**
 * Binds pods to nodes, the highest priority first, and reports why a pod fits on no node. Changes of
 * nodes, claims and other pods start another pass.
 */
export function createScheduler(context: ControllerContext): Runnable {
  return {
    name: "kube-scheduler",
    async start(signal) {
      const { client, logger, now } = context;
      const events = client.resource<KubeEvent>(eventResource);
      const broadcaster = createEventBroadcaster({ events, logger, wallClock: now });
      const recorder = broadcaster.recorder("default-scheduler");
      const telling = broadcaster.start(signal);
      const passes = followPending(context.store, signal);
      while (await passes.next()) {
        try {
          await new Pass(context, recorder, signal).run();
        } catch (error) {
          if (signal.aborted) break;
          context.logger.error(error, "Could not schedule pods");
          passes.again(retryMs);
        }
      }
      await telling;
    },
  };
}

/** One attempt to place all pending pods on the present nodes. */
class Pass {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #signal: AbortSignal;
  readonly #nodes: readonly NodeState[];
  readonly #pending: readonly Pod[];

  constructor(context: ControllerContext, recorder: EventRecorder, signal: AbortSignal) {
    this.#context = context;
    this.#recorder = recorder;
    this.#signal = signal;
    const pods = storedObjects<Pod>(context.store, "pods");
    const nodes = storedObjects<Node>(context.store, "nodes").map((node) => new NodeState(node));
    const byName = new Map(nodes.map((node) => [node.name, node]));
    for (const pod of pods.filter(takesRoom)) byName.get(pod.spec?.nodeName ?? "")?.add(pod);
    this.#nodes = nodes.filter(({ node }) => node.metadata?.deletionTimestamp === undefined);
    this.#pending = inOrder(pods.filter(isPending));
  }

  async run(): Promise<void> {
    for (const pod of this.#pending) {
      if (this.#signal.aborted) return;
      try {
        await this.#schedule(pod);
      } catch (error) {
        // The pod has gone or is bound: either is an event.
        if (!isOvertaken(error)) throw error;
      }
    }
  }

  async #schedule(pod: Pod): Promise<void> {
    const claims = judgeClaims(pod, this.#context.store);
    const around = { nodes: this.#nodes, namespaceLabels: this.#namespaceLabels };
    const placement = placePod(pod, around, claims);
    if (placement.kind === "none") return this.#reject(pod, placement.message);
    const { node } = placement;
    if (claims.kind === "usable" && claims.waiting.length > 0) {
      for (const claim of claims.waiting) await this.#select(claim as KubeObject, node.name);
      return;
    }
    await this.#bind(pod, node.name);
    node.add(pod);
  }

  readonly #namespaceLabels = (name: string) => {
    const found = this.#context.store.get({ resource: "namespaces", namespace: "", name });
    return found?.object.metadata.labels ?? {};
  };

  /** The pod is bound when its claims are. */
  async #select({ metadata }: KubeObject, node: string): Promise<void> {
    if (metadata.annotations?.[selectedNode] === node) return;
    const { namespace = "", name = "" } = metadata;
    const claims = this.#context.client.resource(builtInResources.persistentVolumeClaims);
    const patch = { metadata: { annotations: { [selectedNode]: node } } };
    const options = { fieldManager, signal: this.#signal };
    await claims.patch({ namespace, name }, { type: "merge", patch }, options);
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace, uid },
      target: { kind: "Node", name: node },
    };
    const bindings = this.#context.client.resource(builtInResources.pods).subresource("binding");
    const options = { fieldManager, signal: this.#signal };
    await bindings.create({ namespace, name }, binding as KubeObject, options);
    this.#recorder.event(referenceTo(pod), {
      type: "Normal",
      reason: "Scheduled",
      action: "Binding",
      note: `Successfully assigned ${namespace}/${name} to ${node}`,
    });
  }

  /** Reports each reason once: a pod that waits for the same thing is not reported again. */
  async #reject(pod: Pod, message: string): Promise<void> {
    const { namespace = "", name = "", generation } = pod.metadata ?? {};
    const known = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    if (known?.reason === "Unschedulable" && known.message === message) return;
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const conditions = withPodCondition(pod.status?.conditions, condition, this.#context.now);
    const [stated] = conditions.filter(({ type }) => type === "PodScheduled");
    const observed = { ...stated, ...(generation && { observedGeneration: generation }) };
    const patch = { status: { conditions: [observed] } };
    const { status } = this.#context.client.resource(builtInResources.pods);
    const options = { fieldManager, signal: this.#signal };
    await status.patch({ namespace, name }, { type: "strategic", patch }, options);
    const said = { reason: "FailedScheduling", action: "Scheduling", note: message };
    this.#recorder.event(referenceTo(pod), { type: "Warning", ...said });
  }
}

function referenceTo({ metadata }: Pod) {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata ?? {};
  return { apiVersion: "v1", kind: "Pod", namespace, name, uid, resourceVersion };
}
