import { patchTypes } from "@rookery/kube";
import type { Answer, Exchange, Scenario } from "@rookery/testing";

const claimsPath = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
const volumes = "/api/v1/persistentvolumes";
const pods = "/api/v1/namespaces/{ns}/pods";

/** Volumes are not in the namespace, but carry its name. */
function volume(name: string, spec: object = {}): Exchange {
  const body = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `{ns}-${name}`, labels: { scenario: "{ns}" } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      hostPath: { path: "/srv/nowhere" },
      storageClassName: "{ns}",
      ...spec,
    },
  };
  return { what: `the volume ${name}`, path: volumes, body, silent: true };
}

function claim(name: string, spec: object = {}): Exchange {
  const body = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "{ns}",
      ...spec,
    },
  };
  return { what: `the claim ${name}`, path: claimsPath, body, silent: true };
}

const isPhase = (phase: string) => (answer: Answer) =>
  (answer.body as { status?: { phase?: string } }).status?.phase === phase;
const isGone = ({ status }: Answer) => status === 404;

function volumeIs(name: string, phase: string): Exchange {
  return {
    what: `the volume ${name} is ${phase}`,
    path: `${volumes}/{ns}-${name}`,
    until: isPhase(phase),
  };
}

function claimIs(name: string, phase: string): Exchange {
  return {
    what: `the claim ${name} is ${phase}`,
    path: `${claimsPath}/${name}`,
    until: isPhase(phase),
  };
}

const remove = (path: string): Exchange => ({
  what: `deleting ${path}`,
  method: "DELETE",
  path,
  silent: true,
});

function release(name: string): Exchange[] {
  const path = `${volumes}/{ns}-${name}`;
  return [remove(path), { what: `the volume ${name} has gone`, path, until: isGone }];
}

/** Volumes and claims that are made by hand. */
export const claims: readonly Scenario[] = [
  {
    name: "a claim that finds its volume",
    exchanges: [
      volume("v"),
      volumeIs("v", "Available"),
      claim("c"),
      claimIs("c", "Bound"),
      volumeIs("v", "Bound"),
      remove(`${volumes}/{ns}-v`),
      { what: "a volume that is deleted while it is bound", path: `${volumes}/{ns}-v` },
      remove(`${claimsPath}/c`),
      { what: "the claim has gone", path: `${claimsPath}/c`, until: isGone },
      { what: "the volume has gone with it", path: `${volumes}/{ns}-v`, until: isGone },
    ],
  },
  {
    name: "a claim that names its volume",
    exchanges: [
      claim("early", { volumeName: "{ns}-never" }),
      claimIs("early", "Pending"),
      volume("asked"),
      volumeIs("asked", "Available"),
      claim("late", { volumeName: "{ns}-asked" }),
      claimIs("late", "Bound"),
      volumeIs("asked", "Bound"),
      remove(`${claimsPath}/late`),
      volumeIs("asked", "Released"),
      ...release("asked"),
      volume("reserved", { claimRef: { namespace: "{ns}", name: "mine" } }),
      volumeIs("reserved", "Available"),
      claim("mine"),
      claimIs("mine", "Bound"),
      volumeIs("reserved", "Bound"),
      volume("small", { capacity: { storage: "1Mi" } }),
      claim("large", { volumeName: "{ns}-small" }),
      claimIs("large", "Pending"),
      volumeIs("small", "Available"),
      ...release("small"),
      remove(`${claimsPath}/mine`),
      volumeIs("reserved", "Released"),
      ...release("reserved"),
    ],
  },
  {
    name: "a claim that loses its volume",
    exchanges: [
      volume("v"),
      claim("c"),
      claimIs("c", "Bound"),
      remove(`${volumes}/{ns}-v`),
      {
        what: "a volume without protection",
        method: "PATCH",
        path: `${volumes}/{ns}-v`,
        contentType: patchTypes.merge,
        body: { metadata: { finalizers: null } },
        silent: true,
      },
      claimIs("c", "Lost"),
    ],
  },
  {
    name: "a claim that a pod uses",
    exchanges: [
      claim("c"),
      {
        what: "the pod",
        path: pods,
        body: {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: {
            nodeName: "nowhere",
            volumes: [{ name: "data", persistentVolumeClaim: { claimName: "c" } }],
            containers: [{ name: "main", image: "x" }],
          },
        },
        silent: true,
      },
      remove(`${claimsPath}/c`),
      { what: "the claim that is used", path: `${claimsPath}/c` },
      remove(`${pods}/p?gracePeriodSeconds=0`),
      { what: "the claim that was used has gone", path: `${claimsPath}/c`, until: isGone },
    ],
  },
  {
    name: "a volume that can't be deleted",
    exchanges: [
      volume("v", {
        persistentVolumeReclaimPolicy: "Delete",
        hostPath: undefined,
        local: { path: "/srv/x" },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
          },
        },
      }),
      claim("c"),
      claimIs("c", "Bound"),
      remove(`${claimsPath}/c`),
      volumeIs("v", "Failed"),
      ...release("v"),
    ],
  },
  {
    name: "a claim of a pod's own",
    exchanges: [
      {
        what: "the pod",
        path: pods,
        body: {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: {
            volumes: [
              {
                name: "own",
                ephemeral: {
                  volumeClaimTemplate: {
                    metadata: { labels: { a: "b" }, annotations: { c: "d" } },
                    spec: {
                      accessModes: ["ReadWriteOnce"],
                      resources: { requests: { storage: "1Gi" } },
                    },
                  },
                },
              },
            ],
            containers: [{ name: "main", image: "x" }],
          },
        },
        silent: true,
      },
      claimIs("p-own", "Pending"),
    ],
  },
];
