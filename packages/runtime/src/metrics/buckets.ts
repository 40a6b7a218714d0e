import { exponentialBuckets } from "./prometheus.ts";

/** Upper bounds in seconds, those of controller-runtime, so that its dashboards fit. */
export const reconcileBuckets: number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** From 10 ns to 1000 s, for queues and webhooks. */
export const latencyBuckets: number[] = exponentialBuckets(10e-9, 10, 12);
