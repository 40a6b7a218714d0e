import type { Client } from "@rookery/client";
import { operatorVersion } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { checkOperatorVersion, type FoundOperator, isNewerOperator } from "./find-operator.ts";
import { installOperator } from "./install-operator.ts";
import { operatorImage } from "./operator-image.ts";

export interface BringOptions {
  readonly config: CommandConfig;
  readonly io: CommandIo;
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
  { config, io, timeoutSeconds }: BringOptions,
): Promise<boolean> {
  const image = operatorImage(config.images);
  if (found.version === operatorVersion && found.image === image) return false;
  if (isNewerOperator(found.version)) checkOperatorVersion(found);
  const { namespace, replicas, env } = found;
  await installOperator({ image, namespace, replicas, env }, { client, io, timeoutSeconds });
  return true;
}
