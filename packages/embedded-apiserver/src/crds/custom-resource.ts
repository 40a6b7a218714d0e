import type { CustomResourceSubresourceScale } from "@rookery/api";
import type {
  FieldManager,
  ResourceHandlers,
  ResourceRequest,
  ServedResource,
  ServedSubresource,
} from "@rookery/apiserver";
import { type Clock, forbiddenError } from "@rookery/kube";
import { compileSchema, type JSONSchemaProps, type StructuralSchema } from "@rookery/schema";
import { isCrdConditionTrue } from "../kinds/apiextensions/conditions.ts";
import { someSchema } from "../kinds/apiextensions/schemas.ts";
import { createFieldManager } from "../managed-fields/field-manager.ts";
import type { ReplicasPaths } from "../managed-fields/scale-fields.ts";
import { createCustomScaleFieldManager } from "../managed-fields/scale-fields.ts";
import { mergeSchemaOfProps } from "../managed-fields/schema-of-open-api.ts";
import { createScaleStorage, type ScaleStorageOptions } from "../registry/scale-storage.ts";
import { createStatusStorage, createStorage } from "../registry/storage.ts";
import type { StorageOptions } from "../registry/storage-options.ts";
import { createStatusStrategy, createStrategy } from "../registry/strategy.ts";
import type { Store } from "../store/store.ts";
import { typedDecoder } from "../types/typed-decoder.ts";
import type { WebhookPoster } from "../webhooks/webhook-context.ts";
import { CrdConverter } from "./converter.ts";
import {
  apiVersionOf,
  type Crd,
  type CrdVersion,
  completeObject,
  groupOf,
  schemaOf,
  storageVersionOf,
  versionsOf,
} from "./crd.ts";
import { customRules } from "./custom-rules.ts";
import { deprecationWarnings } from "./kube-aware-version.ts";
import { printerColumns } from "./printer-columns.ts";
import { assertReplicas, scaleRulesOf } from "./scale-rules.ts";

export interface CustomResourceContext {
  readonly store: Store;
  readonly now: Clock;
  readonly clients: WebhookPoster;
  /** Aborted when the kind changes or is deleted, to end watches. */
  readonly changed?: AbortSignal;
}

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
/** While a CRD is deleted, its objects can only be read and deleted. */
const terminatingVerbs = ["delete", "deletecollection", "get", "list", "watch"];

