import type { Handler } from "@rookery/http";
import {
  type CertifiedListener,
  type CertifiedServerOptions,
  createCertifiedServer,
  type HealthCheck,
  type Logger,
  type Runnable,
  type RunnableGroup,
} from "@rookery/runtime";
import { NotListeningError } from "./errors.ts";

export interface ListenerOptions
  extends Omit<CertifiedServerOptions, "handler" | "onListening" | "onStop"> {
  /** For logs: "app listener". */
  readonly name: string;
  readonly group: RunnableGroup;
  /** `draining` is aborted when the listener stops, to end endless requests. */
  readonly createHandler: (draining: AbortSignal) => Handler;
  readonly logger: Logger;
}

/** A server that a manager runs. */
export interface Listener extends Runnable {
  /** "" before it listens. */
  readonly url: string;
  /** For readiness: fails until it listens. */
  readonly startedCheck: HealthCheck;
}

export function createListener(options: ListenerOptions): Listener {
  return new HttpListener(options);
}

class HttpListener implements Listener {
  readonly name: string;
  readonly group: RunnableGroup;
  readonly #server: CertifiedListener;

  constructor({ name, group, createHandler, logger, ...options }: ListenerOptions) {
    this.name = name;
    this.group = group;
    const named = logger.withName(name.replaceAll(" ", "-"));
    const draining = new AbortController();
    this.#server = createCertifiedServer({
      ...options,
      handler: createHandler(draining.signal),
      onListening: (url) => named.info("Serving", { url }),
      onStop: () => draining.abort(),
    });
  }

  get url(): string {
    return this.#server.url;
  }

  readonly startedCheck: HealthCheck = () => {
    if (this.url === "") throw new NotListeningError(this.name);
  };

  waitForReady(): Promise<void> {
    return this.#server.waitForReady();
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#server.run(signal);
  }
}
