import type { NestedControlPlane } from "@rookery/api";
import { clusterApiGroup } from "@rookery/cluster-api";
import {
  type Condition,
  getCondition,
  type KubeObject,
  type PartialObjectMetadata,
  parseApiVersion,
} from "@rookery/kube";
import {
  componentResources,
  controlPlanes,
  type KindReference,
  ownResource,
} from "../resources.ts";

/** The fields of a control plane's spec that name components, in the order of their start. */
export const componentFields = ["etcd", "apiserver", "controllerManager"] as const;

export type ComponentField = (typeof componentFields)[number];

export type ComponentReference = NonNullable<NestedControlPlane["spec"][ComponentField]>;

/** The annotation with the fields whose components were created, and are recreated. */
const createdAnnotation = "nested.rookery.dev/created-components";

/** The fields whose components were created for the control plane. */
export function createdFields({ metadata }: PartialObjectMetadata): ComponentField[] {
  const names = metadata.annotations?.[createdAnnotation]?.split(",") ?? [];
  return componentFields.filter((field) => names.includes(field));
}

/** The control plane with the annotation of the fields whose components were created. */
export function withCreatedFields(
  controlPlane: NestedControlPlane,
  fields: readonly ComponentField[],
): NestedControlPlane {
  const { metadata } = controlPlane;
  const { [createdAnnotation]: before, ...others } = metadata.annotations ?? {};
  const now = componentFields.filter((field) => fields.includes(field)).join();
  if (now === (before ?? "")) return controlPlane;
  const annotations = { ...others, ...(now !== "" && { [createdAnnotation]: now }) };
  return { ...controlPlane, metadata: { ...metadata, annotations } };
}

/** The required components. Undefined if the API server whose profile decides does not exist. */
export function neededFields(
  { spec }: NestedControlPlane,
  apiServer: Pick<ComponentObject, "spec"> | undefined,
): readonly ComponentField[] | undefined {
  const isNamed = spec.apiserver !== undefined && isOwnKind(spec.apiserver);
  if (isNamed && !apiServer) return undefined;
  const { profile } = isNamed ? (apiServer?.spec ?? {}) : { profile: createdProfile(spec) };
  return profile === "light" ? ["apiserver"] : componentFields;
}

/** The profile of an API server that is created. */
function createdProfile(spec: NestedControlPlane["spec"]): string | undefined {
  return spec.apiserver ? undefined : spec.profile;
}

/** A component of any kind, with the fields that its control plane reads. */
export interface ComponentObject extends KubeObject {
  readonly spec?: {
    readonly serviceCidr?: string;
    readonly profile?: string;
    readonly certSANs?: readonly string[];
    readonly service?: { readonly host?: string; readonly port?: number };
  };
  readonly status?: {
    readonly ready?: boolean;
    readonly version?: string;
    readonly endpoint?: Endpoint;
    readonly failureMessage?: string;
    readonly authorities?: Readonly<Record<string, string>>;
    readonly addresses?: readonly EtcdAddress[];
    readonly conditions?: readonly Condition[];
  };
}

/** The address of an API server. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

interface EtcdAddress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly port: number;
}

export type Components = Partial<Record<ComponentField, ComponentObject>>;

/** Whether a reference is to one of our kinds of components. */
export function isOwnKind(reference: KindReference): boolean {
  return ownResource(reference) !== undefined;
}

/**
 * Why a kind cannot be a component; undefined if it can. The manager owns and deletes components: references
 * must not reach objects that it has rights to for other reasons, such as Secrets.
 */
export function kindProblem(
  field: ComponentField,
  { apiVersion, kind }: KindReference,
): string | undefined {
  const { group } = parseApiVersion(apiVersion);
  const own = componentResources[field];
  if (own.group === group && own.kind === kind) return undefined;
  const isBuiltIn = !group.includes(".") || /(^|\.)k8s\.io$/.test(group);
  const isTaken = isOwnKind({ apiVersion, kind }) || kind === controlPlanes.kind;
  if (!isBuiltIn && !isTaken && group !== clusterApiGroup) return undefined;
  return `${kind} of ${apiVersion} is not a kind of component; name a ${own.kind}, or a kind of your own that an administrator allows the manager`;
}

/** Whether a component is ready. A foreign component without such a status counts as ready. */
export function isReady({ apiVersion, kind, status }: ComponentObject): boolean {
  if (status?.ready !== undefined) return status.ready;
  if (isOwnKind({ apiVersion, kind })) return false;
  const condition =
    getCondition(status?.conditions, "Ready") ?? getCondition(status?.conditions, "Available");
  return condition === undefined ? true : condition.status === "True";
}
