import type { Exchange, Scenario } from "@rookery/testing";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const inNamespace = "/api/v1/namespaces/{ns}";
const review = (kind: string) => ({ apiVersion: "authorization.k8s.io/v1", kind });

/** Who may do what: roles, bindings, reviews, impersonation and the limits of giving rights away. */
export const access: readonly Scenario[] = [
  {
    name: "rights in a namespace",
    exchanges: [
      make(
        "a role",
        `${rbac}/namespaces/{ns}/roles`,
        role("reader", [rule(["configmaps"], ["get", "list"])]),
      ),
      make(
        "a role for one name",
        `${rbac}/namespaces/{ns}/roles`,
        role("keeper", [{ ...rule(["secrets"], ["get", "update"]), resourceNames: ["mine"] }]),
      ),
      make("a binding", `${rbac}/namespaces/{ns}/rolebindings`, binding("reader", "reader-{ns}")),
      make(
        "another binding",
        `${rbac}/namespaces/{ns}/rolebindings`,
        binding("keeper", "reader-{ns}"),
      ),
      make("a ConfigMap", `${inNamespace}/configmaps`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a" },
      }),
      {
        what: "reading what may be read",
        path: `${inNamespace}/configmaps/a`,
        as: "reader-{ns}",
        until: ({ status }) => status === 200,
      },
      { what: "reading what is not there", path: `${inNamespace}/configmaps/b`, as: "reader-{ns}" },
      { what: "reading many", path: `${inNamespace}/configmaps`, as: "reader-{ns}" },
      {
        what: "reading elsewhere",
        path: "/api/v1/namespaces/default/configmaps",
        as: "reader-{ns}",
      },
      { what: "reading everywhere", path: "/api/v1/configmaps", as: "reader-{ns}" },
      {
        what: "watching without the right",
        path: `${inNamespace}/configmaps?watch=1`,
        as: "reader-{ns}",
      },
      {
        what: "writing",
        path: `${inNamespace}/configmaps`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
        as: "reader-{ns}",
      },
      {
        what: "removing many",
        method: "DELETE",
        path: `${inNamespace}/configmaps`,
        as: "reader-{ns}",
      },
      {
        what: "a Secret of one name",
        path: `${inNamespace}/secrets/mine`,
        as: "reader-{ns}",
        // Its binding came after the one that was waited for.
        until: ({ status }) => status === 404,
      },
      { what: "a Secret of another name", path: `${inNamespace}/secrets/other`, as: "reader-{ns}" },
      { what: "a subresource", path: `${inNamespace}/pods/a/status`, as: "reader-{ns}" },
      { what: "a path that is no resource", path: "/metrics", as: "reader-{ns}" },
      { what: "the version", path: "/readyz", as: "reader-{ns}" },
      {
        what: "who they are",
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
        as: "reader-{ns}",
      },
      ...[
        ["get", "configmaps"],
        ["delete", "configmaps"],
        ["get", "secrets"],
      ].map(
        ([verb, resource]): Exchange => ({
          what: `whether they may ${verb} ${resource}`,
          path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          body: {
            ...review("SelfSubjectAccessReview"),
            spec: { resourceAttributes: { verb, resource, namespace: "{ns}" } },
          },
          as: "reader-{ns}",
        }),
      ),
      {
        what: "whether another may",
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        body: {
          ...review("SubjectAccessReview"),
          spec: {
            user: "reader-{ns}",
            resourceAttributes: { verb: "list", resource: "configmaps", namespace: "{ns}" },
          },
        },
      },
      {
        what: "whether another may, in a namespace",
        path: "/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews",
        body: {
          ...review("LocalSubjectAccessReview"),
          metadata: { namespace: "{ns}" },
          spec: {
            user: "reader-{ns}",
            resourceAttributes: { verb: "list", resource: "configmaps", namespace: "{ns}" },
          },
        },
      },
      {
        what: "whether nobody may",
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        body: { ...review("SubjectAccessReview"), spec: {} },
      },
      {
        what: "whether both may",
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        body: {
          ...review("SubjectAccessReview"),
          spec: { user: "x", resourceAttributes: {}, nonResourceAttributes: { path: "/" } },
        },
      },
      {
        what: "asking about others without the right",
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        body: { ...review("SubjectAccessReview"), spec: { user: "x", resourceAttributes: {} } },
        as: "reader-{ns}",
      },
      {
        what: "acting for another without the right",
        path: `${inNamespace}/configmaps/a`,
        headers: { "impersonate-user": "admin" },
        as: "reader-{ns}",
      },
      {
        what: "acting for another",
        path: `${inNamespace}/configmaps/a`,
        headers: { "impersonate-user": "reader-{ns}" },
      },
      {
        what: "acting for a nobody",
        path: `${inNamespace}/configmaps/a`,
        headers: { "impersonate-user": "nobody" },
      },
      {
        what: "acting for a group alone",
        path: `${inNamespace}/configmaps/a`,
        headers: { "impersonate-group": "system:masters" },
      },
    ],
  },
  {
    name: "giving rights away",
    exchanges: [
      make(
        "a role that makes roles",
        `${rbac}/namespaces/{ns}/roles`,
        role("maker", [
          {
            apiGroups: ["rbac.authorization.k8s.io"],
            resources: ["roles", "rolebindings"],
            verbs: ["*"],
          },
          rule(["configmaps"], ["get"]),
        ]),
      ),
      make("its binding", `${rbac}/namespaces/{ns}/rolebindings`, binding("maker", "maker-{ns}")),
      {
        what: "a role with what they have",
        path: `${rbac}/namespaces/{ns}/roles`,
        body: role("less", [rule(["configmaps"], ["get"])]),
        as: "maker-{ns}",
        until: ({ status }) => status === 201,
      },
      {
        what: "a role with more than they have",
        path: `${rbac}/namespaces/{ns}/roles`,
        body: role("more", [rule(["secrets"], ["get", "list"]), rule(["configmaps"], ["get"])]),
        as: "maker-{ns}",
      },
      {
        what: "a binding to what they have",
        path: `${rbac}/namespaces/{ns}/rolebindings`,
        body: binding("less", "friend"),
        as: "maker-{ns}",
      },
      {
        what: "a binding to a role that is more",
        path: `${rbac}/namespaces/{ns}/rolebindings`,
        body: {
          ...binding("cluster-admin", "friend"),
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        },
        as: "maker-{ns}",
      },
      {
        what: "a binding to a role that is not there",
        path: `${rbac}/namespaces/{ns}/rolebindings`,
        body: binding("nowhere", "friend"),
        as: "maker-{ns}",
      },
      {
        what: "another role for a binding",
        method: "PUT",
        path: `${rbac}/namespaces/{ns}/rolebindings/less`,
        body: {
          ...binding("less", "friend"),
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "maker" },
        },
        as: "maker-{ns}",
      },
      {
        what: "a binding with a bad subject",
        path: `${rbac}/namespaces/{ns}/rolebindings`,
        body: {
          ...binding("less", "x"),
          metadata: { name: "bad" },
          subjects: [
            { kind: "Bird", name: "x" },
            { kind: "ServiceAccount", name: "x" },
          ],
        },
      },
    ],
  },
  {
    name: "aggregated roles",
    exchanges: [
      make("a part", `${rbac}/clusterroles`, {
        ...role("{ns}-part", [rule(["nests"], ["get"])]),
        kind: "ClusterRole",
        metadata: { name: "{ns}-part", labels: { "part-of": "{ns}" } },
      }),
      make("the whole", `${rbac}/clusterroles`, {
        ...role("{ns}-whole", []),
        kind: "ClusterRole",
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "part-of": "{ns}" } }] },
      }),
      {
        what: "the whole, when it has its part",
        path: `${rbac}/clusterroles/{ns}-whole`,
        until: ({ body }) => ((body as { rules?: unknown[] }).rules?.length ?? 0) > 0,
      },
    ],
  },
  {
    name: "service accounts",
    exchanges: [
      {
        what: "the one that every namespace has",
        path: `${inNamespace}/serviceaccounts/default`,
        until: ({ status }) => status === 200,
      },
      {
        what: "the authority that every namespace knows",
        path: `${inNamespace}/configmaps/kube-root-ca.crt`,
        until: ({ status }) => status === 200,
        silent: true,
      },
      make("another", `${inNamespace}/serviceaccounts`, {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "robot" },
      }),
      {
        what: "a token that lives too short",
        path: `${inNamespace}/serviceaccounts/robot/token`,
        body: {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: { expirationSeconds: 5 },
        },
      },
      {
        what: "a token for an object that is not there",
        path: `${inNamespace}/serviceaccounts/robot/token`,
        body: {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: { boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "nowhere" } },
        },
      },
      {
        what: "a token for a kind that can't be bound",
        path: `${inNamespace}/serviceaccounts/robot/token`,
        body: {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          spec: { boundObjectRef: { apiVersion: "v1", kind: "ConfigMap", name: "nowhere" } },
        },
      },
      {
        what: "a token of an account that is not there",
        path: `${inNamespace}/serviceaccounts/nobody/token`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      },
      {
        what: "a token",
        path: `${inNamespace}/serviceaccounts/robot/token`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
        keep: "token",
        silent: true,
      },
      {
        what: "whose token it is",
        path: "/apis/authentication.k8s.io/v1/tokenreviews",
        body: ({ token }) => ({
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenReview",
          spec: { token: token?.status?.token },
        }),
        keep: "review",
        silent: true,
      },
      {
        what: "whose token nonsense is",
        path: "/apis/authentication.k8s.io/v1/tokenreviews",
        body: {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenReview",
          spec: { token: "nonsense" },
        },
      },
      {
        what: "whose token none is",
        path: "/apis/authentication.k8s.io/v1/tokenreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: {} },
      },
    ],
  },
];

function make(what: string, path: string, body: Exchange["body"] & {}): Exchange {
  return { what: `making ${what}`, path, body };
}

function rule(resources: readonly string[], verbs: readonly string[]) {
  return { apiGroups: [""], resources, verbs };
}

function role(name: string, rules: readonly object[]) {
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name }, rules };
}

function binding(name: string, user: string) {
  const apiGroup = "rbac.authorization.k8s.io";
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: "RoleBinding",
    metadata: { name },
    roleRef: { apiGroup, kind: "Role", name },
    subjects: [{ kind: "User", apiGroup, name: user }],
  };
}
