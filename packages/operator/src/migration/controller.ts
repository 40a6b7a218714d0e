import { getOptional } from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  createEventSource,
  createInformer,
  done,
  type EventRecorder,
  enqueueRequestForObject,
  type ReconcileContext,
  type Result,
  requeueAfter,
  type Source,
} from "@rookery/runtime";
import { clusterctlProviders } from "../resources.ts";
import { type MigrationSources, migrate } from "./migrate.ts";
import { MigrationReport } from "./report.ts";

interface MigrationOptions extends ControllerParts, MigrationSources {
  readonly recorder: EventRecorder;
}

/** Reasons that may pass without a change of the record. */
const retried: ReadonlySet<string> = new Set(["ContractUnknown", "NothingInstalled"]);
const retriedSeconds = 300;

/** Watches the records of clusterctl, and creates objects for providers that have none. */
export function createMigrationController(options: MigrationOptions): Controller {
  const parts = { ...options, logger: options.logger.withName("migration") };
  const source = createRecordSource(options);
  return controllerFor<ClusterctlRecord>(clusterctlProviders, parts, {
    name: "migration",
    source,
  }).reconcile((_, context) => reconcileRecord(context, parts));
}

async function reconcileRecord(
  { request, signal, client }: ReconcileContext<ClusterctlRecord>,
  parts: MigrationOptions,
): Promise<Result> {
  const within = { ...parts, client };
  // From the server, with its managed fields.
  const record = await getOptional(client.resource<ClusterctlRecord>(clusterctlProviders), request);
  if (!record) return done;
  const report = new MigrationReport(within);
  try {
    const outcome = await migrate(record, within, signal);
    await report.outcome(record, outcome);
    const isRetried = outcome.action === "Left" && retried.has(outcome.reason);
    return isRetried ? requeueAfter(retriedSeconds) : done;
  } catch (error) {
    if (!signal.aborted) await report.failure(record, error);
    throw error;
  }
}

/** Events of clusterctl's records. The controller starts without waiting for their kind to be served. */
function createRecordSource({ client, logger }: MigrationOptions): Source {
  return createEventSource<ClusterctlRecord>({
    name: "records of clusterctl",
    handler: enqueueRequestForObject(),
    subscribe(deliver, signal) {
      const resource = clusterctlProviders;
      const listWatch = client.resource<ClusterctlRecord>(resource);
      const informer = createInformer<ClusterctlRecord>({ resource, listWatch, logger });
      informer.addEventHandler(deliver);
      void informer.run(signal);
    },
  });
}
