import type {
  ResourceHandlers,
  ResourceRequest,
  ResourceStrategy,
  UpdateRequest,
} from "@rookery/apiserver";
import {
  conflictError,
  deepCopy,
  type FieldError,
  fieldPath,
  invalidError,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  parseApiVersion,
} from "@rookery/kube";
import { type JSONObject, type StructuralSchema, validate } from "@rookery/schema";
import type { ScaleRules } from "../kinds/declaration/kind.ts";
import { validateNonnegative } from "../kinds/meta/field-rules.ts";
import {
  entriesOfScale,
  entriesOfScaled,
  type ReplicasPaths,
} from "../managed-fields/scale-fields.ts";
import { getObject, requestedResource } from "./get-object.ts";
import { ObjectVersions } from "./object-versions.ts";
import { assertSameUid, preconditionFailure } from "./preconditions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { createStrategy } from "./strategy.ts";
import { updateObject } from "./update-object.ts";

export interface ScaleStorageOptions extends StorageOptions {
  readonly scale: ScaleRules<KubeObject>;
  /** The paths of the replicas in managedFields; spec.replicas by default. */
  readonly replicasPaths?: ReplicasPaths;
  /** The schema of the scaled kind, if it has one. */
  readonly schema?: () => StructuralSchema;
}

/** autoscaling/v1 Scale. */
interface Scale extends KubeObject<{ replicas?: number }, ScaleStatus> {
  readonly spec: { readonly replicas?: number };
}

interface ScaleStatus {
  readonly replicas: number;
  readonly selector?: string;
}

/** Handlers of a scale subresource, for use with `scaleStrategy`. */
export function createScaleStorage(
  options: ScaleStorageOptions,
): Required<Pick<ResourceHandlers, "get" | "update">> {
  const versions = new ObjectVersions(options);
  const get = getObject(options, versions);
  const update = updateObject(options, versions);
  return {
    get: async (request) => scaleOf(await get(request), options.scale),
    update: async ({ created: _, ...request }) => {
      const updated = scaledObject(request, options);
      const { object, created } = await update({ ...request, updated });
      return { object: scaleOf(object, options.scale), created };
    },
  };
}

export const scaleStrategy: ResourceStrategy = {
  validate: (object) =>
    validateNonnegative((object as Scale).spec?.replicas ?? 0, fieldPath("spec", "replicas")),
};

/** The object with the replicas of the Scale that a request produces. */
function scaledObject(request: UpdateRequest, options: ScaleStorageOptions) {
  const strategy = createStrategy(options);
  const isCustom = options.rules.dialect === "custom";
  const { apiVersion, replicasPaths = new Map([[apiVersion, ["spec", "replicas"]]]) } = options;
  return async (current: KubeObject): Promise<KubeObject> => {
    const old = withEntries(
      scaleOf(current, options.scale),
      entriesOfScale(current.metadata.managedFields, replicasPaths),
    );
    const scale = (await request.updated(old)) as Scale;
    if (isCustom) assertSameUid(scale, current, { request, options });
    else assertScaleUid(scale.metadata, current.metadata, request);
    const copy = deepCopy(current) as KubeObject & { metadata: { resourceVersion?: string } };
    options.scale.setReplicas(copy, scale.spec?.replicas ?? 0);
    const { resourceVersion = "" } = isCustom ? current.metadata : {};
    copy.metadata.resourceVersion = scale.metadata.resourceVersion || resourceVersion;
    const entries = { before: current.metadata.managedFields, scale: scale.metadata.managedFields };
    const managedFields = entriesOfScaled({ ...entries, apiVersion }, replicasPaths);
    const scaled = withEntries(copy, managedFields);
    const object = strategy.prepareForUpdate(scaled, { current, request });
    const preceding = strategy.validate(object, current);
    const problems = [...preceding, ...schemaProblems(object, current, { options, preceding })];
    if (problems.length === 0) return object;
    const { group } = parseApiVersion(options.apiVersion);
    throw invalidError({ group, kind: options.kind }, request.name, problems);
  };
}

function schemaProblems(
  object: KubeObject,
  current: KubeObject,
  context: { options: ScaleStorageOptions; preceding: readonly FieldError[] },
): readonly FieldError[] {
  const schema = context.options.schema?.();
  if (!schema) return [];
  const [json, old] = [object, current] as unknown as [JSONObject, JSONObject];
  return validate(schema, json, { old, preceding: context.preceding }).errors;
}

function withEntries<T extends KubeObject>(
  object: T,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): T {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}

function assertScaleUid({ uid = "" }: ObjectMeta, current: ObjectMeta, request: ResourceRequest) {
  if (uid === "" || uid === current.uid) return;
  const { group, resource } = requestedResource(request);
  const why = preconditionFailure({ what: "UID", wanted: uid, found: current.uid ?? "" });
  throw conflictError({ group, resource: `${resource}/scale` }, request.name, why);
}

function scaleOf(object: KubeObject, rules: ScaleRules<KubeObject>): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = rules.specReplicas(object);
  const selector = rules.selector(object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: rules.statusReplicas(object), ...(selector !== "" && { selector }) },
  };
}
