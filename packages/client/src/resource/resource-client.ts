import type { Handler } from "@rookery/http";
import {
  type DeepMutable,
  formatApiVersion,
  groupVersionResourceOf,
  type KubeList,
  type KubeObject,
  type ListMeta,
  type ObjectKey,
  type PathTarget,
  type Resource,
  resourcePath,
  type Status,
  type TypeMeta,
} from "@rookery/kube";
import { ask, askJson, parseText, type Question } from "./exchange.ts";
import { followBody } from "./follow-body.ts";
import { listParts, type OnListPart } from "./list-parts.ts";
import { ListReader } from "./list-reader.ts";
import type {
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  RequestOptions,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import { listPages, type OnPage } from "./pages.ts";
import { deleteBody, listQuery, watchQuery, writeQuery } from "./query.ts";
import { collectionTarget, namespaceTarget, objectTarget } from "./scope.ts";
import {
  type ObjectClient,
  type ObjectQuestion,
  ObjectRequests,
  type Scale,
  type SubresourceClient,
  SubresourceRequests,
} from "./subresource-client.ts";
import { watch } from "./watch.ts";
import type { OnWatchEvent } from "./watch-sink.ts";

/**
 * Reads and writes the objects of one resource. Rejects with StatusError for the server's errors,
 * RequestError for failed connections, ScopeError for a wrong namespace.
 */
export interface ResourceClient<T extends KubeObject = KubeObject> extends ObjectClient<T> {
  readonly resource: Resource;
  /** One response; with a `limit` it may have `metadata.continue`. */
  list(options?: ListOptions): Promise<KubeList<T>>;
  /** In pages of one state; requests the next page while one is handled. */
  listPages(options: ListOptions, onPage: OnPage<T>): Promise<void>;
  /**
   * Calls back with the objects of one state as they arrive, in one response, or in pages with a
   * `limit`. Resolves to the metadata of the list.
   */
  listParts(options: ListOptions, onPart: OnListPart<T>): Promise<ListMeta>;
  /** All objects of one state, requested in pages. */
  listAll(options?: ListOptions): Promise<KubeList<T>>;
  /** Resolves when the server ends the watch; for errors see `watch`. */
  watch(options: WatchOptions, onEvent: OnWatchEvent<T>): Promise<void>;
  /** In the namespace of its metadata. */
  create(object: T, options?: WriteOptions): Promise<T>;
  /** Resolves to the object if it still exists, else to a Status. */
  delete(key: ObjectKey, options?: DeleteOptions): Promise<T | Status>;
  deleteCollection(options: DeleteCollectionOptions): Promise<KubeList<T> | Status>;
  readonly status: SubresourceClient<T>;
  readonly scale: SubresourceClient<Scale>;
  subresource<S extends KubeObject>(name: string): SubresourceClient<S>;
}

export function createResourceClient<T extends KubeObject>(
  handler: Handler,
  resource: Resource,
): ResourceClient<T> {
  return new ResourceRequests<T>(handler, resource);
}

class ResourceRequests<T extends KubeObject>
  extends ObjectRequests<T>
  implements ResourceClient<T>
{
  readonly resource: Resource;
  readonly status: SubresourceClient<T>;
  readonly scale: SubresourceClient<Scale>;
  readonly #handler: Handler;

  constructor(handler: Handler, resource: Resource) {
    super();
    this.#handler = handler;
    this.resource = resource;
    this.status = this.subresource("status");
    this.scale = this.subresource("scale");
  }

  subresource<S extends KubeObject>(name: string): SubresourceClient<S> {
    return new SubresourceRequests<S>(this.#handler, this.resource, name);
  }

  async list(options: ListOptions = {}): Promise<KubeList<T>> {
    const target = this.#collection("list", options.namespace);
    const question = { method: "GET", query: listQuery(options), isList: true };
    return this.#complete(await this.#ask<KubeList<T>>(target, options, question));
  }

  listPages(options: ListOptions, onPage: OnPage<T>): Promise<void> {
    return listPages({ list: (page) => this.list(page), options, onPage });
  }

  listParts(options: ListOptions, onPart: OnListPart<T>): Promise<ListMeta> {
    return listParts({ read: (page, onItems) => this.#readList(page, onItems), options, onPart });
  }

  async listAll(options: ListOptions = {}): Promise<KubeList<T>> {
    const lists: KubeList<T>[] = [];
    await this.listPages(options, ({ list, restarted }) => {
      if (restarted) lists.length = 0;
      lists.push(list);
    });
    const [first, ...others] = lists as [KubeList<T>, ...KubeList<T>[]];
    if (others.length === 0) return first;
    const { resourceVersion = "" } = first.metadata;
    return { ...first, metadata: { resourceVersion }, items: lists.flatMap((list) => list.items) };
  }

  async watch(options: WatchOptions, onEvent: OnWatchEvent<T>): Promise<void> {
    const target = this.#collection("watch", options.namespace);
    const question = { method: "GET", query: watchQuery(options) };
    await watch(this.#handler, { ...this.#about(target), ...question, options, onEvent });
  }

  async create(object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace, name, generateName = "" } = object.metadata;
    const what = `create ${this.resource.plural} ${JSON.stringify(name ?? `${generateName}…`)}`;
    const target = namespaceTarget(what, this.resource, namespace);
    const question = { method: "POST", query: writeQuery(options), body: object };
    return this.#ask(target, options, question);
  }

  async delete(key: ObjectKey, options: DeleteOptions = {}): Promise<T | Status> {
    const question = { verb: "delete", method: "DELETE", body: deleteBody(options) };
    return this.askAbout<T | Status>(key, options, question);
  }

  async deleteCollection(options: DeleteCollectionOptions): Promise<KubeList<T> | Status> {
    const target = this.#collection("delete", options.namespace);
    const body = deleteBody(options);
    const question = { method: "DELETE", query: listQuery(options), body, isList: true };
    return this.#ask<KubeList<T> | Status>(target, options, question);
  }

  protected askAbout<R = T>(
    key: ObjectKey,
    options: RequestOptions,
    { verb, ...question }: ObjectQuestion,
  ): Promise<R> {
    return this.#ask<R>(objectTarget(verb, this.resource, key), options, question);
  }

  #collection(verb: string, namespace: string | undefined): PathTarget {
    return collectionTarget(`${verb} ${this.resource.plural}`, this.resource, namespace);
  }

  #about(target: PathTarget) {
    const resource = groupVersionResourceOf(this.resource);
    return { resource, name: target.name, path: resourcePath(resource, target) };
  }

  #ask<R = T>(
    target: PathTarget,
    { signal, timeoutMs }: RequestOptions,
    question: Omit<Question, "path">,
  ): Promise<R> {
    return askJson<R>(this.#handler, { ...this.#about(target), signal, timeoutMs, ...question });
  }

  async #readList(options: ListOptions, onItems: (items: readonly T[]) => void): Promise<ListMeta> {
    const { signal, timeoutMs } = options;
    const about = this.#about(this.#collection("list", options.namespace));
    const query = listQuery(options);
    const question = { ...about, signal, timeoutMs, method: "GET", query, isList: true };
    const response = await ask(this.#handler, question);
    const reader = new ListReader<T>({
      question,
      parse: (text) => parseText(text, response, question),
      onItems: (items) => onItems(this.#completeItems(items)),
    });
    return followBody(response.body, reader);
  }

  #complete(list: KubeList<T>): KubeList<T> {
    return { ...list, items: this.#completeItems(list.items ?? []) };
  }

  /** Servers leave out the kind in the items of built-in lists. */
  #completeItems(items: readonly T[]): readonly T[] {
    const { kind } = this.resource;
    const apiVersion = formatApiVersion(this.resource);
    for (const item of items as readonly Partial<DeepMutable<TypeMeta>>[]) {
      item.kind ??= kind;
      item.apiVersion ??= apiVersion;
    }
    return items;
  }
}
