import type { NestedControlPlane } from "@rookery/api";
import { isBeingDeleted } from "@rookery/runtime";
import {
  type DefaultComponent,
  type DefaultComponentManifest,
  defaultedVersionAnnotation,
} from "../default-components.ts";
import type { DefaultingScope } from "../scope.ts";
import type { FieldComponent } from "./ensure-components.ts";

/** Upgrades the components that were created for another version. */
export async function upgradeComponents(
  { spec }: NestedControlPlane,
  components: readonly FieldComponent[],
  { commitComponent }: Pick<DefaultingScope, "commitComponent">,
): Promise<void> {
  await Promise.all(
    components.map(async ({ component, manifest, isCreated }) => {
      if (!component || !isCreated || isBeingDeleted(component)) return;
      if (component.metadata.annotations?.[defaultedVersionAnnotation] === spec.version) return;
      await commitComponent(component, withVersionOf(manifest, component));
    }),
  );
}

function withVersionOf(
  manifest: DefaultComponentManifest,
  component: DefaultComponent,
): DefaultComponent {
  const { metadata } = component;
  const annotations = { ...metadata.annotations, ...manifest.metadata.annotations };
  const { version = "" } = manifest.spec ?? {};
  return {
    ...component,
    metadata: { ...metadata, annotations },
    spec: { ...component.spec, version },
  };
}
