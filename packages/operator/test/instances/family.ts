import type { ProviderKind } from "@rookery/components";
import type { ProviderView } from "../../src/state/provider-view.ts";
import { inNamespace, madeAt, view, withSpec } from "../preflight/provider-views.ts";

type Watch = NonNullable<NonNullable<ProviderView["provider"]["spec"]>["watch"]>;
type Change = (view: ProviderView) => ProviderView;

/** An instance of Cluster API's core, made on the day of January that its namespace's number says. */
export function instance(
  namespace: string,
  watch: Watch | undefined,
  ...changes: readonly Change[]
): ProviderView {
  const kind: ProviderKind = "CoreProvider";
  const day = (/\d+/.exec(namespace)?.[0] ?? "1").padStart(2, "0");
  return view(
    kind,
    "cluster-api",
    inNamespace(namespace),
    madeAt(`2026-01-${day}T00:00:00Z`),
    ...(watch ? [withSpec({ watch })] : []),
    ...changes,
  );
}
