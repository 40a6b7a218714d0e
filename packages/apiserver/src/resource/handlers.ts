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

/** The common part of all requests to resources. */
export interface ResourceRequest {
  readonly user: UserInfo;
  /** "" for all namespaces and for cluster-scoped kinds. */
  readonly namespace: string;
  /** "" without a name. */
  readonly name: string;
  readonly info: RequestInfo;
  /** Aborted when the client leaves or the request times out. */
  readonly signal: AbortSignal;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
  readonly http: HttpRequest;
}

export interface CreateRequest extends ResourceRequest {
  /** Decoded, admitted and valid. */
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
  /** "put" for whole objects. */
  readonly type: "put" | PatchType;
  /**
   * Creates the new object from the current one: decodes or patches, admits and validates it.
   * Storages repeat it after concurrent writes. Throws StatusErrors.
   */
  readonly updated: (current: KubeObject) => Promise<KubeObject>;
  /** Creates the object if it does not exist. Without it a missing object is a 404. */
  readonly created?: () => Promise<KubeObject>;
}

export interface UpdateResult {
  readonly object: KubeObject;
  /** true for a new object, which returns 201. */
  readonly created: boolean;
}

export interface DeleteRequest extends ResourceRequest {
  readonly options: DeleteOptions;
  /** Runs admission right before the deletion. Throws if it is rejected. */
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
 * Sends events until the signal aborts or the watch ends. `send` returns a promise while a slow
 * reader has no room.
 */
export type WatchRun = (send: (event: WatchEvent) => Promise<void> | undefined) => Promise<void>;

type Answer<T> = T | Promise<T>;

/** The verbs of a resource; others are rejected with 405. Functions throw StatusErrors. */
export interface ResourceHandlers {
  readonly create?: (request: CreateRequest) => Answer<KubeObject | Status>;
  readonly get?: (request: GetRequest) => Answer<KubeObject>;
  readonly list?: (request: ListRequest) => Answer<KubeList>;
  /** Rejects before the first event if it can't be watched. */
  readonly watch?: (request: ListRequest) => Answer<WatchRun>;
  /** Serves PUT and PATCH. */
  readonly update?: (request: UpdateRequest) => Answer<UpdateResult>;
  readonly delete?: (request: DeleteRequest) => Answer<DeleteResult>;
  readonly deleteCollection?: (request: DeleteCollectionRequest) => Answer<KubeList | Status>;
}

export interface DeleteResult {
  /** The object, or a Status of success. */
  readonly object: KubeObject | Status;
  /** false for a pending deletion, such as with finalizers. */
  readonly deleted: boolean;
}

/** A request to a connected subresource. */
export interface ConnectRequest extends ResourceRequest {
  /** The query's options, after admission. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Percent-decoded, with a leading "/"; "" if the path ends at the subresource. */
  readonly subpath: string;
  /** Aborted on shutdown, to end long-running connections. */
  readonly draining: AbortSignal;
}

/** Rules of a kind beyond its schema. */
export interface ResourceStrategy {
  /** Sets system fields: generated names, times. Runs after mutating admission. */
  readonly prepareForCreate?: (object: KubeObject, request: ResourceRequest) => KubeObject;
  /** Restores fields that clients can't change. */
  readonly prepareForUpdate?: (
    object: KubeObject,
    change: { readonly current: KubeObject; readonly request: ResourceRequest },
  ) => KubeObject;
  /** Problems beside those of the schema, which follow them. */
  readonly validate?: (
    object: KubeObject,
    current: KubeObject | undefined,
  ) => readonly FieldError[];
}
