/** A provider that keeps as many eggs in each nest as its spec says; an egg is a ConfigMap. */
import { ignoreAlreadyExists, ignoreNotFound } from "@rookery/client";
import { type KubeObject, keyBeside, withControllerReference } from "@rookery/kube";
import {
  concurrencyFlag,
  controllerFor,
  createLifecycle,
  createProvider,
  type EventRecorder,
  flagsHelp,
  type LifecycleScope,
  type Outcome,
  parseProviderFlags,
  providerFlags,
  type ReconcileContext,
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
const { cache, manager, recorder } = provider;

interface NestScope extends LifecycleScope<Nest> {
  /** Reads from the server: the cache may lack the eggs of the last reconcile. */
  readonly listEggs: (nest: Nest) => Promise<string[]>;
  /** An egg that exists is no error. */
  readonly createEgg: (nest: Nest, name: string) => Promise<void>;
  /** An egg that is gone is no error. */
  readonly deleteEgg: (nest: Nest, name: string) => Promise<void>;
  readonly recorder: EventRecorder;
}

const nestLifecycle = createLifecycle<Nest, NestScope>({
  finalizer: "rookery.dev/brood",
  provision,
  remove,
});

const labelled = cache.informerFor(configMaps, { labelSelector: "rookery.dev/nest" });
manager.add(
  controllerFor<Nest>(nests, provider, { concurrency: flags.nestConcurrency })
    .owns(labelled)
    .reconcile(nestLifecycle, nestScope),
);

await provider.run(setupSignalHandler());

function nestScope({ client, get, commit }: ReconcileContext<Nest>): NestScope {
  const eggs = client.resource<KubeObject>(configMaps);
  return {
    get,
    commit,
    listEggs: async ({ metadata: { name = "", namespace = "" } }) => {
      const labelSelector = `rookery.dev/nest=${name}`;
      const { items } = await eggs.listAll({ namespace, labelSelector });
      return items.map(({ metadata }) => metadata.name ?? "");
    },
    createEgg: async (nest, name) => {
      const labels = { "rookery.dev/nest": nest.metadata.name ?? "" };
      const metadata = { ...keyBeside(nest, name), labels };
      const egg = withControllerReference({ apiVersion: "v1", kind: "ConfigMap", metadata }, nest);
      await ignoreAlreadyExists(eggs.create(egg));
    },
    deleteEgg: async (nest, name) =>
      void (await ignoreNotFound(eggs.delete(keyBeside(nest, name)))),
    recorder,
  };
}

async function provision(nest: Nest, scope: NestScope): Promise<Outcome<Nest>> {
  const count = nest.spec?.eggs ?? 0;
  const names = Array.from({ length: count }, (_, number) => `${nest.metadata.name}-${number}`);
  const existing = await scope.listEggs(nest);
  for (const name of names) if (!existing.includes(name)) await scope.createEgg(nest, name);
  for (const name of existing) if (!names.includes(name)) await scope.deleteEgg(nest, name);
  if (nest.status?.eggs === count) return { object: nest };
  const object = await scope.commit(nest, { ...nest, status: { ...nest.status, eggs: count } });
  scope.recorder.event(nest, { type: "Normal", reason: "Laid", note: `there are ${count} eggs` });
  return { object };
}

async function remove(nest: Nest, { listEggs, deleteEgg }: NestScope): Promise<"removed"> {
  for (const name of await listEggs(nest)) await deleteEgg(nest, name);
  return "removed";
}
