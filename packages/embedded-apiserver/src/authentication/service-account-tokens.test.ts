import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { createKeyPair } from "@rookery/pki";
import { FakeClock } from "@rookery/testing";
import { put, remove, storeOf } from "../../test/rbac/rbac.ts";
import { createServiceAccountTokens } from "./service-account-tokens.ts";
import { createTokenKeys, type TokenKeys } from "./token-keys.ts";
import type { BoundClaims } from "./token-subject.ts";

const issuer = "https://kubernetes.default.svc.cluster.local";
const { signal } = new AbortController();
const account = objectOf("ServiceAccount", "robot", "u-robot");
const pod = objectOf("Pod", "p", "u-pod");
const secret = objectOf("Secret", "s", "u-secret");
const node = { ...objectOf("Node", "n", "u-node"), metadata: { name: "n", uid: "u-node" } };

function objectOf(kind: string, name: string, uid: string): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "ns", uid } };
}

const refOf = ({ metadata: { name = "", uid = "" } }: KubeObject) => ({ name, uid });

function claimsAt(now: Date, more: Partial<BoundClaims["kubernetes.io"]> = {}) {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    sub: "system:serviceaccount:ns:robot",
    aud: [issuer],
    jti: "j",
    iat: seconds,
    nbf: seconds,
    exp: seconds + 3600,
    "kubernetes.io": { namespace: "ns", serviceaccount: refOf(account), ...more },
  };
}

/** As kube-apiserver tells it. */
const told = (message: string) => `[invalid bearer token, ${message}]`;

