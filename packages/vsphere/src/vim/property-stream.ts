import type { VCenter } from "./connect.ts";
import type { PropertyWatch, Watching } from "./properties.ts";
import { PropertyChannel } from "./property-channel.ts";

/** Watches changes of objects, with one open call and one collector for all of them, while there are watches. */
export class PropertyStream {
  readonly #vcenter: VCenter;
  #channel: PropertyChannel | undefined;

  constructor(vcenter: VCenter) {
    this.#vcenter = vcenter;
  }

  /** Errors: ManagedObjectNotFound. */
  watch(watch: PropertyWatch): Promise<Watching> {
    if (!this.#channel?.isOpen) this.#channel = new PropertyChannel(this.#vcenter);
    return this.#channel.watch(watch);
  }
}
