import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRequestInfo } from "@rookery/kube";
import { FakeClock } from "@rookery/testing";
import { jane } from "../../test/asking.ts";
import { forbiddenByAuthorizer } from "../pipeline/authorization.ts";
import type { Attributes, Authorizer, Decision } from "./authorizer.ts";
import { unionAuthorizer } from "./authorizer.ts";
import { createDelegatingAuthorizer } from "./delegating.ts";
import type {
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from "./subject-access-review.ts";

const { signal } = new AbortController();

function attributesOf(target: string, method = "GET", user: Attributes["user"] = jane): Attributes {
  const [path = "", query = ""] = target.split("?");
  return { ...parseRequestInfo({ method, path, query }), user };
}

const logins = "/apis/login.concierge.pinniped.dev/v1alpha1/tokencredentialrequests";
const messages: Record<string, [attributes: Attributes, message: string, reason?: string]> = {
  "of the cluster": [
    attributesOf(logins, "POST"),
    'tokencredentialrequests.login.concierge.pinniped.dev is forbidden: User "jane" cannot create resource "tokencredentialrequests" in API group "login.concierge.pinniped.dev" at the cluster scope',
  ],
  "in a namespace": [
    attributesOf("/api/v1/namespaces/a/pods/x/log"),
    'pods "x" is forbidden: User "jane" cannot get resource "pods/log" in API group "" in the namespace "a"',
  ],
  "of a path": [attributesOf("/metrics"), 'forbidden: User "jane" cannot get path "/metrics"'],
  "with a reason": [
    attributesOf("/metrics"),
    'forbidden: User "jane" cannot get path "/metrics": not today',
    "not today",
  ],
  "with markup": [
    attributesOf("/%3Cb%3E", "GET", { name: 'a"<&', groups: [] }),
    'forbidden: User "a\\"&lt;&amp;" cannot get path "/&lt;b&gt;"',
  ],
};
for (const [sentence, [attributes, message, reason]] of Object.entries(messages)) {
  test(`what is forbidden is said as kube-apiserver says it: ${sentence}`, () => {
    assert.equal(forbiddenByAuthorizer(attributes, reason).message, message);
  });
}

const decides =
  (decision: Decision["decision"], reason = ""): Authorizer =>
  () => ({ decision, reason });
const fails: Authorizer = () => {
  throw new Error("down");
};

test("the first of several that has an opinion decides", async () => {
  const attributes = attributesOf("/");
  const decide = (...authorizers: Authorizer[]) =>
    unionAuthorizer(...authorizers)(attributes, signal);
  assert.equal(
    (await decide(decides("NoOpinion"), decides("Allow"), decides("Deny"))).decision,
    "Allow",
  );
  assert.equal((await decide(decides("Deny"), decides("Allow"))).decision, "Deny");
  assert.equal((await decide(fails, decides("Allow"))).decision, "Allow");
  assert.deepEqual(await decide(decides("NoOpinion", "a"), decides("NoOpinion", "b")), {
    decision: "NoOpinion",
    reason: "a\nb",
  });
  await assert.rejects(async () => decide(fails, decides("NoOpinion")), /down/);
});

function createDelegating(answer: SubjectAccessReviewStatus | Error) {
  const clock = new FakeClock();
  const reviewed: SubjectAccessReviewSpec[] = [];
  const authorize = createDelegatingAuthorizer({
    now: clock.date,
    reviewSubjectAccess: async (spec) => {
      reviewed.push(spec);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const ask = async (attributes: Attributes) => authorize(attributes, signal);
  return { clock, reviewed, ask };
}

test("the cluster is asked about everything that a request says", async () => {
  const { reviewed, ask } = createDelegating({ allowed: true, reason: "a role says so" });
  const user = { name: "jane", uid: "42", groups: ["a"], extra: { scopes: ["b"] } };
  const query = "labelSelector=a+in+(b,c),d,!e,f!=g,h>1&fieldSelector=metadata.name%21%3Dx";
  const attributes = attributesOf(`/apis/g/v1/namespaces/n/things?${query}`, "GET", user);
  assert.deepEqual(await ask(attributes), { decision: "Allow", reason: "a role says so" });
  assert.deepEqual(reviewed, [
    {
      user: "jane",
      uid: "42",
      groups: ["a"],
      extra: { scopes: ["b"] },
      resourceAttributes: {
        namespace: "n",
        verb: "list",
        group: "g",
        version: "v1",
        resource: "things",
        subresource: "",
        name: "",
        fieldSelector: {
          requirements: [{ key: "metadata.name", operator: "NotIn", values: ["x"] }],
        },
        labelSelector: {
          requirements: [
            { key: "a", operator: "In", values: ["b", "c"] },
            { key: "d", operator: "Exists" },
            { key: "e", operator: "DoesNotExist" },
            { key: "f", operator: "NotIn", values: ["g"] },
          ],
        },
      },
    },
  ]);
});

test("a path that is no resource is asked about as such", async () => {
  const { reviewed, ask } = createDelegating({});
  assert.equal((await ask(attributesOf("/metrics"))).decision, "NoOpinion");
  assert.deepEqual(reviewed[0]?.nonResourceAttributes, { path: "/metrics", verb: "get" });
});

for (const allowed of [true, false]) {
  test(`the cluster's answer counts for ten seconds: ${allowed ? "allowed" : "refused"}`, async () => {
    const { clock, reviewed, ask } = createDelegating({ allowed });
    await ask(attributesOf("/metrics"));
    await clock.advance(9_999);
    await ask(attributesOf("/metrics"));
    assert.equal(reviewed.length, 1);
    await clock.advance(1);
    await ask(attributesOf("/metrics"));
    assert.equal(reviewed.length, 2);
    await ask(attributesOf("/other"));
    assert.equal(reviewed.length, 3);
  });
}

test("an answer to a very long question is not kept", async () => {
  const { reviewed, ask } = createDelegating({ allowed: true });
  const attributes = attributesOf(`/${"x".repeat(10_000)}`);
  await ask(attributes);
  await ask(attributes);
  assert.equal(reviewed.length, 2);
});

test("denied wins over allowed", async () => {
  const { ask } = createDelegating({ allowed: true, denied: true });
  assert.equal((await ask(attributesOf("/metrics"))).decision, "Deny");
});

test("the cluster is not asked about health, nor about its masters", async () => {
  const { reviewed, ask } = createDelegating(new Error("down"));
  for (const path of ["/healthz", "/livez", "/readyz"]) {
    assert.equal((await ask(attributesOf(path))).decision, "Allow");
  }
  const admin = { name: "admin", groups: ["system:masters"] };
  assert.equal((await ask(attributesOf("/metrics", "GET", admin))).decision, "Allow");
  assert.deepEqual(reviewed, []);
  await assert.rejects(ask(attributesOf("/healthz/etcd")), /down/);
});
