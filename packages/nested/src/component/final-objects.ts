import type { KubeObject } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import { applyPatches } from "../manifests/apply-patches.ts";
import type { Allowances } from "../policy/allowances.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import { refuseUnrestricted } from "../policy/restricted.ts";
import type { Revision } from "./revision.ts";

/**
 * The patched objects of a revision, the only objects that may be applied. Throws a ComponentError if the
 * revision, which may be a former one, has closed fields, or its pods are not restricted.
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
