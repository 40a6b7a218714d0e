import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import type { AdmissionAttributes, CreateRequest } from "@rookery/apiserver";
import { type KubeObject, type Status, StatusError } from "@rookery/kube";
import { createKeyPair } from "@rookery/pki";
import { storeOf } from "../../test/rbac/rbac.ts";
import {
  accessRows,
  audienceRows,
  badReviews,
  escalationRows,
  giver,
  namespace,
  policy,
  rbac,
  tokenRows,
} from "../../test/rbac-rows.ts";
import { createServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import { createTokenKeys } from "../authentication/token-keys.ts";
import { reviewGroups, tokenSubresource } from "../reviews/review-resources.ts";
import type { Store } from "../store/store.ts";
import { createEscalationCheck } from "./escalation.ts";
import { createRbacAuthorizer } from "./rbac-authorizer.ts";
import { createRuleResolver } from "./rule-resolver.ts";

const answersFile = new URL("../../test/testdata/rbac-verdicts.json", import.meta.url);
const bootstrapFile = new URL("../generated/bootstrap-policy.json", import.meta.url);
const bootstrap = JSON.parse(readFileSync(bootstrapFile, "utf8")) as KubeObject[];
const known = JSON.parse(readFileSync(answersFile, "utf8"));
const { signal } = new AbortController();
const issuer = "https://kubernetes.default.svc.cluster.local";

describe("this server answers as a real kube-apiserver did", () => {
  let scene: Awaited<ReturnType<typeof createScene>>;
  before(async () => {
    scene = await createScene();
  });

  test("what roles allow, and the reasons", async () => {
    assert.ok(accessRows.size > 1500);
    for (const [name, object] of accessRows) {
      const { status } = (await scene.ask(object)) as KubeObject;
      assert.deepEqual(plain(status), known.access[name], name);
    }
  });

  for (const [name, object] of Object.entries(badReviews)) {
    test(`a review with ${name}`, async () => {
      const answer = await outcome(async () => ((await scene.ask(object)) as KubeObject).status);
      assert.deepEqual(answer, known.reviews[name]);
    });
  }

  for (const [name, object] of Object.entries(escalationRows)) {
    test(`who gives ${name}`, async () => {
      const answer = await outcome(async () => {
        await scene.check(object);
        return "allowed";
      });
      assert.deepEqual(answer, known.escalation[name]);
    });
  }

  for (const [name, spec] of Object.entries(tokenRows)) {
    test(`a token: ${name}`, async () => {
      let token = "";
      const answer = await outcome(async () => {
        ({ token } = (await scene.requestToken(spec)).status as { token: string });
        return claimsOf(token);
      });
      assert.deepEqual(answer, known.requests[name]);
      for (const audiences of token === "" ? [] : audienceRows) {
        const reviewed = await scene.reviewToken({ token, audiences });
        assert.deepEqual(reviewed, known.tokens[`${name} for ${audiences}`]);
      }
    });
  }

  test("what is no token", async () => {
    assert.deepEqual(await scene.reviewToken({ token: "nonsense" }), known.tokens.nonsense);
    assert.deepEqual(await outcome(() => scene.reviewToken({ token: "" })), known.tokens[""]);
  });
});

async function createScene() {
  const store: Store = await storeOf(
    ...bootstrap.filter(({ apiVersion }) => apiVersion.startsWith(rbac)),
    ...policy,
    accountOf("ServiceAccount", "robot"),
    accountOf("Secret", "bound"),
  );
  const resolver = createRuleResolver(store);
  const authorize = createRbacAuthorizer(store, resolver);
  const keys = createTokenKeys({ signingKey: (await createKeyPair()).privateKey });
  const now = () => new Date("2026-01-01T00:00:00.500Z");
  const tokens = createServiceAccountTokens({ store, keys, issuer, now });
  const context = { store, resolver, authorize, tokens, now };
  const served = reviewGroups(context).flatMap(({ versions }) => versions[0]?.resources ?? []);
  const { mutate } = createEscalationCheck(context);
  const user = { name: "admin", groups: ["system:masters"] };
  const ask = async (object: KubeObject) => {
    const resource = served.find(({ kind }) => kind === object.kind);
    const decoded = resource?.decode?.(structuredClone(object) as never).object;
    const inside = object.metadata.namespace ?? "";
    const request = { object: decoded, user, namespace: inside, signal };
    return resource?.handlers.create?.(request as unknown as CreateRequest);
  };
  return {
    ask,
    check: (object: KubeObject) => mutate?.(attributesOf(object)),
    requestToken: async (spec: object) => {
      const object = {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        metadata: {},
        spec,
      };
      const request = { object, name: "robot", namespace, user, signal };
      const { decode, handlers } = tokenSubresource(context);
      const decoded = decode?.(object as never).object;
      const asked = { ...request, object: decoded } as unknown as CreateRequest;
      return (await handlers.create?.(asked)) as KubeObject;
    },
    reviewToken: async (spec: object) => {
      const object = {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        metadata: {},
        spec,
      };
      const { status } = (await ask(object)) as KubeObject;
      return JSON.parse(JSON.stringify(status).replace(/JTI=[0-9a-f-]{36}/, "JTI=…"));
    },
  };
}

function accountOf(kind: string, name: string): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace, uid: `uid-${name}` } };
}

function attributesOf(object: KubeObject): AdmissionAttributes {
  const resource = { group: rbac, version: "v1", resource: `${object.kind.toLowerCase()}s` };
  const { name, namespace: inside = "" } = object.metadata;
  const user = { ...giver, groups: [...giver.groups, "system:authenticated"] };
  return {
    operation: "CREATE",
    resource,
    subresource: "",
    namespace: inside,
    name,
    object,
    oldObject: undefined,
    user,
    signal,
  } as unknown as AdmissionAttributes;
}

/** What is thrown is as good an answer. */
async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return plain(await run());
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return plain(statusOf(error.status));
  }
}

/** As it goes over the wire: nothing that is empty. */
function statusOf({ code, reason, message, details = {} }: Status): object {
  const told = Object.entries(details).filter(([, value]) => value !== "");
  return { code, reason, message, ...(told.length > 0 && { details: Object.fromEntries(told) }) };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function claimsOf(token: string): unknown {
  const [header = "", payload = ""] = token.split(".");
  const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { exp, iat, nbf, jti, ...claims } = parse(payload);
  const { alg } = parse(header);
  return { alg, claims, seconds: exp - iat, early: iat - nbf, jti: jti.length };
}
