import {
  type FieldManager,
  opaqueSchema,
  type ServedResource,
  type Timers,
  type TypedDecoder,
} from "@rookery/apiserver";
import {
  type Clock,
  deepCopy,
  formatApiVersion,
  type KubeObject,
  type PatchSchema,
  parseApiVersion,
} from "@rookery/kube";
import type { BuiltInKind } from "../kinds/declaration/kind.ts";
import type { Store } from "../store/store.ts";
import { builtInRules, storagePrefixOf } from "./built-in-rules.ts";
import { subresourcesOf } from "./served-subresources.ts";
import { createStorage } from "./storage.ts";
import type { Convert, StorageOptions, StorageRules } from "./storage-options.ts";
import { createStrategy } from "./strategy.ts";

/** The served resource of a built-in kind, with its subresources. */
export function servedKind<T extends object>(
  builtIn: BuiltInKind<T>,
  context: RegistryContext,
): ServedResource {
  const kind = builtIn as unknown as BuiltInKind;
  const options = storageOptionsOf(kind, context);
  const decode = context.decoderOf?.(kind.goType, boundDefaults(kind));
  const fieldManager = context.fieldManagerOf?.(kind);
  const patchSchema = context.patchSchemaOf?.(kind.goType);
  return {
    ...namesOf(kind),
    schema: opaqueSchema,
    handlers: createStorage(options),
    strategy: createStrategy(options),
    supportsDryRun: true,
    selectableFields: Object.keys(kind.selectableFields ?? {}),
    columns: kind.columns,
    model: kind.model,
    storageKind: { ...parseApiVersion(options.storageApiVersion), kind: kind.kind },
    subresources: subresourcesOf(kind, options, context),
    ...(decode && { decode }),
    ...(fieldManager && { fieldManager }),
    ...(patchSchema && { patchSchema }),
    ...(kind.allowsCreateOnUpdate && { allowsCreateOnUpdate: true }),
    ...(kind.requiresResourceVersion && { requiresResourceVersion: true }),
    ...(kind.deprecation && { warnings: [kind.deprecation] }),
  };
}

function namesOf(kind: BuiltInKind) {
  const { plural, singular, namespaced, shortNames, categories } = kind;
  return {
    plural,
    singular,
    kind: kind.kind,
    namespaced,
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
  };
}

function boundDefaults(kind: BuiltInKind) {
  return kind.defaults && ((object: KubeObject) => kind.defaults?.(object));
}

function storageOptionsOf(kind: BuiltInKind, context: RegistryContext): StorageOptions {
  const { group, version, plural, storedAs } = kind;
  const apiVersion = formatApiVersion({ group, version });
  const resource = { group, resource: plural };
  const { store, now, timers } = context;
  return {
    store,
    now,
    ...(timers && { timers }),
    resource: storedAs?.resource ?? resource,
    namespaced: kind.namespaced,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    apiVersion,
    storageApiVersion: storedAs?.apiVersion ?? apiVersion,
    ...(storedAs && { convert: conversionOf(storedAs, apiVersion) }),
    rules: rulesOf(kind, context),
  };
}

function conversionOf(storedAs: NonNullable<BuiltInKind["storedAs"]>, served: string): Convert {
  return (objects, apiVersion) =>
    objects.map((object) =>
      apiVersion === served
        ? storedAs.fromStored(object)
        : (storedAs.toStored(object) as KubeObject),
    );
}

function rulesOf(kind: BuiltInKind, context: RegistryContext): StorageRules {
  const zero = zeroObject(kind, context);
  return {
    ...bound(kind),
    ...(kind.status && { status: kind.status, emptyStatus: () => deepCopy(zero().status) }),
    ...(kind.selectableFields && { selectableFields: kind.selectableFields }),
    ...(kind.requiresResourceVersion && { requiresResourceVersion: true }),
    ...(kind.defaultPropagation && { defaultPropagation: kind.defaultPropagation }),
    emptyObject: () => bookmarkedObject(kind, zero()),
    storagePrefix: storagePrefixOf(kind),
    ...builtInRules(kind),
  };
}

const functions = [
  "validateName",
  "prepareForCreate",
  "prepareForUpdate",
  "validate",
  "validateUpdate",
  "warnings",
  "isNewGeneration",
  "gracePeriodSeconds",
  "beforeCreate",
  "beforeUpdate",
  "afterDelete",
] as const satisfies readonly (keyof BuiltInKind & keyof StorageRules)[];

/** A kind's functions, bound to the kind. */
function bound(kind: BuiltInKind): Partial<StorageRules> {
  const found = functions.filter((name) => kind[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, kind[name]?.bind(kind)]));
}

/** An object with only the fields that are always written. */
function zeroObject(kind: BuiltInKind, context: RegistryContext): () => KubeObject {
  let zero: KubeObject | undefined;
  const typeMeta = { apiVersion: formatApiVersion(kind), kind: kind.kind };
  return () => {
    zero ??= (context.decoderOf?.(kind.goType)(typeMeta).object ?? {
      ...typeMeta,
      ...(kind.status && { status: {} }),
    }) as KubeObject;
    return zero;
  };
}

/** Scalable workloads always have spec.replicas in bookmarks. */
function bookmarkedObject({ group, scale }: BuiltInKind, zero: KubeObject): KubeObject {
  if (group !== "apps" || !scale) return zero;
  return { ...zero, spec: { replicas: 0, ...(zero.spec as object) } };
}

export interface RegistryContext {
  readonly store: Store;
  readonly now: Clock;
  readonly timers?: Timers;
  /** Decodes bodies by a Go type; without it they are used as they are. */
  readonly decoderOf?: (goType: string, defaults?: (object: KubeObject) => void) => TypedDecoder;
  /** Without it managedFields are not tracked, and applies are rejected. */
  readonly fieldManagerOf?: (kind: BuiltInKind) => FieldManager | undefined;
  /** Without it strategic merge patches are rejected. */
  readonly patchSchemaOf?: (goType: string) => PatchSchema | undefined;
}
