import type { KubeObject } from "@rookery/kube";
import { validateAdmission } from "../admission/admission.ts";
import { DecodeError } from "../codec/decode-error.ts";
import { negotiateInput } from "../codec/media-types.ts";
import { unclassifiedError } from "../errors.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { type DeleteOptions, parseDeleteOptions } from "./delete-options.ts";
import {
  admissionAttributesOf,
  assertDryRun,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import type { DeleteRequest, ResourceHandlers } from "./handlers.ts";
import { listOptionsOf } from "./read.ts";
import { allowsConversion, writeResult } from "./result.ts";

/** Serves DELETE of one object. */
export function deleteVerb(remove: NonNullable<ResourceHandlers["delete"]>): VerbHandler {
  return async (exchange) => {
    const output = negotiateOutput(exchange.http, allowsConversion);
    const request = await deleteRequestOf(exchange);
    const { object, deleted } = await remove(request);
    // Other pending deletions have always returned 200.
    const isAccepted = !deleted && request.options.orphanDependents === false;
    return writeResult(exchange, { status: isAccepted ? 202 : 200, output, object });
  };
}

/** Serves DELETE of a collection. */
export function deleteCollectionVerb(
  remove: NonNullable<ResourceHandlers["deleteCollection"]>,
): VerbHandler {
  return async (exchange) => {
    const output = negotiateOutput(exchange.http, allowsConversion);
    const listOptions = listOptionsOf(exchange);
    const object = await remove({ ...(await deleteRequestOf(exchange)), listOptions });
    return writeResult(exchange, { status: 200, output, object });
  };
}

async function deleteRequestOf(exchange: Exchange): Promise<DeleteRequest> {
  const request = resourceRequestOf(exchange);
  const options = await readOptions(exchange);
  assertDryRun(exchange, options.dryRun);
  const admit = (current: KubeObject) =>
    validateAdmission(exchange.services.admission, {
      ...admissionAttributesOf(exchange, request, {
        operation: "DELETE",
        options,
        dryRun: options.dryRun.length > 0,
        name: current.metadata.name ?? request.name,
      }),
      object: undefined,
      oldObject: current,
    });
  return { ...request, options, admit };
}

async function readOptions(exchange: Exchange): Promise<DeleteOptions> {
  const body = await readBody(exchange);
  const { query } = exchange.http;
  if (body.byteLength === 0) return parseDeleteOptions(query, undefined);
  const decoder = negotiateInput(exchange.http, exchange.services.decoders);
  try {
    return parseDeleteOptions(query, decoder(body, false).value);
  } catch (error) {
    throw error instanceof DecodeError ? unclassifiedError(error.message) : error;
  }
}
