import {
  type Body,
  BodyTooLargeError,
  bodyLength,
  collectBody,
  type HttpHeaders,
  type HttpRequest,
  headerValue,
} from "@rookery/http";
import {
  badRequestError,
  FieldError,
  fieldPath,
  invalidError,
  notAcceptableError,
  parseQuery,
  requestEntityTooLargeError,
  unsupportedMediaTypeError,
} from "@rookery/kube";
import { parseYaml } from "@rookery/yaml";
import type { Target } from "../body-renamer.ts";
import { applyEdits, type Form } from "../forms/form.ts";
import { nameEdit, renameName } from "../forms/text-edits.ts";
import { isGroupSuffixError } from "../group-suffix-error.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { prefixLength } from "../protobuf/envelope.ts";
import { textsAt } from "../protobuf/wire-cursor.ts";
import type { Fingerprint } from "./fingerprint.ts";
import { acceptable, type Encoding, encodingOf, readableTypes } from "./media-type.ts";
import type { Renaming } from "./renaming.ts";
import type { RequestTarget } from "./request-target.ts";

/** The limit of object names. */
const maxLength = 253;

/** A renamed request body. */
interface RenamedObject {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly target: Target | undefined;
}

/**
 * Throws a StatusError for a CRD name that is only too long after renaming, because the API server
 * would name a group that the app does not know.
 */
function checkName({ bytes, encoding, target }: RenamedObject, mapping: GroupMapping): void {
  const { group, resource } = target ?? {};
  if (group !== "apiextensions.k8s.io" || resource !== "customresourcedefinitions") return;
  const real = nameOf(bytes, encoding);
  if (typeof real !== "string" || real.length <= maxLength) return;
  const edit = nameEdit(real, "resourceName", mapping);
  const name = edit === undefined ? real : applyEdits(real, [edit]);
  if (name.length > maxLength) return;
  const suffix = real.slice(real.indexOf(".") + 1);
  const detail = `may not be more than ${maxLength} bytes, and has ${real.length} after its group was renamed to ${suffix}: choose a shorter suffix`;
  const field = fieldPath("metadata", "name");
  const error = new FieldError("FieldValueTooLong", field, { badValue: "<value omitted>", detail });
  throw invalidError({ group, kind: "CustomResourceDefinition" }, name, [error]);
}

function nameOf(bytes: Uint8Array, encoding: Encoding): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === "protobuf") {
    return textsAt(buffer, { start: prefixLength, end: buffer.length }, [2, 1, 1]).at(-1);
  }
  if (encoding === "jsonPatch") return undefined;
  const object = encoding === "json" ? JSON.parse(buffer.toString()) : parseYaml(buffer.toString());
  return object?.metadata?.name;
}

/** Selectable fields with a group, by resource. */
const selectable: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  "apiextensions.k8s.io/customresourcedefinitions": { "metadata.name": "resourceName" },
  "apiregistration.k8s.io/apiservices": { "metadata.name": "versionedGroup" },
  "internal.apiserver.k8s.io/storageversions": { "metadata.name": "groupResource" },
  "/events": { "involvedObject.apiVersion": "apiVersion" },
  "events.k8s.io/events": {
    "involvedObject.apiVersion": "apiVersion",
    "regarding.apiVersion": "apiVersion",
  },
};

/** Renames field selectors. */
export function renameQuery(
  query: string,
  target: Target | undefined,
  mapping: GroupMapping,
): string {
  const fields = selectable[`${target?.group}/${target?.resource}`];
  if (fields === undefined || query === "") return query;
  const parameters = parseQuery(query);
  // Servers read the first one.
  const selector = parameters.get("fieldSelector");
  const renamed = selector === null ? null : renameSelector(selector, fields, mapping);
  if (renamed === null || renamed === selector) return query;
  parameters.set("fieldSelector", renamed);
  return parameters.toString();
}

