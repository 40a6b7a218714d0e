import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpHeaders } from "@rookery/http";
import { createTestServer } from "../../test/asking.ts";
import type { Attributes } from "../authorization/authorizer.ts";
import { userOf } from "../request/request-context.ts";
import type { UserInfo } from "../request/user.ts";

async function impersonate(headers: HttpHeaders, allows = (_: Attributes) => true) {
  const users: UserInfo[] = [];
  const asked: string[] = [];
  const { ask } = createTestServer({
    paths: {
      "/own": (request) => {
        users.push(userOf(request));
        assert.deepEqual(request.headers, {});
        return { status: 200, headers: {} };
      },
    },
    authorize: (attributes) => {
      const { verb, group, resource, subresource, namespace, name } = attributes;
      if (verb === "impersonate")
        asked.push([group, resource, subresource, namespace, name].join("/"));
      return { decision: allows(attributes) ? "Allow" : "NoOpinion" };
    },
  });
  const answer = await ask("/own", { headers });
  return { answer, asked, user: users[0] };
}

test("each part of another identity is asked for", async () => {
  const { user, asked } = await impersonate({
    "impersonate-user": "eve",
    "impersonate-group": ["a", "b"],
    "impersonate-uid": "7",
    "impersonate-extra-acme.com%2fscopes": ["x", "y"],
  });
  assert.deepEqual(user, {
    name: "eve",
    uid: "7",
    groups: ["a", "b", "system:authenticated"],
    extra: { "acme.com/scopes": ["x", "y"] },
  });
  assert.deepEqual(asked, [
    "/users///eve",
    "/groups///a",
    "/groups///b",
    "authentication.k8s.io/userextras/acme.com/scopes//x",
    "authentication.k8s.io/userextras/acme.com/scopes//y",
    "authentication.k8s.io/uids///7",
  ]);
});

test("a service account has its groups", async () => {
  const { user, asked } = await impersonate({
    "impersonate-user": "system:serviceaccount:ns:robot",
  });
  assert.deepEqual(asked, ["/serviceaccounts//ns/robot"]);
  assert.deepEqual(user?.groups, [
    "system:serviceaccounts",
    "system:serviceaccounts:ns",
    "system:authenticated",
  ]);
});

test("the anonymous user is in the group of those", async () => {
  const { user } = await impersonate({ "impersonate-user": "system:anonymous" });
  assert.deepEqual(user?.groups, ["system:unauthenticated"]);
});

test("one part that is not allowed refuses all of it", async () => {
  const headers = { "impersonate-user": "eve", "impersonate-group": "system:masters" };
  const { answer, user } = await impersonate(headers, ({ resource }) => resource !== "groups");
  assert.equal(answer.status, 403);
  assert.equal(
    answer.body.message,
    'groups "system:masters" is forbidden: User "jane" cannot impersonate resource "groups" in API group "" at the cluster scope',
  );
  assert.equal(user, undefined);
});

test("groups without a user are refused, never overlooked", async () => {
  const { answer, user } = await impersonate({ "impersonate-group": "a" });
  assert.equal(answer.status, 400);
  assert.equal(user, undefined);
});
