import type { ContainerSpec } from "../spec/provider-spec.ts";
import type { PodSpec, Workload } from "./component-shapes.ts";
import type { Problem } from "./problem.ts";

/** The container that clusterctl's contract gives to a provider's controllers. */
const managerName = "manager";

/** One container of one Deployment. */
export interface ContainerPlace {
  readonly deployment: string;
  readonly container: string;
}

/** Which container each entry of a spec means; "" for one that is not there. */
export function findContainers(
  deployments: readonly Workload[],
  containers: readonly ContainerSpec[],
): {
  readonly places: ReadonlyMap<ContainerSpec, ContainerPlace>;
  readonly problems: readonly Problem[];
} {
  const places = new Map<ContainerSpec, ContainerPlace>();
  const problems: Problem[] = [];
  const taken = new Set<string>();
  for (const spec of containers) {
    const field = `deployment.containers[${spec.name}]`;
    const found = placesOf(deployments, spec.name);
    const [place] = found;
    const key = `${place?.deployment}/${place?.container}`;
    if (!place) problems.push(notFound(field, deployments));
    else if (found.length > 1) problems.push(ambiguous(field, found));
    else if (taken.has(key)) {
      problems.push({ reason: "InvalidValue", message: `${field} is there twice`, field });
    } else places.set(spec, place);
    taken.add(key);
  }
  return { places, problems };
}

/**
 * The container of the provider's manager. Where several Deployments have one of that name, an entry
 * of the spec that names the Deployment decides; undefined where none does.
 */
export function findManager(
  deployments: readonly Workload[],
  chosen: Iterable<ContainerPlace>,
): { readonly place?: ContainerPlace; readonly candidates: readonly ContainerPlace[] } {
  const candidates = placesOf(deployments, managerName);
  const [only] = candidates;
  if (candidates.length <= 1) return { ...(only && { place: only }), candidates };
  const names = new Set(
    [...chosen]
      .filter(({ container }) => container === managerName)
      .map((place) => place.deployment),
  );
  const named = candidates.filter(({ deployment }) => names.has(deployment));
  const [place] = named;
  return { ...(named.length === 1 && place && { place }), candidates };
}

/** What is wrong where settings are for a manager that cannot be told. */
export function managerProblem(candidates: readonly ContainerPlace[]): Problem {
  if (candidates.length > 1) return ambiguous("manager", candidates);
  const message = `the components have no Deployment with a container named ${managerName}, to which manager and deployment settings belong; remove them`;
  return { reason: "DeploymentNotFound", message, field: "manager" };
}

function placesOf(deployments: readonly Workload[], name: string): ContainerPlace[] {
  const [container = "", only] = name.split("/").reverse();
  return deployments
    .filter(({ metadata }) => only === undefined || metadata.name === only)
    .filter(({ spec }) => containerNames(spec.template.spec).includes(container))
    .map(({ metadata }) => ({ deployment: metadata.name ?? "", container }));
}

function containerNames({ containers = [], initContainers = [] }: PodSpec): string[] {
  return [...containers, ...initContainers].map(({ name }) => name ?? "");
}

function ambiguous(field: string, places: readonly ContainerPlace[]): Problem {
  const names = places.map(({ deployment, container }) => `${deployment}/${container}`);
  const message = `${field} could be a container of several Deployments; write ${names.join(" or ")} as its name`;
  return { reason: "AmbiguousContainer", message, field };
}

function notFound(field: string, deployments: readonly Workload[]): Problem {
  const names = deployments.flatMap(({ metadata, spec }) =>
    containerNames(spec.template.spec).map((name) => `${metadata.name}/${name}`),
  );
  const message = `${field} is no container of the components, which have ${names.join(", ") || "none"}`;
  return { reason: "ContainerNotFound", message, field };
}
