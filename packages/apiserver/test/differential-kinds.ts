import assert from "node:assert/strict";
import { type ApiServerOptions, createApiServer, type ServedGroup } from "@rookery/apiserver";
import type { Handler } from "@rookery/http";
import { type KubeObject, notFoundError } from "@rookery/kube";
import type { CustomResourceDefinition } from "@rookery/testing";
import { jane } from "./asking.ts";
import { group } from "./differential-rows.ts";
import { greetingSchema } from "./greetings.ts";

const names = (kind: string, plural: string) => ({
  plural,
  singular: kind.toLowerCase(),
  kind,
  shortNames: [plural.slice(0, 3)],
});

export const kinds = [
  { ...names("Greeting", "greetings"), namespaced: false },
  { ...names("Wave", "waves"), namespaced: true },
];

export function crdOf({
  namespaced,
  ...crdNames
}: (typeof kinds)[number]): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${crdNames.plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: crdNames,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: greetingSchema },
        },
      ],
    },
  };
}

function emptyStore(of: string, { kind, plural }: { kind: string; plural: string }) {
  const missing = ({ name }: { name: string }): never => {
    throw notFoundError({ group: of, resource: plural }, name);
  };
  const apiVersion = of === "" ? "v1" : `${of}/v1`;
  return {
    create: ({ object }: { object: KubeObject }) => object,
    get: missing,
    list: () => ({ apiVersion, kind: `${kind}List`, metadata: {}, items: [] }),
    watch: () => async () => {},
    update: missing,
    delete: missing,
    deleteCollection: missing,
  };
}

/** The same kinds, with a store that is always empty. */
function servedGroup(): ServedGroup {
  const resources = kinds.map((kind) => {
    const handlers = emptyStore(group, kind);
    const { get, update } = handlers;
    const subresources = { status: { handlers: { get, update } } };
    const dialect = "custom" as const;
    return {
      ...kind,
      schema: greetingSchema,
      handlers,
      subresources,
      dialect,
      supportsDryRun: true,
    };
  });
  return { name: group, versions: [{ name: "v1", resources }] };
}

const reviewGroup: ServedGroup = {
  name: "authentication.k8s.io",
  versions: [
    {
      name: "v1",
      resources: [
        {
          ...names("SelfSubjectReview", "selfsubjectreviews"),
          namespaced: false,
          schema: { type: "object" },
          handlers: { create: ({ object }) => object },
        },
      ],
    },
  ],
};

const coreGroup: ServedGroup = {
  name: "",
  versions: [
    {
      name: "v1",
      resources: [
        {
          ...names("ConfigMap", "configmaps"),
          namespaced: true,
          schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          handlers: emptyStore("", { kind: "ConfigMap", plural: "configmaps" }),
        },
      ],
    },
  ],
};

/** A server of all kinds that are compared. */
export function serverOf(options: Partial<ApiServerOptions> = {}): Handler {
  const { handler } = createApiServer({
    groups: [servedGroup(), reviewGroup, coreGroup],
    authenticate: () => jane,
    authorize: () => ({ decision: "Allow" }),
    onError: assert.ifError,
    ...options,
  });
  return handler;
}
