import type { TableColumn } from "@rookery/apiserver";
import type { Clock, FieldError, GroupResource, KubeObject, ObjectMeta } from "@rookery/kube";
import type { Store } from "../../store/store.ts";
import { isSameValue } from "../meta/field-rules.ts";

/** The parts of the server that some kinds depend on. */
export interface KindContext {
  readonly store: Store;
  readonly now: Clock;
  /** The range of the addresses of Services, such as "10.96.0.0/16". */
  readonly serviceCidr: string;
  /**
   * The loopback network of pods, if there is a node. Endpoints may then have its addresses and that
   * of the node.
   */
  readonly podCidr?: string;
}

export type EndpointContext = Pick<KindContext, "podCidr">;

/**
 * A kind that is compiled into Kubernetes: the behaviour of its Go code. One file a kind. Defaulting and
 * preparing functions mutate their object, to which there is no other reference. All others must not.
 */
export interface BuiltInKind<T extends object = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The Go type, such as "k8s.io/api/apps/v1.Deployment", by which bodies are decoded. */
  readonly goType: string;
  /** The OpenAPI model, such as "io.k8s.api.apps.v1.Deployment". */
  readonly model: string;

  /** Set for a kind whose objects are stored as objects of another kind, under the same names. */
  readonly storedAs?: StoredAs<T>;

  /** Sets defaults in decoded objects (Go: SetDefaults_…). */
  defaults?(object: T): void;
  /** The problems of a name; by default it has to be a DNS-1123 subdomain. */
  validateName?(name: string): readonly string[];
  /** Resets the fields of a new object that clients cannot set (Go: PrepareForCreate). */
  prepareForCreate?(object: T): void;
  /** Restores the fields that clients cannot change (Go: PrepareForUpdate). */
  prepareForUpdate?(object: T, old: T): void;
  /** The errors of an object except those of its metadata (Go: Validate). */
  validate?(object: T): readonly FieldError[];
  /** The errors of an update, with those of the new object (Go: ValidateUpdate). */
  validateUpdate?(object: T, old: T): readonly FieldError[];
  /** The warning of every request for a deprecated kind. */
  readonly deprecation?: string;
  /** Warnings about a new object, or about a changed one if `old` is set. */
  warnings?(object: T, old?: T): readonly string[];

  /** Set if there is a status subresource; writes of the main resource then keep the status. */
  readonly status?: StatusRules<T>;
  /** Further subresources that are read and written like the status, by name. */
  readonly subresources?: Readonly<Record<string, StatusRules<T>>>;
  /** Set if there is a scale subresource. */
  readonly scale?: ScaleRules<T>;
  /** Set if the kind has a generation: whether an update increments it. */
  isNewGeneration?(object: T, old: T): boolean;
  /** The fields of field selectors besides metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** The columns of `kubectl get`. */
  readonly columns: readonly TableColumn[];
  /** Whether a PUT may create. */
  readonly allowsCreateOnUpdate?: boolean;
  /** Whether a PUT needs a resourceVersion. */
  readonly requiresResourceVersion?: boolean;
  /** The grace period of a deletion; 0 deletes at once. `asked` is the period that the client set. */
  gracePeriodSeconds?(object: T, asked: number | undefined): number;
  /** The propagation policy of deletions without one; "Background" by default. */
  readonly defaultPropagation?: "Background" | "Orphan";
  /** Hooks around a write, for example to allocate addresses. */
  beforeCreate?(object: T): void | Promise<void>;
  beforeUpdate?(object: T, old: T): void | Promise<void>;
  afterDelete?(object: T): void;
}

interface StoredAs<T> {
  readonly resource: GroupResource;
  readonly apiVersion: string;
  toStored(object: T): object;
  fromStored(object: object): T;
}

export interface StatusRules<T> {
  /** Whether the status of a new object is kept, as that of a node which registers. */
  readonly keptOnCreate?: boolean;
  /** By default the status alone changes. */
  prepareForUpdate?(object: T, old: T): void;
  validateUpdate?(object: T, old: T): readonly FieldError[];
}

export interface ScaleRules<T> {
  readonly specReplicas: (object: T) => number;
  readonly statusReplicas: (object: T) => number;
  readonly selector: (object: T) => string;
  setReplicas(object: T, replicas: number): void;
}

type Names = Pick<
  BuiltInKind,
  "group" | "version" | "kind" | "plural" | "singular" | "goType" | "model"
>;

/**
 * The names of a kind in version v1 of its group. The packages of Go and OpenAPI are named after the
 * group: "storage" for "storage.k8s.io", "core" for the group without a name.
 */
export function kindNames(group: string, kind: string, plural: string): Names {
  const [folder = ""] = (group || "core").split(".");
  return {
    group,
    version: "v1",
    kind,
    plural,
    singular: kind.toLowerCase(),
    goType: `k8s.io/api/${folder}/v1.${kind}`,
    model: `io.k8s.api.${folder}.v1.${kind}`,
  };
}

interface HasSpec {
  spec?: unknown;
}

/** Writes of the status keep the spec; labels and annotations may change. */
export function keepSpec<T extends HasSpec>(object: T, old: T): void {
  if (old.spec === undefined) delete object.spec;
  else object.spec = old.spec;
}

interface HasMetadata {
  metadata?: ObjectMeta;
}

/** Keeps the metadata that clients can set. */
export function keepMetadata<T extends HasMetadata>(object: T, old: T): void {
  const metadata = { ...object.metadata };
  for (const name of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    const value = old.metadata?.[name];
    if (value === undefined) delete metadata[name];
    else Object.assign(metadata, { [name]: value });
  }
  object.metadata = metadata;
}

/** The rule of most kinds: an update increments the generation if it changes the spec. */
export function isSpecChanged<T extends HasSpec>(object: T, old: T): boolean {
  return !isSameValue(object.spec, old.spec);
}

/** Selectable fields that are read by their paths; a missing value counts as "". */
export function fieldsByPath(
  ...paths: readonly string[]
): Readonly<Record<string, (object: object) => string>> {
  const valueAt = (object: object, path: string) =>
    path.split(".").reduce<unknown>((value, name) => Object(value)[name], object);
  return Object.fromEntries(
    paths.map((path) => [path, (object) => String(valueAt(object, path) ?? "")]),
  );
}
