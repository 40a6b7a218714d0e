import { admissionregistrationKinds } from "./admissionregistration/index.ts";
import { apiextensionsKinds } from "./apiextensions/index.ts";
import { apiregistrationKinds } from "./apiregistration/index.ts";
import { appsKinds } from "./apps/index.ts";
import { batchKinds } from "./batch/index.ts";
import { certificatesKinds } from "./certificates/index.ts";
import { coordinationKinds } from "./coordination/index.ts";
import { coreKinds } from "./core/index.ts";
import { withColumnDescriptions } from "./declaration/column-descriptions.ts";
import type { BuiltInKind, KindContext } from "./declaration/kind.ts";
import { discoveryKinds } from "./discovery/index.ts";
import { eventsKinds } from "./events/index.ts";
import { networkingKinds } from "./networking/index.ts";
import { policyKinds } from "./policy/index.ts";
import { rbacKinds } from "./rbac/index.ts";
import { schedulingKinds } from "./scheduling/index.ts";
import { storageKinds } from "./storage/index.ts";

/** Every kind that is stored and that Kubernetes has compiled in, in the order of discovery. */
export function builtInKinds(context: KindContext): readonly BuiltInKind[] {
  const kinds: readonly unknown[] = [
    ...coreKinds(context),
    ...apiregistrationKinds(context),
    ...apiextensionsKinds,
    ...appsKinds,
    ...eventsKinds,
    ...batchKinds,
    ...certificatesKinds(context),
    ...networkingKinds,
    ...policyKinds,
    ...rbacKinds,
    ...storageKinds,
    ...admissionregistrationKinds,
    ...schedulingKinds,
    ...coordinationKinds,
    ...discoveryKinds(context),
  ];
  // Each kind knows its own objects only; what comes to it is always one of them.
  return (kinds as readonly BuiltInKind[]).map(withColumnDescriptions);
}
