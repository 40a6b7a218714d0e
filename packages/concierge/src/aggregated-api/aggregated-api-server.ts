import type { ApiServer } from "@rookery/apiserver";
import {
  type CertificateSource,
  CertifiedListener,
  type HealthCheck,
  type Logger,
  listenOn,
  type Runnable,
} from "@rookery/runtime";

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
  readonly #listener: CertifiedListener;

  constructor({ apiServer, port, certificates, logger }: AggregatedApiServerOptions) {
    this.#listener = new CertifiedListener({
      certificates,
      listen: async (tls) => {
        if (!tls) throw new TypeError("could not serve the aggregated API: it has no certificate");
        return listenOn("", (host) => apiServer.serve({ host, port, tls }));
      },
      onListening: (url) => logger.info("Serving the aggregated API", { url }),
    });
  }

  /** For readiness: fails until it listens. */
  readonly startedCheck: HealthCheck = () => {
    if (this.url === "") throw new Error("the aggregated API does not listen yet");
  };

  /** Where it listens; "" before it does. */
  get url(): string {
    return this.#listener.url;
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#listener.run(signal);
  }

  waitForReady(): Promise<void> {
    return this.#listener.waitForReady();
  }
}
