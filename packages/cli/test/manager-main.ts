import { webhookPortOf } from "./day/webhook-endpoints.ts";

/**
 * The command in a pod of a node of processes, below an API server that takes no loopback address for an
 * endpoint: webhooks are served on all addresses of the machine, at a port of the pod's own.
 */
const { ROOKERY_LISTEN_HOST: address = "" } = process.env;
delete process.env.ROOKERY_LISTEN_HOST;
process.argv.push(
  `--webhook-port=${webhookPortOf(address)}`,
  `--health-addr=${address}:9440`,
  "--metrics-bind-address=0",
);
await import("../src/main.ts");
