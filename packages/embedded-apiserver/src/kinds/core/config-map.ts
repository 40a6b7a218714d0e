import type { ConfigMap } from "@rookery/api";
import { FieldError } from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { configMapKey } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import type { Field } from "../meta/field.ts";
import { validator } from "../meta/rules.ts";
import { base64Bytes, dataMaxBytes, immutableData } from "./stored-data.ts";

export const configMapKind: BuiltInKind<ConfigMap> = {
  ...kindNames("", "ConfigMap", "configmaps"),
  namespaced: true,
  shortNames: ["cm"],
  validate: validator(dataAndSize),
  validateUpdate: validator([immutableData<ConfigMap>("data", "binaryData"), dataAndSize]),
  columns: [
    nameColumn,
    ...columns<ConfigMap>({
      Data: ({ data = {}, binaryData = {} }) =>
        Object.keys(data).length + Object.keys(binaryData).length,
    }),
    ageColumn,
  ],
};

/** Go: ValidateConfigMap. The error of the size has no field. */
function dataAndSize({ data = {}, binaryData = {} }: ConfigMap, field: Field): void {
  for (const key of Object.keys(data)) {
    const at = field.child("data").key(key);
    configMapKey(key, at);
    if (Object.hasOwn(binaryData, key)) at.invalid(key, "duplicate of key present in binaryData");
  }
  for (const key of Object.keys(binaryData)) configMapKey(key, field.child("binaryData").key(key));
  if (sizeOf(data, binaryData) > dataMaxBytes) {
    field.report([FieldError.tooLong("[]", dataMaxBytes)]);
  }
}

type Data = Readonly<Record<string, string>>;

function sizeOf(data: Data, binaryData: Data): number {
  let size = 0;
  for (const key in data) size += Buffer.byteLength(data[key] ?? "");
  for (const key in binaryData) size += base64Bytes(binaryData[key] ?? "");
  return size;
}
