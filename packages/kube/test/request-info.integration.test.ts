import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { MalformedPathError, parseRequestInfo, type RequestInfo, StatusError } from "@rookery/kube";
import { ensureGoProgram, runCommand, UnavailableError } from "@rookery/testing";
import fc from "fast-check";

/** A request's info as Go writes it. */
interface GoInfo {
  readonly IsResourceRequest: boolean;
  readonly Path: string;
  readonly Verb: string;
  readonly APIPrefix: string;
  readonly APIGroup: string;
  readonly APIVersion: string;
  readonly Namespace: string;
  readonly Resource: string;
  readonly Subresource: string;
  readonly Name: string;
  readonly Parts: readonly string[] | null;
  readonly FieldSelector: string;
  readonly LabelSelector: string;
}

interface Answer {
  readonly error?: string;
  readonly info?: GoInfo;
}

interface Question {
  readonly method: string;
  readonly target: string;
}

const words = [
  ...["api", "apis", "v1", "apps", "namespaces", "watch", "proxy", "pods", "status", "finalize"],
  ...[
    "",
    "",
    ".",
    "..",
    "x",
    "a b",
    "n%6Fdes",
    "namespace%73",
    "%2F",
    "%2fpods",
    "%00",
    "%zz",
    "%",
  ],
  ...["a;b", "%3B", "%252F", "\xff", "%ff%e2%82", "ü", "%C3%BC", "a:b", "*", "\\", "#", "+", "%2B"],
];
const starts = [
  "/api/v1",
  "/apis/apps/v1",
  "/apis",
  "/",
  "//api/v1",
  "/openapi/v3",
  "/api/v1/namespaces/n",
];
const parameters = [
  ...[
    "watch",
    "watch=1",
    "watch=false",
    "watch=0",
    "watch=TRUE",
    "watch=0;",
    "watch=%zz",
    "%77atch=t",
  ],
  ...[
    "limit=1",
    "limit=x",
    "timeoutSeconds=1;",
    "a=b&&c",
    "+watch=1",
    "watch=%20",
    "=",
    "?watch=1",
  ],
  ...["fieldSelector=metadata.name%3Dfoo", "fieldSelector=metadata.name=a%2Fb", "fieldSelector=x"],
  ...["labelSelector=a%3Db", "labelSelector=%28", "fieldSelector=metadata.name%3D%2e%2e", "\xff=1"],
];

const questions = fc.record({
  method: fc.constantFrom("GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get"),
  target: fc
    .tuple(
      fc.constantFrom(...starts),
      fc.array(fc.constantFrom(...words), { maxLength: 6 }),
      fc.constantFrom("", "", "/", "//"),
      fc.array(fc.constantFrom(...parameters), { maxLength: 3 }),
    )
    .map(([start, segments, end, query]) => {
      const path = [start, ...segments].join("/").replaceAll(" ", "") + end;
      return query.length === 0 ? path : `${path}?${query.join("&")}`;
    }),
});

test("what requests ask for is what kube-apiserver's own code says of them", async (t) => {
  let judge: string;
  try {
    judge = await ensureGoProgram(join(import.meta.dirname, "go", "request-info"));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return t.skip(`NOT RUN: ${error.message}`);
  }
  const asked = fc.sample(questions, { numRuns: 10_000, seed: 21 });
  const answers: Answer[] = JSON.parse(
    await runCommand(judge, [], { stdin: JSON.stringify(asked) }),
  );
  assert.equal(answers.length, asked.length);
  for (const [i, question] of asked.entries()) {
    assert.deepEqual(ask(question), answerOf(answers[i] ?? {}), JSON.stringify(question));
  }
  const understood = answers.filter(({ info }) => info?.IsResourceRequest).length;
  assert.ok(understood > 1_000, `${understood} were about resources`);
});

function ask({ method, target }: Question): RequestInfo | string {
  const [path = "", ...query] = target.split("?");
  try {
    return parseRequestInfo({ method, path, query: query.join("?") });
  } catch (error) {
    if (error instanceof MalformedPathError) return "malformed";
    if (error instanceof StatusError) return "unclear";
    throw error;
  }
}

function answerOf({ error = "", info }: Answer): RequestInfo | string {
  if (info === undefined) return error;
  return {
    verb: info.Verb,
    path: info.Path,
    isResourceRequest: info.IsResourceRequest,
    apiPrefix: info.APIPrefix,
    group: info.APIGroup,
    version: info.APIVersion,
    resource: info.Resource,
    subresource: info.Subresource,
    namespace: info.Namespace,
    name: info.Name,
    parts: info.Parts ?? [],
    fieldSelector: info.FieldSelector,
    labelSelector: info.LabelSelector,
  };
}
