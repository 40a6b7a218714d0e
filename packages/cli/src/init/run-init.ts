import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { operatorName, previewRefusals, renderOperator } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { checkOperatorVersion, findOperator } from "../operator/find-operator.ts";
import { installOperator } from "../operator/install-operator.ts";
import { operatorImage } from "../operator/operator-image.ts";
import { judgeInstalled } from "../progress/judgement.ts";
import { providerKeyOf } from "../providers/declared-providers.ts";
import { followProviders } from "../providers/follow-providers.ts";
import { isSame, namedProviders } from "../providers/provider-flags.ts";
import { unknownProviders } from "../providers/unknown-providers.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { chooseProviders } from "./choose-providers.ts";
import { declareProviders } from "./declare-providers.ts";
import { type InitObjects, initObjects, type ObjectOptions } from "./init-objects.ts";
import { type InstanceFlags, watchOf } from "./instance-flags.ts";
import { missingAmong, presentAmong } from "./missing-among.ts";
import { type PlannedProvider, planInit } from "./plan-init.ts";
import { coreContract, type PresentProvider, presentProviders } from "./present-providers.ts";

export interface InitOptions extends InstanceFlags {
  readonly waitTimeout: number;
}

/** What an init would do, or has done. */
export interface InitPlan {
  /** Undefined where there is an operator already. */
  readonly operatorImage?: string;
  readonly objects: readonly InitObjects[];
  /** What was asked for and is there already; all that is there, where nothing was. */
  readonly present: readonly PresentProvider[];
}

export interface InitTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly config: CommandConfig;
}

/** Finds out what has to be done; nothing is changed. Errors: those that say what is in the way. */
export async function prepareInit(options: InitOptions, tools: InitTools): Promise<InitPlan> {
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
  await refuseClashes(objects, present, client);
  return {
    ...(!operator && { operatorImage: operatorImage(config.images) }),
    objects,
    present: chosen.length === 0 ? present : presentAmong(chosen, present, meant),
  };
}

/** What the operator would refuse is not declared. Errors: ProvidersError with all of it. */
async function refuseClashes(
  objects: readonly InitObjects[],
  present: readonly PresentProvider[],
  client: Client,
): Promise<void> {
  const manifests = objects.map(({ provider }) => provider);
  const declared = present.flatMap(({ provider }) => provider ?? []);
  const problems = await previewRefusals(client, manifests, declared);
  if (problems.length > 0) throw new ProvidersError("initialize the cluster", problems);
}

/** What an init adds by itself is there for all namespaces, whatever those that are named watch. */
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

/** Does it. What was done before is found again, so that it may be repeated. */
export async function performInit(
  { operatorImage: image, objects }: InitPlan,
  { waitTimeout }: InitOptions,
  { client, io }: InitTools,
): Promise<void> {
  if (image) {
    io.writeError(`Installing ${operatorName} from image ${image}\n`);
    await installOperator({ image }, { client, io, timeoutSeconds: waitTimeout });
  }
  await declareProviders(client, objects, waitTimeout);
}

/** For how long the operator may not have seen what an administrator changed just before. */
const patienceSeconds = 5;

/** Shows progress until all providers that were asked for are ready. Errors: ProvidersError. */
export function followInit(
  { objects, present }: InitPlan,
  { waitTimeout: timeoutSeconds }: InitOptions,
  { client, io }: InitTools,
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
