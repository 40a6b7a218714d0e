import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FieldManager } from "@rookery/apiserver";
import { type KubeObject, type ManagedFieldsEntry, StatusError } from "@rookery/kube";
import { createBuiltInFieldManager } from "./built-in-field-manager.ts";
import { createFieldManager } from "./field-manager.ts";
import { mergeSchemaOfProps } from "./schema-of-open-api.ts";

const text = { type: "string" } as const;
const nests = mergeSchemaOfProps({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: text,
        eggs: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        labels: { type: "object", additionalProperties: text },
      },
    },
    status: { type: "object", properties: { phase: text } },
  },
});

const manager = createFieldManager({
  apiVersion: "birds/v1",
  kind: "Nest",
  schema: (version) => (version === "birds/v1" ? nests : undefined),
  resetFields: { "": [["status"]], status: [["spec"]] },
});

const time = new Date("2024-05-06T07:08:09Z");
const at = (name: string, subresource = "") => ({ manager: name, subresource, time });

function nest(spec: object, metadata: KubeObject["metadata"] = {}): KubeObject {
  return { apiVersion: "birds/v1", kind: "Nest", metadata: { name: "a", ...metadata }, spec };
}

/** As it is once it is stored. */
function stored(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: "u" } };
}

function update(object: KubeObject, live: KubeObject | undefined, name: string, of = manager) {
  return of.update(object, live, at(name)) as KubeObject;
}

function apply(spec: object, live: KubeObject | undefined, name: string, force = false) {
  return manager.apply(nest(spec), live, { ...at(name), force }) as KubeObject;
}

/** Who owns what: "ann Update": fieldsV1. */
function ownersOf({ metadata }: KubeObject): Record<string, unknown> {
  const entries = (metadata.managedFields ?? []).map(({ manager: name, operation, fieldsV1 }) => [
    `${name} ${operation}`,
    fieldsV1,
  ]);
  return Object.fromEntries(entries);
}

describe("an update", () => {
  test("owns what it adds, with its time and version", () => {
    const { metadata } = update(nest({ name: "a", eggs: ["x"] }), undefined, "ann");
    assert.deepEqual(metadata.managedFields, [
      {
        manager: "ann",
        operation: "Update",
        apiVersion: "birds/v1",
        time: "2024-05-06T07:08:09Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:spec": { ".": {}, "f:eggs": { ".": {}, 'v:"x"': {} }, "f:name": {} },
        },
      },
    ]);
  });

  test("takes what it changes from others", () => {
    const live = stored(update(nest({ name: "a", eggs: ["x"] }), undefined, "ann"));
    const next = update({ ...live, spec: { name: "b", eggs: ["x"] } }, live, "ben");
    assert.deepEqual(ownersOf(next), {
      "ann Update": { "f:spec": { ".": {}, "f:eggs": { ".": {}, 'v:"x"': {} } } },
      "ben Update": { "f:spec": { "f:name": {} } },
    });
  });

  test("that changes nothing leaves the time as it is", () => {
    const live = stored(update(nest({ name: "a" }), undefined, "ann"));
    const later = { ...at("ann"), time: new Date("2030-01-01T00:00:00Z") };
    const next = manager.update(nest({ name: "a" }), live, later) as KubeObject;
    assert.deepEqual(next.metadata.managedFields, live.metadata.managedFields);
  });

  test("of an object that nobody kept account of begins none", () => {
    const next = update(nest({ name: "b" }), stored(nest({ name: "a" })), "ann");
    assert.equal(next.metadata.managedFields, undefined);
  });

  test("owns nothing that it can't reach", () => {
    const live = stored(update(nest({ name: "a" }), undefined, "ann"));
    const next = { ...nest({ name: "b" }), status: { phase: "x" } };
    const [, entry] =
      (manager.update(next, live, at("ben", "status")) as KubeObject).metadata.managedFields ?? [];
    assert.equal(entry?.subresource, "status");
    assert.deepEqual(entry?.fieldsV1, { "f:status": { ".": {}, "f:phase": {} } });
  });

  test("of a subresource can't write entries by hand", () => {
    const live = stored(update(nest({ name: "a" }), undefined, "ann"));
    const next = manager.update(
      nest({ name: "a" }, { managedFields: [] }),
      live,
      at("x", "status"),
    );
    assert.deepEqual((next as KubeObject).metadata.managedFields, live.metadata.managedFields);
  });

  const resets: Record<string, readonly ManagedFieldsEntry[]> = {
    "an empty list": [],
    "an entry that says nothing": [{}],
  };
  for (const [sentence, managedFields] of Object.entries(resets)) {
    test(`forgets all owners by ${sentence}`, () => {
      const live = stored(update(nest({ name: "a" }), undefined, "ann"));
      const next = update(nest({ name: "b" }, { managedFields }), live, "ben");
      assert.equal(next.metadata.managedFields, undefined);
    });
  }

  test("of an object that can't be merged drops the account", () => {
    const live = stored(update(nest({ name: "a" }), undefined, "ann"));
    assert.equal(update(nest({ eggs: [{}] }), live, "ben").metadata.managedFields, undefined);
    assert.equal(update(nest({ nope: 1 }), live, "ben").metadata.managedFields, undefined);
  });

  test("joins the oldest of more than ten", () => {
    let live = stored(update(nest({ labels: { k: "0" } }), undefined, "m-0"));
    for (let index = 1; index <= 11; index++) {
      const labels = { ...(live.spec as { labels: object }).labels, [`k${index}`]: "1" };
      live = stored(
        update({ ...live, spec: { labels } }, live, `m-${String(index).padStart(2, "0")}`),
      );
    }
    const names = live.metadata.managedFields?.map(({ manager: name }) => name);
    assert.equal(names?.length, 10);
    assert.ok(names?.includes("ancient-changes"));
    const joined = live.metadata.managedFields?.find(
      (entry) => entry.manager === "ancient-changes",
    );
    assert.deepEqual(joined?.fieldsV1, {
      "f:spec": {
        ".": {},
        "f:labels": { ".": {}, "f:k": {}, "f:k1": {}, "f:k2": {} },
      },
    });
  });
});

