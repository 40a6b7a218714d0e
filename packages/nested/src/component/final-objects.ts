import type { KubeObject } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import { applyPatches } from "../manifests/apply-patches.ts";
import type { Allowances } from "../policy/allowances.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import { refuseUnrestricted } from "../policy/restricted.ts";
import type { Revision } from "./revision.ts";

/**
 * The rendered objects of a revision with its patches: the only way from a spec to what is applied.
 * Throws a ComponentError where the revision, which may be a former one, has fields that are not
 * allowed, or its pods would not be restricted.
 */
export function finalObjects(
  { kind, spec }: ComponentObject,
  { revision, rendered }: { readonly revision: Revision; readonly rendered: readonly KubeObject[] },
  allowances: Allowances,
): KubeObject[] {
  const { image: _, patches: __, extraArgs: ___, ...rest } = spec;
  const { image, patches, extraArgs } = revision;
  refuseClosedFields(
    {
      kind,
      spec: {
        ...rest,
        ...(image !== undefined && { image }),
        ...(patches && { patches }),
        ...(extraArgs && { extraArgs }),
      } as ComponentObject["spec"],
    },
    allowances,
  );
  const patched = applyPatches(rendered, patches);
  for (const object of patched) refuseUnrestricted(object);
  return patched;
}
