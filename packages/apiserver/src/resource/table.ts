import {
  badRequestError,
  FieldError,
  fieldPath,
  type KubeList,
  type KubeObject,
  parseQuery,
} from "@rookery/kube";
import type { Exchange } from "./exchange.ts";
import type { TableColumn } from "./served-group.ts";

export type IncludeObject = "" | "None" | "Metadata" | "Object";

/** Throws a bad request for an invalid value. */
export function parseIncludeObject(query: string): IncludeObject {
  const value = parseQuery(query).get("includeObject") ?? "";
  if (isIncludeObject(value)) return value;
  const detail = "must be 'Metadata', 'Object', 'None', or empty";
  const problem = FieldError.invalid(fieldPath("includeObject"), value, detail);
  throw badRequestError(`Unable to convert to Table as requested: ${problem}`);
}

function isIncludeObject(value: string): value is IncludeObject {
  return ["", "None", "Metadata", "Object"].includes(value);
}

export interface TableOptions {
  readonly exchange: Exchange;
  readonly apiVersion: string;
  readonly includeObject: IncludeObject;
  /** Off after the first event of a watch. */
  readonly headers?: boolean;
}

/** kube-apiserver's columns of kinds without own ones. */
const defaultColumns: readonly TableColumn[] = [
  {
    name: "Name",
    type: "string",
    format: "name",
    description: "The name of the object, unique among those of its kind and namespace.",
    value: ({ metadata }) => metadata.name ?? "",
  },
  {
    name: "Created At",
    type: "date",
    description: "When the object was created, by the clock of the server, in UTC.",
    value: ({ metadata }) => metadata.creationTimestamp ?? null,
  },
];

/** A Table of an object or a list. */
export function tableOf(object: KubeObject | KubeList, options: TableOptions): object {
  const { exchange, apiVersion, headers = true } = options;
  const columns = exchange.scope.resource.columns ?? defaultColumns;
  const items = "items" in object ? (object as KubeList).items : [object as KubeObject];
  const {
    resourceVersion,
    continue: token,
    remainingItemCount,
  } = object.metadata as KubeList["metadata"];
  return {
    kind: "Table",
    apiVersion,
    metadata: {
      ...(resourceVersion && { resourceVersion }),
      ...(token && { continue: token }),
      ...(remainingItemCount && { remainingItemCount }),
    },
    columnDefinitions: headers ? columns.map(definitionOf) : null,
    rows: items.map((item) => rowOf(item, columns, options)),
  };
}

function definitionOf({ name, type, format = "", description = "", priority = 0 }: TableColumn) {
  return { name, type, format, description, priority };
}

function rowOf(item: KubeObject, columns: readonly TableColumn[], options: TableOptions) {
  const now = options.exchange.services.now();
  const cells = columns.map(({ value }) => value(item, now));
  return { cells, object: includedObject(item, options) };
}

function includedObject(item: KubeObject, { includeObject, apiVersion }: TableOptions) {
  if (includeObject === "None") return null;
  if (includeObject === "Object") return item;
  return { kind: "PartialObjectMetadata", apiVersion, metadata: item.metadata };
}
