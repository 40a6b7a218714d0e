import type { ProviderManifest } from "@rookery/api";

/** What is desired of a provider, in the parts that fetching and rendering read. */
export type ProviderSpec = NonNullable<ProviderManifest["spec"]>;

/** What can be set on a controller manager. */
export type ManagerSpec = NonNullable<ProviderSpec["manager"]>;

/** What can be set on the Deployment of the provider. */
export type DeploymentSpec = NonNullable<ProviderSpec["deployment"]>;

/**
 * What can be set on one container; its name is "<deployment>/<container>" where two Deployments
 * have one of the same name.
 */
export type ContainerSpec = NonNullable<DeploymentSpec["containers"]>[number];

/** A change of rendered components. */
export type ComponentPatch = NonNullable<ProviderSpec["patches"]>[number];

/** Where components come from: exactly one of url and selector. */
export type FetchConfiguration = NonNullable<ProviderSpec["fetchConfig"]>;
