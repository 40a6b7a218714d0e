import {
  compose,
  createHttpServer,
  type Handler,
  type HttpServer,
  type Interceptor,
} from "@rookery/http";
import type { CertificateAndKey } from "@rookery/pki";
import { aborted } from "../clock/aborted.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { DuplicateWebhookError, WebhookServerNotStartedError } from "../errors.ts";
import type { HealthCheck } from "../health/health-handler.ts";
import type { BindAddress } from "../http-server/bind-address.ts";
import { listenOn } from "../http-server/http-server-runnable.ts";
import { routeByPath } from "../http-server/route-by-path.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { instrument } from "./instrument.ts";
import type { Webhook } from "./webhook.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

export interface WebhookServerOptions {
  /** Every address where absent. */
  readonly host?: string;
  /** From --webhook-port. */
  readonly port: number;
  readonly certificates: CertificateSource;
  /** Around every webhook, the first outermost. */
  readonly interceptors?: readonly Interceptor[];
  readonly metrics?: { webhook(path: string, kind: Webhook["kind"]): WebhookMetrics };
  /** How long requests on their way may take when it stops, in milliseconds. */
  readonly graceMs?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Serves webhooks by HTTPS, on all replicas, and is ready when it listens. */
export interface WebhookServer extends Runnable {
  /** Throws a DuplicateWebhookError where the path is taken. */
  register(webhook: Webhook): void;
  /** For readiness: fails until it listens. */
  readonly startedCheck: HealthCheck;
  /** Where it listens; "" before it does. */
  readonly url: string;
}

export function createWebhookServer(options: WebhookServerOptions): WebhookServer {
  return new HttpsWebhookServer(options);
}

class HttpsWebhookServer implements WebhookServer {
  readonly name = "webhook server";
  readonly group = "webhooks";
  readonly #options: WebhookServerOptions;
  readonly #logger: Logger;
  readonly #handlers = new Map<string, Handler>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #server: HttpServer | undefined;
  url = "";

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#logger = (options.logger ?? silentLogger).withName("webhook");
    this.#failed.promise.catch(() => {});
  }

  register(webhook: Webhook): void {
    const { path, kind } = webhook;
    if (this.#handlers.has(path)) throw new DuplicateWebhookError(path);
    const { metrics, clock = systemClock, interceptors = [] } = this.#options;
    const measured = metrics?.webhook(path, kind);
    const handler = webhook.createHandler({
      logger: this.#logger.withValues({ path }),
      onPanic: () => measured?.panic(),
    });
    const measuring = measured ? [instrument(measured, clock)] : [];
    this.#handlers.set(path, compose(handler, ...measuring, ...interceptors));
    this.#logger.info("Registered webhook", { path });
  }

  readonly startedCheck: HealthCheck = () => {
    if (this.url === "") throw new WebhookServerNotStartedError();
  };

  async start(signal: AbortSignal): Promise<void> {
    const { certificates, graceMs = 10_000 } = this.#options;
    // The certificate is looked after until the last request is answered.
    const stopped = new AbortController();
    const source = certificates.run(stopped.signal, (pair) => this.#serve(pair));
    try {
      await Promise.race([aborted(signal), source, this.#failed.promise]);
      await this.#server?.close({ graceMs });
    } finally {
      stopped.abort();
      await source;
      // It may have started in the very moment in which it was to stop.
      await this.#server?.close({ graceMs: 0 });
    }
  }

  waitForReady(): Promise<void> {
    return this.#listening.promise;
  }

  /** The first certificate starts the server; later ones are for new connections. */
  async #serve({ certificate, key }: CertificateAndKey): Promise<void> {
    const tls = { cert: certificate, key };
    if (this.#server) return this.#server.replaceCertificate(tls);
    const { host = "", port } = this.#options;
    const server = createHttpServer({
      tls,
      handler: routeByPath(this.#handlers),
      onError: (error, request) =>
        this.#logger.error(error, "Failed to serve webhook", { path: request?.path }),
    });
    await this.#listen(server, { host, port });
    this.#server = server;
    this.url = server.url;
    this.#logger.info("Serving webhooks", { url: this.url });
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
