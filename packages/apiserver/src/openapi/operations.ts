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

const writeParameters = ["dryRun", "fieldManager", "fieldValidation", "pretty"];
const listParameters = [
  ...["allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "pretty"],
  ...["resourceVersion", "resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch"],
];
const deleteParameters = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];

/** A model's name: its group the other way round, as reversed domain names are. */
export function modelName({ group, version, kind }: GroupVersionKind): string {
  const reversed = group === "" ? ["core"] : group.split(".").toReversed();
  return [...reversed, version, kind].join(".");
}

interface Place {
  readonly resource: ServedResource;
  readonly kind: GroupVersionKind;
  readonly prefix: string;
  readonly suffix: string;
}

/** All operations that a resource and its subresources serve. */
export function operationsOf(
  resource: ServedResource,
  at: { readonly group: string; readonly version: string },
): Operation[] {
  const root = at.group === "" ? "/api" : "/apis";
  const prefix = `${root}/${formatApiVersion(at)}`;
  const own = { ...at, kind: resource.kind };
  const place = { resource, kind: own, prefix, suffix: "" };
  const parts = Object.entries(resource.subresources ?? {}).flatMap(([name, part]) =>
    objectOperations(part.handlers, { ...place, kind: part.kind ?? own, suffix: `/${name}` }),
  );
  return [...collectionOperations(place), ...objectOperations(resource.handlers, place), ...parts];
}

function collectionOperations(place: Place): Operation[] {
  const { resource, kind } = place;
  const { create, list, deleteCollection } = resource.handlers;
  const listModel = modelName({ ...kind, kind: resource.listKind ?? `${kind.kind}List` });
  const path = collectionPath(place);
  const base = { path, kind, pathParameters: parametersIn(path) };
  const about = (verb: string) => ({
    id: operationId(verb, place),
    description: `${verb} objects of kind ${kind.kind}`,
  });
  const operations: Operation[] = [];
  if (list)
    operations.push({
      ...base,
      ...about("list"),
      method: "get",
      action: "list",
      queryParameters: listParameters,
      result: listModel,
      statuses: [200],
    });
  if (create) operations.push(createOperation(place, path));
  if (deleteCollection)
    operations.push({
      ...base,
      ...about("deletecollection"),
      method: "delete",
      action: "deletecollection",
      queryParameters: [...listParameters, ...deleteParameters],
      body: metaModels.deleteOptions,
      result: metaModels.status,
      statuses: [200],
    });
  return operations;
}

function createOperation(place: Place, path: string): Operation {
  const { kind } = place;
  const model = modelName(kind);
  return {
    path,
    kind,
    method: "post",
    action: "post",
    id: operationId("create", place),
    description: `create an object of kind ${kind.kind}`,
    pathParameters: parametersIn(path),
    queryParameters: writeParameters,
    body: model,
    result: model,
    statuses: [200, 201, 202],
  };
}

function objectOperations(handlers: ResourceHandlers, place: Place): Operation[] {
  const { kind, suffix } = place;
  const path = `${collectionPath(place)}/{name}${suffix}`;
  const model = modelName(kind);
  const make = (
    verb: string,
    operation: Pick<Operation, "method" | "action" | "queryParameters" | "statuses"> &
      Partial<Operation>,
  ): Operation => ({
    path,
    kind,
    id: operationId(verb, place),
    description: `${verb} an object of kind ${kind.kind}`,
    pathParameters: parametersIn(path),
    result: model,
    ...operation,
  });
  const operations: Operation[] = [];
  if (handlers.get)
    operations.push(
      make("read", { method: "get", action: "get", queryParameters: ["pretty"], statuses: [200] }),
    );
  if (handlers.update) {
    operations.push(
      make("replace", {
        method: "put",
        action: "put",
        queryParameters: writeParameters,
        body: model,
        statuses: [200, 201],
      }),
      make("patch", {
        method: "patch",
        action: "patch",
        queryParameters: [...writeParameters, "force"],
        body: metaModels.patch,
        statuses: [200, 201],
      }),
    );
  }
  if (handlers.delete)
    operations.push(
      make("delete", {
        method: "delete",
        action: "delete",
        queryParameters: deleteParameters,
        body: metaModels.deleteOptions,
        result: metaModels.status,
        statuses: [200, 202],
      }),
    );
  if (suffix !== "" && handlers.create) operations.push(createOperation(place, path));
  return operations;
}

function collectionPath({ prefix, resource }: Place): string {
  return `${prefix}${resource.namespaced ? "/namespaces/{namespace}" : ""}/${resource.plural}`;
}

function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Such as "createProbeRookeryDevV1NamespacedWaveStatus". */
function operationId(verb: string, { kind, resource, suffix }: Place): string {
  const group = kind.group === "" ? "core" : kind.group;
  const words = [
    ...group.split("."),
    kind.version,
    resource.namespaced ? "namespaced" : "",
    resource.kind,
    suffix.slice(1),
  ];
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
