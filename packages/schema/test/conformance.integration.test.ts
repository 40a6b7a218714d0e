import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JSONObject, JSONSchemaProps } from "@rookery/schema";
import {
  type CustomResourceDefinition,
  clusterApiCrds,
  type Kubernetes,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { recordAnswers, recordedAnswers } from "./answers.ts";
import { Comparison } from "./ask.ts";
import { schemas } from "./broken-schemas.ts";
import { compareObjects, eachSort } from "./cluster-api-comparison.ts";
import { clusterApiSpecs } from "./cluster-api-specs.ts";
import { type Kind, objectOf, separateVersions } from "./crd.ts";
import { grow } from "./grow.ts";
import { mutationsOf } from "./mutations.ts";
import {
  example,
  features,
  rules,
  type Suite,
  statuses,
  structuralProblems,
  withoutTypeNames,
} from "./suites.ts";
import type { Request, Verdict } from "./verdict.ts";

/** Keep what the server says for the tests that do without it, instead of comparing with what it said. */
const recording = process.env.ROOKERY_CONFORMANCE === "record";

let kubernetes: Kubernetes;
const answers: Record<string, Record<string, Answer>> = {};
type Answer = Verdict | readonly string[];

before(async () => {
  kubernetes = await startKubernetes({ private: true, controllerManager: false });
});

after(async () => {
  if (recording) recordAnswers(answers);
  await kubernetes?.[Symbol.asyncDispose]();
});

/** The server's answer must be ours, and the one that it gave before. */
function agree(at: readonly [suite: string, name: string], ours: Answer, theirs: Answer): void {
  const [suite, name] = at;
  answers[suite] = { ...answers[suite], [name]: theirs };
  assert.deepEqual(ours, theirs);
  if (!recording) assert.deepEqual(theirs, recordedAnswers<Answer>()[suite]?.[name]);
}

async function install(kind: Kind): Promise<Comparison> {
  await kubernetes.applyCrd(kind.crd);
  return new Comparison(kubernetes, kind);
}

describe("the CRDs of Cluster API", () => {
  let crds: readonly CustomResourceDefinition[];

  before(async () => {
    crds = await clusterApiCrds();
    await Promise.all(crds.flatMap(separateVersions).map(({ crd }) => kubernetes.applyCrd(crd)));
  });

  // Each sort of change, at one node in four that differ; all of them are tried in the soak.
  test("objects made from their schemas, and with one thing wrong, get the same answers", async () => {
    const count = await compareObjects(kubernetes, crds, { isTried: eachSort(4) });
    assert.ok(count > 800, `only ${count} objects were compared`);
  });

  test("updates of objects that exist get the same answers", async () => {
    for (const kind of crds.flatMap(separateVersions)) {
      const comparison = new Comparison(kubernetes, kind);
      const old = await comparison.store(grow(kind, "stored").object);
      const mutations = mutationsOf(old, kind.schema).filter((_, i) => i % 97 === 0);
      const requests = mutations.map((each): [string, Request] => [
        each.name,
        { object: each.object(), old },
      ]);
      assert.deepEqual(await comparison.differences(Object.fromEntries(requests)), []);
    }
  });

  for (const [name, { resource, spec }] of Object.entries(clusterApiSpecs)) {
    test(name, async () => {
      const kind = crds
        .flatMap(separateVersions)
        .find(({ path }) => path.endsWith(resource) && path.includes("v1beta2"));
      assert.ok(kind, `there is no ${resource}`);
      const { ours, theirs } = await new Comparison(kubernetes, kind).ask({
        object: objectOf(kind, spec),
      });
      assert.deepEqual(ours, theirs);
    });
  }
});

/** What is stored gets there before the schema is in force. */
function testSuite(name: string, { kind, cases }: Suite, lenient = false): void {
  const stored = new Map<string, JSONObject>();
  let comparison: Comparison;

  before(async () => {
    comparison = await install(lenient ? example(kind.kind, anything) : kind);
    for (const [each, { stored: object }] of Object.entries(cases)) {
      if (object) stored.set(each, await comparison.store(object));
    }
    if (lenient) comparison = await enforce(kind);
  });

  for (const [each, { request }] of Object.entries(cases)) {
    test(each, async () => {
      const { ours, theirs } = await comparison.ask(request(stored.get(each) ?? {}));
      agree([name, each], ours, theirs);
    });
  }
}

const anything: JSONSchemaProps = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** Waits until the server refuses what the rules of the kind refuse. */
async function enforce(kind: Kind): Promise<Comparison> {
  const comparison = await install(kind);
  const refused = objectOf(kind, { spec: { plain: 0 } });
  const path = `${kind.path}?dryRun=All`;
  const isStrict = async () =>
    (await kubernetes.request("POST", path, { body: refused })).status === 422;
  await waitFor(isStrict, { what: "the rules to be in force" });
  return comparison;
}

describe("features that Cluster API does not use", () => testSuite("features", features));
describe("validation rules", () => testSuite("rules", rules, true));
describe("the status subresource", () => testSuite("status", statuses));

describe("schemas of CRDs", () => {
  const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";

  for (const [name, schema] of Object.entries(schemas)) {
    test(name, async () => {
      const { crd } = example("Broken", schema);
      const { status, body } = await kubernetes.request("POST", collection, { body: crd });
      assert.ok(status === 201 || status === 422, JSON.stringify(body));
      const causes: { field: string; message: string; reason: string }[] =
        body.details?.causes ?? [];
      const theirs = causes.map((c) => withoutTypeNames(`${c.field}: ${c.message} [${c.reason}]`));
      agree(["schemas", name], structuralProblems(schema), theirs.toSorted());
    });
  }
});
