import type { Client } from "@rookery/client";
import { operatorVersion } from "@rookery/operator";
import type { CommandConfig } from "../config/read-config.ts";
import { checkOperatorVersion, type FoundOperator, isNewerOperator } from "./find-operator.ts";
import { installOperator } from "./install-operator.ts";
import { operatorImage } from "./operator-image.ts";

export interface BringOptions {
  readonly config: CommandConfig;
  readonly timeoutSeconds: number;
}

/**
 * Brings an operator that is older than this command to its version; its namespace, number of pods and
 * environment stay. Resolves to whether anything had to be done. Errors: OperatorVersionError where it
 * is newer, WaitError.
 */
export async function bringOperator(
  client: Client,
  found: FoundOperator,
  { config, timeoutSeconds }: BringOptions,
): Promise<boolean> {
  const image = operatorImage(config.images);
  if (found.version === operatorVersion && found.image === image) return false;
  if (isNewerOperator(found.version)) checkOperatorVersion(found);
  const { namespace, replicas, env } = found;
  await installOperator(client, { image, namespace, replicas, env }, timeoutSeconds);
  return true;
}
