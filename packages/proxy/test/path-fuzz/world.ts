import { readFile } from "node:fs/promises";
import type { KubeObject } from "@rookery/kube";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { parse } from "yaml";
import { type RunningProxy, startProxy } from "../start-proxy.ts";
import { mapping, realGroup, virtualGroup, widgetCrd } from "../widgets.ts";
import { createWire, type Wire } from "./send.ts";

/** Namespaces of the scope, and those of others. */
export const mine = ["mine-a", "mine-b"] as const;
export const theirs = ["theirs-a", "theirs-b", "default"] as const;

/** Stands in all that belongs to others, and in no request. */
export const marker = "zq7canary";
/** The same for what belongs to another instance, whose group has the name that the app knows. */
export const otherMarker = "zq7otherinstance";
/** A group that is renamed, and whose name in the cluster stands in no request. */
export const hidden = { virtual: "tools.example.org", real: "tools.hidden9group.example.com" };
/** The name of objects of others that an attacker may know, and of one's own. */
export const knownName = "target";

const labels = { canary: marker };
const container = { name: "c", image: "registry.invalid/none" };

/** What lies in each namespace; of others with the marker all over it. */
function objectsIn(namespace: string, name: string, text: string): [path: string, KubeObject][] {
  const own = text === marker ? { labels, annotations: { canary: text } } : {};
  const metadata = { name, namespace, ...own };
  const core = (plural: string, kind: string, rest: object): [string, KubeObject] => [
    `/api/v1/namespaces/${namespace}/${plural}`,
    { apiVersion: "v1", kind, metadata, ...rest },
  ];
  const rbac = "rbac.authorization.k8s.io";
  const inGroup = (group: string, plural: string, object: object): [string, KubeObject] => [
    `/apis/${group}/v1/namespaces/${namespace}/${plural}`,
    { apiVersion: `${group}/v1`, metadata, kind: "", ...object },
  ];
  const widget = { kind: "Widget", spec: { color: text } };
  return [
    core("secrets", "Secret", { stringData: { text } }),
    core("configmaps", "ConfigMap", { data: { text } }),
    core("pods", "Pod", { spec: { containers: [container], automountServiceAccountToken: false } }),
    core("services", "Service", { spec: { ports: [{ port: 80 }] } }),
    core("serviceaccounts", "ServiceAccount", {}),
    core("events", "Event", { involvedObject: { kind: "Pod", namespace, name }, message: text }),
    inGroup("coordination.k8s.io", "leases", { kind: "Lease", spec: { holderIdentity: text } }),
    inGroup(rbac, "roles", {
      kind: "Role",
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
    inGroup(rbac, "rolebindings", {
      kind: "RoleBinding",
      roleRef: { apiGroup: rbac, kind: "Role", name },
      subjects: [{ apiGroup: rbac, kind: "User", name: "reviewed" }],
    }),
    inGroup(realGroup, "widgets", widget),
    inGroup(hidden.real, "widgets", widget),
  ];
}

export interface FuzzedProxy {
  readonly name: string;
  readonly wire: Wire;
  /** Whether groups are renamed, and namespaces left out. */
  readonly renames: boolean;
  readonly narrows: boolean;
  /** Pages of lists that go on, as the server and the proxy itself give them out. */
  readonly continueTokens: readonly [string, ...string[]];
}

export interface FuzzWorld extends AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly proxies: readonly [FuzzedProxy, ...FuzzedProxy[]];
  /** The way to the server itself. */
  readonly direct: Wire;
  /** Pages of lists that go on, as the server gives them out. */
  readonly continueTokens: readonly [string, ...string[]];
  /** Which version of each object of others there is, and of others' namespaces. */
  foreignState(): Promise<ReadonlyMap<string, string>>;
}

/**
 * A Kubernetes of its own, as requests that are made up may delete a definition or a namespace, with
 * proxies of several scopes before it.
 */
export async function startFuzzWorld(): Promise<FuzzWorld> {
  await using stack = new AsyncDisposableStack();
  const kubernetes = stack.use(await startKubernetes({ controllerManager: false }));
  await Promise.all(
    [realGroup, virtualGroup, hidden.real].map((group) => kubernetes.applyCrd(widgetCrd(group))),
  );
  for (const name of [...mine, ...theirs]) await fill(kubernetes, name);
  const { kubectl } = kubernetes.description;
  const renaming = [mapping, `--map=${hidden.virtual}=${hidden.real}`];
  const continueTokens = await tokensOf(kubernetes);
  const start = async (name: string, ...args: string[]): Promise<FuzzedProxy> => {
    const hasUpstream = args.some((arg) => arg.startsWith("--upstream="));
    const all = hasUpstream ? args : [`--upstream=${kubernetes.kubeconfig}`, ...args];
    const wire = stack.use(await wireOf(stack.use(await startProxy(kubectl, all))));
    const narrows = args.some((arg) => /^--(?:excluded-)?namespace=/.test(arg));
    const own = await tokensBy(wire);
    const known = [...continueTokens, ...own] as const;
    return { name, wire, renames: args.includes(mapping), narrows, continueTokens: known };
  };
  const [many, ...others] = await Promise.all([
    start("two namespaces", `--namespace=${mine.join(",")}`),
    start("one namespace", `--namespace=${mine[0]}`),
    start("all but some", `--excluded-namespace=${theirs.join(",")}`),
    start("two namespaces, renamed", `--namespace=${mine.join(",")}`, ...renaming),
    start("two namespaces, without a look at Namespaces", ...(await blindly(kubernetes))),
    start("renamed", ...renaming),
  ]);
  const direct = stack.use(await directWire(kubernetes));
  const owned = stack.move();
  return {
    kubernetes,
    proxies: [many, ...others],
    direct,
    continueTokens,
    foreignState: () => foreignState(kubernetes),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Flags of a proxy that cannot name what it leaves out to the server, and drops it on the way. */
async function blindly(kubernetes: Kubernetes): Promise<readonly string[]> {
  const user = await kubernetes.user({ name: "blind" });
  const all = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };
  const core = (verbs: readonly string[], ...resources: string[]) => ({
    apiGroups: [""],
    resources,
    verbs,
  });
  const named = ["secrets", "configmaps", "pods", "services", "serviceaccounts", "events", "nodes"];
  const groups = [
    "coordination.k8s.io",
    "rbac.authorization.k8s.io",
    "authorization.k8s.io",
    realGroup,
  ];
  const rules = [
    ...groups.map((group) => ({ ...all, apiGroups: [group] })),
    core(["*"], ...named, ...named.map((plural) => `${plural}/*`)),
    core(["get", "patch", "delete"], "namespaces"),
  ];
  const rbac = "rbac.authorization.k8s.io";
  const metadata = { name: user.name };
  const base = `/apis/${rbac}/v1`;
  await post(kubernetes, `${base}/clusterroles`, {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata,
    rules,
  });
  await post(kubernetes, `${base}/clusterrolebindings`, {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata,
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: user.name },
    subjects: [{ apiGroup: rbac, kind: "User", name: user.name }],
  });
  return [`--upstream=${user.kubeconfig}`, `--namespace=${mine.join(",")}`];
}

async function fill(kubernetes: Kubernetes, namespace: string): Promise<void> {
  const isForeign = (theirs as readonly string[]).includes(namespace);
  const metadata = { name: namespace, annotations: isForeign ? { canary: marker } : {} };
  await post(kubernetes, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
  const merge = { contentType: "application/merge-patch+json", body: { metadata } };
  await kubernetes.request("PATCH", `/api/v1/namespaces/${namespace}`, merge);
  // Without a controller manager nobody else makes it, and a pod needs one.
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  await post(kubernetes, `/api/v1/namespaces/${namespace}/serviceaccounts`, account);
  const names = isForeign ? [knownName, `${marker}-hidden`] : [knownName, "second"];
  for (const name of names) {
    const objects = objectsIn(namespace, name, isForeign ? marker : "own");
    await Promise.all(objects.map(([path, object]) => post(kubernetes, path, object)));
  }
  // Under the name that the app knows: another instance's, wherever it is.
  const other = {
    apiVersion: `${virtualGroup}/v1`,
    kind: "Widget",
    metadata: {
      name: knownName,
      labels: isForeign ? { ...labels, other: otherMarker } : { other: otherMarker },
    },
  };
  await post(kubernetes, `/apis/${virtualGroup}/v1/namespaces/${namespace}/widgets`, other);
}

async function post(kubernetes: Kubernetes, path: string, body: object): Promise<void> {
  const { status, body: answer } = await kubernetes.request("POST", path, { body });
  if (status === 201 || status === 409) return;
  throw new Error(`could not create ${path}: ${status} ${JSON.stringify(answer)}`);
}

async function wireOf(proxy: RunningProxy): Promise<Wire> {
  const kubeconfig = parse(await readFile(proxy.kubeconfig, "utf8"));
  const { token = "" } = kubeconfig.users[0].user;
  return createWire({ url: proxy.appUrl, ca: await proxy.ca(), token });
}

async function directWire(kubernetes: Kubernetes): Promise<Wire> {
  const metadata = { name: "judge" };
  const path = "/api/v1/namespaces/mine-a/serviceaccounts";
  await post(kubernetes, path, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  await post(kubernetes, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace: "mine-a", name: "judge" }],
  });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const answer = await kubernetes.request("POST", `${path}/judge/token`, { body });
  const { token } = answer.body.status;
  return createWire({ url: kubernetes.server, ca: kubernetes.ca, token });
}

