import type { ConfigMap } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
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
  const problems: FieldError[] = [];
  const judge = (field: "data" | "binaryData", key: string, details: readonly string[]) => {
    if (details.length === 0) return;
    problems.push(...invalidEach(key, details, fieldPath(field).key(key)));
  };
  for (const key of Object.keys(data)) {
    judge("data", key, validateConfigMapKey(key));
    if (Object.hasOwn(binaryData, key)) judge("data", key, [repeated]);
  }
  for (const key of Object.keys(binaryData)) judge("binaryData", key, validateConfigMapKey(key));
  if (sizeOf(data, binaryData) > dataMaxBytes) {
    problems.push(FieldError.tooLong("[]", dataMaxBytes));
  }
  return problems;
}

type Data = Readonly<Record<string, string>>;

function sizeOf(data: Data, binaryData: Data): number {
  let size = 0;
  for (const key in data) size += Buffer.byteLength(data[key] ?? "");
  for (const key in binaryData) size += base64Bytes(binaryData[key] ?? "");
  return size;
}
