import type { Provider } from "@rookery/api";
import { type Component, isWorkload, managerFlags, providerLabel } from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { identityOf, labelOf } from "../identity/identity.ts";
import type { InstanceLayout, Release } from "../state/install-state.ts";
import { credentialsFlag } from "./credentials-namespace.ts";
import { instanceComponents } from "./layout/instance-components.ts";
import { configurationNames, ownConfigurationName } from "./layout/names.ts";

/** Managers that do not see all objects must not migrate them; the operator does. */
const migrationFlag = "skip-crd-migration-phases";
const skipped = "StorageVersionMigration,CleanupManagedFields";
/** The webhook configuration into which managers of Rookery inject their authority. */
const configurationFlag = "webhook-configuration";

interface Scope {
  readonly provider: Provider;
  readonly image: string | undefined;
}

/** The components of a release as they are applied: for the layout of an instance, if there is one. */
export async function renderedComponents(
  scope: Scope,
  { reference, components }: Pick<Release, "reference" | "components">,
  layout: InstanceLayout | undefined,
): Promise<readonly Component[]> {
  if (layout === undefined) return components;
  const { provider } = scope;
  const { namespace = "", name = "" } = provider.metadata;
  const known = managerFlags(providerLabel(identityOf(provider)), reference.version);
  const [configuration] = configurationNames(components);
  const flags = {
    ...(known.names.has(migrationFlag) && { [migrationFlag]: skipped }),
    ...(layout.credentials && { [credentialsFlag]: layout.credentials }),
    ...(known.names.has(configurationFlag) &&
      configuration && { [configurationFlag]: ownConfigurationName(configuration, namespace) }),
  };
  const instance = { namespace, name, label: labelOf(provider), flags };
  const rendered = instanceComponents(components, layout, instance);
  const { scope: watched } = layout;
  const isIdle = watched.type === "namespaces" && watched.namespaces.length === 0;
  const isProxied = layout.by === "proxy" && !isIdle;
  // With API groups of its own it already has a proxy, which got the flags.
  return isProxied && provider.spec?.apiGroupSuffix === undefined
    ? withProxy(rendered, layout, scope)
    : rendered;
}

async function withProxy(
  components: readonly Component[],
  { scope }: InstanceLayout,
  { provider, image }: Scope,
): Promise<readonly Component[]> {
  if (image === undefined)
    throw notPossible("the operator does not know its own image; set --image");
  // Loaded on demand, because most operators have no such instance.
  const { injectProxy, UnsafeManifestError, AlreadyInjectedError } = await import("@rookery/proxy");
  const { namespace = "" } = provider.metadata;
  const isPart = (one: Component) => isWorkload(one) || one.kind === "ServiceAccount";
  try {
    const parts = components.filter(isPart);
    const { documents } = injectProxy(parts, { scope, namespace, image });
    const proxied = new Map(parts.map((part, index) => [part, documents[index] as Component]));
    return components.map((component) => proxied.get(component) ?? component);
  } catch (error) {
    if (error instanceof UnsafeManifestError || error instanceof AlreadyInjectedError)
      throw notPossible(error.message, error);
    throw error;
  }
}

function notPossible(why: string, cause?: unknown): PhaseError {
  return new PhaseError("ProviderFetched", "ScopeNotPossible", {
    message: `could not render components for spec.watch: ${why}`,
    cause,
  });
}
