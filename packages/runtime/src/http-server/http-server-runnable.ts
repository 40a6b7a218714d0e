import { createHttpServer, type Handler } from "@rookery/http";
import { aborted } from "../clock/abort.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable, RunnableGroup } from "../manager/runnable.ts";
import type { BindAddress } from "./bind-address.ts";
import { listenOn } from "./listen-on.ts";

export interface HttpServerRunnableOptions {
  /** For logs: "metrics server". */
  readonly name: string;
  readonly address: BindAddress;
  readonly handler: Handler;
  /** How long requests on their way may take when it stops, in milliseconds. */
  readonly graceMs?: number;
  readonly logger?: Logger;
}

/** A server in the clear that a manager runs, ready as soon as it listens. */
export interface HttpServerRunnable extends Runnable {
  readonly group: RunnableGroup;
  /** Where it listens; "" before it does. */
  readonly url: string;
}

export function createHttpServerRunnable(options: HttpServerRunnableOptions): HttpServerRunnable {
  return new PlainServer(options);
}

class PlainServer implements HttpServerRunnable {
  readonly group = "httpServers";
  readonly name: string;
  readonly #options: HttpServerRunnableOptions;
  readonly #logger: Logger;
  readonly #listening = Promise.withResolvers<void>();
  url = "";

  constructor(options: HttpServerRunnableOptions) {
    this.name = options.name;
    this.#options = options;
    this.#logger = (options.logger ?? silentLogger).withName(options.name.replaceAll(" ", "-"));
  }

  async start(signal: AbortSignal): Promise<void> {
    const { handler, address, graceMs = 10_000 } = this.#options;
    const server = createHttpServer({
      handler,
      onError: (error, request) =>
        this.#logger.error(error, "Failed to serve request", { path: request?.path }),
    });
    await listenOn(address.host, (host) => server.listen({ host, port: address.port }));
    this.url = server.url;
    this.#logger.info("Serving", { url: this.url });
    this.#listening.resolve();
    await aborted(signal);
    await server.close({ graceMs });
  }

  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }
}
