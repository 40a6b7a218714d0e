import {
  badRequestError,
  type FieldRequirement,
  fieldSelectorOf,
  parseQuery,
  quote,
  type Selector,
} from "@rookery/kube";
import { negotiateOutput } from "../negotiation/output.ts";
import { requestInfoOf } from "../request/request-context.ts";
import { type Exchange, resourceRequestOf, type VerbHandler } from "./exchange.ts";
import type { ResourceHandlers } from "./handlers.ts";
import { type ListOptions, parseListOptions } from "./list-options.ts";
import { allowsConversion, writeResult } from "./result.ts";

export function getVerb(get: NonNullable<ResourceHandlers["get"]>): VerbHandler {
  return async (exchange) => {
    const output = negotiateOutput(exchange.http, allowsConversion);
    const resourceVersion = parseQuery(exchange.http.query).get("resourceVersion") ?? "";
    const object = await get({ ...resourceRequestOf(exchange), resourceVersion });
    return writeResult(exchange, { status: 200, output, object });
  };
}

export function listVerb(list: NonNullable<ResourceHandlers["list"]>): VerbHandler {
  return async (exchange) => {
    const options = listOptionsOf(exchange);
    const output = negotiateOutput(exchange.http, allowsConversion);
    const object = await list({ ...resourceRequestOf(exchange), options });
    return writeResult(exchange, { status: 200, output, object });
  };
}

/** Parses the options and checks that their fields are selectable. */
export function listOptionsOf({ http, scope }: Exchange): ListOptions {
  const options = parseListOptions(http.query);
  for (const { field } of options.fieldSelector.requirements) assertSelectable(field, scope);
  const { name } = requestInfoOf(http);
  return name === "" ? options : { ...options, fieldSelector: nameSelector(options, name) };
}

const commonFields = ["metadata.name", "metadata.namespace"];

function assertSelectable(field: string, { resource }: Exchange["scope"]): void {
  const { selectableFields = [], dialect, namespaced } = resource;
  if (selectableFields.includes(field)) return;
  if (dialect === "custom" || selectableFields.length > 0) {
    const isCommon = field === "metadata.name" || (namespaced && commonFields.includes(field));
    if (isCommon) return;
    throw badRequestError(`field label not supported: ${field}`);
  }
  // Without selectable fields, cluster-scoped kinds accept metadata.namespace, too.
  if (commonFields.includes(field)) return;
  const known = commonFields.map(quote).join(", ");
  throw badRequestError(`${quote(field)} is not a known field selector: only ${known}`);
}

/** Selects one name. */
function nameSelector({ fieldSelector }: ListOptions, name: string): Selector<FieldRequirement> {
  if (fieldSelector.isEmpty) {
    return fieldSelectorOf([{ field: "metadata.name", operator: "=", value: name }]);
  }
  if (fieldSelector.requiredValue("metadata.name") === name) return fieldSelector;
  throw badRequestError("fieldSelector metadata.name doesn't match requested name");
}
