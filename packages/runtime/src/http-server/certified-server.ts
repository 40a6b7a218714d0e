import {
  createHttpServer,
  type Handler,
  type HttpRequest,
  ListenError,
  type ServerLimits,
} from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import { aborted } from "../clock/abort.ts";
import type { BindAddress } from "./bind-address.ts";

/** A source of the certificates of a server. */
export interface CertificateSource {
  /**
   * Passes a certificate to `serve` as soon as there is one, and each later one, until the signal is aborted. Failures
   * are logged and retried.
   */
  run(signal: AbortSignal, serve: (pair: CertificateAndKey) => void | Promise<void>): Promise<void>;
}

/** A certificate and its key, in PEM. */
interface ServedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A server that listens. Disposing of it stops it without grace. */
interface Listener extends AsyncDisposable {
  readonly url: string;
  /** New connections get this certificate; open ones keep theirs. */
  replaceCertificate(tls: ServedCertificate): void;
  /** Finishes the requests in progress, and closes. */
  stop(): Promise<void>;
}

interface CertifiedListenerOptions {
  /** Without a source the server listens without TLS. */
  readonly certificates?: CertificateSource;
  /** A ListenError ends the run; after any other error the source tries again. */
  readonly listen: (tls: ServedCertificate | undefined) => Promise<Listener>;
  readonly onListening: (url: string) => void;
  /** Called at the stop, before the wait for requests in progress. */
  readonly onStop?: () => void;
}

/** Listens with certificates of a source, which are replaced while it runs. */
export class CertifiedListener {
  readonly #options: CertifiedListenerOptions;
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #listener: Listener | undefined;

  constructor(options: CertifiedListenerOptions) {
    this.#options = options;
    this.#failed.promise.catch(() => {});
  }

  /** "" before it listens. */
  get url(): string {
    return this.#listener?.url ?? "";
  }

  /** Resolves when it listens. */
  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }

  /** Runs until the signal is aborted. Rejects if it cannot listen, or its source fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { certificates, onStop } = this.#options;
    // The certificate is kept up to date until the last request is answered.
    const stopped = new AbortController();
    const source = certificates
      ? certificates.run(stopped.signal, (pair) => this.#serve(pair))
      : this.#serve().then(() => aborted(stopped.signal));
    try {
      await Promise.race([aborted(signal), source, this.#failed.promise]);
      onStop?.();
      await this.#listener?.stop();
    } finally {
      stopped.abort();
      await source;
      // The listener may have started during the stop.
      await this.#listener?.[Symbol.asyncDispose]();
    }
  }

  /** Starts to listen with the first certificate, and replaces it by later ones. */
  async #serve(pair?: CertificateAndKey): Promise<void> {
    const tls = pair && { cert: pair.certificate, key: pair.key };
    if (this.#listener && tls) return this.#listener.replaceCertificate(tls);
    this.#listener = await this.#listen(tls);
    this.#options.onListening(this.url);
    this.#listening.resolve();
  }

  async #listen(tls: ServedCertificate | undefined): Promise<Listener> {
    try {
      return await this.#options.listen(tls);
    } catch (error) {
      if (error instanceof ListenError) this.#failed.reject(error);
      throw error;
    }
  }
}

export interface CertifiedServerOptions extends Omit<CertifiedListenerOptions, "listen"> {
  readonly address: BindAddress;
  /** Without certificates the server speaks HTTP/1.1, with certificates HTTP/1.1 and HTTP/2. */
  readonly handler: Handler;
  /** In PEM; requests client certificates. */
  readonly clientCa?: string;
  readonly limits?: ServerLimits;
  /** The time for requests in progress at the stop, in milliseconds. */
  readonly graceMs: number;
  readonly onError: (error: unknown, request?: HttpRequest) => void;
}

/** A server whose certificates come from a source, and are replaced while it runs. */
export function createCertifiedServer(options: CertifiedServerOptions): CertifiedListener {
  return new CertifiedListener({ ...options, listen: (tls) => serve(tls, options) });
}

async function serve(
  certificate: ServedCertificate | undefined,
  options: CertifiedServerOptions,
): Promise<Listener> {
  const { address, handler, clientCa, limits, graceMs, onError } = options;
  const withClientCa = (tls: ServedCertificate) => ({
    ...tls,
    ...(clientCa !== undefined && { clientCa }),
  });
  const server = createHttpServer({
    handler,
    ...(certificate && { tls: withClientCa(certificate) }),
    ...(limits && { limits }),
    onError,
  });
  await listenOn(address.host, (host) => server.listen({ host, port: address.port }));
  return {
    url: server.url,
    replaceCertificate: (tls) => server.replaceCertificate(withClientCa(tls)),
    stop: () => server.close({ graceMs }),
    [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }),
  };
}

/** Listens as Go does: without a host, on both families, or on IPv4 if the machine has no IPv6. */
export async function listenOn<T>(host: string, listen: (host: string) => Promise<T>): Promise<T> {
  try {
    return await listen(host || "::");
  } catch (error) {
    if (host !== "" || !lacksIpv6(error)) throw error;
    return listen("0.0.0.0");
  }
}

function lacksIpv6(error: unknown): boolean {
  if (!(error instanceof ListenError)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL";
}
