import type { Answer, Exchange, Scenario } from "@rookery/testing";
import { applyPatch, mergePatch, strategicPatch } from "./subject.ts";

const inNamespace = "/api/v1/namespaces/{ns}";
const maps = `${inNamespace}/configmaps`;
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const isGone = ({ status }: Answer) => status === 404;

/** What objects do to one another, and what happens in the background. */
export const lifecycle: readonly Scenario[] = [
  {
    name: "pods with gates",
    exchanges: [
      {
        what: "the account of pods",
        path: "/api/v1/namespaces/{ns}/serviceaccounts/default",
        until: ({ status }) => status === 200,
      },
      {
        what: "one that waits",
        method: "POST",
        path: "/api/v1/namespaces/{ns}/pods",
        body: {
          metadata: { name: "gated" },
          spec: {
            automountServiceAccountToken: false,
            schedulingGates: [{ name: "example.com/wait" }],
            containers: [{ name: "a", image: "a" }],
          },
        },
      },
      { what: "as it is kept", path: "/api/v1/namespaces/{ns}/pods/gated" },
    ],
  },
  {
    name: "dependents of what is deleted",
    exchanges: ["Background", "Foreground", "Orphan"].flatMap((policy): Exchange[] => {
      const owner = `owner-${policy.toLowerCase()}`;
      const dependent = `dependent-${policy.toLowerCase()}`;
      return [
        { what: `${policy}: making the owner`, path: maps, body: map(owner), keep: owner },
        {
          what: `${policy}: making the dependent`,
          path: maps,
          body: (memory) =>
            map(dependent, {
              ownerReferences: [
                {
                  apiVersion: "v1",
                  kind: "ConfigMap",
                  name: owner,
                  uid: memory[owner]?.metadata?.uid,
                  blockOwnerDeletion: true,
                },
              ],
            }),
        },
        {
          what: `${policy}: deleting the owner`,
          method: "DELETE",
          path: `${maps}/${owner}`,
          body: { propagationPolicy: policy },
        },
        { what: `${policy}: the owner is gone`, path: `${maps}/${owner}`, until: isGone },
        policy === "Orphan"
          ? {
              what: `${policy}: the dependent stays`,
              path: `${maps}/${dependent}`,
              until: ({ body }) => JSON.stringify(body).includes("ownerReferences") === false,
            }
          : {
              what: `${policy}: the dependent is gone`,
              path: `${maps}/${dependent}`,
              until: isGone,
            },
      ];
    }),
  },
  {
    name: "dependents of what never was",
    exchanges: [
      {
        what: "making it",
        path: maps,
        body: map("lost", {
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "ConfigMap",
              name: "never",
              uid: "33333333-3333-3333-3333-333333333333",
            },
          ],
        }),
      },
      { what: "it goes", path: `${maps}/lost`, until: isGone },
    ],
  },
  {
    name: "a namespace and what is in it",
    exchanges: [
      {
        what: "making it",
        path: "/api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}-inner" } },
      },
      {
        what: "making something in it",
        path: "/api/v1/namespaces/{ns}-inner/configmaps",
        body: map("held", { finalizers: ["example.com/hold"] }),
      },
      {
        what: "making something custom in it",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}-inner/widgets",
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "w" },
          spec: { size: 1 },
        },
        silent: true,
      },
      {
        what: "making something in one that is not there",
        path: "/api/v1/namespaces/{ns}-none/configmaps",
        body: map("a"),
      },
      {
        what: "making something custom in one that is not there",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}-none/widgets",
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "w" },
          spec: { size: 1 },
        },
      },
      { what: "deleting it", method: "DELETE", path: "/api/v1/namespaces/{ns}-inner" },
      {
        what: "it says what it waits for",
        path: "/api/v1/namespaces/{ns}-inner",
        until: ({ body }) => JSON.stringify(body).includes("SomeFinalizersRemain"),
        silent: true,
      },
      {
        what: "making something in one that goes",
        path: "/api/v1/namespaces/{ns}-inner/configmaps",
        body: map("late"),
      },
      {
        what: "letting go",
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}-inner/configmaps/held",
        contentType: mergePatch,
        body: { metadata: { finalizers: null } },
        silent: true,
      },
      { what: "it is gone", path: "/api/v1/namespaces/{ns}-inner", until: isGone },
      { what: "deleting one that must stay", method: "DELETE", path: "/api/v1/namespaces/default" },
      {
        what: "a name that is none",
        path: "/api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "a.b" } },
      },
    ],
  },
  {
    name: "custom kinds",
    exchanges: [
      {
        what: "a schema that is not structural",
        path: crds,
        body: definition("bad", { type: "object", properties: { x: { properties: {} } } }),
      },
      {
        what: "a name that does not fit",
        path: crds,
        body: {
          ...definition("bad", { type: "object" }),
          metadata: { name: "other.{ns}.example.com" },
        },
      },
      {
        what: "without a stored version",
        path: crds,
        body: definition("bad", { type: "object" }, { storage: false }),
      },
      { what: "without a schema", path: crds, body: definition("bad", undefined) },
      {
        what: "a rule that can't be read",
        path: crds,
        body: definition("bad", {
          type: "object",
          "x-kubernetes-validations": [{ rule: "self +" }],
        }),
      },
      {
        what: "a default that breaks the schema",
        path: crds,
        body: definition("bad", {
          type: "object",
          properties: { x: { type: "integer", default: "three" } },
        }),
      },
      {
        what: "making one",
        path: crds,
        body: definition("good", {
          type: "object",
          properties: { x: { type: "integer", default: 3 } },
        }),
      },
      {
        what: "it is established",
        path: `${crds}/goods.{ns}.example.com`,
        until: ({ body }) =>
          (/"type":"Established"[^}]*/.test(JSON.stringify(body)) &&
            JSON.stringify(body).includes('"status":"True","type":"Established"')) ||
          JSON.stringify(body).includes("initial names have been accepted"),
        silent: true,
      },
      {
        what: "objects of it are served",
        path: "/apis/{ns}.example.com/v1/namespaces/{ns}/goods",
        until: ({ status }) => status === 200,
      },
      {
        what: "one is made",
        path: "/apis/{ns}.example.com/v1/namespaces/{ns}/goods",
        body: {
          apiVersion: "{ns}.example.com/v1",
          kind: "Good",
          metadata: { name: "a" },
          unknown: 1,
        },
      },
      {
        what: "its group is discovered",
        path: "/apis/{ns}.example.com",
        until: ({ status }) => status === 200,
      },
      {
        what: "its resources are discovered",
        path: "/apis/{ns}.example.com/v1",
        until: ({ status }) => status === 200,
      },
      {
        what: "another scope",
        method: "PATCH",
        path: `${crds}/goods.{ns}.example.com`,
        contentType: mergePatch,
        body: { spec: { scope: "Cluster" } },
      },
      {
        what: "another group",
        method: "PATCH",
        path: `${crds}/goods.{ns}.example.com`,
        contentType: mergePatch,
        body: { spec: { group: "other.example.com" } },
      },
      { what: "removing it", method: "DELETE", path: `${crds}/goods.{ns}.example.com` },
      { what: "it is gone", path: `${crds}/goods.{ns}.example.com`, until: isGone },
      {
        what: "its objects are no longer served",
        path: "/apis/{ns}.example.com/v1/namespaces/{ns}/goods",
        until: isGone,
      },
    ],
  },
  {
    name: "a custom kind in two versions",
    exchanges: [
      {
        what: "made in the older",
        path: "/apis/conformance.rookery.dev/v1beta1/namespaces/{ns}/widgets",
        body: {
          apiVersion: "conformance.rookery.dev/v1beta1",
          kind: "Widget",
          metadata: { name: "old" },
          spec: { size: 1 },
        },
      },
      {
        what: "read in the newer",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets/old",
      },
      {
        what: "read in the older",
        path: "/apis/conformance.rookery.dev/v1beta1/namespaces/{ns}/widgets/old",
      },
      {
        what: "read in one that is none",
        path: "/apis/conformance.rookery.dev/v3/namespaces/{ns}/widgets/old",
      },
      {
        what: "selected by a field",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets?fieldSelector=spec.colour%3Dred",
      },
      {
        what: "selected by a field that the older has not",
        path: "/apis/conformance.rookery.dev/v1beta1/namespaces/{ns}/widgets?fieldSelector=spec.colour%3Dred",
      },
      {
        what: "applied in the newer",
        method: "PATCH",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets/old?fieldManager=new",
        contentType: applyPatch,
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "old" },
          spec: { size: 2, parts: [{ name: "a" }, { name: "b", count: 3 }], tags: ["x"] },
        },
      },
      {
        what: "applied in the newer, by force",
        method: "PATCH",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets/old?fieldManager=new&force=true",
        contentType: applyPatch,
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "old" },
          spec: { size: 2, parts: [{ name: "a" }, { name: "b", count: 3 }], tags: ["x"] },
        },
      },
      {
        what: "applied in the older",
        method: "PATCH",
        path: "/apis/conformance.rookery.dev/v1beta1/namespaces/{ns}/widgets/old?fieldManager=other",
        contentType: applyPatch,
        body: {
          apiVersion: "conformance.rookery.dev/v1beta1",
          kind: "Widget",
          metadata: { name: "old" },
          spec: { size: 2, parts: [{ name: "c" }], tags: ["y"] },
        },
      },
      {
        what: "with one part less",
        method: "PATCH",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets/old?fieldManager=new",
        contentType: applyPatch,
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "old" },
          spec: { size: 2, parts: [{ name: "a" }] },
        },
      },
      {
        what: "a part twice",
        method: "PATCH",
        path: "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets/old?fieldManager=new",
        contentType: applyPatch,
        body: {
          apiVersion: "conformance.rookery.dev/v1",
          kind: "Widget",
          metadata: { name: "old" },
          spec: { size: 2, parts: [{ name: "a" }, { name: "a" }] },
        },
      },
    ],
  },
  {
    name: "a Deployment, applied and patched",
    exchanges: [
      {
        what: "applied",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web?fieldManager=one",
        contentType: applyPatch,
        body: deployment([
          {
            name: "main",
            image: "a:1",
            ports: [{ containerPort: 80 }],
            env: [{ name: "A", value: "1" }],
          },
        ]),
      },
      {
        what: "another container by another",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web?fieldManager=two",
        contentType: applyPatch,
        body: deployment([{ name: "side", image: "b:1", env: [{ name: "B", value: "2" }] }]),
      },
      {
        what: "the same field by another",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web?fieldManager=two",
        contentType: applyPatch,
        body: deployment([{ name: "main", image: "a:2" }]),
      },
      {
        what: "its own container away",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web?fieldManager=two&force=true",
        contentType: applyPatch,
        body: deployment([{ name: "main", image: "a:2" }]),
      },
      {
        what: "strategically merged",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web",
        contentType: strategicPatch,
        body: {
          spec: {
            template: {
              spec: { containers: [{ name: "main", env: [{ name: "C", value: "3" }] }] },
            },
          },
        },
      },
      {
        what: "strategically deleted",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web",
        contentType: strategicPatch,
        body: {
          spec: {
            template: {
              spec: { containers: [{ name: "main", env: [{ name: "A", $patch: "delete" }] }] },
            },
          },
        },
      },
      {
        what: "strategically without a key",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web",
        contentType: strategicPatch,
        body: { spec: { template: { spec: { containers: [{ image: "c" }] } } } },
      },
      {
        what: "merged",
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/web",
        contentType: mergePatch,
        body: { spec: { template: { spec: { containers: [{ name: "only", image: "d" }] } } } },
      },
    ],
  },
];

function map(name: string, metadata: Record<string, unknown> = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata } };
}

function definition(singular: string, schema: object | undefined, version: object = {}) {
  const kind = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  const plural = `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.{ns}.example.com` },
    spec: {
      group: "{ns}.example.com",
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          ...(schema && { schema: { openAPIV3Schema: schema } }),
          ...version,
        },
      ],
    },
  };
}

function deployment(containers: readonly object[]) {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 0,
      paused: true,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers } },
    },
  };
}
