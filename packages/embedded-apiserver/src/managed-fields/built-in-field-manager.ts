import type { FieldManager } from "@rookery/apiserver";
import { formatApiVersion, type KubeObject } from "@rookery/kube";
import { openApiModels } from "../types/models.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import { createFieldManager } from "./field-manager.ts";
import type { MergeSchema } from "./merge-schema.ts";
import { mergeSchemaOfModel } from "./schema-of-open-api.ts";

export interface BuiltInType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly goType: string;
  readonly model: string;
}

type Paths = readonly (readonly string[])[];
type ResetFields = Readonly<Record<string, Paths>>;

const statusPath: Paths = [["status"]];
const specPath: Paths = [["spec"]];
const usual: ResetFields = { "": statusPath, status: specPath };

/** Kinds that reset other fields than most (Go: GetResetFields of their strategies). */
const unusual: Readonly<Record<string, ResetFields>> = {
  "deployments.apps": { ...usual, status: [["spec"], ["metadata", "labels"]] },
  pods: {
    ...usual,
    status: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
  },
  namespaces: { ...usual, finalize: statusPath },
  "customresourcedefinitions.apiextensions.k8s.io": { ...usual, status: [["metadata"], ["spec"]] },
  "apiservices.apiregistration.k8s.io": { ...usual, status: [["spec"], ["metadata"]] },
  "certificatesigningrequests.certificates.k8s.io": {
    "": [["spec"], ["status"]],
    status: [["spec"], ["status", "conditions"]],
    approval: [["spec"], ["status", "certificate"]],
  },
  "scales.autoscaling": {},
};

const models = (name: string) => openApiModels().model(name);

/** The field manager of a built-in kind. Reads its model at the first write. */
export function createBuiltInFieldManager(type: BuiltInType): FieldManager {
  const { group, kind, plural, goType, model } = type;
  const apiVersion = formatApiVersion(type);
  let schema: MergeSchema | undefined;
  let empty: KubeObject | undefined;
  return createFieldManager({
    apiVersion,
    kind,
    schema: (version) => {
      if (version !== apiVersion) return undefined;
      schema ??= mergeSchemaOfModel(models, model);
      return schema;
    },
    empty: () => {
      empty ??= typedDecoder(goType)({ apiVersion, kind }).object as unknown as KubeObject;
      return empty;
    },
    resetFields: unusual[group === "" ? plural : `${plural}.${group}`] ?? usual,
  });
}
