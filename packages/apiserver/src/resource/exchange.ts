import { BodyTooLargeError, collectBody, type HttpRequest, type HttpResponse } from "@rookery/http";
import {
  badRequestError,
  type Clock,
  type FieldError,
  type GroupVersionKind,
  invalidError,
  type KubeObject,
  requestEntityTooLargeError,
} from "@rookery/kube";
import { type JSONObject, validate } from "@rookery/schema";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission/admission.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { BodyDecoder } from "../codec/media-types.ts";
import type { EncodedJson } from "../negotiation/encode.ts";
import { annotateOf } from "../pipeline/audit.ts";
import { requestInfoOf, userOf, warningsKey } from "../request/request-context.ts";
import type { Timers } from "../timers.ts";
import { completeObject } from "./decode.ts";
import type { ResourceRequest } from "./handlers.ts";
import type { ResourceScope } from "./registry.ts";

/** Shared by all resources of a server. */
export interface ResourceServices {
  readonly admission: readonly AdmissionPlugin[];
  /** For requests that do more than their verb says. */
  readonly authorize: Authorizer;
  readonly decoders: ReadonlyMap<string, BodyDecoder>;
  readonly maxBodyBytes: number;
  readonly now: Clock;
  readonly timers: Timers;
  /** The known JSON of returned objects. */
  readonly encodedJson: EncodedJson;
  /** Aborted on shutdown, to end long-running requests. */
  readonly draining: AbortSignal;
}

/** A request to a resource. */
export interface Exchange {
  readonly http: HttpRequest;
  readonly scope: ResourceScope;
  readonly services: ResourceServices;
}

export type VerbHandler = (exchange: Exchange) => Promise<HttpResponse>;

export function resourceRequestOf({ http, scope }: Exchange): ResourceRequest {
  const info = requestInfoOf(http);
  const warnings = http.context.get(warningsKey);
  return {
    http,
    info,
    user: userOf(http),
    namespace: scope.resource.namespaced ? info.namespace : "",
    name: info.name,
    signal: http.signal,
    warn: (text) => warnings?.add(text),
  };
}

/** Throws for a missing name. */
export function assertNameGiven({ name }: ResourceRequest): void {
  if (name === "") throw badRequestError("name must be provided");
}

/** Throws a 413 for a long body. */
export async function readBody({ http, services }: Exchange): Promise<Uint8Array> {
  try {
    return await collectBody(http.body, { limit: services.maxBodyBytes });
  } catch (error) {
    if (error instanceof BodyTooLargeError)
      throw requestEntityTooLargeError(`limit is ${error.limit}`);
    throw error;
  }
}

/** The kind in validation errors: that of the storage, where several groups share a resource. */
function kindInErrors({ kind, resource }: ResourceScope): GroupVersionKind {
  const { storageKind } = resource;
  return storageKind && kind.kind === resource.kind ? { ...kind, ...storageKind } : kind;
}

/** Throws Invalid for an invalid object. */
export function assertValid(
  { scope }: Exchange,
  object: KubeObject,
  current: KubeObject | undefined,
): void {
  const preceding = scope.strategy.validate?.(object, current) ?? [];
  const problems = scope.decode
    ? preceding
    : [...preceding, ...schemaProblems(scope, { object, current, preceding })];
  if (problems.length === 0) return;
  throw invalidError(kindInErrors(scope), object.metadata.name ?? "", problems);
}

function schemaProblems(
  scope: ResourceScope,
  context: {
    readonly object: KubeObject;
    readonly current: KubeObject | undefined;
    readonly preceding: readonly FieldError[];
  },
): readonly FieldError[] {
  const { object, current, preceding } = context;
  const { errors } = validate(scope.schema, object as unknown as JSONObject, {
    preceding,
    ...(current && { old: current as unknown as JSONObject }),
    ...(scope.subresource === "status" && { subresource: "status" as const }),
  });
  return errors;
}

/** Throws if the resource does not support dry runs. */
export function assertDryRun({ scope }: Exchange, dryRun: readonly string[]): void {
  if (dryRun.length > 0 && !scope.resource.supportsDryRun) {
    throw badRequestError("dryRun is not supported");
  }
}

/** The admission attributes without the objects. */
export function admissionAttributesOf(
  { http, scope }: Exchange,
  request: ResourceRequest,
  about: Pick<AdmissionAttributes, "operation" | "options" | "dryRun" | "name">,
): Omit<AdmissionAttributes, "object" | "oldObject" | "reinvocation"> {
  const { group, version, resource, subresource, kind } = scope;
  const { user, warn, signal } = request;
  const where = { group, version, resource: resource.plural };
  // Plugins see a namespace as part of itself.
  const isNamespace = group === "" && resource.plural === "namespaces";
  const namespace = isNamespace ? about.name : request.namespace;
  const decode = (object: object) =>
    completeObject(object, { scope, fieldValidation: "Ignore", warn });
  const requestName = request.name;
  return {
    ...about,
    requestName,
    kind,
    resource: where,
    subresource,
    namespace,
    user,
    warn,
    signal,
    decode,
    annotate: annotateOf(http),
  };
}
