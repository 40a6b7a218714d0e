import { patchTypes, protobufMediaType } from "@rookery/kube";
import fc from "fast-check";
import { stringify } from "yaml";
import type { Subject } from "./corpus.ts";
import { anyText, mutated, oddValue, pointersIn } from "./mutate.ts";
import { protobufOf } from "./protobuf.ts";

export interface SentBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

type Fields = Record<string, unknown>;

/** A whole object, in any of the forms that objects come in, more or less as it should be. */
export function objectBody(subject: Subject): fc.Arbitrary<SentBody> {
  const encoded = fc
    .tuple(placed(subject), fc.constantFrom("json", "json", "json", "yaml", "protobuf", "protobuf"))
    .map(([object, form]) => encodeAs(object, form, subject));
  return fc.tuple(encoded, damage, oddType).map(([body, harm, type]) => ({
    contentType: type ?? body.contentType,
    bytes: harm(body.bytes),
  }));
}

/** A patch of any kind. */
export function patchBody(subject: Subject): fc.Arbitrary<SentBody> {
  const merge = placed(subject).map((object) => JSON.stringify(object));
  const directive = fc.tuple(placed(subject), fc.constantFrom(...directives), fc.boolean());
  const body = fc.oneof(
    fc.tuple(fc.constant(patchTypes.merge), merge),
    fc.tuple(fc.constant(patchTypes.json), jsonPatch(subject)),
    fc.tuple(
      fc.constant(patchTypes.strategicMerge),
      directive.map(([object, extra, deep]) => JSON.stringify(withDirective(object, extra, deep))),
    ),
    fc.tuple(fc.constant(patchTypes.apply), fc.oneof(merge, placed(subject).map(yamlOf))),
  );
  return fc.tuple(body, damage, oddType).map(([[contentType, text], harm, type]) => ({
    contentType: type ?? contentType,
    bytes: harm(Buffer.from(text)),
  }));
}

/** What says how something is to be deleted. */
export const deleteBody: fc.Arbitrary<SentBody> = fc
  .tuple(
    mutated([
      { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 },
      { propagationPolicy: "Foreground", preconditions: { uid: "x", resourceVersion: "1" } },
      { dryRun: ["All"], orphanDependents: true },
    ]),
    fc.boolean(),
  )
  .map(([options, isProtobuf]) =>
    isProtobuf
      ? encodeAs(options as Fields, "protobuf", deleteOptions)
      : encodeAs(options as Fields, "json", deleteOptions),
  );

const deleteOptions = {
  apiVersion: "v1",
  kind: "DeleteOptions",
  goType: "k8s.io/apimachinery/pkg/apis/meta/v1.DeleteOptions",
};

/** No object at all. */
export const strayBody: fc.Arbitrary<SentBody> = fc.record({
  contentType: fc.constantFrom(
    ...["application/json", "application/yaml", protobufMediaType, ...Object.values(patchTypes)],
    ...["text/plain", "nonsense", "", "application/json; charset=latin1", "multipart/form-data"],
  ),
  bytes: fc.oneof(
    fc.json().map((text) => Buffer.from(text)),
    anyText(40).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from("k8s\0"), bytes])),
    fc
      .tuple(fc.constantFrom("[", '{"a":', "- ", "a:\n ", "{a: "), fc.nat({ max: 30_000 }))
      .map(([text, count]) => Buffer.from(text.repeat(count))),
  ),
});

/** With the name of one of a few, so that changes find something to change. */
function placed(subject: Subject): fc.Arbitrary<Fields> {
  const metadata = mutated([
    ...["a", "b", "c"].map((name) => ({ name })),
    { generateName: "made-" },
    { name: "a", labels: { a: "b" }, annotations: { "x/y": "z" }, finalizers: ["x/y"] },
    { name: "b", ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "a", uid: "1" }] },
    { name: "c", resourceVersion: "1", uid: "1", generation: 3, managedFields: [] },
    { name: "a", managedFields: [{ manager: "x", operation: "Apply", fieldsV1: { "f:a": {} } }] },
  ]);
  return fc
    .tuple(mutated(subject.objects), metadata, fc.nat({ max: 30 }))
    .map(([object, own, odds]) => {
      const { apiVersion, kind } = subject;
      const typeMeta = odds === 0 ? {} : { apiVersion, kind };
      const { metadata: given } = object as { metadata?: unknown };
      const isPlain = typeof given === "object" && given !== null && !Array.isArray(given);
      return { ...typeMeta, ...object, metadata: isPlain ? { ...own, ...given } : own } as Fields;
    });
}

type Encoded = Pick<Subject, "apiVersion" | "kind" | "goType">;

function encodeAs(object: Fields, form: string, { apiVersion, kind, goType }: Encoded): SentBody {
  if (form === "protobuf" && goType) {
    const bytes = protobufOf(object, { apiVersion, kind, goType });
    return { contentType: protobufMediaType, bytes };
  }
  if (form === "yaml")
    return { contentType: "application/yaml", bytes: Buffer.from(yamlOf(object)) };
  return { contentType: "application/json", bytes: Buffer.from(JSON.stringify(object)) };
}

function yamlOf(object: Fields): string {
  return stringify(object, { version: "1.1" });
}

const directives: readonly Fields[] = [
  ...[{ $patch: "delete" }, { $patch: "replace" }, { $patch: "paint" }, { $patch: 1 }],
  ...[{ $retainKeys: ["a"] }, { $retainKeys: "a" }, { "$setElementOrder/containers": [{}] }],
  ...[{ "$deleteFromPrimitiveList/finalizers": ["x"] }, { "$setElementOrder/x": [1] }],
];

function withDirective(object: Fields, directive: Fields, isDeep: boolean): Fields {
  if (!isDeep) return { ...object, ...directive };
  return { ...object, spec: { ...(object.spec as object | undefined), ...directive } };
}

function jsonPatch(subject: Subject): fc.Arbitrary<string> {
  const pointers = [...new Set(subject.objects.flatMap((object) => pointersIn(object)))];
  const pointer = fc.oneof(
    fc.constantFrom("", "/metadata/labels", "/metadata", "/spec", "/kind", "/-", "/metadata/x~2"),
    fc.constantFrom(...pointers),
    fc.constantFrom(...pointers).map((path) => `${path}/-`),
    fc.string({ maxLength: 4 }),
  );
  const operation = fc.record(
    {
      op: fc.oneof(
        {
          weight: 20,
          arbitrary: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
        },
        { weight: 1, arbitrary: oddValue },
      ),
      path: fc.oneof({ weight: 20, arbitrary: pointer }, { weight: 1, arbitrary: oddValue }),
      from: pointer,
      value: oddValue,
    },
    { requiredKeys: ["op", "path"] },
  );
  return fc.array(operation, { maxLength: 5 }).map((operations) => JSON.stringify(operations));
}

const oddType: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 30, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("application/json", "application/yaml", protobufMediaType, "x"),
  },
);

type Harm = (bytes: Uint8Array) => Uint8Array;

/** What may happen to bytes; most often nothing does. */
const damage: fc.Arbitrary<Harm> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Harm>((bytes) => bytes) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat({ max: 100_000 }), fc.uint8Array({ maxLength: 4 }), fc.nat({ max: 4 }))
      .map(
        ([at, inserted, lost]): Harm =>
          (bytes) => {
            const cut = at % (bytes.length + 1);
            return Buffer.concat([bytes.subarray(0, cut), inserted, bytes.subarray(cut + lost)]);
          },
      ),
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 100_000 }).map(
      (at): Harm =>
        (bytes) =>
          bytes.subarray(0, at % (bytes.length + 1)),
    ),
  },
);
