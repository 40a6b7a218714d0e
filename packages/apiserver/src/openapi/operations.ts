import { formatApiVersion, type GroupVersionKind, patchTypes } from "@rookery/kube";
import type { ResourceHandlers } from "../resource/handlers.ts";
import type { ServedResource, ServedSubresource } from "../resource/served-group.ts";
import { describeOperation } from "./describe-operation.ts";
import { metaModels } from "./meta-schemas.ts";

/** An API operation, independent of the OpenAPI version. */
export interface Operation {
  readonly path: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Kubernetes' name of it: "list", "post"… */
  readonly action: string;
  readonly id: string;
  readonly description: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  /** The model of the body, if there is one. */
  readonly body?: string;
  readonly patchTypes: readonly string[];
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

/** The operation of a handler; the models "own" and "list" are the resource's. */
interface Template {
  readonly handler: keyof ResourceHandlers;
  readonly verb: string;
  readonly method: Operation["method"];
  /** By default the method. */
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
  handler: "create",
  verb: "create",
  method: "post",
  query: write,
  body: "own",
  result: "own",
  statuses: [ok, created, accepted],
};

const listTemplate: Template = {
  handler: "list",
  verb: "list",
  method: "get",
  action: "list",
  query: list,
  result: "list",
  statuses: [ok],
};

const collectionTemplates: readonly Template[] = [
  listTemplate,
  create,
  {
    handler: "deleteCollection",
    verb: "deletecollection",
    method: "delete",
    action: "deletecollection",
    query: [...list, ...remove],
    body: deleteOptions,
    result: status,
    statuses: [ok],
  },
];

const objectTemplates: readonly Template[] = [
  { handler: "get", verb: "read", method: "get", query: ["pretty"], result: "own", statuses: [ok] },
  {
    handler: "update",
    verb: "replace",
    method: "put",
    query: write,
    body: "own",
    result: "own",
    statuses: made,
  },
  {
    handler: "update",
    verb: "patch",
    method: "patch",
    query: [...write, "force"],
    body: patch,
    result: "own",
    statuses: made,
  },
  {
    handler: "delete",
    verb: "delete",
    method: "delete",
    query: remove,
    body: deleteOptions,
    result: status,
    statuses: [ok, accepted],
  },
];

/** The group is reversed, like a domain name. */
export function modelName({ group, version, kind }: GroupVersionKind): string {
  const reversed = group === "" ? ["core"] : group.split(".").toReversed();
  return [...reversed, version, kind].join(".");
}

/** The name of the list model, beside the resource's own. */
export function listModelName(resource: ServedResource, own: GroupVersionKind): string {
  const kind = resource.listKind ?? `${resource.kind}List`;
  if (resource.model === undefined) return modelName({ ...own, kind });
  return resource.model.slice(0, resource.model.lastIndexOf(".") + 1) + kind;
}

/** The location of operations. */
interface Place {
  readonly resource: ServedResource;
  readonly handlers: ResourceHandlers;
  /** The kind that is read and written. */
  readonly kind: GroupVersionKind;
  readonly model: string;
  readonly own: GroupVersionKind;
  readonly subresource: string;
  readonly path: string;
}

export function operationsOf(
  resource: ServedResource,
  at: { readonly group: string; readonly version: string },
): Operation[] {
  const root = `${at.group === "" ? "/api" : "/apis"}/${formatApiVersion(at)}`;
  const namespace = resource.namespaced ? "/namespaces/{namespace}" : "";
  const path = `${root}${namespace}/${resource.plural}`;
  const kind = { ...at, kind: resource.kind };
  const model = resource.model ?? modelName(kind);
  const { handlers } = resource;
  const place = { resource, handlers, kind, own: kind, model, subresource: "" };
  const everywhere = { ...place, path: `${root}/${resource.plural}` };
  return [
    ...(resource.namespaced ? operations([listTemplate], everywhere) : []),
    ...operations(collectionTemplates, { ...place, path }),
    ...operations(objectTemplates, { ...place, path: `${path}/{name}` }),
    ...Object.entries(resource.subresources ?? {}).flatMap(([name, part]) =>
      partOperations(part, { ...place, subresource: name, path: `${path}/{name}/${name}` }),
    ),
  ];
}

function partOperations(part: ServedSubresource, place: Place): Operation[] {
  const { handlers } = part;
  // Subresources of custom kinds use the kind's own name, even scales.
  const isCustom = place.resource.dialect === "custom";
  const kind = (isCustom ? undefined : part.kind) ?? place.own;
  const model = part.model ?? (part.kind ? modelName(part.kind) : place.model);
  return operations([...objectTemplates, create], { ...place, handlers, kind, model });
}

function operations(templates: readonly Template[], place: Place): Operation[] {
  const served = templates.filter(({ handler }) => place.handlers[handler] !== undefined);
  return served.map((template) => operationOf(template, place));
}

function operationOf(template: Template, place: Place): Operation {
  const { verb, method, action = method, query, body, result, statuses } = template;
  const { path, kind, resource, subresource } = place;
  return {
    path,
    method,
    action,
    kind,
    statuses,
    id: operationId(verb, place),
    description: describeOperation(verb, resource.kind, subresource),
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    queryParameters: query,
    patchTypes: patchTypesOf(resource),
    ...(body !== undefined && { body: resolveModel(body, place) }),
    result: resolveModel(result, place),
  };
}

function patchTypesOf({ fieldManager, patchSchema }: ServedResource): string[] {
  const always = [patchTypes.json, patchTypes.merge];
  return [
    ...(fieldManager ? [patchTypes.apply] : []),
    ...(patchSchema ? [...always, patchTypes.strategicMerge] : always),
  ];
}

function resolveModel(model: string, { resource, own, model: kindModel }: Place): string {
  if (model === "own") return kindModel;
  return model === "list" ? listModelName(resource, own) : model;
}

/** Such as "createProbeRookeryDevV1NamespacedWaveStatus". */
function operationId(verb: string, { own, resource, subresource, path }: Place): string {
  const group = own.group === "" ? "core" : groupName(own.group, resource);
  const inNamespace = path.includes("{namespace}");
  const isCollection = verb === "deletecollection";
  const words = [
    ...[...group.split("."), own.version, isCollection ? "collection" : ""],
    ...[inNamespace ? "namespaced" : "", resource.kind, subresource],
    resource.namespaced && !inNamespace ? "forAllNamespaces" : "",
  ];
  const named = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return (isCollection ? "delete" : verb) + named;
}

/** Built-in groups omit their common suffix. */
function groupName(group: string, { model }: ServedResource): string {
  return model === undefined ? group : group.replace(/\.k8s\.io$/, "");
}
