import { formatApiVersion, type GroupVersionKind } from "@rookery/kube";
import type { ResourceHandlers } from "../resource/handlers.ts";
import type { ServedResource } from "../resource/served-group.ts";
import { metaModels } from "./meta-schemas.ts";

/** One operation of an API, in no version of OpenAPI yet. */
export interface Operation {
  readonly path: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** In Kubernetes' words: "list", "post"… */
  readonly action: string;
  readonly id: string;
  readonly description: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  /** The model of the body, where it has one. */
  readonly body?: string;
  readonly result: string;
  readonly statuses: readonly number[];
  readonly kind: GroupVersionKind;
}

const write = ["dryRun", "fieldManager", "fieldValidation", "pretty"];
const list = [
  ...["allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "pretty"],
  ...["resourceVersion", "resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch"],
];
const remove = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];

/** What the handlers of a resource are in OpenAPI: "own" is its kind, "list" the kind of its lists. */
interface Template {
  readonly handler: keyof ResourceHandlers;
  readonly verb: string;
  readonly method: Operation["method"];
  /** Where it is not the method. */
  readonly action?: string;
  readonly query: readonly string[];
  readonly body?: string;
  readonly result: string;
  readonly statuses: readonly number[];
}

const { deleteOptions, patch, status } = metaModels;
const [ok, created, accepted] = [200, 201, 202];
const made = [ok, created];

const create: Template = {
  ...{ handler: "create", verb: "create", method: "post", query: write },
  ...{ body: "own", result: "own", statuses: [ok, created, accepted] },
};

const collectionTemplates: readonly Template[] = [
  {
    ...{ handler: "list", verb: "list", method: "get", action: "list", query: list },
    ...{ result: "list", statuses: [ok] },
  },
  create,
  {
    ...{ handler: "deleteCollection", verb: "deletecollection", method: "delete" },
    ...{ action: "deletecollection", query: [...list, ...remove], body: deleteOptions },
    ...{ result: status, statuses: [ok] },
  },
];

const objectTemplates: readonly Template[] = [
  { handler: "get", verb: "read", method: "get", query: ["pretty"], result: "own", statuses: [ok] },
  {
    ...{ handler: "update", verb: "replace", method: "put", query: write },
    ...{ body: "own", result: "own", statuses: made },
  },
  {
    ...{ handler: "update", verb: "patch", method: "patch", query: [...write, "force"] },
    ...{ body: patch, result: "own", statuses: made },
  },
  {
    ...{ handler: "delete", verb: "delete", method: "delete", query: remove },
    ...{ body: deleteOptions, result: status, statuses: [ok, accepted] },
  },
];

/** A model's name: its group the other way round, as reversed domain names are. */
export function modelName({ group, version, kind }: GroupVersionKind): string {
  const reversed = group === "" ? ["core"] : group.split(".").toReversed();
  return [...reversed, version, kind].join(".");
}

/** All operations that a resource and its subresources serve. */
export function operationsOf(
  resource: ServedResource,
  at: { readonly group: string; readonly version: string },
): Operation[] {
  const root = at.group === "" ? "/api" : "/apis";
  const namespace = resource.namespaced ? "/namespaces/{namespace}" : "";
  const path = `${root}/${formatApiVersion(at)}${namespace}/${resource.plural}`;
  const { handlers } = resource;
  const own = { resource, handlers, kind: { ...at, kind: resource.kind }, subresource: "" };
  const parts = Object.entries(resource.subresources ?? {}).flatMap(([subresource, part]) => {
    const place = { ...own, subresource, handlers: part.handlers, kind: part.kind ?? own.kind };
    return operations([...objectTemplates, create], {
      ...place,
      path: `${path}/{name}/${subresource}`,
    });
  });
  return [
    ...operations(collectionTemplates, { ...own, path }),
    ...operations(objectTemplates, { ...own, path: `${path}/{name}` }),
    ...parts,
  ];
}

interface Place {
  readonly resource: ServedResource;
  readonly handlers: ResourceHandlers;
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly path: string;
}

function operations(templates: readonly Template[], place: Place): Operation[] {
  const served = templates.filter(({ handler }) => place.handlers[handler] !== undefined);
  return served.map((template) => operationOf(template, place));
}

function operationOf(template: Template, place: Place): Operation {
  const { verb, method, action = method, query, body, result, statuses } = template;
  const { path, kind } = place;
  return {
    ...{ path, method, action, kind, statuses },
    id: operationId(verb, place),
    description: `${verb} ${path.endsWith("}") ? "an object" : "objects"} of kind ${kind.kind}`,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    queryParameters: query,
    ...(body !== undefined && { body: resolveModel(body, place) }),
    result: resolveModel(result, place),
  };
}

function resolveModel(model: string, { kind, resource }: Place): string {
  if (model === "own") return modelName(kind);
  if (model !== "list") return model;
  return modelName({ ...kind, kind: resource.listKind ?? `${kind.kind}List` });
}

/** Such as "createProbeRookeryDevV1NamespacedWaveStatus". */
function operationId(verb: string, { kind, resource, subresource }: Place): string {
  const group = kind.group === "" ? "core" : kind.group;
  const scope = resource.namespaced ? "namespaced" : "";
  const words = [...group.split("."), kind.version, scope, resource.kind, subresource];
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
