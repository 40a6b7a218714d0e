import type { ImageMeta } from "@rookery/api";
import type { Component } from "../documents/documents.ts";
import type { Problem } from "../errors.ts";
import { ImageError } from "../errors.ts";
import { managerFlags } from "../flags/manager-flags.ts";
import { type ProviderIdentity, providerLabel } from "../providers/provider.ts";
import type { ContainerSpec, DeploymentSpec, ManagerSpec } from "../spec/provider-spec.ts";
import {
  type Binding,
  type Container,
  isBinding,
  isDeployment,
  isWorkload,
  mapContainers,
  type Workload,
  withPodSpec,
} from "./component-shapes.ts";
import {
  type ContainerPlace,
  findContainers,
  findManager,
  type ManagerPlace,
  managerProblem,
} from "./find-container.ts";
import { formatImage, isImage, parseImage, withImageMeta } from "./image.ts";
import {
  type PlannedArguments,
  plannedArguments,
  plannedManagerArguments,
} from "./manager-arguments.ts";
import { withArguments } from "./manager-container.ts";

interface CustomizeInput {
  readonly provider: ProviderIdentity;
  readonly version: string;
  readonly manager?: ManagerSpec | undefined;
  readonly deployment?: DeploymentSpec | undefined;
}

interface Customized {
  readonly components: readonly Component[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Applies a spec's settings of manager and Deployment to the Deployment and its containers. */
export function customize(components: readonly Component[], input: CustomizeInput): Customized {
  const deployments = components.filter(isDeployment);
  const { manager = {}, deployment = {} } = input;
  const { places, problems } = findContainers(deployments, deployment.containers ?? []);
  const found = findManager(deployments, places.values());
  const isFound =
    (Object.keys(manager).length === 0 || found.container !== undefined) &&
    (!hasPodSettings(deployment) || found.deployment !== undefined);
  const missing = isFound ? [] : [managerProblem(found)];
  const changes = new ContainerChanges(input, found);
  const account = managerAccount(deployments, found);
  const changed = components.map((original) => {
    const component = withPullSecrets(original, deployment.imagePullSecrets ?? []);
    if (isBinding(component)) return withAccount(component, account, deployment);
    if (!isDeployment(component)) return component;
    const isManager = component.metadata.name === found.deployment;
    const customized = changes.apply(component, places);
    return isManager ? withPodSettings(customized, deployment) : customized;
  });
  return {
    components: changed,
    problems: [...problems, ...missing, ...changes.problems],
    warnings: changes.warnings,
  };
}

class ContainerChanges {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #input: CustomizeInput;
  readonly #manager: ManagerPlace;

  constructor(input: CustomizeInput, manager: ManagerPlace) {
    this.#input = input;
    this.#manager = manager;
  }

  apply(deployment: Workload, places: ReadonlyMap<ContainerSpec, ContainerPlace>): Workload {
    const specs = new Map<string, ContainerSpec>();
    for (const [spec, place] of places) {
      if (place.deployment === deployment.metadata.name) specs.set(place.container, spec);
    }
    const isManager = (name: string) =>
      this.#manager.deployment === deployment.metadata.name && this.#manager.container === name;
    return mapContainers(deployment, (container) => {
      const { name = "" } = container;
      return this.#container(container, specs.get(name), isManager(name));
    });
  }

  #container(container: Container, spec: ContainerSpec | undefined, isManager: boolean): Container {
    const args = spec?.args ?? {};
    const planned = isManager
      ? this.#managerArguments(container, args)
      : plannedArguments(spec?.name ?? "", args);
    this.problems.push(...planned.problems);
    this.warnings.push(...planned.warnings);
    const flagged = withArguments(container, planned);
    if (!spec) return flagged;
    return {
      ...flagged,
      ...(spec.image !== undefined && { image: this.#image(container, spec.image) }),
      ...(spec.env && { env: mergeEnv(flagged.env ?? [], spec.env) }),
      ...(spec.resources && { resources: spec.resources }),
    };
  }

  #managerArguments(
    container: Container,
    args: NonNullable<ContainerSpec["args"]>,
  ): PlannedArguments {
    const { provider, version, manager = {} } = this.#input;
    const label = providerLabel(provider);
    const flags = managerFlags(label, version);
    const release = `${label} ${version}`;
    return plannedManagerArguments({ container, manager, args, flags, release });
  }

  /** The image of the spec: a whole reference, or parts that replace those of the components. */
  #image(container: Container, image: ImageMeta | string): string {
    const before = container.image ?? "";
    try {
      if (typeof image !== "string") return formatImage(withImageMeta(parseImage(before), image));
      if (isImage(image)) return image;
      throw new ImageError(image, "it is no image reference, such as registry.example/name:tag");
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      const field = `deployment.containers[${container.name}].image`;
      this.problems.push({ reason: "InvalidImage", message: `${field}: ${error.message}`, field });
      return before;
    }
  }
}

function mergeEnv(
  own: readonly { readonly name: string }[],
  asked: readonly { readonly name: string }[],
): { readonly name: string }[] {
  return [...new Map([...own, ...asked].map((variable) => [variable.name, variable])).values()];
}

/** The manager's ServiceAccount in the components. */
function managerAccount(deployments: readonly Workload[], found: ManagerPlace): string {
  const manager = deployments.find(({ metadata }) => metadata.name === found.deployment);
  const { serviceAccountName } = Object(manager?.spec.template.spec) as {
    readonly serviceAccountName?: string;
  };
  return serviceAccountName ?? "default";
}

/** Binds the roles of the manager's account to the account of the spec, too. */
function withAccount(
  binding: Binding,
  account: string,
  { serviceAccountName }: DeploymentSpec,
): Binding {
  const { subjects = [] } = binding as { readonly subjects?: readonly Subject[] };
  const own = subjects.find(({ kind, name }) => kind === "ServiceAccount" && name === account);
  const isNew = subjects.every(({ kind, name }) => {
    return kind !== "ServiceAccount" || name !== serviceAccountName;
  });
  if (serviceAccountName === undefined || own === undefined || !isNew) return binding;
  return { ...binding, subjects: [...subjects, { ...own, name: serviceAccountName }] };
}

interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

function withPullSecrets(
  component: Component,
  secrets: NonNullable<DeploymentSpec["imagePullSecrets"]>,
): Component {
  if (secrets.length === 0 || !isWorkload(component)) return component;
  const { imagePullSecrets: own = [] } = component.spec.template.spec as {
    readonly imagePullSecrets?: typeof secrets;
  };
  const named = new Map([...own, ...secrets].map((secret) => [secret.name, secret]));
  return withPodSpec(component, { imagePullSecrets: [...named.values()] });
}

function hasPodSettings({
  containers: _,
  imagePullSecrets: __,
  ...settings
}: DeploymentSpec): boolean {
  return Object.keys(settings).length > 0;
}

function withPodSettings(deployment: Workload, spec: DeploymentSpec): Workload {
  const { replicas, nodeSelector, tolerations, affinity, serviceAccountName } = spec;
  const placed = withPodSpec(deployment, {
    ...(nodeSelector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    ...(affinity && { affinity }),
    ...(serviceAccountName && { serviceAccountName }),
  });
  if (replicas === undefined) return placed;
  return { ...placed, spec: { ...placed.spec, replicas } };
}
