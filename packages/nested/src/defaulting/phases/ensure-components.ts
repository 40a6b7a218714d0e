import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { objectKeyOf } from "@rookery/kube";
import {
  type ComponentField,
  componentFields,
  createdFields,
  neededFields,
} from "../../control-plane/component.ts";
import { apiServers } from "../../resources.ts";
import {
  type DefaultComponent,
  type DefaultComponentManifest,
  defaultComponents,
} from "../default-components.ts";
import { isMadeFor, namesDefault } from "../policies.ts";
import type { DefaultingScope } from "../scope.ts";

/** The component of a field of the control plane's spec. */
export interface FieldComponent {
  readonly field: ComponentField;
  readonly manifest: DefaultComponentManifest;
  /** Undefined if the field names another object. */
  readonly component?: DefaultComponent | undefined;
  /** Whether it was created for the control plane, and is recreated after a deletion. */
  readonly isCreated: boolean;
}

type Scope = Pick<DefaultingScope, "getComponent" | "createComponent">;

/** Creates the missing components; returns the component of each field. */
export async function ensureComponents(
  controlPlane: NestedControlPlane,
  scope: Scope,
  owner: OwnerCluster,
): Promise<FieldComponent[]> {
  const manifests = defaultComponents(controlPlane, owner);
  const needed = neededFields(controlPlane, await namedApiServer(controlPlane, scope)) ?? [];
  return Promise.all(
    componentFields.map((field) => {
      const isNeeded = needed.includes(field);
      const wanted = { field, manifest: manifests[field], isNeeded };
      return ensureComponent(controlPlane, wanted, scope);
    }),
  );
}

async function ensureComponent(
  controlPlane: NestedControlPlane,
  {
    isNeeded,
    ...wanted
  }: Pick<FieldComponent, "field" | "manifest"> & { readonly isNeeded: boolean },
  { getComponent, createComponent }: Scope,
): Promise<FieldComponent> {
  const { field, manifest } = wanted;
  const isNamed = controlPlane.spec[field] !== undefined;
  const known = { ...wanted, isCreated: false };
  if (isNamed ? !namesDefault(controlPlane, wanted) : !isNeeded) return known;
  const wasCreated = createdFields(controlPlane).includes(field);
  const found = await getComponent(manifest.kind, objectKeyOf(manifest as DefaultComponent));
  // A component that the user named is created by the user.
  const isWanted = !found && (!isNamed || wasCreated);
  const component = isWanted ? await createComponent(manifest) : found;
  const isCreated = component ? isMadeFor(controlPlane, component) : wasCreated;
  return { ...known, component, isCreated };
}

/** The API server whose profile decides on the required components. */
async function namedApiServer(
  controlPlane: NestedControlPlane,
  { getComponent }: Scope,
): Promise<DefaultComponent | undefined> {
  const { apiserver: reference } = controlPlane.spec;
  if (reference?.kind !== apiServers.kind) return undefined;
  const { namespace = "" } = controlPlane.metadata;
  return getComponent("NestedAPIServer", { namespace, name: reference.name });
}
