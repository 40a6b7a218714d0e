import type { KubeObject, Status } from "@rookery/kube";
import { mutateObject, validateAdmission } from "../admission/admission.ts";
import { negotiateInput } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { decodeObject } from "./decode.ts";
import {
  admissionAttributesOf,
  assertDryRun,
  assertValid,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import type { ResourceHandlers, ResourceRequest } from "./handlers.ts";
import { inRequestNamespace, withoutSystemFields, withUniqueOwners } from "./object-meta.ts";
import { allowsConversion, writeResult } from "./result.ts";
import { parseWriteOptions, type WriteOptions } from "./write-options.ts";

/** Serves POST, in kube-apiserver's order: what is wrong first is said first. */
export function createVerb(create: NonNullable<ResourceHandlers["create"]>): VerbHandler {
  return async (exchange) => {
    const { http, scope, services } = exchange;
    const output = negotiateOutput(http, allowsConversion);
    const decoder = negotiateInput(http, services.decoders);
    const body = await readBody(exchange);
    const options = parseWriteOptions(http.query, "CreateOptions");
    assertDryRun(exchange, options.dryRun);
    const request = resourceRequestOf(exchange);
    const { fieldValidation } = options;
    const { warn } = request;
    const decoded = decodeObject(body, { scope, decoder, fieldValidation, warn });
    const own = inRequestNamespace(withoutSystemFields(decoded), request.namespace, scope);
    const object = await admitNew(exchange, {
      request,
      options,
      object: withUniqueOwners(own, warn),
    });
    const name = request.name || (object.metadata.name ?? "");
    const result = await create({ ...request, name, object, options });
    return writeResult(exchange, { status: statusOf(result), output, object: result });
  };
}

function statusOf(result: KubeObject | Status): number {
  return "code" in result && result.kind === "Status" ? (result.code ?? 201) : 201;
}

async function admitNew(
  exchange: Exchange,
  {
    request,
    options,
    object,
  }: { request: ResourceRequest; options: WriteOptions; object: KubeObject },
): Promise<KubeObject> {
  const { admission } = exchange.services;
  const attributes = admissionAttributesOf(exchange, request, {
    operation: "CREATE",
    options,
    dryRun: options.dryRun.length > 0,
    name: request.name || (object.metadata.name ?? ""),
  });
  const mutated = await mutateObject(admission, { ...attributes, object, oldObject: undefined });
  const { prepareForCreate } = exchange.scope.strategy;
  const prepared = prepareForCreate ? prepareForCreate(mutated, request) : mutated;
  assertValid(exchange, prepared, undefined);
  await validateAdmission(admission, { ...attributes, object: prepared, oldObject: undefined });
  return prepared;
}
