import assert from "node:assert/strict";
import { test } from "node:test";
import type { Handler, HttpRequest } from "@rookery/http";
import { notFoundError, StatusError } from "@rookery/kube";
import { FakeClock, settled } from "@rookery/testing";
import { createTestServer, jane } from "../../test/asking.ts";
import { contextOfPeer } from "../../test/peers.ts";
import type { ApiServerOptions } from "../server/api-server.ts";
import type { AuditEvent } from "./audit.ts";

/** A server with one path of its own, /own. */
function serverWith(handler: Handler, options: Partial<ApiServerOptions> = {}) {
  return createTestServer({ paths: { "/own": handler }, ...options });
}

const fine: Handler = () => ({ status: 200, headers: {} });

test("every answer carries an Audit-Id: the client's own, or a new one", async () => {
  const { ask } = serverWith(fine);
  const named = await ask("/own", { headers: { "audit-id": "abc" } });
  assert.equal(named.headers["audit-id"], "abc");
  for (const bad of ["", "a b", "x".repeat(300)]) {
    const { headers } = await ask("/own", { headers: { "audit-id": bad } });
    assert.match(String(headers["audit-id"]), /^[0-9a-f-]{36}$/);
  }
});

test("no answer is kept by caches, unless it says so", async () => {
  const { ask } = serverWith(() => ({ status: 200, headers: { "cache-control": "public" } }));
  assert.equal((await ask("/own")).headers["cache-control"], "public");
  assert.equal((await ask("/nope")).headers["cache-control"], "no-cache, private");
});

test("an error that nobody foresaw is 500 without its words, which are logged", async () => {
  const broken = new Error("secret");
  const { ask, errors } = serverWith(() => {
    throw broken;
  });
  const { status, text, body, headers } = await ask("/own");
  assert.equal(status, 500);
  assert.equal(body.reason, "InternalError");
  assert.doesNotMatch(text, /secret/);
  assert.match(body.message, new RegExp(String(headers["audit-id"])));
  assert.deepEqual(errors, [broken]);
});

test("an error that was caused by a Status is no Status for the client", async () => {
  const cause = notFoundError({ group: "", resource: "secrets" }, "x");
  const { ask } = serverWith(() => Promise.reject(new Error("could not look", { cause })));
  assert.equal((await ask("/own")).status, 500);
});

test("a StatusError is its Status, with Retry-After", async () => {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" } as const;
  const { ask, errors } = serverWith(() => {
    throw new StatusError({ ...status, code: 429, details: { retryAfterSeconds: 7 } });
  });
  const answer = await ask("/own");
  assert.equal(answer.status, 429);
  assert.equal(answer.headers["retry-after"], "7");
  assert.deepEqual(errors, []);
});

test("a client that has left is no error", async () => {
  const { ask, errors } = serverWith(() => {
    throw new Error("gone");
  });
  await ask("/own", { signal: AbortSignal.abort() });
  assert.deepEqual(errors, []);
});

test("a path that can't be decoded is refused before anyone is asked", async () => {
  const { ask } = serverWith(fine, { authenticate: () => assert.fail("it was asked") });
  assert.equal((await ask("/%zz")).status, 400);
});

test("who is nobody is refused, and why is logged", async () => {
  const { ask } = serverWith(fine, { authenticate: () => undefined });
  assert.deepEqual((await ask("/own")).body, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  });
  const broken = new Error("bad certificate");
  const second = serverWith(fine, { authenticate: () => Promise.reject(broken) });
  assert.equal((await second.ask("/own")).status, 401);
  assert.deepEqual(second.errors, [broken]);
});

test("behind authentication no request carries credentials or a front proxy's headers", async () => {
  let seen: HttpRequest | undefined;
  const { ask } = serverWith((request) => {
    seen = request;
    return fine(request);
  });
  const headers = {
    authorization: "Bearer secret",
    "x-remote-user": "admin",
    "x-remote-group": ["system:masters"],
    "x-remote-uid": "0",
    "x-remote-extra-scopes": "all",
    "x-other": "1",
  };
  await ask("/own", { headers });
  assert.deepEqual(seen?.headers, { "x-other": "1" });
});

test("an authorizer that fails is no Status of another server, but a logged 500", async () => {
  const refused = notFoundError({ group: "", resource: "x" }, "y");
  const { ask, errors } = serverWith(fine, { authorize: () => Promise.reject(refused) });
  assert.equal((await ask("/own")).status, 500);
  assert.deepEqual(
    errors.map((error) => (error as { code: string }).code),
    ["AuthorizationFailed"],
  );
});

