import { patchTypes } from "@rookery/kube";
import type { Answer, Exchange, Scenario } from "@rookery/testing";

const pods = "/api/v1/namespaces/{ns}/pods";
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";

function makePod(name: string, more: object = {}): Exchange {
  const metadata = { name, labels: { app: "a" } };
  const spec = { containers: [{ name: "main", image: "x" }], ...more };
  const body = { apiVersion: "v1", kind: "Pod", metadata, spec };
  return { what: `making ${name}`, path: pods, body, keep: name, silent: true };
}

function bind(what: string, name: string, more: object): Exchange {
  const body = { apiVersion: "v1", kind: "Binding", metadata: { name }, ...more };
  return { what, path: `${pods}/${name}/binding`, body };
}

const node = { target: { apiVersion: "v1", kind: "Node", name: "nowhere" } };

function say(name: string, status: object): Exchange {
  return {
    what: `the status of ${name}`,
    method: "PATCH",
    path: `${pods}/${name}/status`,
    contentType: patchTypes.merge,
    body: { status },
    silent: true,
  };
}

const runs = (ready: "True" | "False") => ({
  phase: "Running",
  conditions: [{ type: "Ready", status: ready, lastTransitionTime: "2026-01-01T00:00:00Z" }],
});

/** A pod that runs somewhere. */
function running(name: string, ready: "True" | "False" = "True"): Exchange[] {
  return [makePod(name, { nodeName: "nowhere" }), say(name, runs(ready))];
}

function evict(what: string, name: string, more: object = {}, query = ""): Exchange {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, ...more };
  return { what, path: `${pods}/${name}/eviction${query}`, body };
}

function budget(name: string, spec: object): Exchange {
  const metadata = { name };
  const selector = { matchLabels: { app: "a" } };
  const body = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { selector, ...spec },
  };
  return { what: `the budget ${name}`, path: budgets, body, silent: true };
}

/** Waits until a budget has counted so many. */
function counted(name: string, wanted: Readonly<Record<string, number>>): Exchange {
  const isCounted = ({ body }: Answer) => {
    const { status = {} } = body as { status?: Record<string, unknown> };
    // Pods that are evicted are named until the controller has seen them go.
    const isSettled = status.disruptedPods === undefined;
    return isSettled && Object.entries(wanted).every(([field, n]) => (status[field] ?? 0) === n);
  };
  return {
    what: `${name} has counted ${JSON.stringify(wanted)}`,
    path: `${budgets}/${name}`,
    until: isCounted,
  };
}

const uid = "33333333-3333-3333-3333-333333333333";

/** The subresources by which pods get a node and leave it. */
export const podParts: readonly Scenario[] = [
  {
    name: "bindings of pods",
    exchanges: [
      makePod("p"),
      bind("without a target", "p", {}),
      bind("to something else", "p", { target: { kind: "Pod", name: "q" } }),
      bind("of another pod", "p", { ...node, metadata: { name: "q" } }),
      bind("without a name", "p", { ...node, metadata: {} }),
      bind("of a pod of another uid", "p", { ...node, metadata: { name: "p", uid } }),
      bind("of an older pod", "p", { ...node, metadata: { name: "p", resourceVersion: "1" } }),
      bind("of a pod that is not there", "none", node),
      { ...bind("in a dry run", "p", node), path: `${pods}/p/binding?dryRun=All` },
      bind("in another namespace", "p", { ...node, metadata: { name: "p", namespace: "other" } }),
      { ...bind("of another kind", "p", node), body: { apiVersion: "v1", kind: "Pod" } },
      { what: "reading it", path: `${pods}/p/binding` },
      { what: "deleting it", method: "DELETE", path: `${pods}/p/binding` },
      bind("as it should be", "p", {
        ...node,
        metadata: { name: "p", annotations: { a: "b" }, labels: { c: "d" } },
      }),
      { what: "the pod that is bound", path: `${pods}/p` },
      bind("once more", "p", node),
      makePod("gated", { schedulingGates: [{ name: "g" }] }),
      bind("of a pod with gates", "gated", node),
      makePod("old"),
      {
        what: "by the older resource",
        path: "/api/v1/namespaces/{ns}/bindings",
        body: { apiVersion: "v1", kind: "Binding", metadata: { name: "old" }, ...node },
      },
      { what: "the pod that is bound so", path: `${pods}/old` },
      {
        what: "by the older resource, without a name",
        path: "/api/v1/namespaces/{ns}/bindings",
        body: { apiVersion: "v1", kind: "Binding", metadata: {}, ...node },
      },
      { what: "reading the older resource", path: "/api/v1/namespaces/{ns}/bindings" },
    ],
  },
  {
    name: "evictions of pods",
    exchanges: [
      makePod("p"),
      evict("of another pod", "p", { metadata: { name: "q" } }),
      evict("of a pod that is not there", "none"),
      evict("of another kind", "p", { kind: "Pod", apiVersion: "v1" }),
      evict("with a bad precondition", "p", { deleteOptions: { preconditions: { uid } } }),
      evict("of an older pod", "p", { deleteOptions: { preconditions: { resourceVersion: "1" } } }),
      evict("with two dry runs", "p", { deleteOptions: { dryRun: ["None"] } }, "?dryRun=All"),
      evict("in a dry run", "p", {}, "?dryRun=All"),
      { what: "the pod after it", path: `${pods}/p` },
      { what: "reading it", path: `${pods}/p/eviction` },
      evict("of a pod that waits", "p"),
      { what: "the pod that waited has gone", path: `${pods}/p` },
      ...running("q"),
      evict("of a pod that runs", "q", { deleteOptions: { gracePeriodSeconds: 7 } }),
      { what: "the pod that is evicted", path: `${pods}/q` },
      evict("of a pod that goes", "q"),
    ],
  },
  {
    name: "evictions within a budget",
    exchanges: [
      budget("b", { minAvailable: 1 }),
      counted("b", { expectedPods: 0, observedGeneration: 1 }),
      ...running("one"),
      counted("b", { expectedPods: 1, currentHealthy: 1 }),
      evict("that leaves too few", "one"),
      evict("that leaves too few, in a dry run", "one", {}, "?dryRun=All"),
      ...running("two"),
      counted("b", { disruptionsAllowed: 1 }),
      evict("that leaves enough, in a dry run", "two", {}, "?dryRun=All"),
      evict("that leaves enough", "two"),
      counted("b", { disruptionsAllowed: 0, currentHealthy: 1 }),
      ...running("ill", "False"),
      counted("b", { expectedPods: 3, currentHealthy: 1 }),
      evict("of one that serves nobody", "ill"),
      { what: "the one that served nobody", path: `${pods}/ill` },
      budget("c", { maxUnavailable: "50%" }),
      counted("c", { observedGeneration: 1 }),
      evict("within two budgets", "one"),
    ],
  },
];
