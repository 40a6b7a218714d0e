import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRule } from "@rookery/api";
import type { AdmissionAttributes, UserInfo } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { binding, jane, role, storeOf } from "../../test/rbac/rbac.ts";
import { createEscalationCheck } from "./escalation.ts";
import { createRbacAuthorizer } from "./rbac-authorizer.ts";
import { createRuleResolver, rbacGroup } from "./rule-resolver.ts";

const subjects = [{ kind: "User", name: "jane" }];
const readPods: PolicyRule = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };
const who = 'user "jane" (groups=["developers" "system:authenticated"])';
const granting = `${who} is attempting to grant RBAC permissions not currently held:\n`;

async function check(
  held: readonly PolicyRule[],
  object: KubeObject,
  change: {
    old?: KubeObject;
    user?: UserInfo;
    others?: readonly KubeObject[];
    isApplied?: boolean;
  } = {},
): Promise<unknown> {
  await using store = await storeOf(
    role("held", held),
    binding("held", "ClusterRole/held", { subjects }),
    ...(change.others ?? []),
  );
  const resolver = createRuleResolver(store);
  const plugin = createEscalationCheck({
    resolver,
    authorize: createRbacAuthorizer(store, resolver),
  });
  return plugin.mutate?.(attributesOf(object, change));
}

function attributesOf(
  object: KubeObject,
  { old, user = jane, isApplied }: { old?: KubeObject; user?: UserInfo; isApplied?: boolean },
): AdmissionAttributes {
  const { kind, metadata } = object;
  const requestName = old || isApplied ? metadata.name : "";
  return {
    operation: old ? "UPDATE" : "CREATE",
    kind: { group: rbacGroup, version: "v1", kind },
    resource: { group: rbacGroup, version: "v1", resource: `${kind.toLowerCase()}s` },
    subresource: "",
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    requestName,
    object,
    oldObject: old,
    options: {},
    dryRun: false,
    user,
    warn: () => {},
    annotate: () => {},
    signal: new AbortController().signal,
  } as unknown as AdmissionAttributes;
}

test("who holds all of it may give it", async () => {
  const wanted = role("r", [{ ...readPods, verbs: ["get"] }]);
  assert.equal(await check([readPods], wanted), wanted);
});

test("what is not held is told, verbs together, sorted", async () => {
  const wanted = role("r", [
    { apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get", "watch", "list"] },
    { apiGroups: [""], resources: ["pods"], resourceNames: ["b", "a"], verbs: ["delete"] },
    { nonResourceURLs: ["/healthz"], verbs: ["get", "post"] },
  ]);
  await assert.rejects(check([readPods], wanted), {
    message: `clusterroles.rbac.authorization.k8s.io "r" is forbidden: ${granting}${[
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["delete"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["delete"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["watch"]}',
      '{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "watch" "list"]}',
      '{NonResourceURLs:["/healthz"], Verbs:["get"]}',
      '{NonResourceURLs:["/healthz"], Verbs:["post"]}',
    ].join("\n")}`,
  });
});

test("who may escalate one role by its name may apply it, and may not post it", async () => {
  const escalate: PolicyRule = {
    apiGroups: [rbacGroup],
    resources: ["clusterroles"],
    verbs: ["escalate"],
    resourceNames: ["r"],
  };
  const wanted = role("r", [readPods]);
  assert.equal(await check([escalate], wanted, { isApplied: true }), wanted);
  await assert.rejects(check([escalate], wanted), /not currently held/);
  await assert.rejects(
    check([escalate], role("s", [readPods]), { isApplied: true }),
    /not currently/,
  );
});

test("what could not be resolved is told as well", async () => {
  const others = [binding("z", "ClusterRole/gone", { subjects })];
  await assert.rejects(check([], role("r", [readPods]), { others }), {
    message: `clusterroles.rbac.authorization.k8s.io "r" is forbidden: ${granting}{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}; resolution errors: [clusterroles.rbac.authorization.k8s.io "gone" not found]`,
  });
});

test("a name is not enough for the whole, the whole is for a name", async () => {
  const named = { ...readPods, resourceNames: ["a"] };
  await assert.rejects(check([named], role("r", [readPods])));
  await check([readPods], role("r", [named]));
  await check([named], role("r", [named]));
});

test("subresources of any resource cover those of one", async () => {
  const any = { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] };
  await check([any], role("r", [{ ...any, resources: ["deployments/scale"] }]));
  await assert.rejects(check([any], role("r", [{ ...any, resources: ["deployments"] }])));
});

const escalate = { apiGroups: [rbacGroup], resources: ["clusterroles"], verbs: ["escalate"] };
test("who may escalate may give anything, and so may masters", async () => {
  const all = role("r", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]);
  await check([escalate], all);
  await check([], all, { user: { name: "root", groups: ["system:masters"] } });
  await assert.rejects(check([{ ...escalate, resources: ["roles"] }], all));
});

test("a name that may be escalated counts for changes only: a new one has none in its path", async () => {
  const named = { ...escalate, resourceNames: ["r"] };
  const wanted = role("r", [readPods]);
  await assert.rejects(check([named], wanted));
  await check([named], wanted, { old: role("r", []) });
});

test("owners and finalizers may be taken away from any role", async () => {
  const old = role("r", [readPods]);
  const owned = { ...old, metadata: { ...old.metadata, finalizers: ["a/b"] } };
  await check([], old, { old: owned });
  await assert.rejects(check([], { ...old, metadata: { name: "r", labels: { a: "b" } } }, { old }));
});

test("an aggregationRule takes everything", async () => {
  const aggregated = {
    ...role("r", []),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
  } as KubeObject;
  const everything = [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ];
  await check(everything, aggregated);
  await assert.rejects(check([readPods], aggregated), {
    message:
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  });
});

test("a binding needs the rights of its role, or to bind it", async () => {
  const others = [role("other", [readPods]), role("own", [readPods], "ns")];
  const toCluster = binding("b", "ClusterRole/other", { subjects, namespace: "ns" });
  const toOwn = binding("b", "Role/own", { subjects, namespace: "ns" });
  const bind = { apiGroups: [rbacGroup], verbs: ["bind"] };
  await check([readPods], toCluster, { others });
  await check([{ ...bind, resources: ["clusterroles"], resourceNames: ["other"] }], toCluster, {
    others,
  });
  await check([{ ...bind, resources: ["roles"] }], toOwn, { others });
  await assert.rejects(check([{ ...bind, resources: ["roles"] }], toCluster, { others }), {
    message: `rolebindings.rbac.authorization.k8s.io "b" is forbidden: ${granting}{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`,
  });
});

test("a binding to a role that is missing is not found, unless it may be bound", async () => {
  const toGone = binding("b", "ClusterRole/gone", { subjects });
  await assert.rejects(check([], toGone), {
    message: 'clusterrolebindings.rbac.authorization.k8s.io "gone" not found',
    reason: "NotFound",
  });
  await check([{ apiGroups: ["*"], resources: ["*"], verbs: ["bind"] }], toGone);
});
