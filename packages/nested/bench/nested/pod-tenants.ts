import { newer } from "../../test/nested-images.ts";
import { NestedNode } from "../../test/nested-node.ts";

const components = { apiserver: { version: newer }, controllerManager: { version: newer } };

/** Tenants whose control planes are pods of a real node, one after another. */
export class PodTenants implements AsyncDisposable {
  #world: NestedNode | undefined;
  #made = 0;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world?.[Symbol.asyncDispose]();
  }

  /** Seconds from the first object until the tenant serves; afterwards it is removed. */
  async time(): Promise<number> {
    // Not before it is needed: a node at rest takes processor time from what else is measured.
    this.#world ??= await NestedNode.start();
    const tenant = this.#world.tenant(`bench-${this.#made++}`);
    const started = performance.now();
    await tenant.create({ components });
    await tenant.isUp();
    const seconds = (performance.now() - started) / 1000;
    await tenant.remove();
    return seconds;
  }
}
