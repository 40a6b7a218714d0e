import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deepEqual, type KubeObject, StatusError } from "@rookery/kube";
import fc from "fast-check";
import { customSubject, schema } from "../../test/managed-fields/custom-subjects.ts";
import { createFieldManager } from "./field-manager.ts";
import { mergeSchemaOfProps } from "./schema-of-open-api.ts";

const { apiVersion, kind } = customSubject;
const merge = mergeSchemaOfProps(schema);
const manager = createFieldManager({ apiVersion, kind, schema: () => merge });

const text = fc.constantFrom("a", "b", "<c>", "");
const port = fc.record(
  { number: fc.nat(3), protocol: fc.constantFrom("TCP", "UDP"), name: text },
  { requiredKeys: ["number", "protocol"] },
);
const key = ({ number, protocol }: { number: number; protocol: string }) => `${number} ${protocol}`;
const spec = fc.record(
  {
    name: text,
    times: fc.nat(3),
    list: fc.array(text, { maxLength: 3 }),
    set: fc.uniqueArray(text),
    ports: fc.uniqueArray(port, { selector: key, maxLength: 4 }),
    granular: fc.dictionary(fc.constantFrom("x", "y", "z"), text, { noNullPrototype: true }),
    atomic: fc.record({ a: text, b: text }, { requiredKeys: [] }),
    nested: fc.record({ deep: fc.record({ a: text, b: text }, { requiredKeys: [] }) }),
  },
  { requiredKeys: [] },
);
type Spec = object;

const change = (name: string) => ({
  manager: name,
  subresource: "",
  time: new Date("2024-01-01T00:00:00Z"),
});

const nest = (own: Spec): KubeObject => ({ apiVersion, kind, metadata: { name: "a" }, spec: own });

function stored(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: "u" } };
}

function apply(own: Spec, live: KubeObject | undefined, name: string, force = true): KubeObject {
  return stored(manager.apply(nest(own), live, { ...change(name), force }) as KubeObject);
}

function update(own: Spec, live: KubeObject | undefined, name: string): KubeObject {
  const { metadata } = live ?? nest({});
  return stored(manager.update({ ...nest(own), metadata }, live, change(name)) as KubeObject);
}

const contains = (whole: unknown, part: unknown): boolean => {
  if (typeof part !== "object" || part === null || Array.isArray(part))
    return deepEqual(whole, part);
  const own = whole as Record<string, unknown> | null | undefined;
  return Object.entries(part).every(([name, value]) => contains(own?.[name], value));
};

describe("whatever is written", () => {
  test("an apply gives what it wants, where lists are owned as a whole", () => {
    fc.assert(
      fc.property(spec, spec, spec, (first, second, third) => {
        const live = update(second, apply(first, undefined, "ann"), "ben");
        const { set: _, ports: __, ...wanted } = third as Record<string, unknown>;
        assert.ok(contains(apply(wanted, live, "cat").spec, wanted));
      }),
    );
  });

  test("a second apply of the same changes nothing", () => {
    fc.assert(
      fc.property(spec, spec, spec, (first, second, third) => {
        const live = update(second, apply(first, undefined, "ann"), "ben");
        const once = apply(third, live, "cat");
        assert.deepEqual(apply(third, once, "cat", false), once);
      }),
    );
  });

  test("who applies alone and then nothing leaves nothing but what is empty", () => {
    const isEmpty = (value: unknown): boolean =>
      typeof value === "object" && Object.values(value ?? {}).every(isEmpty);
    fc.assert(
      fc.property(spec, (first) => {
        const { spec: _, ...nothing } = nest({});
        const options = { ...change("ann"), force: false };
        const left = manager.apply(nothing, apply(first, undefined, "ann"), options) as KubeObject;
        assert.ok(isEmpty(left.spec ?? {}), JSON.stringify(left.spec));
        assert.equal(left.metadata.managedFields, undefined);
      }),
    );
  });

  test("an apply that is not forced changes nothing that another owns", () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = update(first, undefined, "ann");
        try {
          const { metadata } = apply(second, live, "ben", false);
          const before = live.metadata.managedFields?.find((entry) => entry.manager === "ann");
          const after = metadata.managedFields?.find((entry) => entry.manager === "ann");
          assert.deepEqual(after, before);
        } catch (error) {
          assert.ok(error instanceof StatusError);
          assert.equal(error.reason, "Conflict");
        }
      }),
    );
  });

  test("an update that changes nothing leaves all entries", () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = update(second, apply(first, undefined, "ann"), "ben");
        assert.deepEqual(update(second, live, "cat").metadata, live.metadata);
      }),
    );
  });
});
