import type { StoreEntry } from "@rookery/kube";
import { deepFreeze, type KubeObject } from "@rookery/kube";
import { promiseEncoding } from "../store/encoded-json.ts";
import type { StorageOptions } from "./storage-options.ts";
import { storedForm } from "./stored-form.ts";

type VersionOptions = Pick<
  StorageOptions,
  "apiVersion" | "storageApiVersion" | "convert" | "complete"
>;

/** Converts between stored objects and one served version. Caches conversions. */
export class ObjectVersions {
  readonly #options: VersionOptions;
  readonly #converted = new WeakMap<StoreEntry, KubeObject>();
  readonly #whole = new WeakSet<StoreEntry>();

  constructor(options: VersionOptions) {
    this.#options = options;
  }

  /** Whether objects are served as stored, so that their bytes can be reused. */
  get isPlain(): boolean {
    return this.#options.convert === undefined && this.#options.complete === undefined;
  }

  /** Whether this entry is served as stored. */
  isWhole(entry: StoreEntry): boolean {
    return this.isPlain || this.#whole.has(entry);
  }

  /** Synchronous without a conversion. */
  served(entry: StoreEntry): KubeObject | Promise<KubeObject> {
    const known = this.#known(entry);
    if (known !== undefined) return known;
    return this.servedAll([entry]).then(([object]) => object as KubeObject);
  }

  /** Converts all entries in one call. */
  async servedAll(entries: readonly StoreEntry[]): Promise<readonly KubeObject[]> {
    const missing = entries.filter((entry) => this.#known(entry) === undefined);
    if (missing.length > 0) await this.#convertAll(missing);
    return entries.map((entry) => this.#known(entry) ?? entry.object);
  }

  /** Converts to the storage version. */
  async stored(object: KubeObject): Promise<KubeObject> {
    if (!this.#options.convert || object.apiVersion === this.#options.storageApiVersion)
      return object;
    const [converted = object] = await this.#options.convert(
      [object],
      this.#options.storageApiVersion,
    );
    return converted;
  }

  /** The object as it would be served after storing it: dry runs reject failed conversions, too. */
  async dryRun(object: KubeObject): Promise<KubeObject> {
    const stored = await this.stored(object);
    if (stored === object || !this.#options.convert) return object;
    const [served = object] = await this.#options.convert([stored], this.#options.apiVersion);
    return served;
  }

  #known(entry: StoreEntry): KubeObject | undefined {
    if (this.isWhole(entry)) return entry.object;
    const converted = this.#converted.get(entry);
    if (converted) return converted;
    const { object } = entry;
    if (this.#options.convert && object.apiVersion !== this.#options.apiVersion) return undefined;
    const complete = this.#options.complete?.(object) ?? object;
    if (complete !== object) return this.#keep(entry, complete);
    this.#whole.add(entry);
    return object;
  }

  #keep(entry: StoreEntry, given: KubeObject): KubeObject {
    const object = deepFreeze(storedForm(given));
    this.#converted.set(entry, object);
    promiseEncoding(object, () => Buffer.from(JSON.stringify(object)));
    return object;
  }

  async #convertAll(entries: readonly StoreEntry[]): Promise<void> {
    const objects = entries.map(({ object }) => object);
    const converted = (await this.#options.convert?.(objects, this.#options.apiVersion)) ?? objects;
    converted.forEach((given, index) => {
      const entry = entries[index];
      if (entry) this.#keep(entry, given);
    });
  }
}
