import type { Handler } from "@rookery/http";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { BindAddress } from "./bind-address.ts";
import { createCertifiedServer } from "./certified-server.ts";

interface PlainServerOptions {
  /** For logs, such as "metrics server". */
  readonly name: string;
  readonly address: BindAddress;
  readonly handler: Handler;
  readonly logger?: Logger;
}

/** A server without TLS that a manager runs; it is ready when it listens. */
export interface PlainServer extends Runnable {
  /** "" before it listens. */
  readonly url: string;
}

export function createPlainServer(options: PlainServerOptions): PlainServer {
  const { name, address, handler, logger: parent = silentLogger } = options;
  const logger = parent.withName(name.replaceAll(" ", "-"));
  const server = createCertifiedServer({
    address,
    handler,
    graceMs: 10_000,
    onListening: (url) => logger.info("Serving", { url }),
    onError: (error, request) =>
      logger.error(error, "Failed to serve request", { path: request?.path }),
  });
  return {
    name,
    group: "httpServers",
    get url() {
      return server.url;
    },
    start: (signal) => server.run(signal),
    waitForReady: () => server.waitForReady(),
  };
}
