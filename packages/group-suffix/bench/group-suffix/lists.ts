import { createGroupMapping } from "@rookery/group-suffix";
import type { KubeObject } from "@rookery/kube";

export const mapping = createGroupMapping([{ virtual: "pinniped.dev", real: "team1.example.com" }]);

const fieldsV1 = {
  "f:metadata": {
    "f:labels": { ".": {}, "f:app": {}, "f:pod-template-hash": {} },
    "f:ownerReferences": { ".": {}, 'k:{"uid":"00000000-0000-4000-8000-00000000aaaa"}': {} },
  },
  "f:spec": {
    "f:containers": {
      'k:{"name":"worker"}': { ".": {}, "f:env": { ".": {} }, "f:image": {}, "f:name": {} },
    },
    "f:replicas": {},
    "f:selector": { "f:matchLabels": { "f:app": {} } },
  },
};

/** An object as it is in a busy cluster, of a kind in this group and owned by one. About 3 kB. */
export function nest(group: string, index: number): KubeObject {
  const name = `worker-${index}`;
  const time = "2026-01-01T00:00:00Z";
  const managed = { apiVersion: `${group}/v1`, fieldsType: "FieldsV1", fieldsV1, time };
  const container = (role: string) => ({
    name: role,
    image: `registry.example.org/nests/${role}:v1.2.3`,
    args: ["--leader-elect", "--v=2", `--name=${name}`],
    env: [{ name: "A", value: "1" }],
    resources: { limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m" } },
    volumeMounts: [{ name: "config", mountPath: "/etc/config", readOnly: true }],
  });
  const condition = (type: string) => ({
    type,
    status: "True",
    reason: "AsExpected",
    lastTransitionTime: time,
    message: `the nest ${name} is as it should be`,
  });
  return {
    apiVersion: `${group}/v1`,
    kind: "Nest",
    metadata: {
      name,
      namespace: `team-${index % 20}`,
      uid: `00000000-0000-4000-8000-${index}`,
      resourceVersion: String(100_000 + index),
      generation: 3,
      creationTimestamp: time,
      labels: { app: "worker", "pod-template-hash": "6f5d8c7b9" },
      ownerReferences: [
        {
          apiVersion: `${group}/v1`,
          kind: "Rookery",
          name: "rock",
          uid: "aaaa",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        { ...managed, manager: "nest-controller", operation: "Update" },
        { ...managed, manager: "kubectl", operation: "Apply", subresource: "status" },
      ],
    },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "worker" } },
      template: { spec: { containers: ["worker", "proxy", "init"].map(container) } },
    },
    status: { phase: "Running", conditions: ["Ready", "Available", "Synced"].map(condition) },
  } as KubeObject;
}

/** A list of so many, as an API server answers it. */
export function nestList(group: string, count: number): Buffer {
  const items = Array.from({ length: count }, (_, index) => nest(group, index));
  const list = { apiVersion: `${group}/v1`, kind: "NestList", metadata: {}, items };
  return Buffer.from(`${JSON.stringify(list)}\n`);
}

interface Named {
  apiVersion?: string;
  metadata?: { ownerReferences?: Named[]; managedFields?: Named[] };
  items?: Named[];
}

/** What an app does that decodes: the smallest renaming there is, in place. */
export function renameDecoded(object: Named): void {
  const named = [object, ...(object.metadata?.ownerReferences ?? [])];
  for (const it of [...named, ...(object.metadata?.managedFields ?? [])]) {
    if (it.apiVersion === undefined) continue;
    const slash = it.apiVersion.indexOf("/");
    if (slash < 0) continue;
    it.apiVersion = mapping.swap(it.apiVersion.slice(0, slash)) + it.apiVersion.slice(slash);
  }
  for (const item of object.items ?? []) renameDecoded(item);
}
