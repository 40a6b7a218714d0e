import type { NestedControlPlane } from "@rookery/api";
import { withCreatedFields } from "../../control-plane/component.ts";
import type { DefaultComponentManifest } from "../default-components.ts";
import type { DefaultingScope } from "../scope.ts";
import type { FieldComponent } from "./ensure-components.ts";

/** Names the created components in the spec, and records them in the annotation. */
export async function recordComponents(
  controlPlane: NestedControlPlane,
  components: readonly FieldComponent[],
  { commit }: Pick<DefaultingScope, "commit">,
): Promise<NestedControlPlane> {
  const { spec } = controlPlane;
  const unnamed = components.filter(({ field, component }) => component && !spec[field]);
  const references = unnamed.map(({ field, manifest }) => [field, referenceTo(manifest)]);
  const created = components.filter(({ isCreated }) => isCreated).map(({ field }) => field);
  const named =
    references.length === 0
      ? controlPlane
      : { ...controlPlane, spec: { ...spec, ...Object.fromEntries(references) } };
  // References that others have written meanwhile must stay.
  return commit(controlPlane, withCreatedFields(named, created), { optimisticLock: true });
}

function referenceTo({ apiVersion, kind, metadata }: DefaultComponentManifest) {
  return { apiVersion, kind, name: metadata.name ?? "" };
}
