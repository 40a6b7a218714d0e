import { protobufMediaType } from "@rookery/kube";
import type { Exchange, Scenario } from "@rookery/testing";
import { applyPatch, jsonPatch, mergePatch, strategicPatch } from "./subject.ts";

const widgets = "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets";
const scale = `${widgets}/kept/scale`;
const typeMeta = { apiVersion: "autoscaling/v1", kind: "Scale" };
const good = { ...typeMeta, metadata: { name: "kept" }, spec: { replicas: 2 } };

const patched = (body: object | string, contentType = mergePatch, query = ""): Exchange => ({
  what: `${contentType}${query} ${typeof body === "string" ? body : JSON.stringify(body)}`,
  method: "PATCH",
  path: `${scale}${query}`,
  contentType,
  body,
});
const put = (body: object | string, contentType = "application/json", query = ""): Exchange => ({
  ...patched(body, contentType, query),
  method: "PUT",
});

const oddParts: readonly object[] = [
  ...[
    { kind: 1 },
    { kind: null },
    { kind: "Widget" },
    { kind: "Widget", metadata: { name: [null] } },
  ],
  ...[{ apiVersion: ["v1"] }, { apiVersion: "a/b/c" }, { apiVersion: "v1" }],
  ...[{ metadata: "x" }, { metadata: null }, { metadata: { name: [null, 1] } }],
  ...[{ metadata: { name: null } }, { metadata: { name: "other" } }, { metadata: { labels: [] } }],
  ...[{ metadata: { creationTimestamp: "never" } }, { metadata: { uid: "other" } }],
  ...[{ spec: [] }, { spec: null }, { spec: { replicas: "1" } }, { spec: { replicas: 1.5 } }],
  ...[{ spec: { replicas: null } }, { spec: { replicas: 2 ** 31 } }, { spec: { replicas: -1 } }],
  ...[{ status: "x" }, { status: { replicas: {} } }, { status: { selector: [] } }],
  ...[{ spec: { replicas: 2, size: 1 }, colour: "red" }],
];

/** The scale of a custom kind is a kind that is compiled in, and read as one. */
export const customScale: readonly Scenario[] = [
  {
    name: "the scale of a custom kind",
    exchanges: [
      {
        what: "a good one",
        path: widgets,
        silent: true,
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "kept" },
          spec: { size: 3 },
        },
      },
      patched({ ...good, metadata: { name: [null] } }, applyPatch, "?fieldManager=one"),
      patched({ ...good, metadata: {} }, applyPatch, "?fieldManager=one&force=true"),
      patched(good, applyPatch, "?fieldManager=one&force=true"),
      patched({ ...good, spec: { replicas: 3 } }, applyPatch, "?fieldManager=two"),
      { what: "who manages it", path: `${widgets}/kept` },
      patched({ spec: { replicas: 3 } }, mergePatch, "?fieldManager=three"),
      { what: "who manages it after a patch", path: `${widgets}/kept` },
      put({ ...good, spec: { replicas: 4 } }, "application/json", "?fieldManager=four"),
      { what: "who manages it after an update", path: `${widgets}/kept` },
      put({ ...good, metadata: { name: "kept", uid: "other" } }),
      ...oddParts.flatMap((part) => [patched(part), put({ ...good, ...part })]),
      patched({ spec: { replicas: 2, size: 1 } }, mergePatch, "?fieldValidation=Strict"),
      put({ ...good, colour: "red" }, "application/json", "?fieldValidation=Strict"),
      patched([{ op: "replace", path: "/metadata/name", value: [] }], jsonPatch),
      patched([{ op: "replace", path: "/spec/replicas", value: 4 }], jsonPatch),
      patched({ spec: { replicas: 3 } }, strategicPatch),
      patched(good, applyPatch, "?fieldManager=one"),
      patched({ ...good, metadata: { name: [null] } }, applyPatch, "?fieldManager=one"),
      patched({ ...good, kind: "Widget" }, applyPatch, "?fieldManager=one"),
      // In a dry run, as who manages it is lost where its version is not said.
      put("spec: {replicas: 5}\nmetadata: {name: kept}\n", "application/yaml", "?dryRun=All"),
      put({ ...good, apiVersion: null }, "application/json", "?dryRun=All"),
      patched({ apiVersion: null }, mergePatch, "?dryRun=All"),
      put("{}"),
      put("nonsense"),
      put(good, protobufMediaType),
      put(good, "text/plain"),
      { what: "the scale, at last", path: scale },
    ],
  },
];
