import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestError } from "@rookery/http";
import {
  type Condition,
  conflictError,
  type Finding,
  forbiddenError,
  internalError,
  invalidError,
  isFalse,
  type KubeObject,
  withConditions,
} from "@rookery/kube";
import type { Commit } from "../committer/committer.ts";
import {
  MixedCommitError,
  ObjectReplacedError,
  ReconcileTimeoutError,
  TerminalError,
} from "../errors.ts";
import { errorFinding, reportError } from "./report-error.ts";
import type { LifecycleErrors, LifecycleScope } from "./steps.ts";

type Thing = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;

const things = { group: "example.dev", resource: "things" };
const request = { namespace: "ns", name: "a" };
const thing: Thing = { apiVersion: "example.dev/v1", kind: "Thing", metadata: request };
const { signal } = new AbortController();
const hint = "hush-internal.corp 10.1.2.3";
const unanswered = new RequestError(
  { method: "GET", origin: `https://${hint}`, path: "/", stage: "connect" },
  "ConnectionRefused",
  { reason: hint },
);

/** The reasons that are written for an error. */
async function reasonsOf(
  error: unknown,
  {
    attempt = 1,
    object = thing,
    findingOf,
  }: {
    attempt?: number;
    object?: Thing | undefined;
    findingOf?: (error: unknown) => Finding | undefined;
  } = {},
): Promise<(string | undefined)[]> {
  const written: (string | undefined)[] = [];
  const commit: Commit<Thing> = async (_, desired) => {
    written.push(desired.status?.conditions?.[0]?.reason);
    return desired;
  };
  const errors: LifecycleErrors<Thing, LifecycleScope<Thing>> = {
    withFinding: (one, statement) =>
      withConditions(one, [{ type: "Ready", ...statement }], () => new Date(0)),
    ...(findingOf && { findingOf }),
  };
  await reportError({ request, error, attempt, signal }, errors, {
    get: async () => object,
    commit,
  });
  return written;
}

describe("every error becomes a reason:", () => {
  const errors: Record<string, [error: unknown, reason: string, message: RegExp]> = {
    "a timeout": [new ReconcileTimeoutError("ns/a", 1000), "ReconcileTimeout", /longer than 1000/],
    "missing rights": [
      forbiddenError(things, "a", "no role"),
      "Forbidden",
      /is forbidden: no role/,
    ],
    "missing rights as the cause of another": [
      new Error("could not", { cause: forbiddenError(things, "a", "no role") }),
      "Forbidden",
      /no role/,
    ],
    "a refused object": [
      invalidError({ group: "example.dev", kind: "Thing" }, "a", []),
      "RequestRefused",
      /refused a request of the manager/,
    ],
    "a TerminalError": [new TerminalError("the disk is full"), "Terminal", /^the disk is full$/],
    "a mistake": [new TypeError(hint), "InternalError", /\(TypeError\); the manager's log/],
    "an error of the runtime": [
      new MixedCommitError("ns/a"),
      "InternalError",
      /\(MixedCommitError/,
    ],
    "what is no error": [hint, "InternalError", /\(no error\)/],
  };
  for (const [what, [error, reason, message]] of Object.entries(errors)) {
    it(what, async () => {
      assert.deepEqual(await reasonsOf(error), [reason]);
      assert.match(errorFinding(error).message, message);
    });
  }

  it("no message repeats what a server or a mistake says", () => {
    for (const error of [unanswered, new TypeError(hint), new Error(hint), hint]) {
      assert.doesNotMatch(errorFinding(error).message, /hush|10\.1/);
    }
  });
});

describe("what the API server may take a moment later is reported from the fifth time in a row:", () => {
  const errors: Record<string, [error: unknown, reason: string]> = {
    "a conflict": [conflictError(things, "a", "it was modified"), "RequestRefused"],
    "an object that was replaced": [new ObjectReplacedError("ns/a"), "InternalError"],
    "an internal error": [internalError(new Error("etcd")), "RequestRefused"],
    "no answer": [unanswered, "RequestFailed"],
  };
  for (const [what, [error, reason]] of Object.entries(errors)) {
    it(what, async () => {
      assert.deepEqual(await reasonsOf(error, { attempt: 4 }), []);
      assert.deepEqual(await reasonsOf(error, { attempt: 5 }), [reason]);
    });
  }
});

it("what a provider says of its own errors comes first, also of those", async () => {
  const findingOf = () => isFalse("VCenterUnreachable", "");
  assert.deepEqual(await reasonsOf(unanswered, { findingOf }), ["VCenterUnreachable"]);
});

it("nothing is written of an object that is gone", async () => {
  const reported: string[] = [];
  const scope: LifecycleScope<Thing> = {
    get: async () => undefined,
    commit: async (_, desired) => {
      reported.push(desired.kind);
      return desired;
    },
  };
  const failed = { request, error: new Error("no"), attempt: 9, signal };
  await reportError(failed, { withFinding: (one: Thing) => one }, scope);
  assert.deepEqual(reported, []);
});
