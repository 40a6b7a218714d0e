/** A small provider, to run in a pod: it counts eggs in nests, and refuses more than twelve. */
import {
  builtInResources,
  FieldError,
  fieldPath,
  invalidError,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import {
  controllerFor,
  createProvider,
  done,
  flagsHelp,
  injectIntoWebhooks,
  parseProviderFlags,
  providerFlags,
  setupSignalHandler,
  validatingWebhook,
} from "@rookery/runtime";

type Nest = KubeObject<{ eggs: number }, { eggs?: number; by?: string }>;

const nests: Resource = {
  group: "runtime.rookery.dev",
  version: "v1",
  plural: "nests",
  kind: "Nest",
  singular: "nest",
  namespaced: true,
};
const { validatingWebhookConfigurations } = builtInResources;

const flags = parseProviderFlags(process.argv.slice(2), {});
if (flags.help) {
  console.log(flagsHelp(providerFlags));
  process.exit(0);
}
const provider = await createProvider({ name: "nest-manager", flags });
const { client, manager, recorder } = provider;
const { HOSTNAME: pod = "", SERVICE: service = "nest-manager" } = process.env;

manager.add(
  controllerFor<Nest>(nests, provider).reconcile(async (request, { get, commit }) => {
    const nest = await get(request);
    if (!nest || nest.status?.eggs === nest.spec?.eggs) return done;
    const eggs = nest.spec?.eggs ?? 0;
    await commit(nest, { ...nest, status: { eggs, by: pod } });
    recorder.event(nest, { type: "Normal", reason: "Counted", note: `there are ${eggs} eggs` });
    return done;
  }),
);

provider
  .addWebhooks({
    service,
    publish: injectIntoWebhooks(client.resource(validatingWebhookConfigurations), service),
    resyncMs: 1000,
  })
  ?.register(
    validatingWebhook<Nest>(nests, {
      create: refuseTooMany,
      update: (nest) => refuseTooMany(nest),
    }),
  );

await provider.run(setupSignalHandler());

function refuseTooMany(nest: Nest): void {
  const eggs = nest.spec?.eggs ?? 0;
  if (eggs <= 12) return;
  const error = FieldError.invalid(fieldPath("spec", "eggs"), eggs, "no nest holds more than 12");
  throw invalidError(nests, nest.metadata.name ?? "", [error]);
}
