import { validatingWebhook, type Webhook } from "@rookery/runtime";
import type { ControllerSet } from "../flags.ts";
import type { Allowances } from "../policy/allowances.ts";
import {
  apiServers,
  clusters,
  clusterTemplates,
  controllerManagers,
  controlPlanes,
  controlPlaneTemplates,
  etcds,
} from "../resources.ts";
import { clusterTemplateValidator, clusterValidator } from "./cluster.ts";
import { componentValidators } from "./components.ts";
import { controlPlaneTemplateValidator, controlPlaneValidator } from "./control-plane.ts";

/** The webhooks of one of both providers, or of both. They judge an object by itself. */
export function nestedWebhooks(
  controllers: readonly ControllerSet[],
  allowances: Allowances,
): Webhook[] {
  const components = componentValidators(allowances);
  const infrastructure = [
    validatingWebhook(clusters, clusterValidator),
    validatingWebhook(clusterTemplates, clusterTemplateValidator),
  ];
  const controlPlane = [
    validatingWebhook(controlPlanes, controlPlaneValidator),
    validatingWebhook(controlPlaneTemplates, controlPlaneTemplateValidator),
    validatingWebhook(etcds, components.etcd),
    validatingWebhook(apiServers, components.apiServer),
    validatingWebhook(controllerManagers, components.controllerManager),
  ];
  return [
    ...(controllers.includes("infrastructure") ? infrastructure : []),
    ...(controllers.includes("control-plane") ? controlPlane : []),
  ];
}
