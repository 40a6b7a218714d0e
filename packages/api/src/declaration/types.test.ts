import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Condition, LabelSelector, ObjectMeta } from "@rookery/kube";
import { list, listMap, map, nullable, object, set, unknownObject } from "./collections.ts";
import type { FieldType, InputOf, ValueOf } from "./field-type.ts";
import { defaulted, optional, required } from "./fields.ts";
import type { conditions, labelSelector, templateMetadata } from "./fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "./kind.ts";
import { boolean, enumeration, integer, intOrString, quantity, string } from "./scalars.ts";

/** Only compiles where both types are the same, readonly and optional marks included. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => {};

describe("the type of a declared object", () => {
  test("has exactly the fields that are read back", () => {
    const machine = object({
      template: required(string(), "."),
      cloneMode: defaulted(enumeration("full", "linked"), "full", "."),
      numCPUs: optional(integer(), "."),
      ports: required(list(intOrString()), "."),
      tags: optional(set(string()), "."),
      memory: optional(quantity(), "."),
      labels: optional(map(string()), "."),
      note: required(nullable(string()), "."),
      values: optional(unknownObject(), "."),
      resources: defaulted(
        object({ shared: defaulted(boolean(), false, ".") }),
        {},
        "Its own defaults fill an empty object.",
      ),
    });
    same<
      ValueOf<typeof machine>,
      {
        readonly template: string;
        readonly cloneMode: "full" | "linked";
        readonly numCPUs?: number;
        readonly ports: readonly (number | string)[];
        readonly tags?: readonly string[];
        readonly memory?: number | string;
        readonly labels?: Readonly<Record<string, string>>;
        readonly note: string | null;
        readonly values?: Readonly<Record<string, unknown>>;
        readonly resources: { readonly shared: boolean };
      }
    >(true);
    same<
      Pick<InputOf<typeof machine>, "template" | "cloneMode" | "resources">,
      {
        readonly template: string;
        readonly cloneMode?: "full" | "linked";
        readonly resources?: { readonly shared?: boolean };
      }
    >(true);
  });

  test("knows the objects of Kubernetes that it holds", () => {
    same<ReturnType<typeof labelSelector>, FieldType<LabelSelector>>(true);
    same<ReturnType<typeof conditions>, FieldType<readonly Condition[]>>(true);
    same<
      ValueOf<ReturnType<typeof templateMetadata>>,
      {
        readonly annotations?: Readonly<Record<string, string>>;
        readonly labels?: Readonly<Record<string, string>>;
      }
    >(true);
  });

  test("of a kind with several versions is told apart by apiVersion", () => {
    const kind = defineKind({
      group: "example.dev",
      kind: "Widget",
      plural: "widgets",
      scope: "Namespaced",
      versions: {
        v1: {
          doc: ".",
          storage: true,
          fields: { spec: required(object({ size: defaulted(integer(), 1, ".") }), ".") },
        },
        v1alpha1: {
          doc: ".",
          fields: { spec: required(object({ big: required(boolean(), ".") }), ".") },
        },
      },
    });
    type V1 = {
      readonly apiVersion: "example.dev/v1";
      readonly kind: "Widget";
      readonly metadata: ObjectMeta;
      readonly spec: { readonly size: number };
    };
    same<ObjectOf<typeof kind, "v1">, V1>(true);
    same<Extract<ObjectOf<typeof kind>, { apiVersion: "example.dev/v1" }>, V1>(true);
    same<ManifestOf<typeof kind, "v1">["spec"], { readonly size?: number }>(true);
    const sizeOf = (widget: ObjectOf<typeof kind>): number => {
      if (widget.apiVersion === "example.dev/v1") return widget.spec.size;
      return widget.spec.big ? 10 : 1;
    };
    const metadata = { name: "a" };
    const spec = { big: true };
    const alpha = { apiVersion: "example.dev/v1alpha1", kind: "Widget", metadata, spec } as const;
    assert.equal(sizeOf(alpha), 10);
  });

  test("does not compile where the declaration contradicts itself", () => {
    const item = object({ name: required(string(), "."), note: optional(string(), ".") });
    // @ts-expect-error: a default must be one of the words
    defaulted(enumeration("full", "linked"), "half", ".");
    // @ts-expect-error: a default must have the type
    defaulted(integer(), "1", ".");
    // @ts-expect-error: null is no default
    defaulted(nullable(string()), null, ".");
    // @ts-expect-error: what may be absent can't tell items apart
    listMap(item, ["note"]);
    // @ts-expect-error: no such field
    listMap(item, ["nome"]);
    // @ts-expect-error: a set holds scalars
    set(item);
    // @ts-expect-error: every field is documented
    optional(string());
    // @ts-expect-error: fields say whether they are required
    object({ name: string() });
    listMap(item, ["name"]);
  });
});
