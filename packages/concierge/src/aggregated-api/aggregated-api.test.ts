import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createApiServer } from "@rookery/apiserver";
import { Context, collectBody } from "@rookery/http";
import { type Logger, silentLogger } from "@rookery/runtime";
import { growing, testGrowth } from "@rookery/testing";
import type { TokenAuthenticator } from "../authenticators/authenticator.ts";
import { SystemNames } from "../authenticators/system-names.ts";
import { OutboundError, SigningError, TokenRefusedError } from "../errors.ts";
import { aggregatedApiLimits } from "./add-aggregated-api.ts";
import { conciergeGroups, type ServedGroupsOptions } from "./served-groups.ts";
import type { ExchangeResult } from "./token-credential-request.ts";

const suffix = "team1.example.com";
const group = (name: string) => name.replace(/pinniped\.dev$/, suffix);
const expires = new Date("2026-01-01T00:05:00Z");

const authenticator: TokenAuthenticator = {
  authenticate: async (token) => {
    if (token !== "good") throw new TokenRefusedError("it is bad");
    return { username: "pip", groups: ["birds"] };
  },
  [Symbol.dispose]() {},
};

const good: ServedGroupsOptions = {
  group,
  find: () => authenticator,
  names: new SystemNames([]),
  sign: async ({ username }) => ({
    certificate: `certificate of ${username}`,
    key: "key",
    expires,
  }),
  onExchange: () => {},
  logger: silentLogger,
};

