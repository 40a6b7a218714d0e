import type { KubeObject } from "@rookery/kube";
import { mutateObject, validateAdmission } from "../admission/admission.ts";
import { negotiateInput } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { decodeObject } from "./decode.ts";
import {
  admissionAttributesOf,
  assertDryRun,
  assertNameGiven,
  assertValid,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import type { ResourceHandlers, ResourceRequest } from "./handlers.ts";
import { assertNamed, inRequestNamespace, withUniqueOwners } from "./object-meta.ts";
import { allowsConversion, writeResult } from "./result.ts";
import { parseWriteOptions, type WriteOptions } from "./write-options.ts";

/** Serves PUT, in kube-apiserver's order. */
export function updateVerb(update: NonNullable<ResourceHandlers["update"]>): VerbHandler {
  return async (exchange) => {
    const { http, scope, services } = exchange;
    const request = resourceRequestOf(exchange);
    assertNameGiven(request);
    const output = negotiateOutput(http, allowsConversion);
    const body = await readBody(exchange);
    const options = parseWriteOptions(http.query, "UpdateOptions");
    assertDryRun(exchange, options.dryRun);
    const decoder = negotiateInput(http, services.decoders);
    const { warn } = request;
    const decoded = decodeObject(body, {
      scope,
      decoder,
      warn,
      fieldValidation: options.fieldValidation,
    });
    const own = withUniqueOwners(inRequestNamespace(decoded, request.namespace, scope), warn);
    assertNamed(own, request.name);
    const updated = (current: KubeObject) =>
      admitChange(exchange, { request, options, object: own, current });
    const result = await update({ ...request, options, type: "put", updated });
    return writeResult(exchange, { status: 200, output, object: result });
  };
}

export interface Change {
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  readonly object: KubeObject;
  readonly current: KubeObject;
}

/** Mutates, prepares, validates and admits an object that takes the place of another one. */
export async function admitChange(exchange: Exchange, change: Change): Promise<KubeObject> {
  const { request, options, current } = change;
  const { admission } = exchange.services;
  const attributes = {
    ...admissionAttributesOf(exchange, request, {
      operation: "UPDATE",
      options,
      dryRun: options.dryRun.length > 0,
      name: request.name,
    }),
    oldObject: current,
  };
  const mutated = await mutateObject(admission, { ...attributes, object: change.object });
  const { prepareForUpdate } = exchange.scope.strategy;
  const prepared = prepareForUpdate ? prepareForUpdate(mutated, { current, request }) : mutated;
  assertValid(exchange, prepared, current);
  await validateAdmission(admission, { ...attributes, object: prepared });
  return prepared;
}
