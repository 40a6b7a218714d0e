/**
 * A manager that reconciles nests again and again, and writes down when each reconcile begins and ends: by
 * a clock that all processes of a machine share, into one file. A nest called slow takes seconds, so that
 * who hands it over is still at it when it is asked to end.
 */
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { KubeObject, Resource } from "@rookery/kube";
import {
  createController,
  createInformerSource,
  createProvider,
  done,
  enqueueRequestForObject,
  parseProviderFlags,
  requeueAfter,
  setupSignalHandler,
} from "@rookery/runtime";

const nests: Resource = {
  group: "nests.example.com",
  version: "v1",
  plural: "nests",
  kind: "Nest",
  singular: "nest",
  namespaced: true,
};

const { POD_NAME: pod = "", POD_NAMESPACE: instance = "", RECONCILES: file = "" } = process.env;
const flags = parseProviderFlags(process.argv.slice(2), {});
if (flags.help) process.exit(0);
const { cache, manager, metrics, logger, run } = await createProvider({ name: "nests", flags });

/** A line is written at once, whole, and behind those of others. */
function write(at: "begin" | "end", object: string): void {
  const time = process.hrtime.bigint().toString();
  appendFileSync(file, `${JSON.stringify({ at, object, pod, instance, time })}\n`);
}

manager.add(
  createController({
    name: "nest",
    maxConcurrentReconciles: 10,
    sources: [
      createInformerSource({
        informer: cache.informerFor<KubeObject>(nests),
        handler: enqueueRequestForObject(),
      }),
    ],
    metrics: metrics.controller("nest"),
    logger,
    async reconcile(request, signal) {
      if (!(await cache.get(nests, request, signal))) return done;
      const object = `${request.namespace}/${request.name}`;
      write("begin", object);
      // Whoever wants it to end: what has begun is finished.
      await delay(request.name === "slow" ? 10_000 : 50);
      write("end", object);
      return requeueAfter(0.2);
    },
  }),
);

await run(setupSignalHandler());
