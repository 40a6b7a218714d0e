import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresourceScale,
  CustomResourceSubresources,
} from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = [
  ...["byte", "date", "date-time", "double", "float", "int32", "int64", "password"],
];

/** Problems of a column that `kubectl get` shows. */
export function validateColumn(
  column: CustomResourceColumnDefinition,
  path: FieldPath,
): FieldError[] {
  const { name = "", type = "", format = "", jsonPath = "" } = column;
  const jsonPathField = path.child("JSONPath");
  return [
    ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
    ...validateColumnType(type, path.child("type")),
    ...(format === "" || columnFormats.includes(format)
      ? []
      : [FieldError.invalid(path.child("format"), format, oneOf(columnFormats))]),
    ...(jsonPath === ""
      ? [FieldError.required(jsonPathField, "")]
      : validateSimpleJsonPath(jsonPath, jsonPathField)),
  ];
}

function validateColumnType(type: string, path: FieldPath): FieldError[] {
  if (type === "") return [FieldError.required(path, oneOf(columnTypes))];
  return columnTypes.includes(type) ? [] : [FieldError.invalid(path, type, oneOf(columnTypes))];
}

function oneOf(names: readonly string[]): string {
  return `must be one of ${names.join(",")}`;
}

function validateSimpleJsonPath(text: string, path: FieldPath): FieldError[] {
  if (text.startsWith(".")) return [];
  return [FieldError.invalid(path, text, "must be a simple json path starting with .")];
}

/** Problems of the subresources of a version, or of all. */
export function validateSubresources(
  subresources: CustomResourceSubresources | undefined,
  path: FieldPath,
): FieldError[] {
  return subresources?.scale ? validateScale(subresources.scale, path) : [];
}

function validateScale(scale: CustomResourceSubresourceScale, path: FieldPath): FieldError[] {
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath } = scale;
  return [
    ...replicasPath(specReplicasPath, ".spec", path.child("scale.specReplicasPath")),
    ...replicasPath(statusReplicasPath, ".status", path.child("scale.statusReplicasPath")),
    ...(labelSelectorPath
      ? selectorPath(labelSelectorPath, path.child("scale.labelSelectorPath"))
      : []),
  ];
}

function replicasPath(text: string, root: string, path: FieldPath): FieldError[] {
  if (text === "") return [FieldError.required(path, "")];
  const errors = validateSimpleJsonPath(text, path);
  if (errors.length > 0 || text.startsWith(`${root}.`)) return errors;
  return [FieldError.invalid(path, text, `should be a json path under ${root}`)];
}

function selectorPath(text: string, path: FieldPath): FieldError[] {
  const errors = validateSimpleJsonPath(text, path);
  if (errors.length > 0 || text.startsWith(".spec.") || text.startsWith(".status.")) return errors;
  return [FieldError.invalid(path, text, "should be a json path under either .spec or .status")];
}
