import { getOptional } from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import { messageOf } from "@rookery/errors";
import { formatObjectKey, isForbidden, objectKeyOf } from "@rookery/kube";
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
import { type MigrationOutcome, type MigrationSources, migrate } from "./migrate.ts";
import { migrationAnnotation } from "./plan.ts";

interface MigrationOptions extends ControllerParts, MigrationSources {
  readonly recorder: EventRecorder;
}

/** Differs from that of the operator's own records: see `isOwnRecord`. */
const fieldManager = "rookery-migration";

/** Reasons that require no action. */
const expected: ReadonlySet<string> = new Set([
  "AlreadyDeclared",
  "BeingDeleted",
  "WrittenByOperator",
]);

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
  try {
    const outcome = await migrate(record, within, signal);
    await reportOutcome(record, outcome, within);
    const isRetried = outcome.action === "Left" && retried.has(outcome.reason);
    return isRetried ? requeueAfter(retriedSeconds) : done;
  } catch (error) {
    if (!signal.aborted) await reportFailure(record, error, within);
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

type Report = Pick<MigrationOptions, "client" | "recorder" | "logger">;

async function reportOutcome(
  record: ClusterctlRecord,
  outcome: MigrationOutcome,
  report: Report,
): Promise<void> {
  const { logger, recorder } = report;
  if (outcome.action === "Left") {
    const { reason, message } = outcome;
    logger.info("Left one of clusterctl's records", { reason, message });
    if (!expected.has(reason)) return warn(record, { reason, note: message }, report);
    return annotate(record, undefined, report);
  }
  const { provider, contract, recovered } = outcome;
  const along = recovered.notes.length > 0 ? `, with ${recovered.notes.join(", ")}` : "";
  const note = `took ${provider.spec?.version} over from clusterctl${along}; nothing that runs was changed`;
  recorder.event(provider, { type: "Normal", reason: "Adopted", note });
  for (const problem of recovered.problems) {
    recorder.event(provider, { type: "Warning", reason: "MigrationIncomplete", note: problem });
  }
  const key = formatObjectKey(objectKeyOf(provider));
  logger.info("Adopted a provider of clusterctl", { provider: key, contract });
  await annotate(record, undefined, report);
}

async function reportFailure(
  record: ClusterctlRecord,
  error: unknown,
  report: Report,
): Promise<void> {
  const isRejected = error instanceof Error && isForbidden(error);
  const reason = isRejected ? "NotAllowed" : "MigrationFailed";
  const way = isRejected
    ? "give the operator the roles of deploy/operator.yaml until the migration is done, or declare the provider by hand"
    : "it is tried again";
  await warn(record, { reason, note: `${messageOf(error)}; ${way}` }, report);
}

async function warn(
  record: ClusterctlRecord,
  warning: { readonly reason: string; readonly note: string },
  report: Report,
): Promise<void> {
  report.recorder.event(record, { type: "Warning", ...warning });
  await annotate(record, `${warning.reason}: ${warning.note}`, report);
}

/** Annotates the record, because its kind has no status. */
async function annotate(
  record: ClusterctlRecord,
  text: string | undefined,
  { client }: Report,
): Promise<void> {
  if (record.metadata.annotations?.[migrationAnnotation] === text) return;
  const patch = { metadata: { annotations: { [migrationAnnotation]: text ?? null } } };
  const records = client.resource<ClusterctlRecord>(clusterctlProviders);
  await records.patch(objectKeyOf(record), { type: "merge", patch }, { fieldManager });
}
