import type { VSphereMachineTemplate } from "@rookery/api";
import {
  type Cache,
  type Commit,
  type Controller,
  createController,
  createInformerSource,
  done,
  enqueueRequestForObject,
  isBeingDeleted,
  type Logger,
  type Metrics,
  type Request,
  type Result,
} from "@rookery/runtime";
import { machineTemplates } from "../resources.ts";
import { templateStatus } from "./capacity.ts";

export interface MachineTemplateControllerOptions {
  readonly cache: Cache;
  readonly commit: Commit<VSphereMachineTemplate>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Says of templates what an autoscaler needs to know to make the first machine. */
export function createMachineTemplateController(
  options: MachineTemplateControllerOptions,
): Controller {
  const { cache, commit } = options;
  const reconcile = async (request: Request, signal: AbortSignal): Promise<Result> => {
    const template = await cache.get<VSphereMachineTemplate>(machineTemplates, request);
    if (!template || isBeingDeleted(template)) return done;
    await commit(template, { ...template, status: templateStatus(template) }, { signal });
    return done;
  };
  return createController({
    name: "vspheremachinetemplate",
    sources: [
      createInformerSource({
        informer: cache.informerFor<VSphereMachineTemplate>(machineTemplates),
        handler: enqueueRequestForObject(),
      }),
    ],
    metrics: options.metrics.controller("vspheremachinetemplate"),
    logger: options.logger,
    reconcile,
  });
}
