import {
  type AdmissionOperation,
  type JudgedKind,
  validatingConfiguration,
  type WebhookAddress,
  type WebhookConfiguration,
} from "@rookery/runtime";
import {
  clusters,
  clusterTemplates,
  identities,
  machines,
  machineTemplates,
  virtualMachines,
} from "../resources.ts";

const written: readonly AdmissionOperation[] = ["CREATE", "UPDATE"];
const judged: readonly JudgedKind[] = [
  { resource: clusters, operations: written },
  { resource: clusterTemplates, operations: ["UPDATE"] },
  { resource: identities, operations: [...written, "DELETE"] },
  { resource: machines, operations: written },
  { resource: machineTemplates, operations: written },
  { resource: virtualMachines, operations: written },
];

/** The ValidatingWebhookConfiguration of the provider. */
export function validatingWebhookConfiguration(
  name: string,
  address: WebhookAddress,
): WebhookConfiguration {
  return validatingConfiguration(name, address, judged);
}
