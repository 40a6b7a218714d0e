import {
  createHttpServer,
  type Handler,
  type HttpRequest,
  type HttpServer,
  type ServerLimits,
} from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import {
  type BindAddress,
  type CertificateSource,
  type HealthCheck,
  type Logger,
  listenOn,
  type Runnable,
  type RunnableGroup,
} from "@rookery/runtime";
import { NotListeningError } from "./errors.ts";

export interface ListenerOptions {
  /** For logs: "app listener". */
  readonly name: string;
  readonly group: RunnableGroup;
  readonly address: BindAddress;
  /** `draining` is aborted when the listener is told to stop: what is endless ends. */
  readonly createHandler: (draining: AbortSignal) => Handler;
  /** Without them it speaks HTTP/1.1 in the clear; with them HTTP/1.1 and HTTP/2. */
  readonly certificates?: CertificateSource;
  /** PEM; asks clients for certificates. */
  readonly clientCa?: string;
  readonly limits?: ServerLimits;
  /** How long requests on their way may take when it stops, in milliseconds. */
  readonly graceMs: number;
  readonly onError: (error: unknown, request?: HttpRequest) => void;
  readonly logger: Logger;
}

/** A server that a manager runs, ready as soon as it listens. */
export interface Listener extends Runnable {
  /** Where it listens; "" before it does. */
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
  readonly #options: ListenerOptions;
  readonly #logger: Logger;
  readonly #handler: Handler;
  readonly #draining = new AbortController();
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #server: HttpServer | undefined;
  url = "";

  constructor(options: ListenerOptions) {
    this.name = options.name;
    this.group = options.group;
    this.#options = options;
    this.#logger = options.logger.withName(options.name.replaceAll(" ", "-"));
    this.#handler = options.createHandler(this.#draining.signal);
    this.#failed.promise.catch(() => {});
  }

  readonly startedCheck: HealthCheck = () => {
    if (this.url === "") throw new NotListeningError(this.name);
  };

  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { certificates } = this.#options;
    // The certificate is looked after until the last request is answered.
    const stopped = new AbortController();
    const source = certificates
      ? certificates.run(stopped.signal, (pair) => this.#serve(pair))
      : this.#serve().then(() => aborted(stopped.signal));
    try {
      await Promise.race([aborted(signal), source, this.#failed.promise]);
      this.#draining.abort();
      await this.#server?.close({ graceMs: this.#options.graceMs });
    } finally {
      stopped.abort();
      await source;
      // It may have started in the very moment in which it was to stop.
      await this.#server?.close({ graceMs: 0 });
    }
  }

  /** The first certificate starts the server; later ones are for new connections. */
  async #serve(pair?: CertificateAndKey): Promise<void> {
    const { address, limits, onError, clientCa } = this.#options;
    const tls = pair && {
      cert: pair.certificate,
      key: pair.key,
      ...(clientCa !== undefined && { clientCa }),
    };
    if (this.#server && tls) return this.#server.replaceCertificate(tls);
    const server = createHttpServer({
      handler: this.#handler,
      ...(tls && { tls }),
      ...(limits && { limits }),
      onError,
    });
    await this.#listen(server, address);
    this.#server = server;
    this.url = server.url;
    this.#logger.info("Serving", { url: this.url });
    this.#listening.resolve();
  }

  /** A source tries again what fails; an address that cannot be had is the server's failure. */
  async #listen(server: HttpServer, address: BindAddress): Promise<void> {
    try {
      await listenOn(server, address);
    } catch (error) {
      this.#failed.reject(error);
      throw error;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
