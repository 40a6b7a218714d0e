import type { KubeObject } from "@rookery/kube";

/** Rows whose answers by a real kube-apiserver lie in testdata/rbac-verdicts.json. */
export const namespace = "rbac-verdicts";
export const rbac = "rbac.authorization.k8s.io";

type Rules = readonly Readonly<Record<string, readonly string[]>>[];

const ruleSets: Readonly<Record<string, Rules>> = {
  empty: [],
  pods: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }],
  log: [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get"] }],
  scale: [{ apiGroups: ["apps"], resources: ["*/scale"], verbs: ["update"] }],
  named: [{ apiGroups: [""], resources: ["secrets"], resourceNames: ["a", "b"], verbs: ["*"] }],
  groups: [{ apiGroups: ["*"], resources: ["leases"], verbs: ["get"] }],
  all: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
  several: [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
    { apiGroups: ["apps", "batch"], resources: ["jobs", "deployments"], verbs: ["watch", "get"] },
  ],
};

/** Rules that only ClusterRoles may have. */
const urlRuleSets: Readonly<Record<string, Rules>> = {
  health: [{ nonResourceURLs: ["/healthz", "/readyz/*"], verbs: ["get"] }],
  urls: [{ nonResourceURLs: ["*"], verbs: ["get", "post"] }],
};

const mine = (name: string) => `${namespace}-${name}`;
const bindingRights = {
  apiGroups: [rbac],
  resources: ["clusterroles"],
  verbs: ["bind"],
  resourceNames: [mine("named")],
};
const write = { apiGroups: [rbac], resources: ["*"], verbs: ["create", "update", "patch"] };

/** Who gives roles to others in the rows of escalation. */
export const giver = { name: mine("cluster-giver"), groups: ["rbac-verdicts-team"] };

/** The roles and bindings of all rows. */
export const policy: readonly KubeObject[] = [
  ...Object.entries({
    ...ruleSets,
    ...urlRuleSets,
    giver: [write, bindingRights, ...(ruleSets.pods ?? [])],
  }).flatMap(([name, rules]) => granted(name, rules, "")),
  ...Object.entries(ruleSets).flatMap(([name, rules]) => granted(name, rules, namespace)),
  bound("missing", "ClusterRole/gone-cluster", ""),
  bound("missing", "Role/gone", namespace),
];

/** Made after all others: an API server that has heard of these has heard of those as well. */
export const lastPolicy: readonly KubeObject[] = ["", namespace].flatMap((inside) =>
  granted("last", ruleSets.pods ?? [], inside),
);

function granted(name: string, rules: Rules, inside: string): KubeObject[] {
  const kind = inside === "" ? "ClusterRole" : "Role";
  const own = { apiVersion: `${rbac}/v1`, kind, metadata: metadataOf(mine(name), inside), rules };
  return [own, bound(name, `${kind}/${mine(name)}`, inside)];
}

/** To the user "…cluster-x" or "…local-x", and to a group and an account of that name. */
function bound(name: string, ref: string, inside: string): KubeObject {
  const [kind, role] = ref.split("/");
  const who = mine(`${inside === "" ? "cluster" : "local"}-${name}`);
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: inside === "" ? "ClusterRoleBinding" : "RoleBinding",
    metadata: metadataOf(mine(name), inside),
    subjects: [
      { kind: "User", apiGroup: rbac, name: who },
      { kind: "Group", apiGroup: rbac, name: who },
      { kind: "ServiceAccount", name: who, namespace },
    ],
    roleRef: { apiGroup: rbac, kind, name: role },
  };
  return binding;
}

function metadataOf(name: string, inside: string) {
  return { name, ...(inside !== "" && { namespace: inside }) };
}

