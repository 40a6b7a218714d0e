// biome-ignore-all lint/style/noDefaultExport: modules of CommonJS have nothing else
/** Files of prom-client, which has no types for them: see prometheus.ts for why they are imported. */
declare module "prom-client/lib/registry.js" {
  export { Registry as default } from "prom-client";
}
declare module "prom-client/lib/counter.js" {
  export { Counter as default } from "prom-client";
}
declare module "prom-client/lib/gauge.js" {
  export { Gauge as default } from "prom-client";
}
declare module "prom-client/lib/histogram.js" {
  export { Histogram as default } from "prom-client";
}
declare module "prom-client/lib/bucketGenerators.js" {
  export { exponentialBuckets } from "prom-client";
}
