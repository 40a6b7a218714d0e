import { PatchError, type PatchField, type PatchSchema } from "@rookery/kube";
import { type GoField, type GoType, goTypeOf, jsonFields } from "./go-types.ts";

/**
 * The schema of strategic merge patches, from the tags of a Go type. Throws an UnknownTypeError.
 */
export function patchSchemaOf(goType: string): PatchSchema {
  return schemaOf(goTypeOf(goType));
}

const schemas = new WeakMap<GoType, PatchSchema>();

function schemaOf(type: GoType): PatchSchema {
  const known = schemas.get(type);
  if (known) return known;
  const schema = makeSchema(type);
  schemas.set(type, schema);
  return schema;
}

function makeSchema(type: GoType): PatchSchema {
  if (type.kind === "pointer" && type.element) return schemaOf(type.element);
  if (type.kind === "map") return { field: () => refuse(notStruct(type)) };
  let fields: ReadonlyMap<string, PatchField> | undefined;
  return {
    field(name) {
      fields ??= new Map(jsonFields(type).map((field) => [field.json, patchFieldOf(field)]));
      return fields.get(name) ?? refuse(notFound(type, name));
    },
  };
}

/** "retainKeys" is ignored, because the directive in the patch decides. */
function patchFieldOf({ type, patchStrategy, patchMergeKey }: GoField): PatchField {
  const strategies = patchStrategy.split(",");
  const strategy = (["merge", "replace"] as const).find((each) => strategies.includes(each));
  const items = type.kind === "slice" && type.element ? type.element : type;
  return {
    ...(strategy && { strategy }),
    ...(patchMergeKey !== "" && { mergeKey: patchMergeKey }),
    // Schemas are created on first use, because types can be recursive.
    schema: { field: (name) => schemaOf(items).field(name) },
  };
}

function refuse(reason: string): never {
  throw new PatchError(reason, 500);
}

function notFound({ name }: GoType, field: string): string {
  const struct = name.slice(name.indexOf(".") + 1);
  return `unable to find api field in struct ${struct} for the json field "${field}"`;
}

function notStruct({ kind }: GoType): string {
  return `merging an object in json but data type is not struct, instead is: ${kind}`;
}