const questions: readonly string[] = [
  ...["get pods", "get pods x", "list pods", "delete pods", "* pods", "get pods/log"],
  ...["get pods/exec", "update deployments.apps/scale", "update replicasets.apps/scale"],
  ...["update deployments.apps", "get secrets a", "get secrets c", "get secrets", "list secrets"],
  ...["get leases.coordination.k8s.io", "get leases.example.com", "create configmaps"],
  ...["watch jobs.batch", "get deployments.apps", "get deployments", "get widgets.example.com"],
  ...["get *", "get /healthz", "get /healthz/etcd", "get /readyz", "get /readyz/etcd"],
  ...["post /any", "delete /any"],
];

function attributesOf(question: string, inside: string): object {
  const [verb = "", what = "", name] = question.split(" ");
  if (what.startsWith("/")) return { nonResourceAttributes: { path: what, verb } };
  const [typed = "", subresource] = what.split("/");
  const [resource, ...group] = typed.split(".");
  const resourceAttributes = {
    verb,
    resource,
    ...(group.length > 0 && { group: group.join(".") }),
    ...(subresource && { subresource }),
    ...(name && { name }),
    ...(inside && { namespace: inside }),
  };
  return { resourceAttributes };
}

function subjectOf(name: string, index: number): object {
  const account = `system:serviceaccount:${namespace}:${mine(name)}`;
  const subjects = [
    { user: mine(name) },
    { user: "nobody", groups: [mine(name)] },
    { user: account, groups: ["system:serviceaccounts"] },
  ];
  return subjects[index % subjects.length] ?? {};
}

/** Every role × every question × the cluster, its own and another namespace. */
export const accessRows: ReadonlyMap<string, KubeObject> = new Map(
  [...namesOf("cluster"), ...namesOf("local")].flatMap((name) =>
    questions.flatMap((question, index) =>
      ["", namespace, "other"].map((inside): [string, KubeObject] => {
        const spec = { ...subjectOf(name, index), ...attributesOf(question, inside) };
        return [`${name}: ${question} in "${inside}"`, review("SubjectAccessReview", spec)];
      }),
    ),
  ),
);

/** Allowed once the last policy is heard of. */
export const lastReviews: readonly KubeObject[] = [
  ["cluster-last", ""] as const,
  ["local-last", namespace] as const,
].map(([name, inside]) =>
  review("SubjectAccessReview", { user: mine(name), ...attributesOf("get pods", inside) }),
);

function namesOf(scope: "cluster" | "local"): string[] {
  const names = [...Object.keys(ruleSets), "missing"];
  const all = scope === "cluster" ? [...names, ...Object.keys(urlRuleSets)] : names;
  return all.map((name) => `${scope}-${name}`);
}

/** Reviews that are wrong in one way or another. */
export const badReviews: Readonly<Record<string, KubeObject>> = {
  "nobody and nothing": review("SubjectAccessReview", {}),
  "both kinds of attributes": review("SubjectAccessReview", {
    user: "jane",
    resourceAttributes: { verb: "get", resource: "pods" },
    nonResourceAttributes: { verb: "get", path: "/x" },
  }),
  "empty selectors": review("SubjectAccessReview", {
    user: "jane",
    resourceAttributes: { verb: "list", resource: "pods", fieldSelector: {}, labelSelector: {} },
  }),
  "doubled and broken selectors": review("SubjectAccessReview", {
    user: "jane",
    resourceAttributes: {
      verb: "list",
      resource: "pods",
      fieldSelector: { rawSelector: "a=b", requirements: [{ key: "", operator: "In" }] },
      labelSelector: {
        rawSelector: "a=b",
        requirements: [
          { key: "a b", operator: "Exists", values: ["x"] },
          { key: "a", operator: "In", values: ["!"] },
        ],
      },
    },
  }),
  "selectors that can't be read": review("SubjectAccessReview", {
    user: "jane",
    resourceAttributes: {
      verb: "list",
      resource: "pods",
      fieldSelector: { rawSelector: "a=b,c" },
      labelSelector: {
        requirements: [
          { key: "a", operator: "Like", values: ["x"] },
          { key: "a", operator: "In", values: ["x"] },
        ],
      },
    },
  }),
  "a path in a namespace": inside(
    review("LocalSubjectAccessReview", {
      user: "jane",
      nonResourceAttributes: { verb: "get", path: "/x" },
    }),
  ),
  "another namespace": inside(
    review("LocalSubjectAccessReview", {
      user: "jane",
      resourceAttributes: { verb: "get", resource: "pods", namespace: "other" },
    }),
  ),
  "a good question in a namespace": inside(
    review("LocalSubjectAccessReview", {
      user: mine("local-pods"),
      resourceAttributes: { verb: "get", resource: "pods", namespace },
    }),
  ),
  "nothing of oneself": review("SelfSubjectAccessReview", {}),
  "rules without a namespace": review("SelfSubjectRulesReview", {}),
};

