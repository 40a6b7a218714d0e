/** A provider whose reconcile, once begun, takes until the nest is let go, whoever wants it to end. */
import { setTimeout as delay } from "node:timers/promises";
import {
  createController,
  createInformerSource,
  createProvider,
  createResourceCommitter,
  done,
  enqueueRequestForObject,
  parseProviderFlags,
  setupSignalHandler,
} from "@rookery/runtime";
import { type Nest, nests } from "./nests.ts";

const flags = parseProviderFlags(process.argv.slice(2), {});
if (flags.help) process.exit(0);
const provider = await createProvider({ name: "holding-manager", flags });
const { client, cache, manager, logger } = provider;
const resource = client.resource<Nest>(nests);
const commit = createResourceCommitter(resource);

manager.add(
  createController({
    name: "nest",
    sources: [
      createInformerSource({
        informer: cache.informerFor<Nest>(nests),
        handler: enqueueRequestForObject(),
      }),
    ],
    logger,
    async reconcile(request, signal) {
      const nest = await cache.get<Nest>(nests, request, signal);
      if (!nest?.spec?.hold) return done;
      const holding = await commit(nest, { ...nest, status: { holding: true } });
      while ((await resource.get(request)).spec?.hold) await delay(50);
      await commit(holding, { ...holding, status: { holding: false } });
      return done;
    },
  }),
);

await provider.run(setupSignalHandler());