describe("an apply", () => {
  test("owns what it says, and not what holds it", () => {
    const { metadata } = apply({ name: "a", eggs: ["x"] }, undefined, "ann");
    assert.deepEqual(metadata.managedFields?.[0]?.fieldsV1, {
      "f:spec": { "f:eggs": { 'v:"x"': {} }, "f:name": {} },
    });
  });

  test("takes out what it no longer wants", () => {
    const live = stored(apply({ name: "a", eggs: ["x", "y"] }, undefined, "ann"));
    assert.deepEqual(apply({ eggs: ["y"] }, live, "ann").spec, { eggs: ["y"] });
  });

  test("leaves what others own", () => {
    const live = stored(apply({ eggs: ["x"] }, undefined, "ann"));
    const shared = stored(apply({ eggs: ["x", "y"] }, live, "ben"));
    assert.deepEqual(apply({ name: "a" }, shared, "ann").spec, { eggs: ["x", "y"], name: "a" });
  });

  test("of what is there already changes nothing but the owners", () => {
    const live = stored(apply({ name: "a" }, undefined, "ann"));
    const next = apply({ name: "a" }, live, "ben");
    assert.deepEqual(ownersOf(next), {
      "ann Apply": { "f:spec": { "f:name": {} } },
      "ben Apply": { "f:spec": { "f:name": {} } },
    });
    assert.equal(next.metadata.managedFields?.[0]?.time, undefined);
  });

  test("of what another owns is a conflict, unless it is forced", () => {
    const live = stored(update(nest({ name: "a", eggs: ["x"] }), undefined, "ann"));
    assert.throws(
      () => apply({ name: "b" }, live, "ben"),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(
          error.message,
          'Apply failed with 1 conflict: conflict with "ann" using birds/v1: .spec.name',
        );
        assert.deepEqual(error.status.details?.causes, [
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "ann" using birds/v1',
            field: ".spec.name",
          },
        ]);
        return true;
      },
    );
    assert.equal((apply({ name: "b" }, live, "ben", true).spec as { name: string }).name, "b");
  });

  test("to an object that nobody kept account of finds who was there before", () => {
    const live = stored(nest({ name: "a" }));
    assert.throws(
      () => apply({ name: "b" }, live, "ben"),
      /conflict with "before-first-apply" using birds\/v1: \.spec\.name$/,
    );
    const next = apply({ eggs: ["x"] }, live, "ben");
    assert.deepEqual(Object.keys(ownersOf(next)), ["ben Apply", "before-first-apply Update"]);
  });

  const refusals: Record<string, [wanted: KubeObject, code: number, message: RegExp]> = {
    "another kind": [
      { ...nest({}), kind: "Egg" },
      400,
      /^invalid object type: birds\/v1, Kind=Egg$/,
    ],
    "no kind": [{ metadata: {} } as KubeObject, 400, /^invalid object type: \/, Kind=$/],
    "entries of its own": [
      nest({}, { managedFields: [] }),
      400,
      /^metadata\.managedFields must be nil$/,
    ],
    "an unknown field": [
      nest({ nope: 1 }),
      500,
      /^failed to create typed patch object \(\/a; birds\/v1, Kind=Nest\): \.spec\.nope: field not declared in schema$/,
    ],
  };
  for (const [sentence, [wanted, code, message]] of Object.entries(refusals)) {
    test(`is refused: ${sentence}`, () => {
      assert.throws(
        () => manager.apply(wanted, undefined, { ...at("ann"), force: false }),
        (error) => {
          assert.ok(error instanceof StatusError);
          assert.equal(error.httpStatus, code);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});

describe("entries of another version", () => {
  const versions = ["birds/v1", "birds/v2"];
  const convert = (object: KubeObject, apiVersion: string) => ({ ...object, apiVersion });
  const options = {
    apiVersion: "birds/v2",
    kind: "Nest",
    schema: (version: string) => (versions.includes(version) ? nests : undefined),
  };
  const managers: Record<string, FieldManager> = {
    "at once": createFieldManager({ ...options, convert }),
    "with a conversion that takes its time": createFieldManager({
      ...options,
      convert: async (object, version) => convert(object, version),
    }),
  };
  const live = stored(update(nest({ name: "a", eggs: ["x"] }), undefined, "ann"));
  const current = convert(live, "birds/v2");

  for (const [sentence, other] of Object.entries(managers)) {
    test(`are kept in it, ${sentence}`, async () => {
      const next = await other.update({ ...current, spec: { name: "b" } }, current, at("ben"));
      assert.deepEqual(
        next.metadata.managedFields?.map(({ apiVersion, fieldsV1 }) => [apiVersion, fieldsV1]),
        [
          ["birds/v1", { "f:spec": {} }],
          ["birds/v2", { "f:spec": { "f:name": {} } }],
        ],
      );
    });

    test(`are in conflict with an apply, ${sentence}`, async () => {
      const wanted = convert(nest({ name: "b" }), "birds/v2");
      const applied = async () => other.apply(wanted, current, { ...at("ben"), force: false });
      await assert.rejects(applied, /conflict with "ann" using birds\/v1: \.spec\.name$/);
    });
  }

  test("go where the version is no longer there", () => {
    const only = createFieldManager({
      ...options,
      schema: (v) => (v === "birds/v2" ? nests : undefined),
    });
    const next = update({ ...current, spec: { name: "b" } }, current, "ben", only);
    assert.deepEqual(Object.keys(ownersOf(next)), ["ben Update"]);
  });

  test("are dropped with all others where the conversion fails", async () => {
    const failing = createFieldManager({
      ...options,
      convert: async () => {
        throw new Error("no webhook");
      },
    });
    const next = await failing.update({ ...current, spec: { name: "b" } }, current, at("ben"));
    assert.equal(next.metadata.managedFields, undefined);
    const wanted = convert(nest({ name: "b" }), "birds/v2");
    const applied = async () => failing.apply(wanted, current, { ...at("ben"), force: false });
    await assert.rejects(applied, /failed to convert object to birds\/v1: no webhook/);
  });
});

describe("built-in kinds", () => {
  const deployments = createBuiltInFieldManager({
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
    goType: "k8s.io/api/apps/v1.Deployment",
    model: "io.k8s.api.apps.v1.Deployment",
  });
  const deployment: KubeObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      strategy: {},
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [
            { name: "c", ports: [{ containerPort: 80, protocol: "TCP" }], resources: {} },
          ],
        },
      },
    },
    status: { replicas: 1 },
  };

  test("own nothing of what their types always have, and no status", () => {
    assert.deepEqual(ownersOf(update(deployment, undefined, "ann", deployments))["ann Update"], {
      "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
      "f:spec": {
        "f:replicas": {},
        "f:selector": {},
        "f:template": {
          "f:metadata": { "f:labels": { ".": {}, "f:app": {} } },
          "f:spec": {
            "f:containers": {
              'k:{"name":"c"}': {
                ".": {},
                "f:name": {},
                "f:ports": {
                  ".": {},
                  'k:{"containerPort":80,"protocol":"TCP"}': {
                    ".": {},
                    "f:containerPort": {},
                    "f:protocol": {},
                  },
                },
                "f:resources": {},
              },
            },
          },
        },
      },
    });
  });

  test("find an item by a key that is left out and has a default", () => {
    const live = stored(update(deployment, undefined, "ann", deployments));
    const ports = [{ containerPort: 80, name: "http" }];
    const template = { spec: { containers: [{ name: "c", ports }] } };
    const { apiVersion, kind } = deployment;
    const wanted = { apiVersion, kind, metadata: { name: "web" }, spec: { template } };
    const next = deployments.apply(wanted, live, { ...at("ben"), force: false }) as KubeObject;
    const { spec } = next as { spec: { template: typeof template } };
    assert.deepEqual(spec.template.spec.containers[0]?.ports, [
      { containerPort: 80, protocol: "TCP", name: "http" },
    ]);
  });
});
