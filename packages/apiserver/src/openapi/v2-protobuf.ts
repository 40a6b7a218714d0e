import { WireWriter } from "@rookery/kube";
import { stringify } from "yaml";

/** Writes a value into a field of a message. */
type Write = (message: WireWriter, field: number, value: unknown) => void;

/** The field number and writer of each property. */
type Fields = Readonly<Record<string, readonly [field: number, write: Write]>>;

/** OpenAPI v2 in the Protobuf messages of gnostic, which kubectl requires for its validation. */
export function encodeOpenApiV2(document: object): Uint8Array {
  const message = new WireWriter();
  writeFields(message, document, documentFields);
  yamls.clear();
  return message.finish();
}

const text: Write = (message, field, value) => void message.string(field, String(value));
const bool: Write = (message, field, value) => void message.bool(field, value === true);
const int: Write = (message, field, value) => void message.varint(field, Number(value));
const texts: Write = (message, field, value) => {
  for (const each of [value].flat()) text(message, field, each);
};
const double: Write = (message, field, value) => {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, Number(value));
  message.fixed64(field, bytes.getBigUint64(0));
};

/** Any value, as YAML in Kubernetes' format, which group renaming parses. */
const any: Write = (message, field, value) =>
  void message.message(field, (inner) => inner.string(2, yamlOf(value)));
const anys: Write = (message, field, value) => {
  for (const each of value as unknown[]) any(message, field, each);
};

/** Wraps a value into a message, such as one of a union. */
const within =
  (inner: number, write: Write): Write =>
  (message, field, value) =>
    void message.message(field, (nested) => write(nested, inner, value));

/** A function where messages contain each other, as schemas do. */
const object =
  (fields: Fields | (() => Fields)): Write =>
  (message, field, value) =>
    void message.message(field, (inner) =>
      writeFields(inner, value as object, typeof fields === "function" ? fields() : fields),
    );

/** A message of name-value pairs. */
const named =
  (pairs: number, write: Write): Write =>
  (message, field, value) =>
    void message.message(field, (inner) => {
      for (const [name, each] of Object.entries(value as object)) {
        inner.message(pairs, (pair) => write(pair.string(1, name), 2, each));
      }
    });

const schema = object(() => schemaFields);
const operation = object(() => operationFields);

const schemaFields: Fields = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, bool],
  minimum: [9, double],
  exclusiveMinimum: [10, bool],
  maxLength: [11, int],
  minLength: [12, int],
  pattern: [13, text],
  maxItems: [14, int],
  minItems: [15, int],
  uniqueItems: [16, bool],
  maxProperties: [17, int],
  minProperties: [18, int],
  required: [19, texts],
  enum: [20, anys],
  additionalProperties: [
    21,
    (message, field, value) =>
      typeof value === "boolean"
        ? within(2, bool)(message, field, value)
        : within(1, schema)(message, field, value),
  ],
  type: [22, within(1, texts)],
  items: [23, within(1, schema)],
  properties: [25, named(1, schema)],
  example: [30, any],
  "x-": [31, any],
};

const bodyFields: Fields = {
  description: [1, text],
  name: [2, text],
  in: [3, text],
  required: [4, bool],
  schema: [5, schema],
};

const queryFields: Fields = {
  required: [1, bool],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [6, text],
  uniqueItems: [20, bool],
};

const pathFields: Fields = {
  required: [1, bool],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [5, text],
  uniqueItems: [19, bool],
};

/** By location. */
const parameterForms: Readonly<Record<string, Write>> = {
  body: within(1, object(bodyFields)),
  query: within(2, within(3, object(queryFields))),
  path: within(2, within(4, object(pathFields))),
};

const parameters: Write = (message, field, value) => {
  for (const each of value as { readonly in: string }[]) {
    // The outer message selects between reference and parameter, the inner one its form.
    message.message(field, (item) => parameterForms[each.in]?.(item, 1, each));
  }
};

const responseFields: Fields = { description: [1, text], schema: [2, within(1, schema)] };

const operationFields: Fields = {
  description: [3, text],
  operationId: [5, text],
  produces: [6, texts],
  consumes: [7, texts],
  parameters: [8, parameters],
  responses: [9, named(1, within(1, object(responseFields)))],
  schemes: [10, texts],
  "x-": [13, any],
};

const pathItemFields: Fields = {
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  patch: [8, operation],
};

const infoFields: Fields = { title: [1, text], version: [2, text] };

const documentFields: Fields = {
  swagger: [1, text],
  info: [2, object(infoFields)],
  paths: [8, named(2, object(pathItemFields))],
  definitions: [9, named(1, schema)],
};

/** Drops properties without a field; extensions keep their names. */
function writeFields(message: WireWriter, value: object, fields: Fields): void {
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const known = fields[key];
    if (known) known[1](message, known[0], each);
    else if (key.startsWith("x-") && fields["x-"]) {
      const [field, write] = fields["x-"];
      message.message(field, (pair) => write(pair.string(1, key), 2, each));
    }
  }
}

/** Cache while a document is written: the same few values occur thousands of times. */
const yamls = new Map<string, string>();

function yamlOf(value: unknown): string {
  const json = JSON.stringify(value);
  const known = yamls.get(json);
  if (known !== undefined) return known;
  const yaml = stringify(value, { sortMapEntries: true, lineWidth: 0, indentSeq: false });
  yamls.set(json, yaml);
  return yaml;
}
