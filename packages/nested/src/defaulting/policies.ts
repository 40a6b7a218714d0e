import type { NestedControlPlane } from "@rookery/api";
import { isControlledBy, parseApiVersion } from "@rookery/kube";
import type { ComponentField } from "../control-plane/component.ts";
import { controlPlanes } from "../resources.ts";
import {
  type DefaultComponent,
  type DefaultComponentManifest,
  defaultedVersionAnnotation,
} from "./default-components.ts";

interface FieldManifest {
  readonly field: ComponentField;
  readonly manifest: DefaultComponentManifest;
}

/** Whether a field names the object that would be created for it. */
export function namesDefault(
  { spec, metadata }: NestedControlPlane,
  { field, manifest }: FieldManifest,
): boolean {
  const { apiVersion = "", kind, name, namespace } = spec[field] ?? {};
  return (
    parseApiVersion(apiVersion).group === controlPlanes.group &&
    kind === manifest.kind &&
    name === manifest.metadata.name &&
    (!namespace || namespace === metadata.namespace)
  );
}

/** Whether a component was created for the control plane, which still controls it. */
export function isMadeFor(controlPlane: NestedControlPlane, component: DefaultComponent): boolean {
  const version = component.metadata.annotations?.[defaultedVersionAnnotation];
  return version !== undefined && isControlledBy(component, controlPlane);
}
