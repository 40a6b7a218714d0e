import type { ServedVersion } from "../resource/served-group.ts";
import {
  modelFinder,
  type OpenApiModelSource,
  type PublishedModel,
  reachableModels,
  withReferences,
} from "./models.ts";
import { type Operation, operationsOf } from "./operations.ts";

const bodyTypes = ["application/json", "application/yaml"];

interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

export interface DocumentSource {
  readonly info: DocumentInfo;
  readonly models: OpenApiModelSource;
}

/** The OpenAPI v3 document of one version of a group. */
export function openApiV3(
  group: string,
  version: ServedVersion,
  { info, models }: DocumentSource,
): object {
  const at = { group, version: version.name };
  const operations = version.resources.flatMap((resource) => operationsOf(resource, at));
  const { own, find } = modelFinder(group, version, models);
  const schemas = reachableModels([...own, ...modelsIn(operations)], find, modelV3);
  return {
    openapi: "3.0.0",
    info,
    paths: pathsOf(operations, operationV3),
    components: { schemas },
  };
}

/** The models that operations refer to. */
export function modelsIn(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ body, result }) => (body === undefined ? [result] : [body, result]));
}

/** Operations by path and method. */
export function pathsOf(
  operations: readonly Operation[],
  render: (operation: Operation) => object,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: render(operation),
    };
  }
  return paths;
}

function operationV3(operation: Operation): object {
  const { pathParameters, queryParameters, body, kind } = operation;
  const contentTypes = operation.method === "patch" ? operation.patchTypes : bodyTypes;
  return {
    description: operation.description,
    operationId: operation.id,
    parameters: [
      ...pathParameters.map((name) => ({ name, in: "path", required: true, schema: string })),
      ...queryParameters.map((name) => ({ name, in: "query", schema: parameterSchema(name) })),
    ],
    ...(body && {
      requestBody: {
        required: operation.method !== "delete",
        content: content(body, contentTypes),
      },
    }),
    responses: responsesOf(operation, (model) => ({ content: content(model, bodyTypes) })),
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": kind,
  };
}

/** The responses of an operation; `render` adds the model. */
export function responsesOf(operation: Operation, render: (model: string) => object): object {
  const good = operation.statuses.map((status) => [
    String(status),
    { description: descriptions.get(status) ?? "", ...render(operation.result) },
  ]);
  return Object.fromEntries([...good, ["401", { description: "Unauthorized" }]]);
}

const descriptions = new Map([
  [200, "OK"],
  [201, "Created"],
  [202, "Accepted"],
]);

const string = { type: "string", uniqueItems: true };
const integers: ReadonlySet<string> = new Set(["limit", "timeoutSeconds", "gracePeriodSeconds"]);
const booleans: ReadonlySet<string> = new Set([
  ...["allowWatchBookmarks", "force", "orphanDependents", "sendInitialEvents", "watch"],
]);

export function parameterSchema(name: string): {
  readonly type: string;
  readonly uniqueItems: true;
} {
  if (integers.has(name)) return { type: "integer", uniqueItems: true };
  return { type: booleans.has(name) ? "boolean" : "string", uniqueItems: true };
}

function content(model: string, mediaTypes: readonly string[]): object {
  const schema = { $ref: `#/components/schemas/${model}` };
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

/** In OpenAPI v3 references have no siblings, so that allOf wraps them. */
function modelV3({ schema, kind }: PublishedModel, visit: (model: string) => void): object {
  const resolved = withReferences(schema, (model, rest) => {
    visit(model);
    const pointer = { $ref: `#/components/schemas/${model}` };
    return Object.keys(rest).length === 0 ? pointer : { ...rest, allOf: [pointer] };
  });
  return { ...(resolved as object), ...(kind && { "x-kubernetes-group-version-kind": [kind] }) };
}
