import type { KubeObject, Status } from "@rookery/kube";
import { negotiateInput } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { auditObject } from "../pipeline/audit.ts";
import { admitNew } from "./admit.ts";
import { decodeObject } from "./decode.ts";
import { assertDryRun, readBody, resourceRequestOf, type VerbHandler } from "./exchange.ts";
import { withFieldAccount } from "./field-account.ts";
import type { ResourceHandlers } from "./handlers.ts";
import { inRequestNamespace, withoutSystemFields, withUniqueOwners } from "./object-meta.ts";
import { allowsConversion, writeResult } from "./result.ts";
import { parseWriteOptions } from "./write-options.ts";

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
    auditObject(http, decoded);
    const part = scope.resource.subresources?.[scope.subresource];
    const cleared = part?.keepsSystemFields ? decoded : withoutSystemFields(decoded);
    const own = inRequestNamespace(cleared, request.namespace, scope);
    const unique = withUniqueOwners(own, warn);
    const managed = withFieldAccount(exchange, options, { object: unique, current: undefined });
    const object = await admitNew(exchange, { request, options, object: await managed });
    const name = request.name || (object.metadata.name ?? "");
    const result = await create({ ...request, name, object, options });
    return writeResult(exchange, { status: statusOf(result), output, object: result });
  };
}

function statusOf(result: KubeObject | Status): number {
  return "code" in result && result.kind === "Status" ? (result.code ?? 201) : 201;
}
