import type { KubeObject, ManagedFieldsEntry } from "@rookery/kube";
import { growing, testGrowth } from "@rookery/testing";
import { createFieldManager } from "./field-manager.ts";
import { mergeSchemaOfProps } from "./schema-of-open-api.ts";

const text = { type: "string" } as const;
const entry = { type: "object", properties: { name: text, value: text } } as const;
const things = mergeSchemaOfProps({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        map: { type: "object", additionalProperties: text },
        atomic: { type: "array", items: text },
        keyed: {
          type: "array",
          items: entry,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
        },
      },
    },
  },
});
const apiVersion = "things/v1";
const manager = createFieldManager({
  apiVersion,
  kind: "Thing",
  schema: (version) => (version === apiVersion ? things : undefined),
});

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const thing = (spec: object, metadata: KubeObject["metadata"] = {}): KubeObject => ({
  apiVersion,
  kind: "Thing",
  metadata: { name: "a", ...metadata },
  spec,
});
const change = (name: string) => ({
  manager: name,
  subresource: "",
  time: new Date("2024-05-06T07:08:09Z"),
  force: false,
});
const forced = { ...change("other"), force: true };

const contents: Readonly<Record<string, (count: number, first?: number) => object>> = {
  "a set": (n, first = 0) => ({ set: list(n, (i) => `t${first + i}`) }),
  "a set in another order": (n, first = 0) => ({ set: list(n, (i) => `t${first + n - i}`) }),
  "items with keys": (n, first = 0) => ({
    keyed: list(n, (i) => ({ name: `n${first + i}`, value: `${first}` })),
  }),
  "items with keys in another order": (n, first = 0) => ({
    keyed: list(n, (i) => ({ name: `n${first + n - i}`, value: `${first}` })),
  }),
  "items with equal keys": (n) => ({ keyed: list(n, () => ({ name: "n", value: "v" })) }),
  "items of a wrong type": (n) => ({ keyed: list(n, (i) => ({ name: `n${i}`, value: i })) }),
  "a map": (n, first = 0) => ({
    map: Object.fromEntries(list(n, (i) => [`k${first + i}`, `${first}`])),
  }),
  "a map with a long key": (n) => ({ map: { ["k".repeat(16 * n)]: list(n, (i) => i) } }),
  "an atomic list": (n, first = 0) => ({ atomic: list(n, (i) => `t${first + i}`) }),
};

for (const [name, content] of Object.entries(contents)) {
  const live = (n: number) =>
    manager.apply(thing(content(n)), undefined, change("one")) as KubeObject;
  const stored = (n: number) => ({ ...live(n), metadata: { ...live(n).metadata, uid: "u" } });
  testGrowth({
    [`an object with ${name} is created`]: growing({
      build: (n) => thing(content(n)),
      run: (object) => manager.update(object, undefined, change("one")),
    }),
    [`an object with ${name} is applied`]: growing({ build: (n) => n, run: live }),
    [`an object with ${name} is applied by another`]: growing({
      build: (n) => ({ live: tryStored(stored, n), wanted: thing(content(n, n / 2)) }),
      run: (input) => manager.apply(input.wanted, input.live, forced),
    }),
    [`an object with ${name} is applied in conflict`]: growing({
      build: (n) => ({ live: tryStored(stored, n), wanted: thing(content(n, n / 2)) }),
      run: (input) => manager.apply(input.wanted, input.live, change("other")),
    }),
    [`an object with ${name} is updated`]: growing({
      build: (n) => ({ live: tryStored(stored, n), next: thing(content(n, n / 2), { uid: "u" }) }),
      run: (input) => manager.update(input.next, input.live, change("other")),
    }),
  });
}

/** Some content is refused at once. */
function tryStored(stored: (count: number) => KubeObject, count: number): KubeObject | undefined {
  try {
    return stored(count);
  } catch {
    return undefined;
  }
}

const entries = (count: number, operation: "Apply" | "Update", own: (index: number) => string) =>
  list(
    count,
    (i): ManagedFieldsEntry => ({
      manager: `m${i}`,
      operation,
      apiVersion,
      fieldsType: "FieldsV1",
      time: "2024-05-06T07:08:09Z",
      fieldsV1: { "f:spec": { "f:map": { [`f:${own(i)}`]: {} } } },
    }),
  );
const managed = (build: (size: number) => ManagedFieldsEntry[]) =>
  growing({
    // What all of them own stays as it is: none of them leaves.
    build: (n) => ({
      live: thing(contents["a map"]?.(n) ?? {}, { uid: "u" }),
      next: thing(
        { ...contents["a map"]?.(n), set: ["new"] },
        { uid: "u", managedFields: build(n) },
      ),
    }),
    run: ({ live, next }) => manager.update(next, live, change("one")),
    size: 1000,
  });

testGrowth({
  "many managers that update fields of their own": managed((n) =>
    entries(n, "Update", (i) => `k${i}`),
  ),
  "many managers that update one field": managed((n) => entries(n, "Update", () => "k1")),
  "many managers that apply fields of their own": managed((n) =>
    entries(n, "Apply", (i) => `k${i}`),
  ),
  "many managers of a version each": managed((n) =>
    entries(n, "Update", (i) => `k${i}`).map((each, i) => ({ ...each, apiVersion: `v${i}` })),
  ),
  "one manager under many names of fields": managed((n) => [
    {
      manager: "m",
      operation: "Update",
      apiVersion,
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:map": Object.fromEntries(list(n, (i) => [`f:k${i}`, {}])) } },
    },
  ]),
  "one manager of many items": managed((n) => [
    {
      manager: "m",
      operation: "Apply",
      apiVersion,
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:spec": {
          "f:keyed": Object.fromEntries(list(n, (i) => [`k:{"name":"n${i}"}`, { ".": {} }])),
        },
      },
    },
  ]),
});
