import { type FieldManager, type ServedGroup, systemTimers, type Timers } from "@rookery/apiserver";
import type { StoreSubscription } from "@rookery/kube";
import { formatApiVersion, type GroupVersionKind, type KubeObject } from "@rookery/kube";
import { SystemWriter } from "../registry/system-writer.ts";
import { CrdConverter } from "./converter.ts";
import { type Crd, crdResource } from "./crd.ts";
import { CrdController } from "./crd-controller.ts";
import type { CustomResourceContext } from "./custom-resource.ts";
import { ServedCrds } from "./served-crds.ts";

export interface CrdRegistryOptions extends CustomResourceContext {
  /** Real time by default. */
  readonly timers?: Timers;
  /** The field manager of CRDs. */
  readonly fieldManager?: FieldManager;
  /** Receives errors of reconciles, which are retried with the next change. */
  readonly onError: (error: unknown) => void;
}

/** Serves the custom kinds of a store. */
export interface CrdRegistry extends AsyncDisposable {
  /** The groups of CRDs, sorted by name. Unchanged groups are the same objects as before. */
  groups(): readonly ServedGroup[];
  /** Calls the listener after changes of groups, before the CRD is established. */
  onChange(listener: () => void): void;
  /** Converts objects of a custom kind to another version. Throws StatusErrors. */
  convert(objects: readonly KubeObject[], kind: GroupVersionKind): Promise<readonly KubeObject[]>;
  /** Resolves when all CRDs are reconciled. */
  settled(): Promise<void>;
}

/** Starts to serve custom kinds, and the controller of CRDs. */
export function createCrdRegistry(options: CrdRegistryOptions): CrdRegistry {
  return new StoredCrds(options);
}

class StoredCrds implements CrdRegistry {
  readonly #options: CrdRegistryOptions;
  readonly #served: ServedCrds;
  readonly #writer: SystemWriter<Crd>;
  readonly #controller: CrdController;
  readonly #subscription: StoreSubscription;
  readonly #listeners: (() => void)[] = [];

  constructor(options: CrdRegistryOptions) {
    this.#options = options;
    const { store, now, fieldManager, timers = systemTimers } = options;
    this.#served = new ServedCrds(options);
    this.#writer = new SystemWriter({ store, now, resource: crdResource, fieldManager });
    this.#served.set(this.#writer.all());
    const refresh = () => this.#refresh();
    this.#subscription = store.watch(crdResource, store.revision, refresh);
    this.#controller = new CrdController({ ...options, timers, writer: this.#writer, refresh });
  }

  groups(): readonly ServedGroup[] {
    return this.#served.groups;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async convert(
    objects: readonly KubeObject[],
    kind: GroupVersionKind,
  ): Promise<readonly KubeObject[]> {
    const crd = this.#crdOf(kind);
    if (!crd) return objects;
    return new CrdConverter(crd, this.#options.clients).convert(objects, formatApiVersion(kind));
  }

  settled(): Promise<void> {
    return this.#controller.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription.close();
    await this.#controller[Symbol.asyncDispose]();
  }

  #crdOf({ group, kind }: GroupVersionKind): Crd | undefined {
    return this.#writer
      .all()
      .find(({ spec }) => spec?.group === group && spec?.names?.kind === kind);
  }

  #refresh(): void {
    if (!this.#served.set(this.#writer.all())) return;
    for (const listener of this.#listeners) listener();
  }
}
