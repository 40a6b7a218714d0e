import type { HttpRequest } from "@rookery/http";
import type {
  FieldError,
  KubeList,
  KubeObject,
  PatchType,
  RequestInfo,
  Status,
} from "@rookery/kube";
import type { UserInfo } from "../request/user.ts";
import type { DeleteOptions } from "./delete-options.ts";
import type { ListOptions } from "./list-options.ts";
import type { WriteOptions } from "./write-options.ts";

/** What every function of a resource is told. */
export interface ResourceRequest {
  readonly user: UserInfo;
  /** "" for all namespaces, and for kinds that have none. */
  readonly namespace: string;
  /** "" where the request names none. */
  readonly name: string;
  readonly info: RequestInfo;
  /** Aborted when nobody waits for the answer any more, or its time is over. */
  readonly signal: AbortSignal;
  /** Tells the client something beside its answer. */
  readonly warn: (text: string) => void;
  readonly http: HttpRequest;
}

export interface CreateRequest extends ResourceRequest {
  /** Pruned, defaulted, admitted and valid by the schema. */
  readonly object: KubeObject;
  readonly options: WriteOptions;
}

export interface GetRequest extends ResourceRequest {
  readonly resourceVersion: string;
}

export interface ListRequest extends ResourceRequest {
  readonly options: ListOptions;
}

export interface UpdateRequest extends ResourceRequest {
  readonly options: WriteOptions & { readonly force?: boolean };
  /** "put" where the client sent the whole object. */
  readonly type: "put" | PatchType;
  /**
   * The object as it shall be, made from the one that is there: decoded or patched, admitted and
   * valid. A storage that loses a race asks again with the newer one. Throws StatusErrors.
   */
  readonly updated: (current: KubeObject) => Promise<KubeObject>;
  /**
   * Where the request may create what is not there: the object as it shall be, admitted and valid.
   * Without it a missing object is a 404.
   */
  readonly created?: () => Promise<KubeObject>;
}

export interface UpdateResult {
  readonly object: KubeObject;
  /** true where there was none before: the answer is then 201. */
  readonly created: boolean;
}

export interface DeleteRequest extends ResourceRequest {
  readonly options: DeleteOptions;
  /** To be asked about the object right before it is deleted; throws where it must stay. */
  readonly admit: (current: KubeObject) => Promise<void>;
}

export interface DeleteCollectionRequest extends DeleteRequest {
  readonly listOptions: ListOptions;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubeObject | Status;
}

/**
 * Sends events until the request's signal aborts or it has no more to say. Where `send` gives a
 * promise, there is room for more when it resolves, so that a slow reader is felt.
 */
export type WatchRun = (send: (event: WatchEvent) => Promise<void> | undefined) => Promise<void>;

type Answer<T> = T | Promise<T>;

/**
 * What can be done with a resource. A kind has the verbs of the functions that it brings; any other
 * is refused with 405. Failures are thrown as StatusErrors.
 */
export interface ResourceHandlers {
  readonly create?: (request: CreateRequest) => Answer<KubeObject | Status>;
  readonly get?: (request: GetRequest) => Answer<KubeObject>;
  readonly list?: (request: ListRequest) => Answer<KubeList>;
  /** Rejects before the first event where it can't be watched. */
  readonly watch?: (request: ListRequest) => Answer<WatchRun>;
  /** Serves PUT and PATCH. */
  readonly update?: (request: UpdateRequest) => Answer<UpdateResult>;
  readonly delete?: (request: DeleteRequest) => Answer<DeleteResult>;
  readonly deleteCollection?: (request: DeleteCollectionRequest) => Answer<KubeList | Status>;
}

export interface DeleteResult {
  /** The object, or a Status that says Success. */
  readonly object: KubeObject | Status;
  /** false where it only began, such as for finalizers. */
  readonly deleted: boolean;
}

/** A request to what leads on from an object. */
export interface ConnectRequest extends ResourceRequest {
  /** What the query says, after admission; empty where the subresource has no options. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Percent-decoded, beginning with "/"; "" where the path ends at the subresource. */
  readonly subpath: string;
  /** Aborted when the server stops: what goes on for long ends then. */
  readonly draining: AbortSignal;
}

/** What a kind adds to its schema before objects reach its functions. */
export interface ResourceStrategy {
  /** Fills in what clients may not: generated names, times. Runs after admission has mutated. */
  readonly prepareForCreate?: (object: KubeObject, request: ResourceRequest) => KubeObject;
  /** Keeps what clients may not change. */
  readonly prepareForUpdate?: (
    object: KubeObject,
    change: { readonly current: KubeObject; readonly request: ResourceRequest },
  ) => KubeObject;
  /** Problems beside those of the schema, such as in the metadata; they are told first. */
  readonly validate?: (
    object: KubeObject,
    current: KubeObject | undefined,
  ) => readonly FieldError[];
}
