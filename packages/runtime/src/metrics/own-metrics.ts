/** For metrics that a program adds to the registry of its `Metrics`. */
export { Counter, Gauge, Histogram } from "./prometheus.ts";
