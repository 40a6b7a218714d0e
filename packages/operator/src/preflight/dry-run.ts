import type { Client } from "@rookery/client";
import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import { findStatusError, isBadRequest, isInvalid } from "@rookery/kube";
import { componentResource } from "../components/component-resource.ts";
import { inParallel } from "../components/in-parallel.ts";
import { PhaseError } from "../errors.ts";

interface DryRunDependencies {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** How many objects a message names. */
const shown = 3;
/** Nothing is ever stored under it. */
const standIn = "rookery-dry-run";
/** Kinds that stay over a change, or whose names say what they are for. */
const ownName: ReadonlySet<string> = new Set([
  "Namespace",
  "CustomResourceDefinition",
  "APIService",
]);

/**
 * Asks the API server whether it would take components, without anything being stored: what runs is
 * removed only for something that can take its place. Objects that will be made anew are tried under
 * another name, as those that run may not be changed into them. Throws PhaseError for what is wrong
 * with an object itself; what may pass by itself, or is a matter of rights, shows when it is applied.
 */
export async function checkAccepted(
  components: readonly Component[],
  dependencies: DryRunDependencies,
): Promise<void> {
  // Objects of the components' own kinds are judged by definitions that are not there yet.
  const judged = installStages(components)
    .filter(({ stage }) => stage !== "instances")
    .flatMap(({ components: members }) => members);
  const found = await inParallel(judged, (component) => tryOut(component, dependencies));
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length === 0) return;
  const more = problems.length > shown ? ` and ${problems.length - shown} more` : "";
  throw new PhaseError("ProviderInstalled", "ApplyFailed", {
    message:
      `could not apply ${problems.slice(0, shown).join("; ")}${more}; nothing was changed: correct ` +
      "the spec or choose another version",
    retryAfterSeconds: 300,
  });
}

async function tryOut(
  component: Component,
  { client, signal }: DryRunDependencies,
): Promise<string | undefined> {
  const key = componentKeyOf(component);
  const resource = await componentResource(key, client);
  if (!resource) return undefined;
  const name = ownName.has(key.kind) ? key.name : standIn;
  const object = { ...component, metadata: { ...component.metadata, name } };
  const options = { fieldManager: standIn, force: true, dryRun: true, signal };
  try {
    await client.resource<Component>(resource).apply(object, options);
    return undefined;
  } catch (error) {
    const why = refusalOf(error)?.replaceAll(standIn, key.name);
    return why && `${formatComponentKey(key)}: ${why}`;
  }
}

/** Fields that nobody knows are an internal error to server-side apply. */
function refusalOf(error: unknown): string | undefined {
  const message = findStatusError(error)?.message ?? "";
  const isUnknown = message.includes("field not declared in schema");
  return isInvalid(error) || isBadRequest(error) || isUnknown ? message : undefined;
}
