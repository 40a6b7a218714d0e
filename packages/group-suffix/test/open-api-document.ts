/** A document of OpenAPI version 2 about one kind of a group, with all that names the group. */
export function openApiDocument(group: string) {
  const reversed = group.split(".").reverse().join(".");
  const camel = group.replace(/[.-](.)/g, (_, letter: string) => letter.toUpperCase());
  const large = camel.charAt(0).toUpperCase() + camel.slice(1);
  const kind = { group, kind: "Nest", version: "v1" };
  const schema = { $ref: `#/definitions/${reversed}.v1.Nest` };
  const operation = (id: string) => ({
    tags: [`${camel}_v1`],
    operationId: id,
    parameters: [
      { name: "body", in: "body", required: true, schema },
      { $ref: "#/parameters/body" },
    ],
    responses: { 200: { description: "OK", schema }, 401: { $ref: "#/responses/body" } },
    "x-kubernetes-action": "list",
    "x-kubernetes-group-version-kind": kind,
  });
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1.34" },
    paths: {
      "/api/v1/pods": {
        get: { operationId: "listCoreV1Pod", responses: { 200: { description: "OK" } } },
      },
      [`/apis/${group}/v1/nests`]: {
        get: operation(`list${large}V1Nest`),
        post: operation(`create${large}V1Nest`),
        parameters: [{ name: "pretty", in: "query", type: "string" }],
      },
    },
    definitions: {
      "io.k8s.api.core.v1.Pod": { type: "object", description: "nests.pinniped.dev" },
      [`${reversed}.v1.Nest`]: {
        type: "object",
        properties: {
          spec: { type: "array", items: schema },
          tags: { type: "object", additionalProperties: schema },
          status: { allOf: [schema], default: {} },
        },
        "x-kubernetes-group-version-kind": [{ group: "", kind: "Pod", version: "v1" }, kind],
      },
    },
    parameters: { body: { name: "body", in: "body", required: true, schema } },
    responses: { body: { description: "a body", schema } },
  };
}