async function tokensOf(kubernetes: Kubernetes): Promise<readonly [string, ...string[]]> {
  const paths = ["", "/namespaces/theirs-a", "/namespaces/mine-a"];
  const tokens = await Promise.all(
    paths.map(async (inside) => {
      const { body } = await kubernetes.request("GET", `/api/v1${inside}/secrets?limit=1`);
      return encodeURIComponent(body.metadata.continue);
    }),
  );
  return ["x", ...tokens];
}

/** Those of pages of one object each, of which a proxy that lets the server leave out none drops most. */
async function tokensBy(wire: Wire): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let token = ""; tokens.length < 8; ) {
    const target = `/api/v1/secrets?limit=1&continue=${token}`;
    const { status, body } = await wire.send({
      transport: "http1",
      method: "GET",
      target,
      headers: [["accept", "application/json"]],
    });
    if (status !== 200) throw new Error(`could not list a page: ${status}`);
    token = encodeURIComponent(JSON.parse(body.toString()).metadata.continue ?? "");
    if (token === "") break;
    tokens.push(token);
  }
  return tokens;
}

const watched = [
  ...["secrets", "configmaps", "pods", "services", "serviceaccounts", "events"].map(
    (plural) => `/api/v1/${plural}`,
  ),
  "/apis/coordination.k8s.io/v1/leases",
  "/apis/rbac.authorization.k8s.io/v1/roles",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  `/apis/${realGroup}/v1/widgets`,
  `/apis/${hidden.real}/v1/widgets`,
  "/api/v1/namespaces",
];

async function foreignState(kubernetes: Kubernetes): Promise<ReadonlyMap<string, string>> {
  const state = new Map<string, string>();
  for (const path of watched) {
    const { body } = await kubernetes.request("GET", path);
    for (const { metadata } of (body.items ?? []) as KubeObject[]) {
      const namespace = metadata?.namespace ?? (path.endsWith("/namespaces") ? metadata?.name : "");
      if (!namespace || !(theirs as readonly string[]).includes(namespace)) continue;
      state.set(
        `${path} ${namespace}/${metadata?.name}`,
        `${metadata?.uid} ${metadata?.resourceVersion}`,
      );
    }
  }
  return state;
}
