import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  type InstallOptions,
  operatorName,
  operatorVersion,
  renderOperator,
} from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import type { Judgement } from "../progress/judgement.ts";
import { createProgressPrinter } from "../progress/progress-printer.ts";
import { waitUntil } from "../progress/wait-until.ts";
import { applyManifests } from "./apply-manifests.ts";
import { findOperator } from "./find-operator.ts";

/**
 * The Deployment is what the operator is known by: all else is there before it comes, and gone before
 * it goes, so that who was killed in between does the rest the next time.
 */
export function deploymentLast(manifests: readonly object[]): readonly KubeObject[] {
  const isDeployment = ({ kind }: KubeObject) => kind === "Deployment";
  const objects = manifests as readonly KubeObject[];
  return [...objects.filter((one) => !isDeployment(one)), ...objects.filter(isDeployment)];
}

export interface InstallTools {
  readonly client: Client;
  readonly io: CommandIo;
  readonly timeoutSeconds: number;
}

/** Applies the operator, and shows how it comes until one of its new pods is available. Errors: WaitError. */
export async function installOperator(options: InstallOptions, tools: InstallTools): Promise<void> {
  const { client, io, timeoutSeconds } = tools;
  await applyManifests(client, deploymentLast(await renderOperator(options)));
  const printer = createProgressPrinter(io);
  const isThere = async () => {
    const isAvailable = (await findOperator(client))?.isAvailable === true;
    const judgement: Judgement = isAvailable
      ? { state: "done", text: `${operatorVersion} is ready` }
      : { state: "waiting", text: "WaitingForDeployments: none of its pods is available yet" };
    printer.show([{ name: operatorName, judgement }]);
    return isAvailable;
  };
  try {
    await waitUntil(isThere, {
      what: "the operator to be available",
      wayOut: `see "kubectl describe pods -n ${options.namespace ?? "rookery-system"}"`,
      timeoutSeconds,
    });
  } finally {
    printer.end();
  }
}
