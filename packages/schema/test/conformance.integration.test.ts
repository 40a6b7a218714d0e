import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fieldPath } from "@rookery/kube";
import {
  checkStructural,
  compileSchema,
  type JSONObject,
  type JSONSchemaProps,
} from "@rookery/schema";
import {
  type CustomResourceDefinition,
  clusterApiCrds,
  type Kubernetes,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { Comparison } from "./ask.ts";
import { schemas } from "./broken-schemas.ts";
import { clusterApiSpecs } from "./cluster-api-specs.ts";
import { type Kind, kindOf, objectOf, separateVersions } from "./crd.ts";
import { featureSchema, featureSpecs, metadataCases } from "./features.ts";
import { grow } from "./grow.ts";
import { type Mutation, mutationsOf } from "./mutations.ts";
import { ratchetUpdates, ruleSchema, ruleSpecs, ruleUpdates } from "./rules.ts";
import { sampleValue } from "./sample.ts";
import { statusSchema, statusUpdates } from "./status.ts";
import type { Request } from "./verdict.ts";

/** Everything at every node of every CRD takes minutes; without it, each thing is tried once. */
const exhaustive = process.env.ROOKERY_CONFORMANCE === "all";

let kubernetes: Kubernetes;

before(async () => {
  kubernetes = await startKubernetes({ private: true, controllerManager: false });
});

after(() => kubernetes?.[Symbol.asyncDispose]());

const example = (kind: string, schema: JSONSchemaProps, subresources?: object): Kind =>
  kindOf({
    group: "example.com",
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    schema,
    ...(subresources ? { subresources } : {}),
  });

async function install(kind: Kind): Promise<Comparison> {
  await kubernetes.applyCrd(kind.crd);
  return new Comparison(kubernetes, kind);
}

describe("the CRDs of Cluster API", () => {
  const tried = new Set<string>();
  let crds: readonly CustomResourceDefinition[];

  before(async () => {
    crds = await clusterApiCrds();
    await Promise.all(crds.flatMap(separateVersions).map(({ crd }) => kubernetes.applyCrd(crd)));
  });

  /** What is done to the same schema somewhere else is not done again. */
  function isNew({ signature }: Mutation): boolean {
    const known = tried.has(signature);
    tried.add(signature);
    return exhaustive || !known;
  }

  function requestsFor(kind: Kind): Record<string, Request> {
    const minimal = objectOf(kind, { spec: sampleValue(kind.schema.properties?.spec ?? {}) });
    const grown = grow(compileSchema(kind.schema), kind.schema, minimal);
    const requests: Record<string, Request> = {
      "a minimal object": { object: minimal, strict: true },
      "an object with everything": { object: grown.object, strict: true },
    };
    for (const [i, object] of grown.refused.entries()) requests[`too much (${i})`] = { object };
    for (const mutation of mutationsOf(grown.object, kind.schema).filter(isNew)) {
      requests[mutation.name] = { object: mutation.object };
      if (mutation.unknown)
        requests[`${mutation.name}, strictly`] = { object: mutation.object, strict: true };
    }
    return requests;
  }

  test("objects made from their schemas, and with one thing wrong, get the same answers", async () => {
    let count = 0;
    for (const kind of crds.flatMap(separateVersions)) {
      const requests = requestsFor(kind);
      count += Object.keys(requests).length;
      const differences = await new Comparison(kubernetes, kind).differences(requests);
      assert.deepEqual(differences, [], kind.crd.metadata.name);
    }
    assert.ok(count > 3000, `only ${count} objects were compared`);
  });

  test("updates of objects that exist get the same answers", async () => {
    for (const kind of crds.flatMap(separateVersions)) {
      const comparison = new Comparison(kubernetes, kind);
      const minimal = objectOf(
        kind,
        { spec: sampleValue(kind.schema.properties?.spec ?? {}) },
        "stored",
      );
      const { object } = grow(compileSchema(kind.schema), kind.schema, minimal);
      const old = await comparison.store(object);
      const mutations = mutationsOf(old, kind.schema).filter((_, i) => i % 97 === 0);
      const requests = mutations.map((each): [string, Request] => [
        each.name,
        { object: each.object, old },
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

describe("features that Cluster API does not use", () => {
  let comparison: Comparison;
  const kind = example("Feature", featureSchema);

  before(async () => {
    comparison = await install(kind);
  });

  for (const [name, spec] of Object.entries(featureSpecs)) {
    test(name, async () => {
      for (const strict of [true, false]) {
        const { ours, theirs } = await comparison.ask({ object: objectOf(kind, { spec }), strict });
        assert.deepEqual(ours, theirs);
      }
    });
  }

  for (const [name, metadata] of Object.entries(metadataCases)) {
    test(`metadata: ${name}`, async () => {
      for (const strict of [true, false]) {
        const object = { ...objectOf(kind, {}), metadata };
        const { ours, theirs } = await comparison.ask({ object, strict });
        assert.deepEqual(ours, theirs);
      }
    });
  }
});

describe("validation rules", () => {
  const lenient: JSONSchemaProps = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const kind = example("Rule", ruleSchema);
  const stored = new Map<string, JSONObject>();
  let comparison: Comparison;

  before(async () => {
    const before = await install(example("Rule", lenient));
    const updates = [...Object.entries(ruleUpdates), ...Object.entries(ratchetUpdates)];
    for (const [index, [name, [spec]]] of updates.entries()) {
      stored.set(name + index, await before.store(objectOf(kind, { spec }, `stored-${index}`)));
    }
    comparison = await install(kind);
    const refused = objectOf(kind, { spec: { plain: 0 } });
    const path = `${kind.path}?dryRun=All`;
    const isStrict = async () =>
      (await kubernetes.request("POST", path, { body: refused })).status === 422;
    await waitFor(isStrict, { what: "the rules to be in force" });
  });

  for (const [name, spec] of Object.entries(ruleSpecs)) {
    test(name, async () => {
      const { ours, theirs } = await comparison.ask({ object: objectOf(kind, { spec }) });
      assert.deepEqual(ours, theirs);
    });
  }

  const rows = [
    ...Object.entries(ruleUpdates).map(
      ([name, update]) => ["an update where", name, update] as const,
    ),
    ...Object.entries(ratchetUpdates).map(
      ([name, update]) => ["ratcheting where", name, update] as const,
    ),
  ];
  for (const [index, [what, name, [, spec]]] of rows.entries()) {
    test(`${what} ${name}`, async () => {
      const old = stored.get(name + index);
      assert.ok(old);
      const { ours, theirs } = await comparison.ask({ object: { ...old, spec }, old });
      assert.deepEqual(ours, theirs);
    });
  }
});

describe("the status subresource", () => {
  const kind = example("Statusful", statusSchema, { status: {} });
  let comparison: Comparison;

  before(async () => {
    comparison = await install(kind);
  });

  for (const [index, [name, { stored, request }]] of Object.entries(statusUpdates).entries()) {
    test(name, async () => {
      const created = await comparison.store(objectOf(kind, stored, `stored-${index}`));
      const object = { ...created, ...request.fields };
      const { ours, theirs } = await comparison.ask({
        object,
        old: created,
        statusSubresource: true,
        ...(request.subresource ? { subresource: request.subresource } : {}),
      });
      assert.deepEqual(ours, theirs);
    });
  }
});

describe("schemas of CRDs", () => {
  const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  /** The server makes up a name for the type of `self` each time. */
  const withoutTypeNames = (text: string): string => text.replace(/selfType\d*/g, "selfType");

  for (const [name, schema] of Object.entries(schemas)) {
    test(name, async () => {
      const { crd } = example("Broken", schema);
      const { status, body } = await kubernetes.request("POST", `${collection}?dryRun=All`, {
        body: crd,
      });
      assert.ok(status === 201 || status === 422, JSON.stringify(body));
      const causes: { field: string; message: string; reason: string }[] =
        body.details?.causes ?? [];
      const theirs = causes.map((c) => withoutTypeNames(`${c.field}: ${c.message} [${c.reason}]`));
      const errors = checkStructural(schema, { path: fieldPath("spec", "validation") });
      const ours = errors.map((e) => withoutTypeNames(`${e.field}: ${e.body} [${e.type}]`));
      assert.deepEqual(ours.toSorted(), theirs.toSorted());
    });
  }
});
