import { conflictError, type KubeObject } from "@rookery/kube";
import { negotiateInput } from "../codec/media-types.ts";
import { negotiateOutput } from "../negotiation/output.ts";
import { auditObject } from "../pipeline/audit.ts";
import { admitObject } from "./admit.ts";
import { decodeObject } from "./decode.ts";
import {
  assertDryRun,
  assertNameGiven,
  type Exchange,
  readBody,
  resourceRequestOf,
  type VerbHandler,
} from "./exchange.ts";
import { withFieldAccount } from "./field-account.ts";
import type { ResourceHandlers, ResourceRequest } from "./handlers.ts";
import {
  assertNamed,
  inRequestNamespace,
  withoutSystemFields,
  withoutVersion,
  withUniqueOwners,
} from "./object-meta.ts";
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
    auditObject(http, decoded);
    const own = withUniqueOwners(inRequestNamespace(decoded, request.namespace, scope), warn);
    assertNamed(own, request.name);
    const put = updateOf(exchange, { request, options, object: own });
    const result = await update({ ...request, options, type: "put", ...put });
    const { object, created } = result;
    return writeResult(exchange, { status: created ? 201 : 200, output, object });
  };
}

/** How the storage makes the object, which it may ask for repeatedly. */
function updateOf(exchange: Exchange, { request, options, object }: Put) {
  const managed = (current: KubeObject | undefined) =>
    withFieldAccount(exchange, options, { object, current });
  const updated = async (current: KubeObject) =>
    admitObject(exchange, { request, options, object: await managed(current), current });
  if (!exchange.scope.resource.allowsCreateOnUpdate || exchange.scope.subresource !== "") {
    return { updated };
  }
  const created = async () => {
    assertNoUid(exchange, object);
    const own = withoutSystemFields(withoutVersion(await managed(undefined)));
    const write = { request, options, object: own, current: undefined, createsOnUpdate: true };
    return admitObject(exchange, write);
  };
  return { updated, created };
}

/** A uid means that the client expects the object to exist. */
function assertNoUid({ scope }: Exchange, { metadata }: KubeObject): void {
  const { uid = "", name = "" } = metadata;
  if (uid === "") return;
  const resource = { group: scope.group, resource: scope.resource.plural };
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: `;
  throw conflictError(resource, name, why);
}

interface Put {
  readonly request: ResourceRequest;
  readonly options: WriteOptions;
  readonly object: KubeObject;
}
