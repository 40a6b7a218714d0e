import type { Handler, HttpRequest, HttpResponse, Sink } from "@rookery/http";
import {
  formatObjectKey,
  type KubeObject,
  notFoundError,
  type ObjectKey,
  objectKeyOf,
  parseFieldSelector,
  parseLabelSelector,
  resourceExpiredError,
  type StatusError,
  statusError,
} from "@rookery/kube";
import type { MonotonicClock } from "../../src/clock/clock.ts";
import { FakeWatch, type HistoryEntry, type Interest } from "./fake-watch.ts";

/** What a fault answers with; a plain Error breaks the connection. */
export type Fault = StatusError | Error;

export interface FakeApiServerOptions {
  readonly clock: MonotonicClock;
  /** False refuses watches that begin with the objects that are there, as servers before 1.32 do. */
  readonly watchList?: boolean;
  /** False does not say where the objects that are there end, as servers do that do not know of it. */
  readonly initialEventsEnd?: boolean;
  /** Whether every minute a bookmark is sent. */
  readonly heartbeats?: boolean;
  /** How many bytes are written at a time. */
  readonly chunkSize?: number;
}

/** Objects of one kind behind lists and watches like kube-apiserver's, which breaks when told to. */
export class FakeApiServer {
  readonly requests: URLSearchParams[] = [];
  /** Each answers one request, in order. */
  readonly faults: Fault[] = [];
  /** Called before each request is answered. */
  onRequest: (query: URLSearchParams) => void = () => {};
  /** Some aggregated servers give lists no resourceVersion. */
  listsHaveVersions = true;
  /** The connection breaks when so many more chunks have been written. */
  cutAfterChunks = Number.POSITIVE_INFINITY;
  chunks = 0;
  readonly #options: FakeApiServerOptions;
  readonly #objects = new Map<string, KubeObject>();
  readonly #snapshots = new Map<number, readonly KubeObject[]>();
  readonly #watches = new Set<FakeWatch>();
  #history: HistoryEntry[] = [];
  #revision = 1;
  #compacted = 0;

  constructor(options: FakeApiServerOptions) {
    this.#options = options;
  }

