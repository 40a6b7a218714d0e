/**
 * What is used of prom-client, file by file: all of it would bring a tracing library and the metrics of
 * the process along, which are 6 MB of memory in every manager.
 */
export { exponentialBuckets } from "prom-client/lib/bucketGenerators.js";
export { default as Counter } from "prom-client/lib/counter.js";
export { default as Gauge } from "prom-client/lib/gauge.js";
export { default as Histogram } from "prom-client/lib/histogram.js";
export { default as Registry } from "prom-client/lib/registry.js";
