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

/** The API server of a shared Kubernetes, which no test may stop. */
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
