import type { TableColumn } from "@rookery/apiserver";
import type { Clock, FieldError, GroupResource, KubeObject } from "@rookery/kube";
import type { Store } from "../../store/store.ts";

/** What kinds with a memory of their own are given. */
export interface KindContext {
  readonly store: Store;
  readonly now: Clock;
  /** Where the addresses of Services come from, as in "10.96.0.0/16". */
  readonly serviceCidr: string;
  /**
   * The loopback network of pods, where there is a node: its addresses, and that of the node itself,
   * may then be those of endpoints.
   */
  readonly podCidr?: string;
}

/** What kinds with endpoints are given. */
export type EndpointContext = Pick<KindContext, "podCidr">;

/**
 * A kind that Kubernetes has compiled in: what its Go code says of it beside its fields. One file a
 * kind. Functions that fill in change the object that they are given, which nobody else holds;
 * those that judge get objects that must not be changed.
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
  /** Its Go type, such as "k8s.io/api/apps/v1.Deployment": how bodies are read and written. */
  readonly goType: string;
  /** Its OpenAPI model, such as "io.k8s.api.apps.v1.Deployment". */
  readonly model: string;

  /** Present where its objects are stored as those of another kind, under the same names. */
  readonly storedAs?: StoredAs<T>;

  /** What a reader of bodies fills in (Go: SetDefaults_…). */
  defaults?(object: T): void;
  /** Problems of a name; a DNS-1123 subdomain unless told otherwise. */
  validateName?(name: string): readonly string[];
  /** Clears or fills what clients may not say in a new object (Go: PrepareForCreate). */
  prepareForCreate?(object: T): void;
  /** Keeps what clients may not change (Go: PrepareForUpdate). */
  prepareForUpdate?(object: T, old: T): void;
  /** Problems beside those of its metadata (Go: Validate). */
  validate?(object: T): readonly FieldError[];
  /** Problems of a change, those of the new object included (Go: ValidateUpdate). */
  validateUpdate?(object: T, old: T): readonly FieldError[];
  /** What everyone is told who asks for it, as it is no longer to be used. */
  readonly deprecation?: string;
  /** Of a new object, or of a changed one where `old` is given. */
  warnings?(object: T, old?: T): readonly string[];

  /** Present where there is a status subresource; writes of the main resource then keep the status. */
  readonly status?: StatusRules<T>;
  /** Further subresources that are read and written as the status is, by name. */
  readonly subresources?: Readonly<Record<string, StatusRules<T>>>;
  /** Present where there is a scale subresource. */
  readonly scale?: ScaleRules<T>;
  /** Present where it has a generation: whether a change is one of what is wanted. */
  isNewGeneration?(object: T, old: T): boolean;
  /** Beside metadata.name and metadata.namespace: what field selectors see. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** As `kubectl get` shows it. */
  readonly columns: readonly TableColumn[];
  /** Whether a PUT may create. */
  readonly allowsCreateOnUpdate?: boolean;
  /** Whether a PUT needs a resourceVersion. */
  readonly requiresResourceVersion?: boolean;
  /** Seconds that a deletion gives the object to end by itself; 0 deletes at once (pods have more). */
  gracePeriodSeconds?(object: T, asked: number | undefined): number;
  /** What is propagated where the client does not say: "background" unless told otherwise. */
  readonly defaultPropagation?: "Background" | "Orphan";
  /** What else is to be done right before an object is stored, or has gone, such as to allocate an address. */
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
  /** Whether a new object may bring its status, as nodes do when they register. */
  readonly keptOnCreate?: boolean;
  /** Keeps everything but the status, unless the kind does otherwise. */
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
 * The names of a kind in version v1 of its group. Go and OpenAPI have a package for each group, such as
 * "storage" for "storage.k8s.io", and "core" for the group without a name.
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

/** A change of the status leaves the spec as it is; labels and annotations may change with it. */
export function keepSpec<T extends { spec?: unknown }>(object: T, old: T): void {
  if (old.spec === undefined) delete object.spec;
  else object.spec = old.spec;
}