/** Asks an aggregated API without a socket, as a user who may do everything. */
async function ask(path: string, body?: unknown, options: Partial<ServedGroupsOptions> = {}) {
  const { handler } = createApiServer({
    groups: conciergeGroups({ ...good, ...options }),
    limits: aggregatedApiLimits,
    authenticate: () => ({ name: "jane", uid: "7", groups: ["keepers"], extra: { a: ["b"] } }),
    authorize: () => ({ decision: "Allow" }),
    onError: (error) => assert.fail(String(error)),
  });
  const [pathname = "", query = ""] = path.split("?");
  const response = await handler({
    method: body === undefined ? "GET" : "POST",
    path: pathname,
    query,
    headers: { "content-type": "application/json", accept: "application/json" },
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    signal: new AbortController().signal,
    context: Context.empty,
  });
  const bytes = await collectBody(response.body, { limit: 1e7 });
  const text = Buffer.from(bytes).toString();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

const logins = `/apis/login.concierge.${suffix}/v1alpha1/tokencredentialrequests`;
const identities = `/apis/identity.concierge.${suffix}/v1alpha1/whoamirequests`;

const tokenRequest = (spec: object) => ({
  apiVersion: `login.concierge.${suffix}/v1alpha1`,
  kind: "TokenCredentialRequest",
  spec,
});
const reference = {
  apiGroup: `authentication.concierge.${suffix}`,
  kind: "JWTAuthenticator",
  name: "corp",
};
const exchange = (token: string, options: Partial<ServedGroupsOptions> = {}) =>
  ask(logins, tokenRequest({ token, authenticator: reference }), options);

describe("a TokenCredentialRequest", () => {
  it("that is larger than any token is refused unread", async () => {
    const { status, body } = await exchange("x".repeat(aggregatedApiLimits.maxBodyBytes));
    assert.equal(status, 413);
    assert.match(body.message, /limit is 65536/);
  });

  it("is answered with a credential, and never with what it held", async () => {
    assert.deepEqual(await exchange("good"), {
      status: 201,
      body: {
        apiVersion: `login.concierge.${suffix}/v1alpha1`,
        kind: "TokenCredentialRequest",
        metadata: {},
        spec: {},
        status: {
          credential: {
            expirationTimestamp: "2026-01-01T00:05:00Z",
            clientCertificateData: "certificate of pip",
            clientKeyData: "key",
          },
        },
      },
    });
  });

  const kind = "JWTAuthenticator";
  const failures: Record<string, [options: Partial<ServedGroupsOptions>, counted: ExchangeResult]> =
    {
      "the token is refused": [
        { find: () => ({ ...authenticator, authenticate: refuse }) },
        { kind, result: "Refused" },
      ],
      "there is no such authenticator": [
        { find: () => undefined },
        { kind: "none", result: "NoAuthenticator" },
      ],
      "a server does not answer": [
        { find: () => ({ ...authenticator, authenticate: goDown }) },
        { kind, result: "AuthenticatorFailed" },
      ],
      "nothing can sign": [
        { sign: () => Promise.reject(new SigningError("no key")) },
        { kind, result: "SigningFailed" },
      ],
    };
  for (const [name, [options, counted]] of Object.entries(failures)) {
    it(`says only that authentication failed when ${name}, and counts why`, async () => {
      const exchanges: ExchangeResult[] = [];
      const onExchange = (one: ExchangeResult) => void exchanges.push(one);
      const { status, body } = await exchange("good", { ...options, onExchange });
      assert.equal(status, 201);
      assert.deepEqual(body.status, { message: "authentication failed" });
      assert.deepEqual(exchanges, [counted]);
    });
  }

  it("is counted when a certificate was issued", async () => {
    const exchanges: ExchangeResult[] = [];
    await exchange("good", { onExchange: (one) => void exchanges.push(one) });
    assert.deepEqual(exchanges, [{ kind, result: "Issued" }]);
  });

  it("tells the log why, without the token", async () => {
    const lines: string[] = [];
    const add = (...values: unknown[]) => void lines.push(JSON.stringify(values));
    const logger: Logger = {
      info: add,
      debug: add,
      error: (error, ...values) => add(String(error), ...values),
      withValues: (values) => {
        add(values);
        return logger;
      },
      withName: () => logger,
    };
    await exchange("a-bad-token", { logger });
    await exchange("good", { logger });
    assert.match(lines.join("\n"), /it is bad/);
    assert.match(lines.join("\n"), /Issued a client certificate.*pip/);
    assert.doesNotMatch(lines.join("\n"), /a-bad-token|certificate of pip/);
  });

  it("needs a token, as a text, and names its own group when it is refused", async () => {
    for (const spec of [{}, { token: "" }, { authenticator: reference }]) {
      const { status, body } = await ask(logins, tokenRequest(spec));
      assert.equal(status, 422);
      assert.match(body.message, /spec\.token\.value: Required value: token must be supplied/);
      assert.equal(body.details.group, `login.concierge.${suffix}`);
    }
    const { status } = await ask(logins, tokenRequest({ token: 7 }));
    assert.ok(status === 400 || status === 422, `${status}`);
  });

  it("is refused as a dry run", async () => {
    const body = tokenRequest({ token: "good", authenticator: reference });
    assert.equal((await ask(`${logins}?dryRun=All`, body)).status, 400);
  });

  it("is not known under the default group", async () => {
    const path = logins.replace(suffix, "pinniped.dev");
    assert.equal((await ask(path)).status, 404);
    const apiVersion = "login.concierge.pinniped.dev/v1alpha1";
    const foreign = { ...tokenRequest({ token: "good" }), apiVersion };
    assert.equal((await ask(logins, foreign)).status, 400);
  });
});

describe("a WhoAmIRequest", () => {
  it("is answered with who asks", async () => {
    const { status, body } = await ask(identities, {
      apiVersion: `identity.concierge.${suffix}/v1alpha1`,
      kind: "WhoAmIRequest",
    });
    assert.equal(status, 201);
    assert.deepEqual(body.status.kubernetesUserInfo.user, {
      username: "jane",
      uid: "7",
      groups: ["keepers"],
      extra: { a: ["b"] },
    });
  });
});

describe("the aggregated API", () => {
  it("lists nothing", async () => {
    for (const [path, kind] of [
      [logins, "TokenCredentialRequestList"],
      [identities, "WhoAmIRequestList"],
    ] as const) {
      const { body } = await ask(path);
      assert.equal(body.kind, kind);
      assert.deepEqual(body.items, []);
      assert.equal(body.metadata.resourceVersion, "0");
    }
  });

  it("has create and list, and no other verb", async () => {
    const { body } = await ask(`/apis/login.concierge.${suffix}/v1alpha1`);
    assert.deepEqual(body.resources[0].verbs.toSorted(), ["create", "list"]);
    assert.equal(body.resources[0].namespaced, false);
  });
});

const owner = (index: number) => ({
  apiVersion: "v1",
  kind: "Pod",
  name: `p${index}`,
  uid: `u${index}`,
  controller: true,
});
const metadataOf: Readonly<Record<string, (count: number) => object>> = {
  "different owners": (n) => ({ ownerReferences: Array.from({ length: n }, (_, i) => owner(i)) }),
  "equal owners": (n) => ({ ownerReferences: Array.from({ length: n }, () => owner(0)) }),
  finalizers: (n) => ({ finalizers: Array.from({ length: n }, (_, i) => `f${i}`) }),
  labels: (n) => ({
    labels: Object.fromEntries(Array.from({ length: n }, (_, i) => [`${i}!`, "-"])),
  }),
};
testGrowth(
  Object.fromEntries(
    Object.entries(metadataOf).map(([name, metadata]) => [
      `a TokenCredentialRequest of many ${name}`,
      growing({
        build: (n) => ({
          ...tokenRequest({ token: "x", authenticator: reference }),
          metadata: metadata(n),
        }),
        run: (body) => ask(logins, body),
        // The larger one is as large as the server takes.
        size: 150,
      }),
    ]),
  ),
);

async function refuse(): Promise<never> {
  throw new TokenRefusedError("it is bad");
}

async function goDown(): Promise<never> {
  throw new OutboundError({ method: "GET", url: "https://issuer.example.com" }, "it is down");
}
