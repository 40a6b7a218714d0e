import type { ServedGroup } from "../resource/served-group.ts";
import { modelFinder, type PublishedModel, reachableModels, withReferences } from "./models.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { type DocumentSource, modelsIn, parameterSchema, pathsOf, responsesOf } from "./v3.ts";

const mediaTypes = ["application/json", "application/yaml"];

/** The OpenAPI v2 document of all groups. */
export function openApiV2(
  groups: readonly ServedGroup[],
  { info, models }: DocumentSource,
): object {
  const versions = groups.flatMap(({ name, versions: served }) =>
    served.map((version) => ({ group: name, version })),
  );
  const operations = versions.flatMap(({ group, version }) =>
    version.resources.flatMap((each) => operationsOf(each, { group, version: version.name })),
  );
  const finders = versions.map(({ group, version }) => modelFinder(group, version, models));
  const find = (name: string) => finders.map((finder) => finder.find(name)).find(Boolean);
  const start = [...finders.flatMap(({ own }) => own), ...modelsIn(operations)];
  return {
    swagger: "2.0",
    info,
    paths: pathsOf(operations, operationV2),
    definitions: reachableModels(start, find, modelV2),
  };
}

function operationV2(operation: Operation): object {
  const { pathParameters, queryParameters, body } = operation;
  const required = operation.method !== "delete";
  const schema = (model: string) => ({ schema: { $ref: `#/definitions/${model}` } });
  return {
    description: operation.description,
    consumes: operation.method === "patch" ? operation.patchTypes : mediaTypes,
    produces: mediaTypes,
    schemes: ["https"],
    operationId: operation.id,
    parameters: [
      ...pathParameters.map((name) => ({
        name,
        in: "path",
        required: true,
        type: "string",
        uniqueItems: true,
      })),
      ...(body ? [{ name: "body", in: "body", required, ...schema(body) }] : []),
      ...queryParameters.map((name) => ({ name, in: "query", ...parameterSchema(name) })),
    ],
    responses: responsesOf(operation, schema),
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": operation.kind,
  };
}

function modelV2({ schema, kind }: PublishedModel, visit: (model: string) => void): object {
  const resolved = withReferences(schema, (model, rest) => {
    visit(model);
    return { ...rest, $ref: `#/definitions/${model}` };
  });
  const simplified = simplify(resolved) as object;
  return { ...simplified, ...(kind && { "x-kubernetes-group-version-kind": [kind] }) };
}

/** Keywords that v2 lacks, or that Kubernetes does not publish in it. */
const withoutV2: ReadonlySet<string> = new Set([
  ...["default", "nullable", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-validations"],
]);

/** Drops what v2 can't express, so that client validation never rejects valid objects. */
function simplify(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const props = schema as Record<string, unknown>;
  if (props.nullable === true || props["x-kubernetes-int-or-string"] === true) {
    return { ...(props.description !== undefined && { description: props.description }) };
  }
  const entries = Object.entries(props).filter(([key]) => !withoutV2.has(key));
  return Object.fromEntries([
    ...entries.map(([key, value]) => [key, simplifyPart(key, value)]),
    ...Object.entries(loneReference(props)),
    ...(Array.isArray(props.oneOf) && props.type === undefined ? [["type", "string"]] : []),
  ]);
}

/** v3 puts a reference with siblings into allOf; in v2 it stands alone. */
function loneReference({ allOf }: Record<string, unknown>): object {
  const [only, ...more] = Array.isArray(allOf) ? allOf : [];
  return more.length === 0 && typeof only?.$ref === "string" ? { $ref: only.$ref } : {};
}

function simplifyPart(key: string, value: unknown): unknown {
  if (key === "items" || key === "additionalProperties") return simplify(value);
  if (key !== "properties") return value;
  const properties = Object.entries(value as object).map(([name, each]) => [name, simplify(each)]);
  return Object.fromEntries(properties);
}
