import type { BuiltInKind, KindContext } from "../declaration/kind.ts";
import { configMapKind } from "./config-map.ts";
import { endpointsKind } from "./endpoints.ts";
import { eventKind } from "./event.ts";
import { namespaceKind } from "./namespace.ts";
import { nodeKind } from "./node.ts";
import { persistentVolumeKind } from "./persistent-volume.ts";
import { persistentVolumeClaimKind } from "./persistent-volume-claim.ts";
import { podKind } from "./pod.ts";
import { secretKind } from "./secret.ts";
import { serviceKind } from "./service.ts";
import { serviceAccountKind } from "./service-account.ts";

/** The kinds of the core group. */
export function coreKinds(context: KindContext): readonly BuiltInKind[] {
  return [
    configMapKind,
    endpointsKind(context),
    eventKind,
    namespaceKind,
    nodeKind,
    persistentVolumeKind(context),
    persistentVolumeClaimKind,
    podKind(context),
    secretKind,
    serviceKind(context),
    serviceAccountKind,
  ] as unknown as readonly BuiltInKind[];
}
