import { mutatingWebhook, validatingWebhook, type Webhook } from "@rookery/runtime";
import { clusters, machines, resourceSetBindings, resourceSets } from "../resources.ts";
import { clusterValidator } from "./cluster.ts";
import { defaultMachine, machineValidator } from "./machine.ts";
import { bindingValidator, defaultResourceSet, resourceSetValidator } from "./resource-set.ts";

/** All webhooks of the core. They read nothing but the object. */
export function coreWebhooks(): Webhook[] {
  return [
    validatingWebhook(clusters, clusterValidator),
    validatingWebhook(machines, machineValidator),
    mutatingWebhook(machines, defaultMachine),
    validatingWebhook(resourceSets, resourceSetValidator),
    mutatingWebhook(resourceSets, defaultResourceSet),
    validatingWebhook(resourceSetBindings, bindingValidator),
  ];
}
