import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { WebhookAuthenticator } from "@rookery/api";
import fc from "fast-check";
import { OutboundError, TokenRefusedError } from "../errors.ts";
import type { JsonAnswer } from "../outbound/json-exchange.ts";
import { checkWebhookAuthenticator } from "./check.ts";

const endpoint = "https://webhook.example.com/review";
const { signal } = new AbortController();

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly token: string };
}

/** Checks an authenticator whose webhook answers as told. */
async function check(
  answer: (review: Review) => JsonAnswer,
  { spec = {}, dial = async () => {} }: { spec?: object; dial?: () => Promise<void> } = {},
) {
  const asked: Review[] = [];
  const { statements, authenticator } = await checkWebhookAuthenticator(
    {
      spec: { endpoint, ...spec } as WebhookAuthenticator["spec"],
      dial: () => dial,
      open: () => ({
        post: async (body) => {
          asked.push(body as Review);
          return answer(body as Review);
        },
        [Symbol.dispose]() {},
      }),
    },
    signal,
  );
  const authenticate = async (token: string) => {
    assert.ok(authenticator, "the authenticator is ready");
    return authenticator.authenticate(token, signal);
  };
  return { statements, authenticate, asked, isReady: authenticator !== undefined };
}

const review = (status: object, version = "v1"): JsonAnswer => ({
  status: 200,
  body: { apiVersion: `authentication.k8s.io/${version}`, kind: "TokenReview", status },
});
const pip = { username: "pip", groups: ["birds"] };

describe("a check of a WebhookAuthenticator", () => {
  it("finds it ready where its server can be reached, without a token", async () => {
    const { statements, asked } = await check(() => review({}));
    assert.deepEqual(
      statements.map(({ type, status }) => `${type}=${status}`),
      [
        "TLSConfigurationValid=True",
        "EndpointURLValid=True",
        "WebhookConnectionValid=True",
        "AuthenticatorValid=True",
        "Ready=True",
      ],
    );
    assert.deepEqual(asked, []);
  });

  const rows: Record<
    string,
    { spec?: object; dial?: () => Promise<void>; type: string; reason: string; message: RegExp }
  > = {
    "an endpoint that is no URL": {
      spec: { endpoint: "https://" },
      type: "EndpointURLValid",
      reason: "InvalidEndpointURL",
      message: /spec\.endpoint "https:\/\/": it is not a URL/,
    },
    "an endpoint in the clear": {
      spec: { endpoint: "http://webhook.example.com" },
      type: "EndpointURLValid",
      reason: "InvalidEndpointURLScheme",
      message: /scheme must be "https"/,
    },
    "a server that is not to be reached": {
      dial: async () => {
        throw new Error("connect ECONNREFUSED");
      },
      type: "WebhookConnectionValid",
      reason: "UnableToDialServer",
      message: /could not connect to webhook\.example\.com: connect ECONNREFUSED/,
    },
  };
  for (const [name, { type, reason, message, ...options }] of Object.entries(rows)) {
    it(`says what is wrong with ${name}`, async () => {
      const { statements, isReady } = await check(() => review({}), options);
      const found = statements.find((statement) => statement.type === type);
      assert.equal(found?.status, "False");
      assert.equal(found?.reason, reason);
      assert.match(found?.message ?? "", message);
      assert.equal(isReady, false);
    });
  }
});

describe("a webhook", () => {
  it("says whose a token is", async () => {
    const { authenticate, asked } = await check(() => review({ authenticated: true, user: pip }));
    assert.deepEqual(await authenticate("a-token"), pip);
    assert.equal(asked[0]?.apiVersion, "authentication.k8s.io/v1");
    assert.equal(asked[0]?.spec.token, "a-token");
  });

  it("that speaks v1beta1 alone is asked in it, from the first time on", async () => {
    const { authenticate, asked } = await check((body) =>
      body.apiVersion.endsWith("/v1")
        ? { status: 400, body: undefined }
        : review({ authenticated: true, user: pip }, "v1beta1"),
    );
    assert.deepEqual(await authenticate("one"), pip);
    assert.deepEqual(await authenticate("two"), pip);
    const versions = asked.map(({ apiVersion }) => apiVersion.split("/")[1]);
    assert.deepEqual(versions, ["v1", "v1beta1", "v1beta1"]);
  });

  const refused: Record<string, unknown> = {
    "does not know the token": { authenticated: false },
    "says nothing": {},
    "says so in a word": { authenticated: "true", user: pip },
    "gives no user": { authenticated: true, user: null },
    "names no user": { authenticated: true, user: { groups: ["birds"] } },
    "gives the user a UID": { authenticated: true, user: { ...pip, uid: "7" } },
    "gives the user extras": { authenticated: true, user: { ...pip, extra: { scopes: ["a"] } } },
    "gives groups that are none": { authenticated: true, user: { ...pip, groups: [7] } },
  };
  for (const [name, status] of Object.entries(refused)) {
    it(`that ${name} has the token refused`, async () => {
      const { authenticate } = await check(() => review(status as object));
      await assert.rejects(authenticate("a-token"), TokenRefusedError);
    });
  }

  it("may name the credential, which is no part of the user", async () => {
    const extra = { "authentication.kubernetes.io/credential-id": ["JTI=1"] };
    const { authenticate } = await check(() =>
      review({ authenticated: true, user: { ...pip, extra } }),
    );
    assert.deepEqual(await authenticate("a-token"), pip);
  });

  it("that answers with something else has the token refused", async () => {
    for (const body of [null, "yes", { kind: "Pod" }, { kind: "TokenReview", apiVersion: "v9" }]) {
      const { authenticate } = await check(() => ({ status: 200, body }));
      await assert.rejects(authenticate("a-token"), TokenRefusedError);
    }
  });

  it("that answers with anything at all has the token refused, or names a user", async () => {
    const anything = fc.record({
      apiVersion: fc.constant("authentication.k8s.io/v1"),
      kind: fc.constant("TokenReview"),
      status: fc.oneof(
        fc.jsonValue(),
        fc.record({ authenticated: fc.constant(true), user: fc.jsonValue() }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), anything), async (body) => {
        const { authenticate } = await check(() => ({ status: 200, body }));
        const user = await authenticate("a-token").catch((error) => {
          assert.ok(error instanceof TokenRefusedError, String(error));
        });
        if (user) assert.equal(typeof user.username, "string");
      }),
    );
  });

  it("that fails is an error that names it, and no token", async () => {
    const { authenticate } = await check(() => ({ status: 500, body: undefined }));
    await assert.rejects(authenticate("a-token"), (error: Error) => {
      assert.ok(error instanceof OutboundError);
      assert.equal(error.message, `could not POST ${endpoint}: the webhook answered 500`);
      return true;
    });
  });
});
