import { providerLabel } from "@rookery/cluster-api";
import {
  type Component,
  type ComponentKey,
  componentKeyOf,
  formatComponentKey,
} from "@rookery/components";
import type { PartialObjectMetadata } from "@rookery/kube";
import { inParallel } from "../components/in-parallel.ts";
import { PhaseError } from "../errors.ts";

export interface OwnerDependencies {
  readonly getMetadata: (key: ComponentKey) => Promise<PartialObjectMetadata | undefined>;
  /** The value of the label cluster.x-k8s.io/provider on what is the provider's. */
  readonly label: string;
  /** What is recorded as the provider's. */
  readonly owned: readonly ComponentKey[];
}

/** How many objects a message names. */
const shown = 5;

/**
 * Refuses components that exist already and are somebody else's: another provider's, or made by
 * hand. What carries the provider's own label is taken over, as from clusterctl. Resolves to those that
 * are not there yet. Throws PhaseError.
 */
export async function checkOwners(
  components: readonly Component[],
  { getMetadata, label, owned }: OwnerDependencies,
): Promise<readonly ComponentKey[]> {
  const recorded = new Set(owned.map(formatComponentKey));
  const strangers = components
    .filter((component) => !isShared(component))
    .map(componentKeyOf)
    .filter((key) => !recorded.has(formatComponentKey(key)));
  const found = await inParallel(strangers, getMetadata);
  const problems = strangers
    .map((key, index) => ownerProblem(key, label, found[index]))
    .filter((problem) => problem !== undefined);
  if (problems.length === 0) return strangers.filter((_, index) => found[index] === undefined);
  const more = problems.length > shown ? ` and ${problems.length - shown} more` : "";
  throw new PhaseError("ProviderInstalled", "ObjectOwnedByOther", {
    message:
      `could not install components: ${problems.slice(0, shown).join("; ")}${more}; delete what is no ` +
      `longer needed, or hand an object over by labelling it ${providerLabel}=${label}`,
  });
}

/** Many providers may live in one namespace, which was there before any of them. */
function isShared({ apiVersion, kind }: Component): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

function ownerProblem(
  { kind, namespace, name }: ComponentKey,
  label: string,
  found: PartialObjectMetadata | undefined,
): string | undefined {
  if (!found) return undefined;
  const owner = found.metadata.labels?.[providerLabel];
  if (owner === label) return undefined;
  const object = `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
  if (owner !== undefined) return `${object} belongs to the provider ${owner}`;
  return `${object} exists already and belongs to no provider`;
}
