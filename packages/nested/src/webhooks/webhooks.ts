import { validatingWebhook, type Webhook } from "@rookery/runtime";
import type { ControllerSet } from "../flags.ts";
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
import { apiServerValidator, controllerManagerValidator, etcdValidator } from "./components.ts";
import { controlPlaneTemplateValidator, controlPlaneValidator } from "./control-plane.ts";

/** The webhooks of one of both providers, or of both. They judge an object by itself. */
export function nestedWebhooks(controllers: readonly ControllerSet[]): Webhook[] {
  const infrastructure = [
    validatingWebhook(clusters, clusterValidator),
    validatingWebhook(clusterTemplates, clusterTemplateValidator),
  ];
  const controlPlane = [
    validatingWebhook(controlPlanes, controlPlaneValidator),
    validatingWebhook(controlPlaneTemplates, controlPlaneTemplateValidator),
    validatingWebhook(etcds, etcdValidator),
    validatingWebhook(apiServers, apiServerValidator),
    validatingWebhook(controllerManagers, controllerManagerValidator),
  ];
  return [
    ...(controllers.includes("infrastructure") ? infrastructure : []),
    ...(controllers.includes("control-plane") ? controlPlane : []),
  ];
}
