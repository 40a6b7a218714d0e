import type { Handler } from "@rookery/http";
import {
  groupVersionResourceOf,
  type KubeObject,
  type ObjectKey,
  objectKeyOf,
  type Resource,
  resourcePath,
} from "@rookery/kube";
import { askJson, type Question } from "./exchange.ts";
import type { ApplyOptions, GetOptions, RequestOptions, WriteOptions } from "./options.ts";
import {
  applyContentType,
  formatQuery,
  type Patch,
  patchContentTypes,
  writeQuery,
} from "./query.ts";
import { objectTarget } from "./scope.ts";

/** Reads and writes single objects, or a part of them. */
export interface ObjectClient<T extends KubeObject> {
  get(key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Rejects with a Conflict unless the object has the newest resourceVersion. */
  update(object: T, options?: WriteOptions): Promise<T>;
  patch(key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply: creates the object, or sets only the given fields. */
  apply(object: T, options: ApplyOptions): Promise<T>;
}

/** A part of an object with a path of its own, such as "status", "scale" or "token". */
export interface SubresourceClient<T extends KubeObject = KubeObject> extends ObjectClient<T> {
  /** Such as a TokenRequest for a service account, or an Eviction of a pod. */
  create(key: ObjectKey, object: T, options?: WriteOptions): Promise<T>;
}

export interface ObjectQuestion extends Omit<Question, "path"> {
  /** For messages: "get", "apply". */
  readonly verb: string;
}

/** The requests about one object that resources and subresources have in common. */
export abstract class ObjectRequests<T extends KubeObject> implements ObjectClient<T> {
  protected abstract askAbout(
    key: ObjectKey,
    options: RequestOptions,
    question: ObjectQuestion,
  ): Promise<T>;

  async get(key: ObjectKey, options: GetOptions = {}): Promise<T> {
    const query = formatQuery({ resourceVersion: options.resourceVersion });
    return this.askAbout(key, options, { verb: "get", method: "GET", query });
  }

  async update(object: T, options: WriteOptions = {}): Promise<T> {
    const query = writeQuery(options);
    const question = { verb: "update", method: "PUT", query, body: object };
    return this.askAbout(objectKeyOf(object), options, question);
  }

  async patch(key: ObjectKey, { type, patch }: Patch, options: WriteOptions = {}): Promise<T> {
    return this.askAbout(key, options, {
      verb: "patch",
      method: "PATCH",
      query: writeQuery(options),
      body: patch,
      contentType: patchContentTypes[type],
    });
  }

  async apply(object: T, options: ApplyOptions): Promise<T> {
    return this.askAbout(objectKeyOf(object), options, {
      verb: "apply",
      method: "PATCH",
      query: writeQuery(options),
      body: object,
      contentType: applyContentType,
    });
  }
}

export class SubresourceRequests<T extends KubeObject>
  extends ObjectRequests<T>
  implements SubresourceClient<T>
{
  readonly #handler: Handler;
  readonly #resource: Resource;
  readonly #subresource: string;

  constructor(handler: Handler, resource: Resource, subresource: string) {
    super();
    this.#handler = handler;
    this.#resource = resource;
    this.#subresource = subresource;
  }

  async create(key: ObjectKey, object: T, options: WriteOptions = {}): Promise<T> {
    const question = { method: "POST", query: writeQuery(options), body: object };
    return this.askAbout(key, options, { verb: "create", ...question });
  }

  protected askAbout(
    key: ObjectKey,
    { signal, timeoutMs }: RequestOptions,
    { verb: _, ...question }: ObjectQuestion,
  ): Promise<T> {
    const resource = groupVersionResourceOf(this.#resource);
    const verb = `${question.method} ${this.#subresource} of`;
    const target = objectTarget(verb, this.#resource, key);
    const path = resourcePath(resource, { ...target, subresource: this.#subresource });
    const about = { resource, name: key.name, signal, timeoutMs };
    return askJson<T>(this.#handler, { ...about, path, ...question });
  }
}

export interface Scale
  extends KubeObject<
    { readonly replicas?: number },
    { readonly replicas: number; readonly selector?: string }
  > {}
