import type { Client } from "@rookery/client";
import { operatorVersion } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { checkOperatorVersion, type FoundOperator, isNewerOperator } from "./find-operator.ts";
import { installOperator } from "./install-operator.ts";
import { nextOperatorImage } from "./operator-image.ts";

export interface BringOptions {
  readonly config: CommandConfig;
  readonly io: CommandIo;
  readonly timeoutSeconds: number;
  /** Takes the place of the image that runs. */
  readonly image?: string | undefined;
}

/**
 * Brings an operator that is older than this command to its version; its namespace, number of pods,
 * environment and registry stay. Resolves to whether anything had to be done. Errors: OperatorVersionError
 * where it is newer, ProvidersError, WaitError.
 */
export async function bringOperator(
  client: Client,
  found: FoundOperator,
  { config, io, timeoutSeconds, image: named }: BringOptions,
): Promise<boolean> {
  if (isNewerOperator(found.version)) checkOperatorVersion(found);
  const image = nextOperatorImage(found, { images: config.images, image: named });
  if (found.version === operatorVersion && found.image === image) return false;
  const { namespace, replicas, env } = found;
  await installOperator({ image, namespace, replicas, env }, { client, io, timeoutSeconds });
  return true;
}
