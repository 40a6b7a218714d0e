import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import {
  type CustomResourceDefinition,
  clusterApiCrds,
  installAccess,
  type Kubernetes,
  startKubernetes,
} from "@rookery/testing";
import { vsphereRelease } from "@rookery/vsphere";

export const systemNamespace = "capv-system";
const managerName = "capv-controller-manager";

type Variables = Readonly<Record<string, string>>;

/** The objects of a file of the release, with their variables replaced. */
export function releaseObjects(file: string, variables: Variables = {}): readonly KubeObject[] {
  const documents = vsphereRelease({ image: "rookery:test" }).get(file);
  const text = JSON.stringify(documents).replaceAll(
    /"?\$\{(\w+)(?::=([^}]*))?\}"?/g,
    (found: string, name: string, fallback = "") => {
      const value = variables[name] ?? JSON.parse(`"${fallback}"`).replaceAll('"', "");
      const isWhole = found.startsWith('"') && found.endsWith('"');
      if (!isWhole) return found.replace(/\$\{.*\}/, value);
      return /^\d+$/.test(fallback) ? value : JSON.stringify(value);
    },
  );
  return JSON.parse(text);
}

/** A Kubernetes with the kinds of Cluster API whose names match, and the provider's components. */
export async function startInstalled(
  kinds: RegExp,
  { controllerManager = false }: { readonly controllerManager?: boolean } = {},
): Promise<Kubernetes> {
  const kubernetes = await startKubernetes({ private: true, controllerManager });
  const upstream = (await clusterApiCrds()).filter(({ metadata }) => kinds.test(metadata.name));
  const own = releaseObjects("infrastructure-components.yaml").filter(isDefinition);
  for (const crd of [...upstream, ...own]) await kubernetes.applyCrd(crd);
  return kubernetes;
}

function isDefinition(object: KubeObject): object is KubeObject & CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition";
}

/**
 * Applies the components but for the webhooks: there is no network here in which an API server
 * would reach their Service.
 */
export async function installComponents(client: Client, variables?: Variables): Promise<void> {
  for (const component of releaseObjects("infrastructure-components.yaml", variables)) {
    if (isDefinition(component) || component.kind.endsWith("WebhookConfiguration")) continue;
    const resource = await client.kind<KubeObject>(component);
    await resource.apply(component, { fieldManager: "installer", force: true });
  }
}

/**
 * Installs the account and the roles of the release for an instance in a namespace; returns the path
 * of a kubeconfig of that account.
 */
export async function accountKubeconfig(
  kubernetes: Kubernetes,
  namespace = systemNamespace,
): Promise<string> {
  const components = releaseObjects("infrastructure-components.yaml");
  await installAccess(kubernetes, instanceManifests(components, namespace));
  return (await kubernetes.serviceAccount({ namespace, name: managerName })).kubeconfig;
}

/** A client of that account. */
export async function accountClient(kubernetes: Kubernetes, namespace?: string): Promise<Client> {
  const path = await accountKubeconfig(kubernetes, namespace);
  return createClient(await loadConfig({ path }));
}

/** What is in no namespace has other names for each instance. */
function instanceManifests(
  components: readonly KubeObject[],
  namespace: string,
): readonly KubeObject[] {
  if (namespace === systemNamespace) return components;
  const text = JSON.stringify(components)
    .replaceAll(`"${systemNamespace}"`, JSON.stringify(namespace))
    .replaceAll('"capv-manager-role', `"${namespace}-manager-role`);
  return JSON.parse(text);
}
