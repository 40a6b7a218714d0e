import type { ApiServer, Serving } from "@rookery/apiserver";
import { ListenError } from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import type { CertificateSource, HealthCheck, Logger, Runnable } from "@rookery/runtime";

export interface AggregatedApiServerOptions {
  readonly apiServer: ApiServer;
  readonly port: number;
  readonly certificates: CertificateSource;
  readonly logger: Logger;
}

/** Serves the aggregated API on all replicas, with a certificate that changes while it runs. */
export class AggregatedApiServer implements Runnable {
  readonly name = "aggregated API";
  // After the caches: before they are filled, no authenticator is known.
  readonly group = "others";
  readonly #options: AggregatedApiServerOptions;
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #serving: Serving | undefined;

  constructor(options: AggregatedApiServerOptions) {
    this.#options = options;
    this.#failed.promise.catch(() => {});
  }

  /** For readiness: fails until it listens. */
  readonly startedCheck: HealthCheck = () => {
    if (!this.#serving) throw new Error("the aggregated API does not listen yet");
  };

  /** Where it listens; "" before it does. */
  get url(): string {
    return this.#serving?.url ?? "";
  }

  async start(signal: AbortSignal): Promise<void> {
    // The certificate is looked after until the last request is answered.
    const stopped = new AbortController();
    const source = this.#options.certificates.run(stopped.signal, (pair) => this.#serve(pair));
    try {
      await Promise.race([aborted(signal), source, this.#failed.promise]);
      await this.#serving?.stop();
    } finally {
      stopped.abort();
      await source;
      // It may have started in the very moment in which it was to stop.
      await this.#serving?.[Symbol.asyncDispose]();
    }
  }

  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }

  /** The first certificate starts the server; later ones are for new connections. */
  async #serve({ certificate, key }: CertificateAndKey): Promise<void> {
    const tls = { cert: certificate, key };
    if (this.#serving) return this.#serving.replaceCertificate(tls);
    const { logger } = this.#options;
    this.#serving = await this.#listen(tls);
    logger.info("Serving the aggregated API", { url: this.url });
    this.#listening.resolve();
  }

  /** A source tries again what fails; an address that can't be had is the server's failure. */
  async #listen(tls: { readonly cert: string; readonly key: string }): Promise<Serving> {
    const { apiServer, port } = this.#options;
    try {
      return await apiServer.serve({ host: "::", port, tls });
    } catch (error) {
      if (lacksIpv6(error)) return apiServer.serve({ host: "0.0.0.0", port, tls });
      if (error instanceof ListenError) this.#failed.reject(error);
      throw error;
    }
  }
}

function lacksIpv6(error: unknown): boolean {
  if (!(error instanceof ListenError)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL";
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