function review(kind: string, spec: object): KubeObject {
  return { apiVersion: "authorization.k8s.io/v1", kind, metadata: {}, spec };
}

function inside(object: KubeObject): KubeObject {
  return { ...object, metadata: { namespace } };
}

/** What the giver tries to write. */
export const escalationRows: Readonly<Record<string, KubeObject>> = {
  "a role that is held": role("Role", ruleSets.pods),
  "more than is held": role("Role", [...(ruleSets.several ?? []), ...(ruleSets.log ?? [])]),
  "a role with names": role("Role", ruleSets.named),
  "a ClusterRole with URLs": role("ClusterRole", urlRuleSets.health),
  "an aggregationRule": {
    ...role("ClusterRole", []),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
  } as KubeObject,
  "a role that is invalid as well": role("Role", [
    { resources: ["x"], apiGroups: [""], verbs: ["get"], nonResourceURLs: ["/"] },
  ]),
  "a binding to a role that is held": binding("RoleBinding", "Role", mine("pods")),
  "a binding to more": binding("RoleBinding", "ClusterRole", mine("all")),
  "a binding to what may be bound": binding("RoleBinding", "ClusterRole", mine("named")),
  "a binding to a missing ClusterRole": binding("ClusterRoleBinding", "ClusterRole", "gone"),
  "a binding to a missing Role": binding("RoleBinding", "Role", "gone"),
};

function role(kind: "Role" | "ClusterRole", rules: Rules = []): KubeObject {
  const own = kind === "Role" ? namespace : "";
  return { apiVersion: `${rbac}/v1`, kind, metadata: metadataOf("new", own), rules } as KubeObject;
}

function binding(kind: string, to: string, name: string): KubeObject {
  const own = kind === "RoleBinding" ? namespace : "";
  const roleRef = { apiGroup: rbac, kind: to, name };
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: metadataOf("new", own),
    roleRef,
  } as KubeObject;
}

const bindTo = (apiVersion: string, kind: string, name: string, uid?: string) => ({
  boundObjectRef: { apiVersion, kind, name, ...(uid && { uid }) },
});

/** Specs of TokenRequests of the account "robot", beside whom the Secret "bound" lies. */
export const tokenRows: Readonly<Record<string, object>> = {
  plain: {},
  "for another": { audiences: ["vault"] },
  "for two": { audiences: ["vault", "other"], expirationSeconds: 7200 },
  "too short": { expirationSeconds: 599 },
  "too long": { expirationSeconds: 2 ** 32 + 1 },
  "bound to a Secret": bindTo("v1", "Secret", "bound"),
  "bound to another Secret": bindTo("v1", "Secret", "bound", "other-uid"),
  "bound to a Secret that is gone": bindTo("v1", "Secret", "gone"),
  "bound to a Node that is gone": bindTo("v1", "Node", "gone"),
  "bound to a Pod that is gone": bindTo("v1", "Pod", "gone"),
  "bound to a Deployment": bindTo("apps/v1", "Deployment", "x"),
  "bound to a Pod of another group": bindTo("apps/v1", "Pod", "x"),
};

/** Whom each token is then reviewed for. */
export const audienceRows: readonly (readonly string[])[] = [[], ["vault"], ["third", "other"]];
