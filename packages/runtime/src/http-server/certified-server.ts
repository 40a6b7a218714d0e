import {
  createHttpServer,
  type Handler,
  type HttpRequest,
  type HttpServer,
  type ServerLimits,
} from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import { aborted } from "../clock/aborted.ts";
import type { BindAddress } from "./bind-address.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { listenOn } from "./http-server-runnable.ts";

export interface CertifiedServerOptions {
  readonly address: BindAddress;
  readonly handler: Handler;
  /** Without them it speaks HTTP/1.1 in the clear; with them HTTP/1.1 and HTTP/2. */
  readonly certificates?: CertificateSource;
  /** PEM; asks clients for certificates. */
  readonly clientCa?: string;
  readonly limits?: ServerLimits;
  /** How long requests on their way may take when it stops, in milliseconds. */
  readonly graceMs: number;
  readonly onListening: (url: string) => void;
  /** Called when it is to stop, before it waits for requests on their way. */
  readonly onStop?: () => void;
  readonly onError: (error: unknown, request?: HttpRequest) => void;
}

/** A server whose certificates come from a source, and are replaced while it runs. */
export interface CertifiedServer {
  /** Where it listens; "" before it does. */
  readonly url: string;
  /** Resolves when it listens. */
  waitForReady(): Promise<void>;
  /** Runs until the signal is aborted. Rejects where it cannot listen, or its source fails. */
  run(signal: AbortSignal): Promise<void>;
}

export function createCertifiedServer(options: CertifiedServerOptions): CertifiedServer {
  return new SourcedServer(options);
}

class SourcedServer implements CertifiedServer {
  readonly #options: CertifiedServerOptions;
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #server: HttpServer | undefined;
  url = "";

  constructor(options: CertifiedServerOptions) {
    this.#options = options;
    this.#failed.promise.catch(() => {});
  }

  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { certificates, graceMs, onStop } = this.#options;
    // The certificate is looked after until the last request is answered.
    const stopped = new AbortController();
    const source = certificates
      ? certificates.run(stopped.signal, (pair) => this.#serve(pair))
      : this.#serve().then(() => aborted(stopped.signal));
    try {
      await Promise.race([aborted(signal), source, this.#failed.promise]);
      onStop?.();
      await this.#server?.close({ graceMs });
    } finally {
      stopped.abort();
      await source;
      // It may have started in the very moment in which it was to stop.
      await this.#server?.close({ graceMs: 0 });
    }
  }

  /** The first certificate starts the server; later ones are for new connections. */
  async #serve(pair?: CertificateAndKey): Promise<void> {
    const { handler, limits, onError, clientCa } = this.#options;
    const tls = pair && {
      cert: pair.certificate,
      key: pair.key,
      ...(clientCa !== undefined && { clientCa }),
    };
    if (this.#server && tls) return this.#server.replaceCertificate(tls);
    const server = createHttpServer({
      handler,
      ...(tls && { tls }),
      ...(limits && { limits }),
      onError,
    });
    await this.#listen(server);
    this.#server = server;
    this.url = server.url;
    this.#options.onListening(this.url);
    this.#listening.resolve();
  }

  /** A source tries again what fails; an address that cannot be had is the server's failure. */
  async #listen(server: HttpServer): Promise<void> {
    try {
      await listenOn(server, this.#options.address);
    } catch (error) {
      this.#failed.reject(error);
      throw error;
    }
  }
}
