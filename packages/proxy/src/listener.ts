import type { Handler } from "@rookery/http";
import {
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
  const { name, group, createHandler, logger, ...rest } = options;
  const named = logger.withName(name.replaceAll(" ", "-"));
  const draining = new AbortController();
  const server = createCertifiedServer({
    ...rest,
    handler: createHandler(draining.signal),
    onListening: (url) => named.info("Serving", { url }),
    onStop: () => draining.abort(),
  });
  return {
    name,
    group,
    get url() {
      return server.url;
    },
    startedCheck: () => {
      if (server.url === "") throw new NotListeningError(name);
    },
    waitForReady: () => server.waitForReady(),
    start: (signal) => server.run(signal),
  };
}
