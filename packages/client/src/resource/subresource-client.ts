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

/** A part of an object with a path of its own, such as "status", "scale" or "token". */
export interface SubresourceClient<T extends KubeObject = KubeObject> {
  get(key: ObjectKey, options?: GetOptions): Promise<T>;
  /** Such as a TokenRequest for a service account, or an Eviction of a pod. */
  create(key: ObjectKey, object: T, options?: WriteOptions): Promise<T>;
  /** Of the object that its metadata names. */
  update(object: T, options?: WriteOptions): Promise<T>;
  patch(key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  apply(object: T, options: ApplyOptions): Promise<T>;
}

export class SubresourceRequests<T extends KubeObject> implements SubresourceClient<T> {
  readonly #handler: Handler;
  readonly #resource: Resource;
  readonly #subresource: string;

  constructor(handler: Handler, resource: Resource, subresource: string) {
    this.#handler = handler;
    this.#resource = resource;
    this.#subresource = subresource;
  }

  async get(key: ObjectKey, options: GetOptions = {}): Promise<T> {
    const query = formatQuery({ resourceVersion: options.resourceVersion });
    return this.#ask(key, options, { method: "GET", query });
  }

  async create(key: ObjectKey, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#ask(key, options, { method: "POST", query: writeQuery(options), body: object });
  }

  async update(object: T, options: WriteOptions = {}): Promise<T> {
    const question = { method: "PUT", query: writeQuery(options), body: object };
    return this.#ask(objectKeyOf(object), options, question);
  }

  async patch(key: ObjectKey, patch: Patch, options: WriteOptions = {}): Promise<T> {
    return this.#ask(key, options, {
      method: "PATCH",
      query: writeQuery(options),
      body: patch.patch,
      contentType: patchContentTypes[patch.type],
    });
  }

  async apply(object: T, options: ApplyOptions): Promise<T> {
    return this.#ask(objectKeyOf(object), options, {
      method: "PATCH",
      query: writeQuery(options),
      body: object,
      contentType: applyContentType,
    });
  }

  #ask(
    key: ObjectKey,
    { signal, timeoutMs }: RequestOptions,
    question: Omit<Question, "path">,
  ): Promise<T> {
    const resource = groupVersionResourceOf(this.#resource);
    const verb = `${question.method} ${this.#subresource} of`;
    const target = objectTarget(verb, this.#resource, key);
    const path = resourcePath(resource, { ...target, subresource: this.#subresource });
    const about = { resource, name: key.name, signal, timeoutMs };
    return askJson<T>(this.#handler, { ...about, path, ...question });
  }
}

/** An autoscaling/v1 Scale: how many replicas something should have, and has. */
export interface Scale
  extends KubeObject<
    { readonly replicas?: number },
    { readonly replicas: number; readonly selector?: string }
  > {}