  readonly handler: Handler = (request) => this.#answer(request);

  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  /** Creates an object or changes it. */
  put(name: string, more: { readonly namespace?: string; readonly spec?: unknown } = {}): void {
    const { namespace = "default", spec } = more;
    const known = this.#objects.get(formatObjectKey({ namespace, name }));
    const resourceVersion = String(++this.#revision);
    const uid = known?.metadata.uid ?? `uid-${resourceVersion}`;
    const metadata = { namespace, name, uid, resourceVersion, labels: { name } };
    const type = { apiVersion: "test.rookery.dev/v1", kind: "Nest" };
    const object = { ...type, metadata, ...(spec !== undefined && { spec }) };
    this.#objects.set(formatObjectKey(metadata), object);
    this.#record({ type: known ? "MODIFIED" : "ADDED", object });
  }

  delete(name: string, namespace = "default"): void {
    const known = this.#objects.get(formatObjectKey({ namespace, name }));
    if (known === undefined) return;
    this.#objects.delete(formatObjectKey({ namespace, name }));
    const resourceVersion = String(++this.#revision);
    const object = { ...known, metadata: { ...known.metadata, resourceVersion } };
    this.#record({ type: "DELETED", object });
  }

  /** Forgets everything that happened: older resourceVersions and page tokens are expired. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#history = [];
  }

  /** Goes back to a backup: resourceVersions that were given out lie in the future. */
  restore(): void {
    this.#revision = 1;
    this.#compacted = 0;
    this.#history = [];
  }

  bookmark(): void {
    for (const watch of this.#watches) watch.bookmark();
  }

  /** Ends all watches in good order, as when their time is over. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end();
  }

  cutWatches(error: Error = new Error("connection reset")): void {
    for (const watch of this.#watches) watch.cut(error);
  }

  /** Watches that are open get nothing any more, not even an end. */
  silence(): void {
    for (const watch of this.#watches) watch.silence();
    this.#watches.clear();
  }

  #record(entry: Pick<HistoryEntry, "type" | "object">): void {
    const recorded = { ...entry, revision: this.#revision };
    this.#history.push(recorded);
    for (const watch of this.#watches) watch.tell(recorded);
  }

  #answer(request: HttpRequest): HttpResponse {
    const query = new URLSearchParams(request.query);
    this.requests.push(query);
    this.onRequest(query);
    const fault = this.faults.shift();
    if (fault !== undefined) return failure(fault);
    const named = /\/namespaces\/([^/]+)\/nests\/([^/]+)$/.exec(request.path);
    if (named) return this.#get({ namespace: named[1] ?? "", name: named[2] ?? "" });
    const interest = interestOf(request.path, query);
    try {
      return query.get("watch") === "true"
        ? this.#watch(query, interest)
        : this.#list(query, interest);
    } catch (error) {
      return failure(error as Error);
    }
  }

  #get(key: Required<ObjectKey>): HttpResponse {
    const object = this.#objects.get(formatObjectKey(key));
    const resource = { group: "test.rookery.dev", resource: "nests" };
    if (object === undefined) return failure(notFoundError(resource, key.name));
    return this.#respond(async (write) => write(JSON.stringify(object)));
  }

  #list(query: URLSearchParams, interest: Interest): HttpResponse {
    const token = query.get("continue");
    const [revision, start] = token ? (JSON.parse(token) as [number, number]) : [this.#revision, 0];
    if (revision < this.#compacted)
      throw resourceExpiredError("The provided continue parameter is too old");
    const all = this.#snapshots.get(revision) ?? this.objects;
    this.#snapshots.set(revision, all);
    const end = start + Number(query.get("limit") ?? all.length);
    const metadata = {
      ...(this.listsHaveVersions && { resourceVersion: String(revision) }),
      ...(end < all.length && { continue: JSON.stringify([revision, end]) }),
    };
    const items = all.slice(start, end).filter(({ metadata }) => interest(metadata));
    return this.#respond(async (write) =>
      write(JSON.stringify({ kind: "NestList", metadata, items })),
    );
  }

  #watch(query: URLSearchParams, interest: Interest): HttpResponse {
    const { clock, heartbeats = false, watchList = true, initialEventsEnd } = this.#options;
    const initial = query.get("sendInitialEvents") === "true";
    if (initial && !watchList) {
      const message =
        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
      throw statusError({ code: 422, reason: "Invalid", message });
    }
    const since = initial ? this.#revision : Number(query.get("resourceVersion"));
    if (since > this.#revision) throw tooLarge(since, this.#revision);
    const timeout = Number(query.get("timeoutSeconds")) * 1000;
    const revision = () => this.#revision;
    return this.#respond(async (write, sink) => {
      const watch = new FakeWatch({ write, interest, clock, timeout, heartbeats, revision });
      if (since < this.#compacted)
        watch.fail(resourceExpiredError(`too old resource version: ${since}`));
      else if (initial) {
        watch.begin(this.objects);
        if (initialEventsEnd ?? true) watch.endInitial();
      } else for (const entry of this.#history) if (entry.revision > since) watch.tell(entry);
      this.#watches.add(watch);
      sink.signal.addEventListener("abort", () => watch.cut(new Error("the client left")), {
        once: true,
      });
      await watch.ended.finally(() => this.#watches.delete(watch));
    });
  }

  #respond(body: (write: (text: string) => void, sink: Sink) => Promise<void>): HttpResponse {
    const { chunkSize = 1 << 20 } = this.#options;
    const writer = async (sink: Sink) => {
      const write = (text: string) => {
        for (const bytes of chunksOf(Buffer.from(text), chunkSize)) this.#write(bytes, sink);
      };
      await body(write, sink);
    };
    return { status: 200, headers: { "content-type": "application/json" }, body: writer };
  }

  #write(bytes: Uint8Array, sink: Sink): void {
    if (this.cutAfterChunks-- <= 0) {
      this.cutAfterChunks = Number.POSITIVE_INFINITY;
      throw new Error("connection reset");
    }
    this.chunks++;
    sink.write(bytes);
  }
}

function* chunksOf(bytes: Buffer, size: number): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

function interestOf(path: string, query: URLSearchParams): Interest {
  const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
  const fields = parseFieldSelector(query.get("fieldSelector") ?? "");
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  return (metadata) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    fields.matches({ "metadata.namespace": metadata.namespace ?? "" }) &&
    labels.matches(metadata.labels ?? {});
}

function tooLarge(wanted: number, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  return statusError({ code: 504, reason: "Timeout", message, details: { causes } });
}

function failure(error: Error): HttpResponse {
  if (!("status" in error)) throw error;
  const { status, httpStatus } = error as StatusError;
  const headers = { "content-type": "application/json" };
  return { status: httpStatus, headers, body: Buffer.from(JSON.stringify(status)) };
}

/** The key of an object, for comparisons. */
export function keyOf(object: KubeObject): string {
  return formatObjectKey(objectKeyOf(object));
}
