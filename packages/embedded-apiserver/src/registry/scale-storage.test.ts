import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepEqual, type KubeObject } from "@rookery/kube";
import { compileSchema, type JSONSchemaProps } from "@rookery/schema";
import { createTestRegistry, servedWidget, widgetOptions } from "../../test/registry/registry.ts";
import type { BuiltInKind, ScaleRules } from "../kinds/declaration/kind.ts";
import { createScaleStorage } from "./scale-storage.ts";
import { servedKind } from "./served-kind.ts";

interface Flock {
  spec: { replicas?: number; other?: string };
  status?: { replicas?: number };
}

const flock: BuiltInKind<Flock> = {
  group: "birds.example.com",
  version: "v1",
  kind: "Flock",
  plural: "flocks",
  singular: "flock",
  namespaced: true,
  goType: "",
  model: "",
  columns: [],
  status: {},
  isNewGeneration: (object, old) => !deepEqual(object.spec, old.spec),
  scale: {
    specReplicas: ({ spec }) => spec.replicas ?? 0,
    statusReplicas: ({ status }) => status?.replicas ?? 0,
    selector: () => "app=bird",
    setReplicas(object, replicas) {
      object.spec.replicas = replicas;
    },
  },
};

const widgetGroup = "testing.rookery.dev";
const path = "/apis/birds.example.com/v1/namespaces/default/flocks";

async function createFlock() {
  const registry = await createTestRegistry({
    groups: (store, clock) => {
      const resources = [servedKind(flock, { store, now: clock.date })];
      return [{ name: "birds.example.com", versions: [{ name: "v1", resources }] }];
    },
  });
  const body = {
    apiVersion: "birds.example.com/v1",
    kind: "Flock",
    metadata: { name: "a" },
    spec: { replicas: 2, other: "x" },
  };
  const created = (await registry.ask(path, { body })).body;
  return { ...registry, created };
}

describe("a scale", () => {
  it("shows how many there are to be, and are", async () => {
    const { ask, created } = await createFlock();
    const { name, namespace, uid, resourceVersion, creationTimestamp } = created.metadata;
    assert.deepEqual((await ask(`${path}/a/scale`)).body, {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "app=bird" },
    });
  });

  it("changes the number alone, as a change of what is wanted", async () => {
    const { ask } = await createFlock();
    const { body: scale } = await ask(`${path}/a/scale`);
    const put = (body: object) => ask(`${path}/a/scale`, { method: "PUT", body });
    const changed = await put({ ...scale, spec: { replicas: 5 } });
    assert.deepEqual([changed.status, changed.body.spec], [200, { replicas: 5 }]);
    const { body: object } = await ask(`${path}/a`);
    assert.deepEqual(object.spec, { replicas: 5, other: "x" });
    assert.equal(object.metadata.generation, 2);
    const stale = await put({ ...scale, spec: { replicas: 6 } });
    assert.equal(stale.status, 409);
    const other = { ...scale.metadata, uid: "x", resourceVersion: undefined };
    const meant = await put({ ...scale, metadata: other });
    assert.match(meant.body.message, /on flocks\/scale.birds.example.com "a": Precondition failed/);
  });

  it("is refused below zero", async () => {
    const { ask } = await createFlock();
    const refused = await ask(`${path}/a/scale`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { spec: { replicas: -1 } },
    });
    assert.deepEqual(
      [refused.status, refused.body.message],
      [
        422,
        'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      ],
    );
  });

  it("of a custom kind has to fit its schema", async () => {
    const props: JSONSchemaProps = {
      type: "object",
      properties: {
        spec: { type: "object", properties: { replicas: { type: "integer", maximum: 9 } } },
      },
    };
    await using registry = await createTestRegistry({
      groups: (store, clock) => {
        const options = widgetOptions({ store, now: clock.date });
        const scale = flock.scale as unknown as ScaleRules<KubeObject>;
        const handlers = createScaleStorage({
          ...options,
          scale,
          schema: () => compileSchema(props),
        });
        const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
        const kind = { group: "autoscaling", version: "v1", kind: "Scale" };
        const resource = {
          ...servedWidget(options),
          subresources: { scale: { kind, schema, handlers } },
        };
        return [{ name: widgetGroup, versions: [{ name: "v1", resources: [resource] }] }];
      },
    });
    const widgets = `/apis/${widgetGroup}/v1/namespaces/default/widgets`;
    const widget = { apiVersion: `${widgetGroup}/v1`, kind: "Widget", metadata: { name: "a" } };
    await registry.ask(widgets, { body: { ...widget, spec: { replicas: 1 } } });
    const refused = await registry.ask(`${widgets}/a/scale`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { spec: { replicas: 10 } },
    });
    assert.deepEqual(
      [refused.status, refused.body.message],
      [
        422,
        `Widget.${widgetGroup} "a" is invalid: spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9`,
      ],
    );
  });
});
