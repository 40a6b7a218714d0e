import type { HttpResponse } from "@rookery/http";
import { badRequestError, formatApiVersion, type KubeObject, parseQuery } from "@rookery/kube";
import { mutateObject, validateAdmission } from "../admission/admission.ts";
import { admissionAttributesOf, type Exchange, resourceRequestOf } from "./exchange.ts";
import type { ResourceRequest } from "./handlers.ts";
import type { ServedConnect } from "./served-group.ts";

type Options = Readonly<Record<string, unknown>>;

/** Serves connections in kube-apiserver's order: options, admission, connection. */
export function connectVerb(served: ServedConnect) {
  return async (exchange: Exchange): Promise<HttpResponse> => {
    const { http, services } = exchange;
    const query = parseQuery(http.query);
    if ((query.get("dryRun") ?? "") !== "") throw badRequestError("dryRun is not supported");
    const request = resourceRequestOf(exchange);
    const parsed = served.options?.(query);
    const options = parsed ? await admitted(exchange, request, parsed) : {};
    const { draining } = services;
    return served.connect({ ...request, options, draining, subpath: subpathOf(request) });
  };
}

/** Admission sees the options as an object, which plugins may change or reject. */
async function admitted(
  exchange: Exchange,
  request: ResourceRequest,
  options: Options,
): Promise<Options> {
  const { kind } = exchange.scope;
  const { admission } = exchange.services;
  // Options have no metadata, unlike other objects.
  const typed = { kind: kind.kind, apiVersion: formatApiVersion(kind), ...options };
  const attributes = {
    ...admissionAttributesOf(exchange, request, {
      operation: "CONNECT",
      options: {},
      dryRun: false,
      name: request.name,
    }),
    decode: (object: object) => object as KubeObject,
    oldObject: undefined,
  };
  const object = typed as unknown as KubeObject;
  const mutated = await mutateObject(admission, { ...attributes, object });
  await validateAdmission(admission, { ...attributes, object: mutated });
  return mutated as unknown as Options;
}

/** The path after the subresource. */
function subpathOf({ info }: ResourceRequest): string {
  const rest = info.parts.slice(3).join("/");
  const path = rest === "" ? "" : `/${rest}`;
  return info.path.endsWith("/") && !path.endsWith("/") ? `${path}/` : path;
}
