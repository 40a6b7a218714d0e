import { growing, pieces, testGrowth } from "@rookery/testing";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  canonicalRequest,
  createJsonPatch,
  createMergePatch,
  cronScheduleProblem,
  decodeEnvelope,
  FieldError,
  fieldPath,
  invalidError,
  type JsonPatchOperation,
  type PatchField,
  parseDuration,
  parseFieldSelector,
  parseLabelSelector,
  parseQuantity,
  parseQuery,
  parseRequestInfo,
  quote,
  renderJson,
  validateLabels,
} from "./index.ts";

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const leaf = { field: () => undefined };
const fields: Readonly<Record<string, PatchField>> = {
  items: { strategy: "merge", mergeKey: "name", schema: leaf },
  texts: { strategy: "merge", schema: leaf },
};
const schema = { field: (name: string) => fields[name] };
const named = (count: number, first = 0) => list(count, (i) => ({ name: `n${first + i}` }));
const texts = (count: number, first = 0) => list(count, (i) => `t${first + i}`);

interface Merge {
  readonly document: object;
  readonly patch: object;
}
const strategic = (build: (size: number) => Merge) =>
  growing({
    build,
    run: ({ document, patch }) => applyStrategicMergePatch(document, patch, schema),
    size: 4000,
  });
const operations = (build: (size: number) => readonly JsonPatchOperation[]) =>
  growing({
    build: (n) => ({ document: { list: texts(n), deep: {} }, patch: build(n) }),
    run: ({ document, patch }) => applyJsonPatch(document, patch),
  });
const difference = (before: (size: number) => object, after: (size: number) => object) =>
  growing({
    build: (n) => [before(n), after(n)] as const,
    run: ([one, other]) => [createJsonPatch(one, other), createMergePatch(one, other)],
  });

testGrowth({
  "a strategic patch that changes all items": strategic((n) => ({
    document: { items: named(n) },
    patch: { items: named(n).reverse() },
  })),
  "a strategic patch that adds items": strategic((n) => ({
    document: { items: named(n) },
    patch: { items: named(n, n) },
  })),
  "a strategic patch that adds and changes items": strategic((n) => ({
    document: { items: named(n) },
    patch: { items: named(n, n / 2) },
  })),
  "a strategic patch that deletes items": strategic((n) => ({
    document: { items: named(n) },
    patch: { items: named(n).map((each) => ({ ...each, $patch: "delete" })) },
  })),
  "a strategic patch that deletes equal items": strategic((n) => ({
    document: { items: list(n, () => ({ name: "a" })) },
    patch: { items: list(n, () => ({ name: "a", $patch: "delete" })) },
  })),
  "a strategic patch that orders items": strategic((n) => ({
    document: { items: named(n) },
    patch: { "$setElementOrder/items": named(n).reverse(), items: named(n).reverse() },
  })),
  "a strategic patch that orders other items": strategic((n) => ({
    document: { items: named(n) },
    patch: { "$setElementOrder/items": named(n, n), items: named(n, n) },
  })),
  "a strategic patch of texts": strategic((n) => ({
    document: { texts: texts(n) },
    patch: { texts: texts(n, n / 2) },
  })),
  "a strategic patch that deletes texts": strategic((n) => ({
    document: { texts: texts(n) },
    patch: { "$deleteFromPrimitiveList/texts": texts(n) },
  })),
  "a strategic patch that orders texts": strategic((n) => ({
    document: { texts: texts(n) },
    patch: { "$setElementOrder/texts": texts(n).reverse(), texts: texts(n).reverse() },
  })),
  "a strategic patch that retains keys": strategic((n) => ({
    document: Object.fromEntries(texts(n).map((key) => [key, 1])),
    patch: { $retainKeys: texts(n, n / 2) },
  })),
  "a merge patch of many keys": growing({
    build: (n) => Object.fromEntries(texts(n).map((key) => [key, key])),
    run: (patch) => applyMergePatch(patch, patch),
  }),
  "a JSON patch that adds at the end": operations((n) =>
    list(n, (i) => ({ op: "add", path: "/list/-", value: i })),
  ),
  "a JSON patch that tests": operations((n) =>
    list(n, (i) => ({ op: "test", path: `/list/${i}`, value: `t${i}` })),
  ),
  "a JSON patch that copies": operations((n) =>
    list(n, () => ({ op: "copy", from: "/deep", path: "/other" })),
  ),
  "a JSON patch with a long pointer": operations((n) => [
    { op: "add", path: "/deep".repeat(n), value: 1 },
  ]),
  "the difference of lists": difference(
    (n) => ({ list: named(n) }),
    (n) => ({ list: named(n, 1) }),
  ),
  "the difference of a list and its end": difference(
    (n) => ({ list: texts(n) }),
    (n) => ({ list: texts(n).slice(n / 2) }),
  ),
  "the difference of many keys": difference(
    (n) => Object.fromEntries(texts(n).map((key) => [key, 1])),
    (n) => Object.fromEntries(texts(n, n / 2).map((key) => [key, 2])),
  ),
  "problems that each show the whole list": growing({
    build: (n) => texts(n),
    run: (all) =>
      invalidError(
        { group: "", kind: "Thing" },
        "a",
        all.map((each) => FieldError.invalid(fieldPath("list"), all, each)),
      ),
  }),
  "problems that each show a long path": growing({
    build: (n) => ({ path: fieldPath("x".repeat(16 * n)), count: n }),
    run: ({ path, count }) =>
      invalidError(
        { group: "", kind: "Thing" },
        "a",
        list(count, (i) => FieldError.invalid(path.index(i), i, "is wrong")),
      ),
  }),
  "a label selector of many requirements": growing({
    build: (n) => pieces(n, (i) => `k${i}=a,`).slice(0, -1),
    run: (text) => parseLabelSelector(text),
  }),
  "a label selector of many values": growing({
    build: (n) => `k in (${texts(n).join(",")})`,
    run: (text) => parseLabelSelector(text),
  }),
  "a label selector of many mistakes": growing({
    build: (n) => "!".repeat(8 * n),
    run: (text) => parseLabelSelector(text),
  }),
  "a field selector of many requirements": growing({
    build: (n) => pieces(n, (i) => `k${i}=a\\,b,`).slice(0, -1),
    run: (text) => parseFieldSelector(text),
  }),
  "a long quantity": growing({
    build: (n) => "1".repeat(16 * n),
    run: (text) => parseQuantity(text),
  }),
  "a long fraction": growing({
    build: (n) => `0.${"0".repeat(16 * n)}1`,
    run: (text) => parseQuantity(text),
  }),
  "a quantity with a long exponent": growing({
    build: (n) => `1e${"9".repeat(n)}`,
    run: (text) => parseQuantity(text),
  }),
  "a long duration": growing({
    build: (n) => "1h".repeat(8 * n),
    run: (text) => parseDuration(text),
  }),
  "a long text to quote": growing({ build: (n) => '\u0001"\ud800é'.repeat(8 * n), run: quote }),
  "many keys to render": growing({
    build: (n) =>
      Object.fromEntries(
        texts(n)
          .reverse()
          .map((key) => [key, "<&>"]),
      ),
    run: (value) => renderJson(value),
  }),
  "many labels": growing({
    build: (n) => Object.fromEntries(texts(n).map((key) => [`${key}!`, "-"])),
    run: (labels) => validateLabels(labels, fieldPath("labels")),
  }),
  "a long label": growing({
    build: (n) => ({ [`a${"-".repeat(16 * n)}`]: `a${"-.".repeat(16 * n)}` }),
    run: (labels) => validateLabels(labels, fieldPath("labels")),
  }),
  "a Protobuf envelope of many fields": growing({
    build: (n) => Buffer.from(`k8s\0${"\u0012\u0001a".repeat(8 * n)}`),
    run: (bytes) => decodeEnvelope(bytes),
  }),
});

