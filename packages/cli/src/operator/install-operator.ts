import { type Client, ignoreNotFound } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  type InstallOptions,
  operatorName,
  operatorVersion,
  renderOperator,
} from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import type { CommandTools } from "../config/read-config.ts";
import { applyManifests, ignoreNotServed } from "../objects.ts";
import type { Judgement } from "../progress/judgement.ts";
import { createProgressPrinter } from "../progress/progress-printer.ts";
import { waitUntil } from "../progress/wait-until.ts";
import {
  checkOperatorVersion,
  type FoundOperator,
  findOperator,
  isNewerOperator,
} from "./find-operator.ts";
import { nextOperatorImage } from "./operator-image.ts";

export interface InstallTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly timeoutSeconds: number;
}

/** Applies the operator, and prints progress until one of its new pods is available. Throws WaitError. */
export async function installOperator(options: InstallOptions, tools: InstallTools): Promise<void> {
  const { client, io, timeoutSeconds } = tools;
  await applyManifests(client, deploymentLast(await renderOperator(options)));
  const printer = createProgressPrinter(io);
  const isAvailable = async () => {
    const isDone = (await findOperator(client))?.isAvailable === true;
    const judgement: Judgement = isDone
      ? { state: "done", text: `${operatorVersion} is ready` }
      : { state: "waiting", text: "WaitingForDeployments: none of its pods is available yet" };
    printer.show([{ name: operatorName, judgement }]);
    return isDone;
  };
  try {
    await waitUntil(isAvailable, {
      what: "the operator to be available",
      wayOut: `see "kubectl describe pods -n ${options.namespace ?? "rookery-system"}"`,
      timeoutSeconds,
    });
  } finally {
    printer.end();
  }
}

export interface UpgradeTools extends CommandTools, InstallTools {
  /** Replaces the image that runs. */
  readonly image?: string | undefined;
}

/**
 * Upgrades an operator that is older than this command; its namespace, number of pods, environment and
 * registry stay. Returns whether anything changed. Throws OperatorVersionError for a newer operator,
 * ProvidersError and WaitError.
 */
export async function upgradeOperator(
  found: FoundOperator,
  { config, image: named, ...tools }: UpgradeTools,
): Promise<boolean> {
  if (isNewerOperator(found.version)) checkOperatorVersion(found);
  const image = nextOperatorImage(found, { images: config.images, image: named });
  if (found.version === operatorVersion && found.image === image) return false;
  const { namespace, replicas, env } = found;
  await installOperator({ image, namespace, replicas, env }, tools);
  return true;
}

export interface RemovalOptions {
  readonly includeCrd?: boolean;
  readonly includeNamespace?: boolean;
  readonly waitTimeout: number;
}

/** The options for kinds that stay by default. */
const kept = { CustomResourceDefinition: "includeCrd", Namespace: "includeNamespace" } as const;

/** Removes the operator, webhooks first; by default its kinds and its namespace stay. Throws WaitError. */
export async function removeOperator(
  client: Client,
  { namespace, image, replicas, env }: FoundOperator,
  options: RemovalOptions,
): Promise<void> {
  const manifests = await renderOperator({ namespace, image, replicas, env });
  for (const manifest of deploymentLast(manifests.toReversed())) {
    const flag = kept[manifest.kind as keyof typeof kept];
    if (flag === undefined || options[flag]) await remove(client, manifest);
  }
  await waitUntil(async () => (await findOperator(client)) === undefined, {
    what: "the operator to be gone",
    wayOut: `see "kubectl get deployments,pods -n ${namespace}"`,
    timeoutSeconds: options.waitTimeout,
  });
}

async function remove(client: Client, { apiVersion, kind, metadata }: KubeObject): Promise<void> {
  const { namespace, name = "" } = metadata;
  const resource = await ignoreNotServed(client.kind<KubeObject>({ apiVersion, kind }));
  const key = { ...(namespace && { namespace }), name };
  if (resource) await ignoreNotFound(resource.delete(key, { propagationPolicy: "Background" }));
}

/**
 * The operator is found by its Deployment: all other objects exist before it is created and are removed
 * before it is deleted, so that the next run completes one that was killed.
 */
function deploymentLast(manifests: readonly object[]): readonly KubeObject[] {
  const isDeployment = ({ kind }: KubeObject) => kind === "Deployment";
  const objects = manifests as readonly KubeObject[];
  return [...objects.filter((one) => !isDeployment(one)), ...objects.filter(isDeployment)];
}
