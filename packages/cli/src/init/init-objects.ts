import type { ImageMeta, ProviderManifest } from "@rookery/api";
import {
  type Component,
  type ContainerSpec,
  containersOf,
  type ImageOverrides,
  imageOverridesFor,
  isWorkload,
  parseComponents,
  parseImage,
  providerLabel,
  replaceVariables,
} from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { shippedFetchConfig, shippedRelease } from "../releases/shipped-release.ts";
import type { Watch } from "./instance-flags.ts";
import type { PlannedProvider } from "./plan-init.ts";
import { variablesSecret } from "./variables-secret.ts";

export interface ObjectOptions {
  readonly config: CommandConfig;
  /** The namespace of all providers; that of their components where absent. */
  readonly targetNamespace?: string;
  /** All namespaces where absent. */
  readonly watch?: Watch;
}

/** The objects that declare one provider. */
export interface InitObjects {
  /** Its namespace, a Secret with variables, a ConfigMap with a release that the operator can't fetch. */
  readonly supplies: readonly KubeObject[];
  readonly provider: ProviderManifest;
}

/** Throws ProvidersError, SubstitutionError, DocumentError and ImageError. */
export function initObjects(planned: PlannedProvider, options: ObjectOptions): InitObjects {
  const { identity, release, isBehind } = planned;
  const { config, watch } = options;
  const components = parseComponents(replaceVariables(release.components, config.variable));
  const namespace = options.targetNamespace ?? namespaceOf(components, planned);
  const secret = variablesSecret(planned, namespace, config);
  const containers = imageChanges(components, providerLabel(identity), config.images);
  const fetchConfig = isShipped(planned)
    ? shippedFetchConfig(identity)
    : planned.source.fetchConfig;
  const provider: ProviderManifest = {
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind: identity.kind,
    metadata: { name: identity.name, namespace },
    spec: {
      version: release.version,
      ...(secret?.metadata.name && { secretName: secret.metadata.name }),
      ...(fetchConfig && { fetchConfig }),
      ...(containers.length > 0 && { deployment: { containers } }),
      ...(watch && { watch }),
      ...(isBehind && { contractPolicy: "Compatible" }),
    },
  };
  return {
    supplies: [namespaceObject(namespace), ...suppliesOf(planned, namespace, secret)],
    provider,
  };
}

/** The operator reads ConfigMaps of the provider's own namespace only. */
function isShipped({ release, source }: PlannedProvider): boolean {
  return release.isLocal || source.fetchConfig?.selector !== undefined;
}

function suppliesOf(
  planned: PlannedProvider,
  namespace: string,
  secret: KubeObject | undefined,
): readonly KubeObject[] {
  const { identity, release } = planned;
  const shipped = isShipped(planned) ? [shippedRelease(identity, namespace, release)] : [];
  return [...(secret ? [secret] : []), ...shipped];
}

function namespaceObject(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function namespaceOf(components: readonly Component[], { identity }: PlannedProvider): string {
  const names = components.flatMap(({ apiVersion, kind, metadata }) =>
    apiVersion === "v1" && kind === "Namespace" ? (metadata.name ?? []) : [],
  );
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  const what = names.length === 0 ? "no Namespace" : `several Namespaces (${names.join(", ")})`;
  const problem = `the components of ${identity.kind} ${identity.name} have ${what}; name one by --target-namespace`;
  throw new ProvidersError("initialize the cluster", [problem]);
}

/**
 * The image overrides of the configuration for a provider's containers, for spec.deployment.containers:
 * only the parts that they override, so that upgrades keep them. Throws ImageError.
 */
export function imageChanges(
  components: readonly Component[],
  label: string,
  images: ImageOverrides,
): readonly ContainerSpec[] {
  const isConcerned = (key: string) =>
    key === "all" || key === label || key.startsWith(`${label}/`);
  if (!Object.keys(images).some(isConcerned)) return [];
  const deployments = components.filter(isWorkload).filter(({ kind }) => kind === "Deployment");
  const names = deployments.flatMap((one) => containersOf(one).map(({ name = "" }) => name));
  const isOnly = (name: string) => names.filter((other) => other === name).length === 1;
  return deployments.flatMap((deployment) =>
    containersOf(deployment).flatMap(({ name = "", image = "" }) => {
      const overrides = imageOverridesFor(images, label, parseImage(image).name);
      const meta: ImageMeta = Object.assign({}, ...overrides);
      if (Object.keys(meta).length === 0) return [];
      return { name: isOnly(name) ? name : `${deployment.metadata.name}/${name}`, image: meta };
    }),
  );
}
