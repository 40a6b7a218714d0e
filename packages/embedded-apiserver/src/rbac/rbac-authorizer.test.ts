import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRule } from "@rookery/api";
import { asks, binding, put, remove, role, storeOf } from "../../test/rbac/rbac.ts";
import { createRbacAuthorizer } from "./rbac-authorizer.ts";

const janeSubject = { kind: "User", name: "jane" };

const pods: PolicyRule = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };
const rows: Record<string, readonly [rule: PolicyRule, question: string, allowed: boolean]> = {
  "a verb that is named": [pods, "get pods", true],
  "a verb that is not named": [pods, "delete pods", false],
  "every verb by *": [{ ...pods, verbs: ["*"] }, "impersonate pods", true],
  "another group": [pods, "get pods.metrics.k8s.io", false],
  "every group by *": [{ ...pods, apiGroups: ["*"] }, "get pods.metrics.k8s.io", true],
  "a subresource that is not named": [pods, "get pods/log", false],
  "a subresource by its whole name": [{ ...pods, resources: ["pods/log"] }, "get pods/log", true],
  "a subresource of any resource": [{ ...pods, resources: ["*/scale"] }, "get pods/scale", true],
  "another subresource of any": [{ ...pods, resources: ["*/scale"] }, "get pods/log", false],
  "the resource itself by */scale": [{ ...pods, resources: ["*/scale"] }, "get pods", false],
  "every resource by *": [{ ...pods, resources: ["*"] }, "get pods/log", true],
  "a prefix of resources": [{ ...pods, resources: ["pods/*"] }, "get pods/log", false],
  "a name that is listed": [{ ...pods, resourceNames: ["a"] }, "get pods a", true],
  "a name that is not listed": [{ ...pods, resourceNames: ["a"] }, "get pods b", false],
  "a question without a name": [{ ...pods, resourceNames: ["a"] }, "list pods", false],
  "a path": [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }, "get /healthz", true],
  "a path below": [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }, "get /healthz/a", false],
  "a path by *": [{ nonResourceURLs: ["/healthz/*"], verbs: ["get"] }, "get /healthz/a", true],
  "the parent of *": [{ nonResourceURLs: ["/healthz/*"], verbs: ["get"] }, "get /healthz", false],
  "every path": [{ nonResourceURLs: ["*"], verbs: ["*"] }, "post /any/thing", true],
  "a resource by paths": [{ nonResourceURLs: ["*"], verbs: ["*"] }, "get pods", false],
  "a path by resources": [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    "get /healthz",
    false,
  ],
};

for (const [sentence, [rule, question, allowed]] of Object.entries(rows)) {
  test(`a rule ${allowed ? "allows" : "refuses"} ${sentence}`, async () => {
    await using store = await storeOf(
      role("r", [rule]),
      binding("b", "ClusterRole/r", { subjects: [janeSubject] }),
    );
    const { decision } = createRbacAuthorizer(store)(asks(question));
    assert.equal(decision, allowed ? "Allow" : "NoOpinion");
  });
}

test("reasons name the binding, the role and the subject that counted", async () => {
  const account = { name: "system:serviceaccount:ns:robot", groups: ["system:serviceaccounts"] };
  await using store = await storeOf(
    role("r", [pods]),
    role("r", [pods], "ns"),
    binding("group", "ClusterRole/r", { subjects: [{ kind: "Group", name: "developers" }] }),
    binding("local", "Role/r", {
      namespace: "ns",
      subjects: [
        { kind: "User", name: "other" },
        { kind: "ServiceAccount", name: "robot" },
      ],
    }),
  );
  const authorize = createRbacAuthorizer(store);
  assert.deepEqual(authorize(asks("get pods", { namespace: "ns" })), {
    decision: "Allow",
    reason: 'RBAC: allowed by ClusterRoleBinding "group" of ClusterRole "r" to Group "developers"',
  });
  const local = asks("get pods", { user: account, namespace: "ns" });
  assert.deepEqual(authorize(local), {
    decision: "Allow",
    reason: 'RBAC: allowed by RoleBinding "local/ns" of Role "r" to ServiceAccount "robot/ns"',
  });
  const elsewhere = asks("get pods", { user: account, namespace: "other" });
  assert.deepEqual(authorize(elsewhere), { decision: "NoOpinion" });
});

test("roles that are missing are told of, each once", async () => {
  await using store = await storeOf(
    binding("a", "ClusterRole/gone", { subjects: [janeSubject] }),
    binding("b", "ClusterRole/gone", { subjects: [janeSubject] }),
    binding("c", "Role/gone", { subjects: [janeSubject], namespace: "ns" }),
  );
  const authorize = createRbacAuthorizer(store);
  const cluster = 'clusterrole.rbac.authorization.k8s.io "gone" not found';
  const local = 'role.rbac.authorization.k8s.io "gone" not found';
  const atCluster = authorize(asks("get pods"));
  assert.deepEqual(atCluster, { decision: "NoOpinion", reason: `RBAC: ${cluster}` });
  const inNamespace = authorize(asks("get pods", { namespace: "ns" }));
  assert.deepEqual(inNamespace, {
    decision: "NoOpinion",
    reason: `RBAC: [${cluster}, ${local}]`,
  });
});

test("what is written later counts from then on, and what is gone no longer", async () => {
  await using store = await storeOf(role("r", [pods]));
  const authorize = createRbacAuthorizer(store);
  const decide = () => authorize(asks("get pods")).decision;
  const group = binding("b", "ClusterRole/r", {
    subjects: [{ kind: "Group", name: "developers" }],
  });
  assert.equal(decide(), "NoOpinion");
  await put(store, group);
  assert.equal(decide(), "Allow");
  await put(store, binding("b", "ClusterRole/r", { subjects: [{ kind: "User", name: "other" }] }));
  assert.equal(decide(), "NoOpinion");
  await put(store, binding("b", "ClusterRole/r", { subjects: [janeSubject] }));
  assert.equal(decide(), "Allow");
  await put(store, role("r", []));
  assert.equal(decide(), "NoOpinion");
  await put(store, role("r", [pods]));
  await remove(store, group);
  assert.equal(decide(), "NoOpinion");
});
