import type { LabelSelector } from "@rookery/kube";
import type { ManagerSpec } from "./manager-spec.ts";

/** What is desired of a provider: the part that fetching and rendering read. */
export interface ProviderSpec {
  /** With the "v" prefix; the latest where absent. */
  readonly version?: string;
  readonly manager?: ManagerSpec;
  readonly deployment?: DeploymentSpec;
  /** The Secret with the variables, in the provider's own namespace. */
  readonly secretName?: string;
  readonly fetchConfig?: FetchConfiguration;
  readonly paused?: boolean;
}

/** What can be set on the Deployment of the provider. */
export interface DeploymentSpec {
  readonly replicas?: number;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: JsonObject;
  readonly containers?: readonly ContainerSpec[];
}

/** What can be set on one container. */
export interface ContainerSpec {
  /** The container's name; "<deployment>/<container>" where two Deployments have one of that name. */
  readonly name: string;
  /** The parts to replace, or a whole image as a plain string. */
  readonly image?: ImageMeta | string;
  /** Flags without their dashes; numbers and booleans become strings. */
  readonly args?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: readonly EnvVar[];
  readonly resources?: JsonObject;
}

/** The parts of an image that are replaced; what is absent or empty stays. */
export interface ImageMeta {
  readonly repository?: string;
  readonly name?: string;
  readonly tag?: string;
}

/** Where components come from: exactly one of the two. */
export interface FetchConfiguration {
  readonly url?: string;
  readonly selector?: LabelSelector;
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: JsonObject;
}

type JsonObject = Readonly<Record<string, unknown>>;
