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

/** What every resource can be turned into. */
export const allowsConversion: AllowsConversion = (convert) => {
  if (convert === undefined) return true;
  const { group, version, kind } = convert;
  const isMeta = group === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
  return isMeta && conversions.has(kind);
};

/** Answers with an object, a list or a Status, in the form that the client asked for. */
export async function writeResult(
  exchange: Exchange,
  { status, output, object }: { status: number; output: Output; object: Result },
): Promise<HttpResponse> {
  const { mediaType, pretty } = output;
  const converted = convertResult(exchange, output.convert, object);
  return writeObject(exchange.http, { status, output: { mediaType, pretty }, object: converted });
}

/** The object itself, a Table of it, or its metadata. Throws NotAcceptable. */
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
    if (isList(object))
      throw wrongShape(convert.kind, "is a list (*unstructured.UnstructuredList)");
    return partialMetadata(object, apiVersion);
  }
  if (!isList(object)) throw wrongShape(convert.kind, "is not a list (*unstructured.Unstructured)");
  const items = object.items.map((item) => partialMetadata(item, apiVersion));
  return { kind: convert.kind, apiVersion, metadata: object.metadata, items };
}

/** An object without its spec, status and data. */
function partialMetadata({ metadata }: KubeObject, apiVersion: string): object {
  return { kind: "PartialObjectMetadata", apiVersion, metadata };
}

function isList(object: Result): object is KubeList {
  return "items" in object && Array.isArray(object.items);
}

function isStatus(object: Result): object is Status {
  return object.kind === "Status" && object.apiVersion === "v1";
}

function wrongShape(kind: string, what: string): StatusError {
  const message = `you requested ${kind}, but the requested object ${what}`;
  return statusError({ code: 406, reason: "NotAcceptable", message });
}
