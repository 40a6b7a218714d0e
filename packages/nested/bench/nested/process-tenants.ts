import { newer } from "../../test/nested-images.ts";
import { NestedWorld } from "../../test/nested-world.ts";

const extraArgs = [{ name: "endpoint-reconciler-type", value: "none" }];
const components = {
  apiserver: { version: newer, service: { type: "LoadBalancer" }, extraArgs },
  controllerManager: { version: newer },
};

/** Tenants whose control planes are processes, driven by Cluster API's core. */
export class ProcessTenants implements AsyncDisposable {
  readonly #world: NestedWorld;
  readonly #stack: AsyncDisposableStack;
  #made = 0;

  static async start(): Promise<ProcessTenants> {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(await NestedWorld.start());
    stack.use(await world.startManagers());
    return new ProcessTenants(world, stack.move());
  }

  private constructor(world: NestedWorld, stack: AsyncDisposableStack) {
    this.#world = world;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** Seconds from the first object until all of some tenants serve; afterwards they are removed. */
  async time(count: number): Promise<number> {
    const first = this.#made;
    this.#made += count;
    const names = Array.from({ length: count }, (_, index) => `bench-${first + index}`);
    const tenants = await Promise.all(names.map((name) => this.#world.tenant(name, "tenant")));
    const started = performance.now();
    await Promise.all(tenants.map((tenant) => tenant.create({ components })));
    await Promise.all(tenants.map((tenant) => tenant.isUp()));
    const seconds = (performance.now() - started) / 1000;
    await Promise.all(tenants.map((tenant) => tenant.remove()));
    return seconds;
  }
}
