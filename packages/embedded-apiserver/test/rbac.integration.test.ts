import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { KubeObject, Status } from "@rookery/kube";
import {
  type Kubernetes,
  type KubernetesResponse,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import {
  accessRows,
  audienceRows,
  badReviews,
  escalationRows,
  giver,
  lastPolicy,
  lastReviews,
  namespace,
  policy,
  tokenRows,
} from "./rbac-rows.ts";

const recording = process.env.ROOKERY_CONFORMANCE === "record";
const answersFile = new URL("testdata/rbac-verdicts.json", import.meta.url);

/** What was said before, with which the unit tests compare what this server says. */
const known = recording ? {} : JSON.parse(readFileSync(answersFile, "utf8"));

describe("a real kube-apiserver answers as it is written down", () => {
  let kubernetes: Kubernetes;
  const answers: Record<string, Record<string, unknown>> = {};

  before(async () => {
    kubernetes = await startKubernetes();
    await create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await Promise.all(policy.map(create));
    await Promise.all(lastPolicy.map(create));
    await Promise.all(lastReviews.map(isAllowed));
  });
  after(async () => {
    if (recording) writeFileSync(answersFile, `${JSON.stringify(answers, undefined, 1)}\n`);
    const cluster = [...policy, ...lastPolicy].filter(
      ({ metadata }) => metadata.namespace === undefined,
    );
    await Promise.all(
      cluster.map((each) =>
        kubernetes?.request("DELETE", `${collectionOf(each)}/${each.metadata.name}`),
      ),
    );
    await kubernetes?.request("DELETE", `/api/v1/namespaces/${namespace}`);
    await kubernetes?.[Symbol.asyncDispose]();
  });

  async function create(object: KubeObject): Promise<KubernetesResponse> {
    const answer = await kubernetes.request("POST", collectionOf(object), { body: object });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer;
  }

  /** The authorizer hears of roles and bindings some time after they are made, of each kind in order. */
  async function isAllowed(body: KubeObject): Promise<void> {
    const ask = async () => {
      const answer = await kubernetes.request("POST", collectionOf(body), { body });
      return answer.body.status.allowed === true;
    };
    await waitFor(ask, { what: "the last roles and bindings to count" });
  }

  function compare(part: string, name: string, answer: unknown): void {
    const text = JSON.stringify(answer);
    answers[part] = { ...answers[part], [name]: JSON.parse(text) };
    if (!recording) assert.deepEqual(JSON.parse(text), known[part]?.[name], `${part}: ${name}`);
  }

  test("what roles allow, and the reasons", async () => {
    const rows = accessRows.entries();
    const worker = async () => {
      for (const [name, body] of rows) {
        const answer = await kubernetes.request("POST", collectionOf(body), { body });
        compare("access", name, answer.body.status);
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  });

  test("reviews that are wrong", async () => {
    for (const [name, body] of Object.entries(badReviews)) {
      const answer = await kubernetes.request("POST", collectionOf(body), { body });
      compare("reviews", name, answerOf(answer));
    }
  });

  test("who gives more than they hold", async () => {
    const as = await kubernetes.user(giver);
    for (const [name, body] of Object.entries(escalationRows)) {
      const path = `${collectionOf(body)}?dryRun=All`;
      const answer = await kubernetes.request("POST", path, { body, as });
      compare("escalation", name, answer.status === 201 ? "allowed" : answerOf(answer));
    }
  });

  test("tokens that are asked for and reviewed", async () => {
    const robot = { name: "robot", namespace };
    const account = await create({ apiVersion: "v1", kind: "ServiceAccount", metadata: robot });
    const bound = { name: "bound", namespace };
    const secret = await create({ apiVersion: "v1", kind: "Secret", metadata: bound });
    const uids = {
      [account.body.metadata.uid]: "uid-robot",
      [secret.body.metadata.uid]: "uid-bound",
    };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/robot/token`;
    for (const [name, spec] of Object.entries(tokenRows)) {
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
      const answer = await kubernetes.request("POST", path, { body });
      const { token } = answer.body.status ?? {};
      compare("requests", name, token ? withUids(claimsOf(token), uids) : answerOf(answer));
      for (const audiences of token ? audienceRows : []) {
        const reviewed = await reviewToken({ token, audiences });
        compare("tokens", `${name} for ${audiences}`, withUids(reviewed, uids));
      }
    }
    compare("tokens", "nonsense", await reviewToken({ token: "nonsense" }));
    compare("tokens", "", await reviewToken({ token: "" }));
  });

  async function reviewToken(spec: object): Promise<unknown> {
    const path = "/apis/authentication.k8s.io/v1/tokenreviews";
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec };
    const answer = await kubernetes.request("POST", path, { body });
    return answer.body.status?.constructor === Object ? answer.body.status : answerOf(answer);
  }
});

function collectionOf({ apiVersion, kind, metadata }: KubeObject): string {
  const prefix = apiVersion.includes("/") ? "/apis" : "/api";
  const inside = metadata.namespace ? `/namespaces/${metadata.namespace}` : "";
  return `${prefix}/${apiVersion}${inside}/${kind.toLowerCase()}s`;
}

/** Of a failure all but its metadata, of an answer its status. */
function answerOf({ body }: KubernetesResponse): unknown {
  if (body?.kind !== "Status") return body.status;
  const { code, reason, message, details } = body as Status;
  return { code, reason, message, details };
}

/** All but times and ids. */
function claimsOf(token: string): unknown {
  const [header = "", payload = ""] = token.split(".");
  const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const { exp, iat, nbf, jti, ...claims } = parse(payload);
  const { alg } = parse(header);
  return { alg, claims, seconds: exp - iat, early: iat - nbf, jti: jti.length };
}

function withUids(answer: unknown, uids: Readonly<Record<string, string>>): unknown {
  const entries = Object.entries(uids);
  const text = entries.reduce(
    (text, [uid, name]) => text.replaceAll(uid, name),
    JSON.stringify(answer),
  );
  return JSON.parse(text.replace(/JTI=[0-9a-f-]{36}/, "JTI=…"));
}
