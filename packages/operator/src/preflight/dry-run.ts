import type { Client } from "@rookery/client";
import {
  type Component,
  componentKeyOf,
  formatComponentKey,
  installStages,
} from "@rookery/components";
import { findStatusError, isBadRequest, isInvalid } from "@rookery/kube";
import { componentResource } from "../components/component-client.ts";
import { inParallel } from "../components/in-parallel.ts";
import { PhaseError } from "../errors.ts";
import { listSome } from "../list-some.ts";

/** The name of objects in a dry run, and its field manager. */
const standIn = "rookery-dry-run";
/** Kinds that keep their names: they stay over a change, or their names have a meaning. */
const ownName: ReadonlySet<string> = new Set([
  "Namespace",
  "CustomResourceDefinition",
  "APIService",
]);

/**
 * Applies components with a dry run, before running ones are removed for them. Objects that will be
 * created again have another name, because the running ones cannot always be changed into them. Throws
 * PhaseError for errors of the objects; other errors, such as missing rights, are left to the apply.
 */
export async function checkAccepted(
  components: readonly Component[],
  client: Client,
): Promise<void> {
  // Objects of the components' own kinds need definitions that do not exist yet.
  const checked = installStages(components)
    .filter(({ stage }) => stage !== "instances")
    .flatMap(({ components: members }) => members);
  const found = await inParallel(checked, (component) => tryOut(component, client));
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length === 0) return;
  throw new PhaseError("ProviderInstalled", "ApplyFailed", {
    message:
      `could not apply ${listSome(problems, 3, "; ")}; nothing was changed: correct ` +
      "the spec or choose another version",
    retryAfterSeconds: 300,
  });
}

async function tryOut(component: Component, client: Client): Promise<string | undefined> {
  const key = componentKeyOf(component);
  const resource = await componentResource(key, client);
  if (!resource) return undefined;
  const name = ownName.has(key.kind) ? key.name : standIn;
  const object = { ...component, metadata: { ...component.metadata, name } };
  const options = { fieldManager: standIn, force: true, dryRun: true };
  try {
    await client.resource<Component>(resource).apply(object, options);
    return undefined;
  } catch (error) {
    const why = rejectionOf(error)?.replaceAll(standIn, key.name);
    return why && `${formatComponentKey(key)}: ${why}`;
  }
}

/** Server-side apply answers unknown fields with an internal error. */
function rejectionOf(error: unknown): string | undefined {
  const message = findStatusError(error)?.message ?? "";
  const isUnknown = message.includes("field not declared in schema");
  return isInvalid(error) || isBadRequest(error) || isUnknown ? message : undefined;
}
