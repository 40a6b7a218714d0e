import { Counter, Gauge, Histogram, type Metrics } from "@rookery/runtime";

/** From the app to the API server, or from there to the app's webhooks. */
export type ListenerName = "app" | "callbacks";

export interface ListenerMetrics {
  inFlight(change: 1 | -1): void;
  answered(verb: string, code: number, seconds: number): void;
  upstreamError(reason: string): void;
  renamed(direction: "request" | "response", bytes: number): void;
  /** Objects in lists and watches of all namespaces. */
  narrowed(passed: number, dropped: number): void;
}

/** Up to a minute, the limit of API servers for requests other than watches. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const endless = new Set(["WATCH", "CONNECT"]);

/** The metrics of a proxy, by listener. */
export function createProxyMetrics({
  registry,
}: Pick<Metrics, "registry">): (listener: ListenerName) => ListenerMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "rookery_proxy_requests_total",
    help: "Requests that were answered, by listener, verb and HTTP status",
    labelNames: ["listener", "verb", "code"],
    registers,
  });
  const duration = new Histogram({
    name: "rookery_proxy_request_duration_seconds",
    help: "Time until the answer began, watches and switched protocols left out",
    labelNames: ["listener", "verb"],
    buckets,
    registers,
  });
  const inFlight = new Gauge({
    name: "rookery_proxy_requests_in_flight",
    help: "Requests whose answers are not complete yet",
    labelNames: ["listener"],
    registers,
  });
  const errors = new Counter({
    name: "rookery_proxy_upstream_errors_total",
    help: "Requests that got no answer, or only a part of one, by reason",
    labelNames: ["listener", "reason"],
    registers,
  });
  const renamed = new Counter({
    name: "rookery_proxy_renamed_bytes_total",
    help: "Bytes of bodies that went through renaming, by listener and direction",
    labelNames: ["listener", "direction"],
    registers,
  });
  const objects = new Counter({
    name: "rookery_proxy_objects_total",
    help: "Objects in lists and watches of all namespaces, by whether they are in the scope",
    labelNames: ["listener", "decision"],
    registers,
  });
  return (listener) => {
    inFlight.set({ listener }, 0);
    return {
      inFlight: (change) => inFlight.inc({ listener }, change),
      answered(verb, code, seconds) {
        requests.inc({ listener, verb, code });
        if (!endless.has(verb)) duration.observe({ listener, verb }, seconds);
      },
      upstreamError: (reason) => errors.inc({ listener, reason }),
      narrowed(passed, dropped) {
        if (passed > 0) objects.inc({ listener, decision: "passed" }, passed);
        if (dropped > 0) objects.inc({ listener, decision: "dropped" }, dropped);
      },
      renamed: (direction, bytes) => renamed.inc({ listener, direction }, bytes),
    };
  };
}

/** The reason label of an error: its code. */
export function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "Unknown";
}
