import type { ServedGroup } from "../resource/served-group.ts";
import { metaSchemas } from "./meta-schemas.ts";
import { type KindModel, kindModels } from "./models.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { withReferences } from "./references.ts";
import { type DocumentInfo, parameterSchema, pathsOf, responsesOf } from "./v3.ts";

const mediaTypes = ["application/json", "application/yaml"];

/** The OpenAPI v2 document of all groups, which kube-aggregator merges into its own. */
export function openApiV2(groups: readonly ServedGroup[], info: DocumentInfo): object {
  const versions = groups.flatMap(({ name, versions: served }) =>
    served.map((version) => ({ group: name, version })),
  );
  const operations = versions.flatMap(({ group, version }) =>
    version.resources.flatMap((each) => operationsOf(each, { group, version: version.name })),
  );
  const own = versions
    .flatMap(({ group, version }) => [...kindModels(group, version)])
    .map(([name, model]) => [name, kindSchema(model)]);
  const meta = Object.entries(metaSchemas).map(([name, schema]) => [name, resolve(schema)]);
  return {
    swagger: "2.0",
    info,
    paths: pathsOf(operations, operationV2),
    definitions: Object.fromEntries([...own, ...meta]),
  };
}

function operationV2(operation: Operation): object {
  const { pathParameters, queryParameters, body } = operation;
  const required = operation.method !== "delete";
  const schema = (model: string) => ({ schema: { $ref: `#/definitions/${model}` } });
  return {
    description: operation.description,
    consumes: mediaTypes,
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

function kindSchema({ schema, kind }: KindModel): object {
  const simplified = simplify(resolve(schema)) as object;
  return { ...simplified, "x-kubernetes-group-version-kind": [kind] };
}

function resolve(schema: unknown): unknown {
  return withReferences(schema, (model, rest) => ({ ...rest, $ref: `#/definitions/${model}` }));
}

/** What OpenAPI v2 does not have, or Kubernetes does not publish in it. */
const withoutV2: ReadonlySet<string> = new Set([
  ...["default", "nullable", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-validations"],
]);

/** Drops what v2 has no word for, so that a client's validation never refuses what the server takes. */
function simplify(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const props = schema as Record<string, unknown>;
  if (props.nullable === true || props["x-kubernetes-int-or-string"] === true) {
    return { ...(props.description !== undefined && { description: props.description }) };
  }
  const entries = Object.entries(props).filter(([key]) => !withoutV2.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, simplifyPart(key, value)]));
}

function simplifyPart(key: string, value: unknown): unknown {
  if (key === "items" || key === "additionalProperties") return simplify(value);
  if (key !== "properties") return value;
  const properties = Object.entries(value as object).map(([name, each]) => [name, simplify(each)]);
  return Object.fromEntries(properties);
}
