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
import { listSome } from "../list-some.ts";

interface Dependencies {
  readonly getMetadata: (key: ComponentKey) => Promise<PartialObjectMetadata | undefined>;
  readonly label: string;
  readonly owned: readonly ComponentKey[];
}

/** Rejects components of others; returns those that do not exist yet. Throws PhaseError. */
export async function checkOwners(
  components: readonly Component[],
  { getMetadata, label, owned }: Dependencies,
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
  throw new PhaseError("ProviderInstalled", "ObjectOwnedByOther", {
    message:
      `could not install components: ${listSome(problems, 5, "; ")}; delete what is no ` +
      `longer needed, or hand an object over by labelling it ${providerLabel}=${label}`,
  });
}

/** Several providers may share a namespace. */
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
