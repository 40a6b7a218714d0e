import type { Authority } from "../names.ts";
import type { Truster, Trusters } from "../pki/rotation.ts";
import { type ComponentField, type Components, isOwnKind, neededFields } from "./component.ts";
import type { OwnedControlPlane } from "./scope.ts";

/** Whose pods read an authority. The light profile has no etcd, and no controller manager. */
const readers: Readonly<Record<Authority, readonly ComponentField[]>> = {
  ca: ["apiserver", "controllerManager"],
  etcd: ["etcd", "apiserver"],
  proxy: ["apiserver"],
};

/** The components whose pods have to trust each authority of a control plane, and what they trust. */
export function trustersOf(
  { controlPlane }: Pick<OwnedControlPlane, "controlPlane">,
  components: Components,
): Trusters {
  const needed = neededFields(controlPlane, components.apiserver) ?? ["apiserver"];
  const isLight = !needed.includes("etcd");
  const of = (authority: Authority): Truster[] =>
    readers[authority]
      .filter((field) => needed.includes(field) && !(isLight && authority === "etcd"))
      .map((field) => trusterOf(field, authority));
  const trusterOf = (field: ComponentField, authority: Authority): Truster => {
    const reference = controlPlane.spec[field];
    const hash = components[field]?.status?.authorities?.[authority];
    return {
      name: reference ? `${reference.kind} ${reference.name}` : `the component for spec.${field}`,
      hash,
      isForeign: reference !== undefined && !isOwnKind(reference),
    };
  };
  return { ca: of("ca"), etcd: of("etcd"), proxy: of("proxy") };
}
