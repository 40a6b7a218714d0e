import type { EndpointSlice, Service } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { Informer } from "@rookery/runtime";
import { type ServiceName, serviceNames } from "./service-names.ts";

/** Changes of endpoints within this time are written together. */
const settleMs = 50;

export interface ClusterNamesOptions {
  readonly services: Informer<KubeObject>;
  readonly slices: Informer<KubeObject>;
}

/** The names that pods find Services by, as they are now. */
export class ClusterNames implements Disposable {
  readonly #options: ClusterNamesOptions;
  #names: readonly ServiceName[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClusterNamesOptions) {
    this.#options = options;
  }

  get(): readonly ServiceName[] {
    const { services, slices } = this.#options;
    this.#names ??= serviceNames(
      services.list() as readonly Service[],
      slices.list() as readonly EndpointSlice[],
    );
    return this.#names;
  }

  /** Calls back when the names may have changed. */
  follow(changed: () => void): void {
    const { services, slices } = this.#options;
    for (const informer of [services, slices]) {
      informer.addEventHandler(() => {
        this.#names = undefined;
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          changed();
        }, settleMs);
      });
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
