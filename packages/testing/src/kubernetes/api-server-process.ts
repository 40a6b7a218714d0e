import type { ApiServerControl } from "../kubernetes.ts";
import type { Child } from "../process/child.ts";

/** An API server that can be taken away and brought back at the same address. */
export class ApiServerProcess implements ApiServerControl {
  readonly #start: () => Promise<Child>;
  #child: Child | undefined;

  constructor(start: () => Promise<Child>) {
    this.#start = start;
  }

  async start(): Promise<void> {
    this.#child ??= await this.#start();
  }

  async stop(options: { readonly kill?: boolean } = {}): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    await (options.kill ? child?.kill() : child?.stop());
  }

  async restart(options: { readonly kill?: boolean } = {}): Promise<void> {
    await this.stop(options);
    await this.start();
  }
}

/** Of a Kubernetes that others use too: nobody may take the API server away from them. */
export const sharedApiServer: ApiServerControl = {
  stop: refuse,
  start: refuse,
  restart: refuse,
};

async function refuse(): Promise<never> {
  throw new Error(
    "could not stop the API server: other tests use it; ask for startKubernetes({ private: true })",
  );
}
