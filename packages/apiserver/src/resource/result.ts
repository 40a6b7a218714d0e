import type { HttpResponse } from "@rookery/http";
import {
  formatApiVersion,
  type GroupVersionKind,
  type KubeList,
  type KubeObject,
  type Status,
  type StatusError,
  statusError,
} from "@rookery/kube";
import { unclassifiedError } from "../errors.ts";
import { writeObject } from "../negotiation/encode.ts";
import type { AllowsConversion, Output } from "../negotiation/output.ts";
import type { Exchange } from "./exchange.ts";
import { parseIncludeObject, tableOf } from "./table.ts";

export type Result = KubeObject | KubeList | Status;

const conversions: ReadonlySet<string> = new Set([
  "Table",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
]);

export const allowsConversion: AllowsConversion = (convert) => {
  if (convert === undefined) return true;
  const { group, version, kind } = convert;
  const isMeta = group === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
  return isMeta && conversions.has(kind);
};

/** Writes an object, a list or a Status in the requested form. */
export async function writeResult(
  exchange: Exchange,
  { status, output, object }: { status: number; output: Output; object: Result },
): Promise<HttpResponse> {
  const { mediaType, pretty } = output;
  const converted = convertResult(exchange, output.convert, object);
  const encoded = converted === object ? exchange.services.encodedJson(object) : undefined;
  const written = { status, output: { mediaType, pretty }, encoded };
  return writeObject(exchange.http, { ...written, object: withoutItemTypes(exchange, converted) });
}

/** Items of built-in lists omit kind and apiVersion. */
function withoutItemTypes({ scope }: Exchange, object: object): object {
  if (scope.resource.dialect === "custom" || !isPlainList(object, scope.kind.kind)) return object;
  const items = object.items.map(({ kind: _, apiVersion: __, ...item }) => item);
  return { ...object, items };
}

function isPlainList(object: object, kind: string): object is KubeList {
  return "items" in object && Array.isArray(object.items) && object.items[0]?.kind === kind;
}

/** The object, its Table or its metadata. Throws NotAcceptable. */
export function convertResult(
  exchange: Exchange,
  convert: GroupVersionKind | undefined,
  object: Result,
): object {
  if (convert === undefined || isStatus(object)) return object;
  const apiVersion = formatApiVersion(convert);
  if (convert.kind === "Table") {
    const includeObject = parseIncludeObject(exchange.http.query);
    return tableOf(object, { exchange, apiVersion, includeObject });
  }
  if (convert.kind === "PartialObjectMetadata") {
    if (isList(object)) throw wrongShape(convert.kind, `is a list (${goTypeOf(exchange, "List")})`);
    return partialMetadata(object, apiVersion);
  }
  if (!isList(object)) throw notAList(exchange, convert.kind);
  const items = object.items.map((item) => partialMetadata(item, apiVersion));
  const { continue: token, ...metadata } = object.metadata;
  return {
    kind: convert.kind,
    apiVersion,
    metadata: { ...metadata, ...(token && { continue: token }) },
    items,
  };
}

function partialMetadata({ metadata }: KubeObject, apiVersion: string): object {
  return { kind: "PartialObjectMetadata", apiVersion, metadata };
}

function isList(object: Result): object is KubeList {
  return "items" in object && Array.isArray(object.items);
}

function isStatus(object: Result): object is Status {
  return object.kind === "Status" && object.apiVersion === "v1";
}

/** The Go type of a resource's objects; its package is part of the model's name. */
function goTypeOf({ scope }: Exchange, suffix = ""): string {
  const { model, kind, dialect } = scope.resource;
  const part = model?.split(".").at(-3);
  if (dialect === "custom" || part === undefined) return `*unstructured.Unstructured${suffix}`;
  return `*${part}.${kind}${suffix}`;
}

function notAList(exchange: Exchange, kind: string): StatusError {
  if (exchange.scope.resource.dialect !== "custom") {
    return wrongShape(kind, `is not a list (${goTypeOf(exchange)})`);
  }
  return unclassifiedError("content is not a list");
}

function wrongShape(kind: string, what: string): StatusError {
  const message = `you requested ${kind}, but the requested object ${what}`;
  return statusError({ code: 406, reason: "NotAcceptable", message });
}