test("a request that takes too long is ended, and its handler is told", async () => {
  const clock = new FakeClock();
  const reasons: unknown[] = [];
  const { ask } = serverWith(
    ({ signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return new Promise(() => {});
    },
    { timers: clock },
  );
  const answer = ask("/own");
  await clock.advance(60_000);
  const { status, body } = await answer;
  assert.equal(status, 504);
  assert.equal(body.message, "Timeout: request did not complete within the allotted timeout");
  assert.equal(reasons.length, 1);
  assert.equal(clock.timers, 0);
});

test("a client may ask for less time, not for more", async () => {
  const clock = new FakeClock();
  const { ask } = serverWith(() => new Promise(() => {}), { timers: clock });
  const short = ask("/own?timeout=1s");
  await clock.advance(1_000);
  assert.equal((await short).status, 504);
  const long = ask("/own?timeout=1h");
  await clock.advance(60_000);
  assert.equal((await long).status, 504);
  assert.equal((await ask("/own?timeout=x")).status, 400);
});

test("what is too much at a time is refused, apart from what masters ask", async () => {
  const go = Promise.withResolvers<void>();
  const wait: Handler = async () => {
    await go.promise;
    return { status: 200, headers: {} };
  };
  let groups = jane.groups;
  const { ask } = serverWith(wait, {
    limits: { maxInFlight: { readOnly: 2, mutating: 1 } },
    authenticate: () => ({ ...jane, groups }),
  });
  const first = [ask("/own"), ask("/own"), ask("/own", { method: "POST" })];
  await settled();
  const { status, headers, body } = await ask("/own");
  assert.equal(status, 429);
  assert.equal(headers["retry-after"], "1");
  assert.equal(body.message, "Too many requests, please try again later.");
  assert.equal((await ask("/own", { method: "POST" })).status, 429);
  groups = ["system:masters"];
  const master = ask("/own");
  go.resolve();
  const answers = await Promise.all([...first, master]);
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 200, 200],
  );
  groups = jane.groups;
  assert.equal((await ask("/own")).status, 200);
});

test("clients without a credential do not take the places of those who have one", async () => {
  const go = Promise.withResolvers<void>();
  const wait: Handler = async () => {
    await go.promise;
    return { status: 200, headers: {} };
  };
  let user: { readonly name: string; readonly groups: readonly string[] } = {
    name: "system:anonymous",
    groups: ["system:unauthenticated"],
  };
  const { ask } = serverWith(wait, {
    limits: { maxInFlight: { readOnly: 3, mutating: 3, anonymous: 2 } },
    authenticate: () => user,
  });
  const first = [ask("/own"), ask("/own", { method: "POST" })];
  await settled();
  assert.equal((await ask("/own")).status, 429);
  assert.equal((await ask("/own", { method: "POST" })).status, 429);
  user = jane;
  const own = [ask("/own"), ask("/own", { method: "POST" })];
  go.resolve();
  const answers = await Promise.all([...first, ...own]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
});

test("an audit log hears of every request, refused ones too", async () => {
  const events: AuditEvent[] = [];
  const { ask } = serverWith(fine, {
    audit: (event) => events.push(event),
    authorize: ({ path }) =>
      path === "/own" ? { decision: "Allow", reason: "its own" } : { decision: "Deny" },
    authenticate: ({ query }) => (query === "nobody" ? undefined : jane),
  });
  const context = contextOfPeer();
  await ask("/own", { context, headers: { "user-agent": "tester", "audit-id": "one" } });
  await ask("/nope");
  await ask("/own?nobody");
  const [first] = events;
  assert.equal(first?.auditId, "one");
  assert.equal(first?.requestUri, "/own");
  assert.equal(first?.sourceAddress, "192.0.2.1");
  assert.equal(first?.userAgent, "tester");
  assert.deepEqual(
    events.map(({ status, user, info }) => [status, user?.name, info.path]),
    [
      [200, "jane", "/own"],
      [403, "jane", "/nope"],
      [401, undefined, "/own"],
    ],
  );
  const decided = (decision: string, reason: string) => ({
    "authorization.k8s.io/decision": decision,
    "authorization.k8s.io/reason": reason,
  });
  assert.deepEqual(
    events.map(({ annotations }) => annotations),
    [decided("allow", "its own"), decided("forbid", ""), {}],
  );
});