function renameSelector(
  selector: string,
  fields: Readonly<Record<string, Form>>,
  mapping: GroupMapping,
): string {
  const terms = selector.split(",").map((term) => {
    const [, field = "", operator = "", value = ""] = /^(.*?)(==|!=|=)(.*)$/.exec(term) ?? [];
    const form = fields[field.trim()];
    return form === undefined ? term : field + operator + renameName(value, form, mapping);
  });
  return terms.join(",");
}

/** Above the limit of API servers, which then report the error. */
const maxBodyBytes = 32 * 1024 * 1024;

interface RenamedRequest {
  readonly renamed: HttpRequest;
  /** Values of the header Warning. */
  readonly warnings: readonly string[];
}

/** Rejects with a StatusError. */
export async function renameRequest(
  request: HttpRequest,
  about: RequestTarget,
  renaming: Renaming,
): Promise<RenamedRequest> {
  const { mapping, fingerprint } = renaming;
  const { headers, query, body } = request;
  const isEmpty = bodyLength(body) === 0;
  const found = isEmpty ? undefined : await renameBody(request, about, renaming);
  const renamed = found?.result;
  const hashed = about.shape === "openApi" ? fingerprint.unmarkHash(query) : query;
  return {
    renamed: {
      ...request,
      path: about.path,
      query: renameQuery(hashed, about.target, mapping),
      headers: {
        ...renameHeaders(headers, fingerprint),
        ...(renamed && lengthHeader(headers, renamed)),
      },
      ...(renamed && { body: renamed }),
    },
    warnings: found?.warnings ?? [],
  };
}

async function renameBody(
  { headers, body }: HttpRequest,
  { shape, target }: RequestTarget,
  { mapping, renamers, warnings }: Renaming,
): Promise<{ readonly result: Uint8Array; readonly warnings: readonly string[] }> {
  const encoding = encodingOf(headerValue(headers, "content-type"));
  const renamer = renamers.forBody({ shape, encoding, isWatch: false });
  const packed = headerValue(headers, "content-encoding") ?? "identity";
  if (renamer === undefined || packed !== "identity")
    throw unsupportedMediaTypeError(readableTypes);
  const bytes = await collect(body, headers);
  if (bytes.length === 0) return { result: bytes, warnings: [] };
  const found = warnings.during(() => readable(() => renamer.rename(bytes, target)));
  if (found.result !== bytes) checkName({ bytes: found.result, encoding, target }, mapping);
  return found;
}

/**
 * The whole body. Rejects with a StatusError if it is too long, or its length differs from the
 * header.
 */
export async function collect(body: Body, headers: HttpHeaders): Promise<Uint8Array> {
  try {
    const bytes = await collectBody(body, { limit: maxBodyBytes });
    const declared = headerValue(headers, "content-length");
    if (declared === undefined || Number(declared) === bytes.length) return bytes;
    throw badRequestError(`the body has ${bytes.length} bytes, not ${declared} as its header says`);
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw requestEntityTooLargeError(
        `limit is ${maxBodyBytes} for what is renamed on its way; send it in smaller parts`,
      );
    throw error;
  }
}

/** Converts errors of unreadable bodies to a StatusError. */
export function readable(rename: () => Uint8Array): Uint8Array {
  try {
    return rename();
  } catch (error) {
    if (isGroupSuffixError(error)) throw badRequestError(error.message);
    throw error;
  }
}

/** Requests uncompressed responses, because they are read here. */
function renameHeaders(headers: HttpHeaders, fingerprint: Fingerprint): HttpHeaders {
  const { "accept-encoding": _, "if-none-match": tags, "if-modified-since": __, ...kept } = headers;
  const { accept } = kept;
  const types = accept === undefined ? undefined : acceptable(accept);
  if (accept !== undefined && types === undefined) {
    throw notAcceptableError(["application/json", "application/yaml"]);
  }
  const known = tags === undefined ? undefined : fingerprint.unmarkTags([tags].flat().join(","));
  return {
    ...kept,
    ...(types !== undefined && { accept: types }),
    ...(known !== undefined && { "if-none-match": known }),
  };
}

export function lengthHeader(headers: HttpHeaders, body: Uint8Array): HttpHeaders {
  return headers["content-length"] === undefined ? {} : { "content-length": `${body.length}` };
}
