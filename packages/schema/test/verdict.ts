import type { FieldError } from "@rookery/kube";
import {
  applyDefaults,
  type JSONObject,
  type JSONValue,
  MetadataError,
  prune,
  type StructuralSchema,
  validate,
} from "@rookery/schema";
import type { KubernetesResponse } from "@rookery/testing";

/** What a server says to an object, as far as its schema decides it. */
export type Verdict =
  | { readonly accepted: JSONObject }
  | { readonly causes: readonly string[] }
  | { readonly unknownFields: readonly string[] }
  | { readonly malformed: string };

export interface Request {
  readonly object: JSONObject;
  /** What is stored, for an update. */
  readonly old?: JSONObject;
  /** Refuse unknown fields instead of dropping them. */
  readonly strict?: boolean;
  /** The status is a subresource: it can't be set together with the rest. */
  readonly statusSubresource?: boolean;
  readonly subresource?: "status";
}

/** The verdict of this package. */
export function ourVerdict(schema: StructuralSchema, request: Request): Verdict {
  try {
    return judge(schema, request);
  } catch (error) {
    if (error instanceof MetadataError) return { malformed: error.reason };
    throw error;
  }
}

function judge(schema: StructuralSchema, request: Request): Verdict {
  const { object: pruned, unknownFields } = prune(schema, request.object);
  if (request.strict && unknownFields.length > 0)
    return { unknownFields: unknownFields.toSorted() };
  const object = withStatus(applyDefaults(schema, pruned), request);
  const { errors } = validate(schema, object, {
    ...(request.old ? { old: request.old } : {}),
    ...(request.subresource ? { subresource: request.subresource } : {}),
  });
  return errors.length > 0
    ? { causes: errors.map(causeOf).toSorted() }
    : { accepted: comparable(object) };
}

/** Without the subresource the status of a request does not count, with it nothing else does. */
function withStatus(object: JSONObject, request: Request): JSONObject {
  const { status: given, ...rest } = object;
  const { status: stored, ...restStored } = request.old ?? {};
  if (request.subresource === "status") return merge(restStored, given);
  return request.statusSubresource ? merge(rest, stored) : object;
}

function merge(object: JSONObject, status: JSONValue | undefined): JSONObject {
  return status === undefined ? object : { ...object, status };
}

function causeOf(error: FieldError): string {
  return `${error.field}: ${error.body} [${error.type}]`;
}

/** The verdict of a real server. */
export function serverVerdict({ status, body }: KubernetesResponse): Verdict {
  if (status === 200 || status === 201) return { accepted: comparable(body) };
  if (status === 422) {
    const causes: { field: string; message: string; reason: string }[] = body.details.causes ?? [];
    return { causes: causes.map((c) => `${c.field}: ${c.message} [${c.reason}]`).toSorted() };
  }
  const unknown = [...String(body.message).matchAll(/unknown field "((?:[^"\\]|\\.)*)"/g)];
  if (status === 400 && unknown.length > 0) {
    return { unknownFields: unknown.map(([, field]) => field ?? "").toSorted() };
  }
  const malformed = / cannot be handled as a \w+: ([\s\S]*)$/.exec(body.message);
  if (status === 400 && malformed?.[1]) return { malformed: malformed[1] };
  throw new Error(`unexpected answer ${status}: ${JSON.stringify(body)}`);
}

// biome-ignore format: a list of words
const SET_BY_SERVER = new Set([
  "creationTimestamp", "generation", "managedFields", "namespace", "resourceVersion", "uid",
]);

/** An object without what a server adds of its own. */
function comparable(object: JSONObject): JSONObject {
  const { metadata, ...rest } = object;
  const kept = Object.entries((metadata ?? {}) as JSONObject).filter(
    ([key]) => !SET_BY_SERVER.has(key),
  );
  return { ...rest, metadata: Object.fromEntries(kept) };
}
