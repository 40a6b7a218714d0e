import type { VCenter } from "./connect.ts";
import type { PropertyWatch, Watching } from "./properties.ts";
import { PropertyChannel } from "./property-channel.ts";

/**
 * Hears of changes of objects: however many are watched, one call is open. It runs while something
 * is watched, on a collector of its own.
 */
export class PropertyStream {
  readonly #vcenter: VCenter;
  #channel: PropertyChannel | undefined;

  constructor(vcenter: VCenter) {
    this.#vcenter = vcenter;
  }

  /** Errors: ManagedObjectNotFound where there is no such object. */
  watch(watch: PropertyWatch): Promise<Watching> {
    if (!this.#channel?.isOpen) this.#channel = new PropertyChannel(this.#vcenter);
    return this.#channel.watch(watch);
  }
}
