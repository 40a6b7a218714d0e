/** A provider that keeps as many eggs in each nest as its spec says; an egg is a ConfigMap. */
import {
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  withControllerReference,
} from "@rookery/kube";
import {
  concurrencyFlag,
  createController,
  createInformerSource,
  createProvider,
  createResourceCommitter,
  done,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  finalize,
  flagsHelp,
  isBeingDeleted,
  parseProviderFlags,
  providerFlags,
  setupSignalHandler,
} from "@rookery/runtime";
import { configMaps, type Nest, nests } from "./nests.ts";

const ownFlags = { "nest-concurrency": concurrencyFlag("Nest", 4) };
const flags = parseProviderFlags(process.argv.slice(2), ownFlags);
if (flags.help) {
  console.log(flagsHelp({ ...providerFlags, ...ownFlags }));
  process.exit(0);
}
const provider = await createProvider({
  name: "brood-manager",
  flags,
  apiGroup: { defaultSuffix: "testing.rookery.dev" },
});
const { client, cache, manager, metrics, logger, recorder } = provider;
const eggs = client.resource<KubeObject>(configMaps);
const commit = createResourceCommitter(client.resource<Nest>(nests));

manager.add(
  createController({
    name: "nest",
    sources: [
      createInformerSource({
        informer: cache.informerFor<Nest>(nests),
        handler: enqueueRequestForObject(),
      }),
      createInformerSource({
        informer: cache.informerFor(configMaps, { labelSelector: "rookery.dev/nest" }),
        handler: enqueueRequestForOwner({ owner: nests, controllerOnly: true }),
      }),
    ],
    maxConcurrentReconciles: flags.nestConcurrency,
    metrics: metrics.controller("nest"),
    logger,
    async reconcile(request, signal) {
      const read = await cache.get<Nest>(nests, request, signal);
      if (!read) return done;
      const { object, errors } = await finalize(read, { "rookery.dev/brood": abandon }, signal);
      const nest = await commit(read, object, { signal });
      if (errors.length > 0) throw errors[0];
      if (isBeingDeleted(nest)) return done;
      const count = nest.spec?.eggs ?? 0;
      const surplus = await layMissing(nest, count, signal);
      for (const name of surplus) await remove(nest, name, signal);
      if (nest.status?.eggs === count) return done;
      await commit(nest, { ...nest, status: { ...nest.status, eggs: count } }, { signal });
      recorder.event(nest, { type: "Normal", reason: "Laid", note: `there are ${count} eggs` });
      return done;
    },
  }),
);

await provider.run(setupSignalHandler());

/** Makes the eggs that are not there; returns those that are too many. */
async function layMissing(nest: Nest, count: number, signal: AbortSignal): Promise<string[]> {
  const there = new Set(await eggsOf(nest, signal));
  for (let number = 0; number < count; number++) {
    const name = `${nest.metadata.name}-${number}`;
    if (!there.delete(name)) await lay(nest, name, signal);
  }
  return [...there];
}

/** From the server: a cache may not know yet what the last reconcile did. */
async function eggsOf({ metadata }: Nest, signal: AbortSignal): Promise<string[]> {
  const { name: nest = "", namespace = "" } = metadata;
  const selector = { namespace, labelSelector: `rookery.dev/nest=${nest}` };
  const { items } = await eggs.listAll({ ...selector, signal });
  return items.map(({ metadata }) => metadata.name ?? "");
}

async function lay(nest: Nest, name: string, signal: AbortSignal): Promise<void> {
  const labels = { "rookery.dev/nest": nest.metadata.name ?? "" };
  const metadata = { name, namespace: nest.metadata.namespace ?? "", labels };
  const egg = withControllerReference({ apiVersion: "v1", kind: "ConfigMap", metadata }, nest);
  await eggs.create(egg, { signal }).catch(unless(isAlreadyExists));
}

async function remove(nest: Nest, name: string, signal: AbortSignal): Promise<void> {
  const key = { namespace: nest.metadata.namespace ?? "", name };
  await eggs.delete(key, { signal }).catch(unless(isNotFound));
}

async function abandon(nest: Nest, signal: AbortSignal): Promise<void> {
  for (const name of await eggsOf(nest, signal)) await remove(nest, name, signal);
}

/** Somebody did it already: that is as good. */
function unless(matches: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!matches(error)) throw error;
  };
}
