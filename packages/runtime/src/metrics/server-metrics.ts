import type { CertificateMetrics } from "../webhook/certificate-metrics.ts";
import type { WebhookMetrics } from "../webhook/webhook-metrics.ts";
import { latencyBuckets } from "./buckets.ts";
import { Counter, Gauge, Histogram, type Registry } from "./prometheus.ts";

/** What kind of webhook it is: controller-runtime counts panics of conversions apart. */
export type WebhookKind = "admission" | "conversion";

/** The controller_runtime_webhook_* metrics, for webhooks of any path. */
export class WebhookServerMetrics {
  readonly #requests: Counter;
  readonly #latency: Histogram;
  readonly #inFlight: Gauge;
  readonly #panics: Readonly<Record<WebhookKind, Counter>>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: "controller_runtime_webhook_requests_total",
      help: "Requests to webhooks, by HTTP status",
      labelNames: ["webhook", "code"],
      registers,
    });
    this.#latency = new Histogram({
      name: "controller_runtime_webhook_latency_seconds",
      help: "How long webhooks take to answer",
      labelNames: ["webhook"],
      buckets: latencyBuckets,
      registers,
    });
    this.#inFlight = new Gauge({
      name: "controller_runtime_webhook_requests_in_flight",
      help: "Requests to webhooks that are not answered yet",
      labelNames: ["webhook"],
      registers,
    });
    const panics = (name: string) =>
      new Counter({ name, help: "Requests to webhooks whose handler threw", registers });
    this.#panics = {
      admission: panics("controller_runtime_webhook_panics_total"),
      conversion: panics("controller_runtime_conversion_webhook_panics_total"),
    };
  }

  forWebhook(path: string, kind: WebhookKind): WebhookMetrics {
    const webhook = path;
    for (const code of ["200", "500"]) this.#requests.inc({ webhook, code }, 0);
    this.#inFlight.set({ webhook }, 0);
    return {
      inFlight: (change) => this.#inFlight.inc({ webhook }, change),
      request: (code, seconds) => {
        this.#requests.inc({ webhook, code });
        this.#latency.observe({ webhook }, seconds);
      },
      panic: () => this.#panics[kind].inc(),
    };
  }
}

/** The certwatcher_* metrics. */
export function createCertificateMetrics(registry: Registry): CertificateMetrics {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, registers: [registry] });
  const reads = counter(
    "certwatcher_read_certificate_total",
    "How often certificate files were read",
  );
  const errors = counter(
    "certwatcher_read_certificate_errors_total",
    "How often certificate files could not be read",
  );
  return { read: () => reads.inc(), readError: () => errors.inc() };
}
