import { compose, type Handler, type Interceptor } from "@rookery/http";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { DuplicateWebhookError, WebhookServerNotStartedError } from "../errors.ts";
import type { HealthCheck } from "../health/health.ts";
import type { CertificateSource, CertifiedListener } from "../http-server/certified-server.ts";
import { createCertifiedServer } from "../http-server/certified-server.ts";
import { routeByPath } from "../http-server/handlers.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { Webhook } from "./webhook.ts";

/** The metrics of one webhook, named as in controller-runtime. */
export interface WebhookMetrics {
  inFlight(change: number): void;
  /** A request was answered with an HTTP status after some time. */
  request(code: number, seconds: number): void;
  /** The handler failed by a programming mistake. */
  panic(): void;
}

export interface WebhookServerOptions {
  /** All addresses by default. */
  readonly host?: string;
  /** From --webhook-port. */
  readonly port: number;
  readonly certificates: CertificateSource;
  /** Around every webhook, the first outermost. */
  readonly interceptors?: readonly Interceptor[];
  readonly metrics?: { webhook(path: string, kind: Webhook["kind"]): WebhookMetrics };
  /** The time for requests in progress at the stop, in milliseconds. */
  readonly graceMs?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Serves webhooks by HTTPS, on all replicas. It is ready when it listens. */
export class WebhookServer implements Runnable {
  readonly name = "webhook server";
  readonly group = "webhooks";
  readonly #options: WebhookServerOptions;
  readonly #logger: Logger;
  readonly #handlers = new Map<string, Handler>();
  readonly #server: CertifiedListener;

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#logger = (options.logger ?? silentLogger).withName("webhook");
    const { host = "", port, certificates, graceMs = 10_000 } = options;
    this.#server = createCertifiedServer({
      address: { host, port },
      handler: routeByPath(this.#handlers),
      certificates,
      graceMs,
      onListening: (url) => this.#logger.info("Serving webhooks", { url }),
      onError: (error, request) =>
        this.#logger.error(error, "Failed to serve webhook", { path: request?.path }),
    });
  }

  /** "" before it listens. */
  get url(): string {
    return this.#server.url;
  }

  /** Throws a DuplicateWebhookError if another webhook has the path. */
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

  /** For readiness: fails until the server listens. */
  readonly startedCheck: HealthCheck = () => {
    if (this.url === "") throw new WebhookServerNotStartedError();
  };

  start(signal: AbortSignal): Promise<void> {
    return this.#server.run(signal);
  }

  waitForReady(): Promise<void> {
    return this.#server.waitForReady();
  }
}

/** Measures the requests to a webhook. */
function instrument(metrics: WebhookMetrics, clock: MonotonicClock): Interceptor {
  return (next) => async (request) => {
    const started = clock.now();
    let code = 500;
    metrics.inFlight(1);
    try {
      const response = await next(request);
      code = response.status;
      return response;
    } finally {
      metrics.inFlight(-1);
      metrics.request(code, (clock.now() - started) / 1000);
    }
  };
}
