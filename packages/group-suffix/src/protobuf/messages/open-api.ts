import {
  type Field,
  kindsInYaml,
  type Message,
  mapOfMessages,
  message,
  nested,
  of,
  operationName,
} from "../message.ts";

// OpenAPI version 2 as gnostic encodes it (openapi_v2.Document). Maps are messages of a name (1)
// and a value (2); extensions are YAML (2) in a message (2) with their name (1).

const modelReference: Field = { type: "text", form: "modelReference" };
const extensions = mapOfMessages({
  "x-kubernetes-group-version-kind": message({ 2: nested({ 2: kindsInYaml }) }),
});

const schema: Message = recursive((self) => ({
  1: modelReference,
  21: nested({ 1: self }),
  23: nested({ 1: self }),
  24: self,
  25: nested({ 1: nested({ 2: self }) }),
  31: extensions,
}));

const reference = nested({ 1: modelReference });
const parameter = nested({ 1: nested({ 5: of(schema), 6: extensions }) });
const parameters = nested({ 1: parameter, 2: reference });
const response = nested({ 2: nested({ 1: of(schema) }), 5: extensions });
const responses = nested({ 1: nested({ 2: nested({ 1: response, 2: reference }) }) });

/** The YAML values (2, 2) of an operation's extensions (13). */
const operation = nested({
  1: operationName("tag", [13, 2, 2]),
  5: operationName("operationId", [13, 2, 2]),
  8: parameters,
  9: responses,
  13: extensions,
});

const pathItem = nested({
  1: modelReference,
  ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8].map((number) => [number, operation])),
  9: parameters,
  10: extensions,
});

const pathName: Field = { type: "text", form: "path" };
const modelName: Field = { type: "text", form: "modelName" };

export const openApiDocument: Message = message({
  8: nested({ 2: nested({ 1: pathName, 2: pathItem }) }),
  9: nested({ 1: nested({ 1: modelName, 2: of(schema) }) }),
  10: nested({ 1: nested({ 2: parameter }) }),
  11: nested({ 1: nested({ 2: response }) }),
});

/** A message with nested messages of the same type. */
function recursive(fields: (self: Field) => Readonly<Record<number, Field>>): Message {
  const own: (Field | undefined)[] = [];
  own.push(...message(fields(of(own))));
  return own;
}
