import { setTimeout } from "node:timers/promises";
import type { VCenter } from "./connect.ts";
import { formatReference, type ManagedObjectReference } from "./managed-object.ts";
import type { PropertyWatch, Watching } from "./properties.ts";
import { objectFilter, readProperties } from "./properties.ts";
import { callForReference } from "./soap.ts";
import { childOf, childrenOf, referenceOf, textAt, type XmlNode } from "./xml-reader.ts";
import { data, value } from "./xml-writer.ts";

interface Entry extends PropertyWatch {
  readonly known: Map<string, XmlNode>;
}

/** Shorter than the two minutes after which load balancers forget a silent connection. */
const maxWaitSeconds = 50;
/** The vCenter answers after that time at the latest, with few properties. */
const waitLimits = { deadlineMs: (maxWaitSeconds + 30) * 1000, answerBytes: 1024 * 1024 };
/** The shortest interval of calls, if the vCenter always answers at once. It keeps the changes. */
const shortestWaitMs = 200;
/** Updates beyond this limit are read again by their watch. */
const mostEarly = 16;

/**
 * One property collector of a vCenter, with one open call. The channel ends with its last watch, or when the call fails,
 * and accepts no further watch after that.
 */
export class PropertyChannel {
  readonly #vcenter: VCenter;
  readonly #entries = new Map<string, Entry>();
  /** The number of watches that run or start. */
  #users = 0;
  /** Updates of filters whose names are not known yet: the open call can be faster than their creation. */
  readonly #early = new Map<string, XmlNode[]>();
  #collector: Promise<ManagedObjectReference> | undefined;
  readonly #stop = new AbortController();
  #isListening = false;
  #ended: Error | undefined;

  constructor(vcenter: VCenter) {
    this.#vcenter = vcenter;
  }

  /** Whether the channel accepts further watches. */
  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  /** Errors: ManagedObjectNotFound. */
  async watch(watch: PropertyWatch): Promise<Watching> {
    this.#users += 1;
    const filter = await this.#createFilter(watch);
    const key = formatReference(filter);
    this.#entries.set(key, { ...watch, known: new Map() });
    for (const update of this.#early.get(key) ?? []) this.#take(key, update);
    if (this.#entries.size === this.#users) this.#early.clear();
    const stop = () => this.#end(key, filter);
    try {
      await this.#readNow(key);
      return { stop };
    } catch (error) {
      await stop().catch(() => {});
      throw error;
    }
  }

  async #createFilter({ object, paths }: PropertyWatch): Promise<ManagedObjectReference> {
    try {
      this.#collector ??= callForReference(this.#vcenter, "collector", {
        method: "CreatePropertyCollector",
        self: this.#vcenter.content.propertyCollector,
      });
      const self = await this.#collector;
      const args = [objectFilter([object], paths, "spec"), value("partialUpdates", false)];
      const call = { method: "CreateFilter", self, args };
      const filter = await callForReference(this.#vcenter, "filter", call);
      if (this.#ended) throw this.#ended;
      this.#run(self);
      return filter;
    } catch (error) {
      await this.#release().catch(() => {});
      throw error;
    }
  }

  /** An open call does not always report the first state of a new filter. */
  async #readNow(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry || entry.known.size > 0) return;
    const { object, paths, known } = entry;
    const properties = await readProperties(this.#vcenter, object, paths);
    if (this.#entries.get(key) !== entry) return;
    for (const [path, node] of properties) {
      // Changes that the stream delivered meanwhile are newer.
      if (!known.has(path)) known.set(path, node);
    }
    entry.onChange(known);
  }

  async #end(key: string, filter: ManagedObjectReference): Promise<void> {
    if (!this.#entries.delete(key)) return;
    if (await this.#release()) return;
    await this.#vcenter.call({ method: "DestroyPropertyFilter", self: filter });
  }

  /** Returns whether the watch was the last one. */
  async #release(): Promise<boolean> {
    this.#users -= 1;
    if (this.#users > 0) return false;
    await this.#close();
    return true;
  }

  /** Destroys the collector, which ends its open call, too. */
  async #close(): Promise<void> {
    this.#ended ??= new Error("there are no watches any more");
    this.#stop.abort();
    const self = await this.#collector?.catch(() => undefined);
    if (self) await this.#vcenter.call({ method: "DestroyPropertyCollector", self });
  }

  #run(collector: ManagedObjectReference): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#listen(collector, this.#stop.signal).catch((error: Error) => {
      if (!this.#stop.signal.aborted) this.#fail(error);
    });
  }

  async #listen(self: ManagedObjectReference, signal: AbortSignal): Promise<void> {
    let version = "";
    let isBusy = false;
    while (!signal.aborted) {
      const asked = performance.now();
      const options = data("options", [value("maxWaitSeconds", maxWaitSeconds)]);
      const args = [value("version", version), options];
      const updates = await this.#vcenter.call({
        method: "WaitForUpdatesEx",
        self,
        args,
        signal,
        limits: waitLimits,
      });
      // Undefined without a change within the time.
      if (updates !== undefined) {
        version = textAt(updates, "version") ?? version;
        this.#takeAll(updates);
      }
      const rest = shortestWaitMs - (performance.now() - asked);
      if (rest > 0 && isBusy) await setTimeout(rest, undefined, { signal });
      isBusy = rest > 0;
    }
  }

  #takeAll(updates: XmlNode): void {
    for (const update of childrenOf(updates, "filterSet")) {
      const filter = referenceOf(childOf(update, "filter"));
      if (filter) this.#take(formatReference(filter), update);
    }
  }

  #take(key: string, update: XmlNode): void {
    const entry = this.#entries.get(key);
    if (!entry) {
      this.#keep(key, update);
      return;
    }
    const objects = childrenOf(update, "objectSet");
    for (const object of objects) {
      for (const change of childrenOf(object, "changeSet")) applyChange(entry, change);
    }
    if (objects.some((object) => textAt(object, "kind") === "leave")) this.#gone(key, entry);
    else if (objects.length > 0) entry.onChange(entry.known);
  }

  #keep(key: string, update: XmlNode): void {
    const isAwaited = this.#entries.size < this.#users;
    if (!isAwaited || this.#early.size >= mostEarly) return;
    this.#early.set(key, [...(this.#early.get(key) ?? []), update].slice(-2));
  }

  #gone(key: string, entry: Entry): void {
    this.#entries.delete(key);
    void this.#release().catch(() => {});
    entry.onEnd(new Error(`${formatReference(entry.object)} is gone`));
  }

  #fail(error: Error): void {
    this.#ended = error;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#users -= entries.length;
    if (this.#users === 0) void this.#close().catch(() => {});
    for (const { onEnd } of entries) onEnd(error);
  }
}

/** Ignores properties that were not requested. */
function applyChange({ known, paths }: Entry, change: XmlNode): void {
  const name = textAt(change, "name");
  const content = childOf(change, "val");
  if (!name || !paths.includes(name)) return;
  if (content === undefined) known.delete(name);
  else known.set(name, content);
}