/** The served resource of a version of a custom kind. */
export function customResource(
  crd: Crd,
  version: CrdVersion,
  context: CustomResourceContext,
): ServedResource {
  const options = storageOptions(crd, version, context);
  const isTerminating = isCrdConditionTrue(crd, "Terminating");
  const storage = endingWatches(createStorage(options), context.changed);
  const warnings = deprecationWarnings(crd, version);
  return {
    ...namesOf(crd),
    schema: schemaOf(version),
    dialect: "custom",
    supportsDryRun: true,
    requiresResourceVersion: true,
    handlers: isTerminating ? withoutCreation(storage) : storage,
    strategy: createStrategy(options),
    selectableFields: Object.keys(options.rules.selectableFields ?? {}),
    columns: printerColumns(version.additionalPrinterColumns),
    fieldManager: fieldManagerOf(crd, version, context),
    storageKind: {
      group: groupOf(crd),
      version: storageVersionOf(crd).name ?? "",
      kind: options.kind,
    },
    discoveredVerbs: isTerminating ? terminatingVerbs : verbs,
    subresources: subresourcesOf(crd, version, options),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The accepted names, which can differ from those of the spec. */
function namesOf({ spec, status }: Crd) {
  const { plural, singular, kind, listKind, shortNames, categories } = {
    ...spec?.names,
    ...status?.acceptedNames,
  };
  return {
    plural: plural ?? "",
    singular: singular ?? "",
    kind: kind ?? "",
    ...(listKind && { listKind }),
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
    namespaced: spec?.scope === "Namespaced",
  };
}

export function storageOptions(
  crd: Crd,
  version: CrdVersion,
  { store, now, clients }: CustomResourceContext,
): StorageOptions {
  const { kind = "", listKind = `${kind}List`, plural = "" } = crd.spec?.names ?? {};
  const schema = schemaOf(version);
  const converter = new CrdConverter(crd, clients);
  const isOne = versionsOf(crd).length === 1 && crd.status?.storedVersions?.length === 1;
  return {
    store,
    now,
    kind,
    listKind,
    resource: { group: groupOf(crd), resource: plural },
    namespaced: crd.spec?.scope === "Namespaced",
    apiVersion: apiVersionOf(crd, version),
    storageApiVersion: apiVersionOf(crd, storageVersionOf(crd)),
    ...(!isOne && {
      convert: (objects, apiVersion) => converter.convert(objects, apiVersion),
    }),
    ...(mayHaveChanged(crd, schema) && { complete: (object) => completeObject(object, schema) }),
    rules: customRules(crd, version),
  };
}

/** Whether objects can have been stored with an older schema. */
function mayHaveChanged({ metadata }: Crd, schema: JSONSchemaProps): boolean {
  return (
    (metadata.generation ?? 1) > 1 ||
    someSchema(schema, (each) => (each.default ?? undefined) !== undefined)
  );
}

function fieldManagerOf(
  crd: Crd,
  version: CrdVersion,
  { clients }: CustomResourceContext,
): FieldManager {
  const converter = new CrdConverter(crd, clients);
  const hasStatus = Boolean(version.subresources?.status);
  return createFieldManager({
    apiVersion: apiVersionOf(crd, version),
    kind: crd.spec?.names?.kind ?? "",
    schema: (apiVersion) => {
      const found = versionsOf(crd).find((each) => apiVersionOf(crd, each) === apiVersion);
      return found && mergeSchema(schemaOf(found));
    },
    convert: async (object, apiVersion) =>
      (await converter.convert([object], apiVersion))[0] ?? object,
    resetFields: hasStatus ? { "": [["status"]], status: [["spec"]] } : {},
  });
}

const mergeSchemas = new WeakMap<JSONSchemaProps, ReturnType<typeof mergeSchemaOfProps>>();

function mergeSchema(props: JSONSchemaProps) {
  const known = mergeSchemas.get(props) ?? mergeSchemaOfProps(props);
  mergeSchemas.set(props, known);
  return known;
}

function subresourcesOf(
  crd: Crd,
  version: CrdVersion,
  options: StorageOptions,
): Readonly<Record<string, ServedSubresource>> {
  const { scale, status } = version.subresources ?? {};
  let compiled: StructuralSchema | undefined;
  const schema = () => {
    compiled ??= compileSchema(schemaOf(version));
    return compiled;
  };
  return {
    ...(status && {
      status: { handlers: createStatusStorage(options), strategy: createStatusStrategy(options) },
    }),
    ...(scale && {
      scale: scaleOf(scale, { ...options, schema, replicasPaths: replicasPathsOf(crd) }),
    }),
  };
}

/** The path of the replicas in each version. */
function replicasPathsOf(crd: Crd): ReplicasPaths {
  return new Map(
    versionsOf(crd).map((version) => {
      const path = version.subresources?.scale?.specReplicasPath;
      return [apiVersionOf(crd, version), path?.replace(/^\./, "").split(".")];
    }),
  );
}

function scaleOf(
  scale: CustomResourceSubresourceScale,
  options: Omit<ScaleStorageOptions, "scale"> & { readonly replicasPaths: ReplicasPaths },
): ServedSubresource {
  const { get, update } = createScaleStorage({ ...options, scale: scaleRulesOf(scale) });
  const { get: getObject } = createStorage(options);
  return {
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    decode: typedDecoder("k8s.io/api/autoscaling/v1.Scale"),
    fieldManager: createCustomScaleFieldManager(),
    handlers: {
      get: async (request) => {
        assertReplicas(await getObject(request), scale);
        return get(request);
      },
      update,
    },
  };
}

function endingWatches(
  handlers: Required<ResourceHandlers>,
  changed: AbortSignal | undefined,
): Required<ResourceHandlers> {
  if (!changed) return handlers;
  const watch: Required<ResourceHandlers>["watch"] = (request) =>
    handlers.watch({ ...request, signal: AbortSignal.any([request.signal, changed]) });
  return { ...handlers, watch };
}

/** Rejects new objects while the CRD is deleted. */
function withoutCreation(handlers: Required<ResourceHandlers>): Required<ResourceHandlers> {
  const why = "create not allowed while custom resource definition is terminating";
  const refuse = ({ info, name }: Pick<ResourceRequest, "info" | "name">) =>
    forbiddenError({ group: info.group, resource: info.resource }, name, why);
  return {
    ...handlers,
    create: (request) => {
      throw refuse(request);
    },
    update: ({ created, ...request }) => {
      if (!created) return handlers.update(request);
      return handlers.update({
        ...request,
        created: () => {
          throw refuse(request);
        },
      });
    },
  };
}
