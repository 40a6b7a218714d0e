/** Where one webhook reports what it does; the names follow controller-runtime's metrics. */
export interface WebhookMetrics {
  inFlight(change: number): void;
  /** A request was answered with that HTTP status after that time. */
  request(code: number, seconds: number): void;
  /** A handler threw what it should not. */
  panic(): void;
}
