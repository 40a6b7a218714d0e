import type { ProviderManifest } from "@rookery/api";

export type ProviderSpec = NonNullable<ProviderManifest["spec"]>;

export type ManagerSpec = NonNullable<ProviderSpec["manager"]>;

export type DeploymentSpec = NonNullable<ProviderSpec["deployment"]>;

/** The name is "<deployment>/<container>" if two Deployments have a container of the same name. */
export type ContainerSpec = NonNullable<DeploymentSpec["containers"]>[number];

/** A change of rendered components. */
export type ComponentPatch = NonNullable<ProviderSpec["patches"]>[number];

/** The source of components: exactly one of url and selector. */
export type FetchConfiguration = NonNullable<ProviderSpec["fetchConfig"]>;