describe("tokens of service accounts", () => {
  let keys: TokenKeys;
  before(async () => {
    keys = createTokenKeys({ signingKey: (await createKeyPair()).privateKey });
  });

  async function scene(...objects: readonly KubeObject[]) {
    const clock = new FakeClock();
    const now = clock.date;
    const store = await storeOf(account, ...objects);
    return { clock, store, tokens: createServiceAccountTokens({ store, keys, issuer, now }) };
  }

  test("a token names its account, its pod and its node", async () => {
    const { clock, tokens } = await scene(pod);
    const token = await tokens.issue(
      claimsAt(clock.date(), { pod: refOf(pod), node: refOf(node) }),
    );
    assert.deepEqual(await tokens.review({ token }, signal), {
      authenticated: true,
      audiences: [issuer],
      user: {
        username: "system:serviceaccount:ns:robot",
        uid: "u-robot",
        groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
        extra: {
          "authentication.kubernetes.io/credential-id": ["JTI=j"],
          "authentication.kubernetes.io/node-name": ["n"],
          "authentication.kubernetes.io/node-uid": ["u-node"],
          "authentication.kubernetes.io/pod-name": ["p"],
          "authentication.kubernetes.io/pod-uid": ["u-pod"],
        },
      },
    });
  });

  for (const [kind, bound] of Object.entries({ pod, secret, node })) {
    test(`a token ends with its ${kind}, and another ${kind} of the same name is not the one`, async () => {
      const { clock, store, tokens } = await scene(bound);
      const token = await tokens.issue(claimsAt(clock.date(), { [kind]: refOf(bound) }));
      const errorOf = async () => (await tokens.review({ token }, signal)).error;
      assert.equal(await errorOf(), undefined);
      await put(store, { ...bound, metadata: { ...bound.metadata, uid: "other" } });
      const why = `does not match service account ${kind} ref claim (${bound.metadata.uid})`;
      assert.equal(await errorOf(), told(`${kind} UID (other) ${why}`));
      await remove(store, bound);
      assert.equal(await errorOf(), told("service account token has been invalidated"));
    });
  }

  test("a pod that is being deleted keeps its token for a minute", async () => {
    const { clock, store, tokens } = await scene();
    const deletionTimestamp = clock.date().toISOString();
    await put(store, { ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
    const token = await tokens.issue(claimsAt(clock.date(), { pod: refOf(pod) }));
    const errorOf = async () => (await tokens.review({ token }, signal)).error;
    await clock.advance(60_000);
    assert.equal(await errorOf(), undefined);
    await clock.advance(1);
    assert.equal(await errorOf(), told("service account token has been invalidated"));
  });

  test("a token ends with its account", async () => {
    const { clock, store, tokens } = await scene();
    const token = await tokens.issue(claimsAt(clock.date()));
    await put(store, { ...account, metadata: { ...account.metadata, uid: "new" } });
    const changed = "service account UID (new) does not match claim (u-robot)";
    assert.equal((await tokens.review({ token }, signal)).error, told(changed));
    await remove(store, account);
    const gone = 'serviceaccounts "robot" not found';
    assert.equal((await tokens.review({ token }, signal)).error, told(gone));
  });

  test("a token counts from its beginning to its end, a minute more or less", async () => {
    const { clock, tokens } = await scene();
    const later = await tokens.issue(claimsAt(new Date(clock.date().getTime() + 61_000)));
    const errorOf = async (token: string) => (await tokens.review({ token }, signal)).error;
    assert.equal(await errorOf(later), told("service account token is not valid yet"));
    await clock.advance(1000);
    assert.equal(await errorOf(later), undefined);
    await clock.advance(3_721_000);
    assert.equal(await errorOf(later), told("service account token has expired"));
  });

  test("a token is for its audiences", async () => {
    const { clock, tokens } = await scene();
    const token = await tokens.issue({ ...claimsAt(clock.date()), aud: ["vault", "other"] });
    assert.deepEqual(
      (await tokens.review({ token, audiences: ["other", "third"] }, signal)).audiences,
      ["other"],
    );
    assert.deepEqual(await tokens.review({ token }, signal), {
      error: told(
        `token audiences ["vault" "other"] is invalid for the target audiences ["${issuer}"]`,
      ),
    });
  });

  test("tokens of others, and changed ones, do not count", async () => {
    const { clock, store, tokens } = await scene();
    const errorOf = async (token: string) => (await tokens.review({ token }, signal)).error;
    assert.equal(await errorOf("nonsense"), "invalid bearer token");
    const good = await tokens.issue(claimsAt(clock.date()));
    const [header, payload] = good.split(".");
    const crypto = "go-jose/go-jose: error in cryptographic primitive";
    assert.equal(await errorOf(`${header}.${payload}.AAAA`), told(crypto));
    const foreign = createTokenKeys({ signingKey: (await createKeyPair()).privateKey });
    const others = createServiceAccountTokens({
      store,
      issuer,
      keys: foreign,
      now: clock.date,
    });
    const stolen = await others.issue(claimsAt(clock.date()));
    assert.equal(await errorOf(stolen), told("invalid signature, no keys found"));
    const elsewhere = await foreign.sign({ ...claimsAt(clock.date()), iss: "https://other" });
    assert.equal(await errorOf(elsewhere), "invalid bearer token");
  });

  test("a key that was rotated out still counts where it is named, RSA as well", async () => {
    const { clock, store } = await scene();
    const old = (await createKeyPair("rsa-2048")).privateKey;
    const both = createTokenKeys({
      signingKey: (await createKeyPair()).privateKey,
      verificationKeys: [old],
    });
    const token = await createTokenKeys({ signingKey: old }).sign({
      ...claimsAt(clock.date()),
      iss: issuer,
    });
    const now = clock.date;
    const tokens = createServiceAccountTokens({ store, keys: both, issuer, now });
    assert.equal((await tokens.review({ token }, signal)).authenticated, true);
    assert.equal(both.jwks.length, 2);
    assert.ok(both.jwks.every((key) => key.use === "sig" && key.d === undefined));
  });

  test("a token in a Secret counts while it lies there", async () => {
    const { store, tokens } = await scene();
    const token = await tokens.issueLegacy({
      sub: "system:serviceaccount:ns:robot",
      "kubernetes.io/serviceaccount/namespace": "ns",
      "kubernetes.io/serviceaccount/secret.name": "s",
      "kubernetes.io/serviceaccount/service-account.name": "robot",
      "kubernetes.io/serviceaccount/service-account.uid": "u-robot",
    });
    const review = () => tokens.review({ token }, signal);
    assert.equal((await review()).error, told("Token has been invalidated"));
    await put(store, secret);
    assert.equal((await review()).error, told("Token does not match server's copy"));
    const data = { token: Buffer.from(token).toString("base64") };
    await put(store, { ...secret, data } as KubeObject);
    assert.deepEqual((await review()).user, {
      username: "system:serviceaccount:ns:robot",
      uid: "u-robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
    });
  });
});
