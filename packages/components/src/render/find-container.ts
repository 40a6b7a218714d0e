import type { Problem } from "../errors.ts";
import type { ContainerSpec } from "../spec/provider-spec.ts";
import type { PodSpec, Workload } from "./component-shapes.ts";

/** The name of the manager's container in clusterctl's contract. */
const managerName = "manager";

export interface ContainerPlace {
  readonly deployment: string;
  readonly container: string;
}

/** The container of each entry of a spec. */
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

/** The Deployment and the container of a provider's manager. */
export interface ManagerPlace {
  /** The Deployment for pod settings; undefined if there is none, or several. */
  readonly deployment?: string;
  /** The container for manager settings. */
  readonly container?: string;
  /** All candidates. */
  readonly candidates: readonly ContainerPlace[];
}

/**
 * The container named "manager". Of several, that of the Deployment which the spec names. Without one,
 * the only Deployment has the manager: in kubectl's default container, else in its only container.
 */
export function findManager(
  deployments: readonly Workload[],
  chosen: Iterable<ContainerPlace>,
): ManagerPlace {
  const candidates = placesOf(deployments, managerName);
  if (candidates.length === 0) return onlyDeployment(deployments);
  const names = new Set(
    [...chosen]
      .filter(({ container }) => container === managerName)
      .map((place) => place.deployment),
  );
  const named = candidates.filter(({ deployment }) => names.has(deployment));
  const [place, ...others] = candidates.length === 1 ? candidates : named;
  return { ...(others.length === 0 && place), candidates };
}

const defaultContainerAnnotation = "kubectl.kubernetes.io/default-container";

function onlyDeployment([deployment, ...others]: readonly Workload[]): ManagerPlace {
  if (deployment === undefined || others.length > 0) return { candidates: [] };
  const { metadata, spec } = deployment.spec.template as PodTemplate;
  const name = deployment.metadata.name ?? "";
  const candidates = (spec.containers ?? []).map((one) => ({
    deployment: name,
    container: one.name ?? "",
  }));
  const shown = metadata?.annotations?.[defaultContainerAnnotation];
  const marked = candidates.filter(({ container }) => container === shown);
  const [place, ...more] = marked.length > 0 ? marked : candidates;
  return { deployment: name, ...(more.length === 0 && place), candidates };
}

interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

/** The problem of settings for a manager that was not found. */
export function managerProblem({ deployment, candidates }: ManagerPlace): Problem {
  if (deployment !== undefined) {
    const names = candidates.map(({ container }) => container).join(", ");
    const message = `manager could be several containers of Deployment ${deployment} (${names}), none of which is named ${managerName}; set the flags by their own names in deployment.containers[].args`;
    return { reason: "AmbiguousContainer", message, field: "manager" };
  }
  if (candidates.length > 1) return ambiguous("manager", candidates);
  const message = `the components have no Deployment, to which manager and deployment settings belong, or several and none with a container named ${managerName}; remove them`;
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
