import {
  aggregateMessages,
  type DeepMutable,
  deepEqual,
  fieldPath,
  formatApiVersion,
  type KubeObject,
  type ObjectMeta,
  parseApiVersion,
  validateLabels,
} from "@rookery/kube";
import { ConversionFailure } from "../errors.ts";
import { validateAnnotations } from "../kinds/meta/field-rules.ts";

/**
 * The converted object with the original metadata, except labels and annotations. Throws a
 * ConversionFailure if the webhook has changed more.
 */
export function checkedConversion(
  original: KubeObject,
  given: unknown,
  apiVersion: string,
): KubeObject {
  const converted = given as Partial<KubeObject>;
  const about = `conversion webhook for ${kindOf(original)}`;
  const version = versionOf(converted.apiVersion ?? "");
  const expected = versionOf(apiVersion);
  if (version !== expected) {
    const why = `invalid groupVersion (expected ${expected}, received ${version})`;
    throw new ConversionFailure(`${about} returned invalid object at index 0: ${why}`);
  }
  if (converted.kind !== original.kind) {
    const why = `invalid kind (expected ${original.kind}, received ${converted.kind ?? ""})`;
    throw new ConversionFailure(`${about} returned invalid object at index 0: ${why}`);
  }
  assertSameObject(original.metadata, converted.metadata ?? {}, about);
  const metadata = restoredMetadata(original.metadata, converted.metadata, about);
  return { ...(converted as KubeObject), metadata };
}

/** The kind in messages. */
export function kindOf({ apiVersion, kind }: KubeObject): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}

function versionOf(apiVersion: string): string {
  return formatApiVersion(parseApiVersion(apiVersion));
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function assertSameObject(original: ObjectMeta, converted: ObjectMeta, about: string): void {
  for (const [field, word] of identity) {
    const [was, is] = [original[field] ?? "", converted[field] ?? ""];
    if (was === is) continue;
    const why = `must have the same ${word}: ${was} != ${is}`;
    throw new ConversionFailure(`${about} returned invalid object: ${why}`);
  }
}

function restoredMetadata(
  original: ObjectMeta,
  converted: ObjectMeta | undefined,
  about: string,
): ObjectMeta {
  const refuse = (why: string) =>
    new ConversionFailure(`${about} returned invalid metadata: ${why}`);
  if (!converted) throw refuse("missing metadata in converted object");
  const metadata = { ...original } as DeepMutable<ObjectMeta>;
  for (const field of ["labels", "annotations"] as const) {
    const given = converted[field] ?? undefined;
    if (given === undefined) {
      delete metadata[field];
      continue;
    }
    const problem = textsProblem(field, given) ?? changeProblem(field, given, original[field]);
    if (problem) throw refuse(problem);
    metadata[field] = { ...given };
  }
  return metadata;
}

type Texts = Readonly<Record<string, string>>;

function textsProblem(field: string, given: Texts): string | undefined {
  if (typeof given !== "object" || Array.isArray(given)) {
    return `invalid metadata.${field} of type ${typeof given} in converted object`;
  }
  const odd = Object.entries(given).find(([, value]) => typeof value !== "string");
  if (!odd) return undefined;
  return `metadata.${field}[${odd[0]}] must be a string, but is ${untypedGoType(odd[1])} in converted object`;
}

/** The Go type of a value in an untyped object. */
export function untypedGoType(value: unknown): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

function changeProblem(field: string, given: Texts, original: Texts = {}): string | undefined {
  if (deepEqual(given, original)) return undefined;
  const errors =
    field === "labels"
      ? validateLabels(given, fieldPath("metadata", "labels"))
      : validateAnnotations(given, fieldPath("metadata", "annotation"));
  return errors.length > 0 ? aggregateMessages(errors) : undefined;
}
