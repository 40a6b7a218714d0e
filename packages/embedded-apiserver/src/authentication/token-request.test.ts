import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { TokenRequest } from "@rookery/api";
import { createApiServer } from "@rookery/apiserver";
import { createClientOver } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { createKeyPair } from "@rookery/pki";
import { storeOf } from "../../test/rbac/rbac.ts";
import { serviceAccountKind } from "../kinds/core/service-account.ts";
import { servedKind } from "../registry/served-kind.ts";
import { tokenSubresource } from "../reviews/review-resources.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import { createServiceAccountTokens } from "./service-account-tokens.ts";
import { createTokenKeys, type TokenKeys } from "./token-keys.ts";

const now = () => new Date("2026-01-01T00:00:00Z");
const issuer = "https://here";
const accounts = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  singular: "serviceaccount",
  namespaced: true,
};

function objectOf(kind: string, name: string, more: object = {}): KubeObject {
  const namespace = kind === "Node" ? {} : { namespace: "ns" };
  return { apiVersion: "v1", kind, metadata: { name, ...namespace, uid: `uid-${name}` }, ...more };
}

describe("a service account asks for a token", () => {
  let keys: TokenKeys;
  before(async () => {
    keys = createTokenKeys({ signingKey: (await createKeyPair()).privateKey });
  });

  async function ask(request: Partial<KubeObject>, name = "robot"): Promise<TokenRequest> {
    await using store = await storeOf(
      objectOf("ServiceAccount", "robot"),
      objectOf("Node", "n"),
      objectOf("Pod", "p", { spec: { serviceAccountName: "robot", nodeName: "n" } }),
      objectOf("Pod", "other", { spec: { serviceAccountName: "default" } }),
    );
    const tokens = createServiceAccountTokens({ store, keys, issuer, now });
    const served = servedKind(serviceAccountKind, { store, now, decoderOf: typedDecoder });
    const token = tokenSubresource({ store, tokens, now });
    const account = { ...served, subresources: { ...served.subresources, token } };
    const { handler } = createApiServer({
      groups: [{ name: "", versions: [{ name: "v1", resources: [account] }] }],
      authenticate: () => ({ name: "admin", groups: ["system:masters"] }),
      authorize: () => ({ decision: "Allow" }),
      onError: (error) => {
        throw error;
      },
      now,
    });
    const object = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      ...request,
    };
    const part = createClientOver(handler).resource(accounts).subresource("token");
    const path = { namespace: "ns", name };
    return (await part.create(path, object as KubeObject)) as TokenRequest;
  }

  const claimsOf = (token = "") =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

  test("the answer says whose it is, whom it is for and when it ends", async () => {
    const { metadata, spec, status } = await ask({});
    const { name, namespace, uid } = metadata ?? {};
    assert.deepEqual(
      { name, namespace, uid },
      { name: "robot", namespace: "ns", uid: "uid-robot" },
    );
    assert.deepEqual(spec?.audiences, [issuer]);
    assert.equal(spec?.expirationSeconds, 3600);
    assert.equal(status?.expirationTimestamp, "2026-01-01T01:00:00Z");
  });

  test("a token of a pod names its node, and lasts a year where it is a projected one", async () => {
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "p" };
    const { status } = await ask({ spec: { boundObjectRef, expirationSeconds: 3607 } });
    const claims = claimsOf(status?.token);
    assert.equal(claims.exp - claims.iat, 365 * 24 * 3600);
    assert.deepEqual(claims["kubernetes.io"], {
      namespace: "ns",
      node: { name: "n", uid: "uid-n" },
      pod: { name: "p", uid: "uid-p" },
      serviceaccount: { name: "robot", uid: "uid-robot" },
      warnafter: claims.iat + 3607,
    });
    assert.equal(status?.expirationTimestamp, "2026-01-01T01:00:07Z");
  });

  const refusals: Record<string, readonly [Partial<KubeObject>, message: string]> = {
    "a pod of another account": [
      { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "other" } } },
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ],
    "another uid": [
      { metadata: { uid: "x" } },
      'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (x) does not match the UID of the service account (uid-robot)',
    ],
    "another name": [
      { metadata: { name: "x" } },
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
  };
  for (const [sentence, [request, message]] of Object.entries(refusals)) {
    test(`it is refused for ${sentence}`, async () => {
      await assert.rejects(ask(request), { message });
    });
  }

  test("there is none for an account that is not there", async () => {
    await assert.rejects(ask({}, "gone"), { message: 'serviceaccounts "gone" not found' });
  });
});