const request = (build: (size: number) => { readonly path?: string; readonly query?: string }) =>
  growing({
    build: (n) => ({ method: "GET", path: "/api/v1/pods", query: "", ...build(n) }),
    run: (line) => [parseQuery(line.query), parseRequestInfo(line), canonicalRequest(line)],
  });

testGrowth({
  "a path of many segments": request((n) => ({ path: `/api/v1/${"a/".repeat(n)}` })),
  "a path of slashes": request((n) => ({ path: `/api/v1/pods${"/".repeat(32 * n)}` })),
  "a path of slashes that does not end with one": request((n) => ({
    path: `/api/v1/pods${"/".repeat(32 * n)}a`,
  })),
  "a path of escapes": request((n) => ({ path: `/api/v1/${"%61".repeat(16 * n)}` })),
  "a path of escapes that are none": request((n) => ({ path: `/api/v1/${"%6".repeat(16 * n)}` })),
  "a path of bad bytes": request((n) => ({ path: `/api/v1/${"%ff".repeat(n)}` })),
  "a path of wide characters": request((n) => ({ path: `/api/v1/${"\u20ac".repeat(n)}` })),
  "a query of many parameters": request((n) => ({ query: pieces(n, (i) => `k${i}=1&`) })),
  "a query of many equal parameters": request((n) => ({ query: "watch=1&".repeat(n) })),
  "a query of semicolons": request((n) => ({ query: `${"a;".repeat(n)}&${"b;&".repeat(n)}` })),
  "a query of escapes": request((n) => ({ query: `labelSelector=${"%61".repeat(16 * n)}` })),
  "a query of many labels": request((n) => ({
    query: `labelSelector=${pieces(n, (i) => `k${i}%3Da,`)}b`,
  })),
  "a query of one label with many values": request((n) => ({
    query: `labelSelector=k in (${pieces(n, (i) => `a${i},`)}b)`,
  })),
  "a query of many fields": request((n) => ({
    query: `fieldSelector=${pieces(n, (i) => `metadata.name%3Da${i},`)}`,
  })),
  "a query of a long limit": request((n) => ({ query: `limit=${"1".repeat(8 * n)}` })),
  "a patch that removes the second of many items": growing({
    build: (n) => ({
      document: list(100 * n, () => 1),
      patch: list(n, () => ({ op: "remove", path: "/1" }) as const),
    }),
    run: ({ document, patch }) => applyJsonPatch(document, patch),
  }),
});

const schedule = (build: (size: number) => string) => growing({ build, run: cronScheduleProblem });

testGrowth({
  "a schedule of many ranges": schedule((n) => `${"*,".repeat(n)}* * * * *`),
  "a schedule of many steps": schedule((n) => `*${"/1".repeat(n)} * * * *`),
  "a schedule of many hyphens": schedule((n) => `1${"-1".repeat(n)} * * * *`),
  "a schedule of much space": schedule((n) => `*${" ".repeat(32 * n)}x`),
  "a schedule of many fields": schedule((n) => "* ".repeat(n)),
  "a schedule of a long number": schedule((n) => `${"1".repeat(8 * n)} * * * *`),
  "a schedule of a long zone": schedule((n) => `TZ=${"a/".repeat(n)} * * * * *`),
  "a schedule of a long duration": schedule((n) => `@every ${"1h".repeat(n)}`),
});
