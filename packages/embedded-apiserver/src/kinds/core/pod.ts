import type { Pod } from "@rookery/api";
import { fieldPath, validateDns1123Label } from "@rookery/kube";
import type { BuiltInKind, KindContext } from "../declaration/kind.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { kindNames } from "../meta/kind-names.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { podTemplateWarnings } from "../pod-spec/warnings.ts";
import { ephemeralContainersRules } from "./ephemeral-containers.ts";
import { podColumns } from "./pod-columns.ts";
import { preparePod } from "./pod-create.ts";
import { podDefaults } from "./pod-defaults.ts";
import { validatePod } from "./pod-rules.ts";
import { prepareStatus, validatePodStatus } from "./pod-status-rules.ts";
import { validatePodUpdate } from "./pod-update-rules.ts";

/** A condition of gated pods has the time of their creation. */
export function podKind({ now }: KindContext): BuiltInKind<Pod> {
  return {
    ...kindNames("", "Pod", "pods"),
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    defaults: podDefaults,
    prepareForCreate: (pod) => preparePod(pod, now),
    prepareForUpdate: ({ spec }) => dropDisabledFields(spec ?? {}),
    validate: validatePod,
    validateUpdate: validatePodUpdate,
    warnings: podWarnings,
    status: { prepareForUpdate: prepareStatus, validateUpdate: validatePodStatus },
    subresources: { ephemeralcontainers: ephemeralContainersRules },
    isNewGeneration: (pod, old) => !isSameValue(pod.spec, old.spec),
    selectableFields: {
      "spec.nodeName": ({ spec }) => spec?.nodeName ?? "",
      // The old name of spec.nodeName.
      "spec.host": ({ spec }) => spec?.nodeName ?? "",
      "spec.restartPolicy": ({ spec }) => spec?.restartPolicy ?? "",
      "spec.schedulerName": ({ spec }) => spec?.schedulerName ?? "",
      "spec.serviceAccountName": ({ spec }) => spec?.serviceAccountName ?? "",
      "spec.hostNetwork": ({ spec }) => String(spec?.hostNetwork ?? false),
      "status.phase": ({ status }) => status?.phase ?? "",
      "status.podIP": ({ status }) => status?.podIPs?.[0]?.ip ?? "",
      "status.podIPs": () => "",
      "status.nominatedNodeName": ({ status }) => status?.nominatedNodeName ?? "",
    },
    columns: podColumns,
    gracePeriodSeconds,
  };
}

/** A pod without a node, or one that has ended, is deleted at once. */
function gracePeriodSeconds({ spec, status }: Pod, asked: number | undefined): number {
  const isOver = status?.phase === "Failed" || status?.phase === "Succeeded";
  if (!spec?.nodeName || isOver) return 0;
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

function podWarnings(pod: Pod, old?: Pod): string[] {
  if (old !== undefined) return [];
  const problems = validateDns1123Label(pod.metadata?.name ?? "");
  const hostname =
    "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [
    ...(problems.length === 0
      ? []
      : [`${fieldPath("metadata", "name")}: ${hostname}: [${problems.join(" ")}]`]),
    ...podTemplateWarnings(pod),
  ];
}
