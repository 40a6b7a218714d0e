import type { Kubernetes } from "../kubernetes.ts";
import type { Pod } from "./pod.ts";

const heartbeat = 10_000;

/** The Node that pods are bound to: without one, and its heartbeat, controllers would take the pods away. */
export async function registerNode(kubernetes: Kubernetes, name: string): Promise<AsyncDisposable> {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name } };
  await kubernetes.request("POST", "/api/v1/nodes", { body: node });
  const now = new Date().toISOString();
  const ready = {
    type: "Ready",
    status: "True",
    reason: "KubeletReady",
    message: "a process node",
  };
  const conditions = [{ ...ready, lastHeartbeatTime: now, lastTransitionTime: now }];
  const path = `/api/v1/nodes/${name}`;
  await kubernetes.request("PATCH", `${path}/status`, { body: { status: { conditions } } });
  // A new node is kept free of pods until its first heartbeat is seen; nothing here needs that.
  await kubernetes.request("PATCH", path, { body: { spec: { taints: null } } });
  const timer = setInterval(() => void renewLease(kubernetes, name).catch(() => {}), heartbeat);
  timer.unref();
  await renewLease(kubernetes, name);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await kubernetes.request("DELETE", path);
    },
  };
}

async function renewLease(kubernetes: Kubernetes, name: string): Promise<void> {
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const renewTime = new Date().toISOString().replace("Z", "000Z");
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime };
  const { status } = await kubernetes.request("PATCH", `${leases}/${name}`, { body: { spec } });
  if (status !== 404) return;
  const apiVersion = "coordination.k8s.io/v1";
  const body = { apiVersion, kind: "Lease", metadata: { name }, spec };
  await kubernetes.request("POST", leases, { body });
}

/** What a scheduler does. A pod that is gone or bound meanwhile is left alone. */
export async function bindPod(kubernetes: Kubernetes, pod: Pod, node: string): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  const body = {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, uid },
    target: { kind: "Node", name: node },
  };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
  const answer = await kubernetes.request("POST", path, { body });
  if ([201, 404, 409].includes(answer.status)) return;
  throw new Error(`could not bind pod ${namespace}/${name}: ${answer.body.message}`);
}
