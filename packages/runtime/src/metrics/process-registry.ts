import { Registry } from "./prometheus.ts";

/**
 * Has the metrics of the process and of Node as well, from the first time on that somebody asks: before
 * that they would cost memory and a timer of 10 ms for nobody.
 */
export class ProcessRegistry extends Registry {
  #added: Promise<void> | undefined;

  override async metrics(): Promise<string> {
    this.#added ??= this.#add();
    await this.#added;
    return super.metrics();
  }

  async #add(): Promise<void> {
    const { collectDefaultMetrics } = await import("prom-client");
    collectDefaultMetrics({ register: this });
  }
}
