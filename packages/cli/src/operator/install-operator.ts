import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { type InstallOptions, renderOperator } from "@rookery/operator";
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

/** Applies the operator, and waits until one of its new pods is available. Errors: WaitError. */
export async function installOperator(
  client: Client,
  options: InstallOptions,
  timeoutSeconds: number,
): Promise<void> {
  await applyManifests(client, deploymentLast(await renderOperator(options)));
  await waitUntil(async () => (await findOperator(client))?.isAvailable === true, {
    what: "the operator to be available",
    wayOut: `see "kubectl describe pods -n ${options.namespace ?? "rookery-system"}"`,
    timeoutSeconds,
  });
}
