import { FieldError, fieldPath } from "@rookery/kube";
import type { ConfigMap } from "../../generated/api-types.ts";
import type { BuiltInKind } from "../kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { invalidEach } from "../meta/field-rules.ts";
import { validateConfigMapKey } from "../meta/formats.ts";
import { coreNames } from "./core-names.ts";
import { base64Bytes, dataMaxBytes, validateImmutableData } from "./stored-data.ts";

export const configMapKind: BuiltInKind<ConfigMap> = {
  ...coreNames("ConfigMap", "configmaps"),
  namespaced: true,
  shortNames: ["cm"],
  validate: validateConfigMap,
  validateUpdate: (configMap, old) => [
    ...validateImmutableData(configMap, old, ["data", "binaryData"]),
    ...validateConfigMap(configMap),
  ],
  columns: [
    nameColumn,
    column("Data", "string", ({ data = {}, binaryData = {} }: ConfigMap) => {
      return Object.keys(data).length + Object.keys(binaryData).length;
    }),
    ageColumn,
  ],
};

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const repeated = "duplicate of key present in binaryData";
  return [
    ...Object.keys(data).flatMap((key) => {
      const details = Object.hasOwn(binaryData, key) ? [repeated] : [];
      return invalidEach(
        key,
        [...validateConfigMapKey(key), ...details],
        fieldPath("data").key(key),
      );
    }),
    ...Object.keys(binaryData).flatMap((key) =>
      invalidEach(key, validateConfigMapKey(key), fieldPath("binaryData").key(key)),
    ),
    ...(sizeOf(data, binaryData) > dataMaxBytes ? [FieldError.tooLong("[]", dataMaxBytes)] : []),
  ];
}

type Data = Readonly<Record<string, string>>;

function sizeOf(data: Data, binaryData: Data): number {
  const text = Object.values(data).map((value) => Buffer.byteLength(value));
  const binary = Object.values(binaryData).map(base64Bytes);
  return [...text, ...binary].reduce((sum, size) => sum + size, 0);
}
