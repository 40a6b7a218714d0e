import type { FieldChange, FieldManager } from "@rookery/apiserver";
import { badRequestError, type KubeObject, type ManagedFieldsEntry } from "@rookery/kube";
import { run, type VersionOptions } from "./conversions.ts";
import { setOfPaths } from "./field-set.ts";
import { clientSideManager, withLastApplied } from "./last-applied.ts";
import {
  formatManagedFields,
  isReset,
  type Managed,
  noManagers,
  parseManagedFields,
} from "./managers.ts";
import {
  ConflictsError,
  conflictStatus,
  describeKind,
  isMergeError,
  mergeFailure,
} from "./merge-errors.ts";
import { type Context, trackApply, trackUpdate } from "./track-change.ts";

type Paths = readonly (readonly string[])[];

export interface FieldManagerOptions extends VersionOptions {
  /** The version of the objects passed in. */
  readonly apiVersion: string;
  readonly kind: string;
  /**
   * The object before its creation: by default `{ apiVersion, kind }`; types with required fields
   * have these, such as an empty spec.
   */
  readonly empty?: () => KubeObject;
  /**
   * The fields that writes of a subresource ("" for the object itself) can't change, such as `{ "":
   * [["status"]], status: [["spec"]] }`.
   */
  readonly resetFields?: Readonly<Record<string, Paths>>;
}

/**
 * Maintains managedFields like kube-apiserver: a structured merge by the schema of each version.
 */
export function createFieldManager(options: FieldManagerOptions): FieldManager {
  return new StructuredFieldManager(options);
}

class StructuredFieldManager implements FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #resetFields: ReadonlyMap<string, ReturnType<typeof setOfPaths>>;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    const { resetFields = {} } = options;
    this.#resetFields = new Map(
      Object.entries(resetFields).map(([name, paths]) => [name, setOfPaths(paths)]),
    );
  }

  update(
    object: KubeObject,
    live: KubeObject | undefined,
    change: FieldChange,
  ): KubeObject | Promise<KubeObject> {
    const next = withManagedFields(object, undefined);
    const managed = managedOf(object, live, change);
    // An object without managedFields stays without.
    if (managed.sets.size === 0 && live?.metadata.uid) return next;
    const dropped = (error: unknown): KubeObject => {
      if (isMergeError(error)) return next;
      throw error;
    };
    try {
      const steps = trackUpdate({ live: this.#bare(live), next, managed }, this.#context(change));
      const done = () => withManagedFields(next, formatManagedFields(managed));
      const tracked = run(steps, this.#options);
      return tracked instanceof Promise ? tracked.then(done).catch(dropped) : done();
    } catch (error) {
      return dropped(error);
    }
  }

  apply(
    wanted: KubeObject,
    live: KubeObject | undefined,
    change: FieldChange & { readonly force: boolean },
  ): KubeObject | Promise<KubeObject> {
    this.#assertApplicable(wanted);
    const before = parseLive(live);
    const own = { wanted, live: this.#bare(live), managed: before, force: change.force };
    const done = ({ object, managed }: { object: KubeObject; managed: Managed }) => {
      const isClientSide = change.manager === clientSideManager;
      const applied = isClientSide ? withLastApplied(object, wanted) : object;
      return withManagedFields(applied, formatManagedFields(managed));
    };
    try {
      const applied = run(trackApply(own, this.#context(change)), this.#options);
      return applied instanceof Promise ? applied.then(done).catch(refuse) : done(applied);
    } catch (error) {
      return refuse(error);
    }
  }

  problemOf(entries: readonly ManagedFieldsEntry[] | undefined): string | undefined {
    try {
      parseManagedFields(entries);
      return undefined;
    } catch (error) {
      if (isMergeError(error)) return error.message;
      throw error;
    }
  }

  #assertApplicable(wanted: KubeObject): void {
    const { apiVersion, kind } = this.#options;
    if (wanted.apiVersion !== apiVersion || wanted.kind !== kind) {
      throw badRequestError(`invalid object type: ${describeKind(wanted)}`);
    }
    if (Array.isArray(wanted.metadata?.managedFields)) {
      throw badRequestError("metadata.managedFields must be nil");
    }
  }

  /** The object without managedFields, which no manager owns. */
  #bare(live: KubeObject | undefined): KubeObject {
    if (live) return withManagedFields(live, undefined);
    const { apiVersion, kind, empty } = this.#options;
    return empty?.() ?? { apiVersion, kind, metadata: {} };
  }

  #context(change: FieldChange): Context {
    const { schema, apiVersion } = this.#options;
    const resetFields = this.#resetFields.get(change.subresource) ?? new Map();
    return {
      schema: schema(apiVersion),
      empty: this.#bare(undefined),
      apiVersion,
      resetFields,
      change,
    };
  }
}

/** The managers that a request sets itself, else those of the live object. */
function managedOf(object: KubeObject, live: KubeObject | undefined, change: FieldChange): Managed {
  const { managedFields } = object.metadata;
  if (change.subresource === "") {
    if (isReset(managedFields)) return noManagers();
    const own = readable(managedFields);
    if (own.sets.size > 0) return own;
  }
  return readable(live?.metadata.managedFields);
}

function readable(entries: readonly ManagedFieldsEntry[] | undefined): Managed {
  try {
    return parseManagedFields(entries);
  } catch (error) {
    if (isMergeError(error)) return noManagers();
    throw error;
  }
}

function parseLive(live: KubeObject | undefined): Managed {
  try {
    return parseManagedFields(live?.metadata.managedFields);
  } catch (error) {
    throw mergeFailure(error, "failed to decode managed fields");
  }
}

function refuse(error: unknown): never {
  throw error instanceof ConflictsError ? conflictStatus(error.conflicts) : mergeFailure(error);
}

function withManagedFields(
  object: KubeObject,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata: managedFields ? { ...metadata, managedFields } : metadata };
}
