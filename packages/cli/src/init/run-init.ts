import type { Provider, ProviderManifest } from "@rookery/api";
import { type Client, ignoreAlreadyExists } from "@rookery/client";
import { operatorName, previewRefusals, renderOperator } from "@rookery/operator";
import type { CommandConfig, CommandTools } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { applyManifests, fieldManager } from "../objects.ts";
import { checkOperatorVersion, findOperator } from "../operator/find-operator.ts";
import { installOperator } from "../operator/install-operator.ts";
import { operatorImage } from "../operator/operator-image.ts";
import { judgeInstalled } from "../progress/judgement.ts";
import { providerKeyOf, providersOf } from "../providers/declared-providers.ts";
import { followProviders } from "../providers/follow-providers.ts";
import { isSame, namedProviders, unknownProviders } from "../providers/provider-flags.ts";
import { untilAdmitted } from "../providers/until-admitted.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { chooseProviders } from "./choose-providers.ts";
import { type InitObjects, initObjects, type ObjectOptions } from "./init-objects.ts";
import { type InstanceFlags, watchOf } from "./instance-flags.ts";
import { missingAmong, presentAmong } from "./missing-among.ts";
import { type PlannedProvider, planInit } from "./plan-init.ts";
import { coreContract, type PresentProvider, presentProviders } from "./present-providers.ts";

export interface InitOptions extends InstanceFlags {
  readonly waitTimeout: number;
}

/** The changes of an init. */
export interface InitPlan {
  /** Undefined where an operator is installed. */
  readonly operatorImage?: string;
  readonly objects: readonly InitObjects[];
  /** The named providers that exist already; all that exist, where none was named. */
  readonly present: readonly PresentProvider[];
}

/** Plans the changes, and makes none. Throws ProvidersError and FetchError. */
export async function prepareInit(options: InitOptions, tools: CommandTools): Promise<InitPlan> {
  const { client, io, config } = tools;
  const operator = await findOperator(client);
  if (operator) checkOperatorVersion(operator);
  const present = await presentProviders(client);
  const watch = watchOf(options);
  const { targetNamespace } = options;
  const meant = { ...(targetNamespace && { namespace: targetNamespace }), ...(watch && { watch }) };
  const chosen = chooseProviders(options, present);
  const unknown = unknownProviders(chosen, config, present);
  if (unknown.length > 0) throw new ProvidersError("initialize the cluster", unknown);
  const wanted = missingAmong(chosen, present, meant);
  await using sources = new ReleaseSources(config, io, client);
  const contract = await coreContract(present, sources);
  const planned = await planInit(wanted, { sources, config, ...(contract && { contract }) });
  const objects = planned.map((one) => initObjects(one, objectOptions(one, options, config)));
  await rejectClashes(objects, present, client);
  return {
    ...(!operator && { operatorImage: operatorImage(config.images) }),
    objects,
    present: chosen.length === 0 ? present : presentAmong(chosen, present, meant),
  };
}

/** Throws ProvidersError with all objects that the operator would reject. */
async function rejectClashes(
  objects: readonly InitObjects[],
  present: readonly PresentProvider[],
  client: Client,
): Promise<void> {
  const manifests = objects.map(({ provider }) => provider);
  const declared = present.flatMap(({ provider }) => provider ?? []);
  const problems = await previewRefusals(client, manifests, declared);
  if (problems.length > 0) throw new ProvidersError("initialize the cluster", problems);
}

/** Flags about instances apply to named providers; those that an init adds watch all namespaces. */
function objectOptions(
  { identity }: PlannedProvider,
  options: InitOptions,
  config: CommandConfig,
): ObjectOptions {
  const { targetNamespace } = options;
  const isAsked = namedProviders(options).some((one) => isSame(one, identity));
  const watch = isAsked ? watchOf(options) : undefined;
  return { config, ...(targetNamespace && { targetNamespace }), ...(watch && { watch }) };
}

/** Every object that an init would apply, in its order. */
export async function plannedObjects({
  operatorImage: image,
  objects,
}: InitPlan): Promise<readonly object[]> {
  return [
    ...(image ? await renderOperator({ image }) : []),
    ...objects.flatMap(({ supplies, provider }) => [...supplies, provider]),
  ];
}

/**
 * Installs the operator and declares the providers. It may be repeated: providers that exist by now stay
 * as they are. Throws WaitError where the operator does not admit them in time.
 */
export async function applyInit(
  { operatorImage: image, objects }: InitPlan,
  { waitTimeout: timeoutSeconds }: InitOptions,
  { client, io }: CommandTools,
): Promise<void> {
  if (image) {
    io.writeError(`Installing ${operatorName} from image ${image}\n`);
    await installOperator({ image }, { client, io, timeoutSeconds });
  }
  for (const { supplies } of objects) await applyManifests(client, supplies);
  for (const { provider } of objects) await declare(client, provider, timeoutSeconds);
}

async function declare(
  client: Client,
  manifest: ProviderManifest,
  timeoutSeconds: number,
): Promise<void> {
  const { kind, metadata } = manifest;
  const create = () =>
    ignoreAlreadyExists(providersOf(client, kind).create(manifest as Provider, { fieldManager }));
  const what = `${kind} ${metadata.name} to be taken`;
  await untilAdmitted(create, { what, timeoutSeconds, isNew: true });
}

/** The time in which the operator may not have seen a change that was made just before. */
const patienceSeconds = 5;

/** Prints progress until all named providers are ready. Throws ProvidersError. */
export function waitForInit(
  { objects, present }: InitPlan,
  { waitTimeout: timeoutSeconds }: InitOptions,
  { client, io }: CommandTools,
): Promise<void> {
  const declared = objects.map(({ provider }) => providerKeyOf(provider as Provider));
  return followProviders([...declared, ...present], {
    client,
    io,
    judge: judgeInstalled,
    timeoutSeconds,
    patienceSeconds,
    verb: "install the providers",
  });
}
