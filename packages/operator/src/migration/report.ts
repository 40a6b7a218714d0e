import type { Client } from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import { messageOf } from "@rookery/errors";
import { formatObjectKey, isForbidden, objectKeyOf } from "@rookery/kube";
import type { EventRecorder, Logger } from "@rookery/runtime";
import { clusterctlProviders } from "../resources.ts";
import type { MigrationOutcome } from "./migrate.ts";
import { migrationAnnotation } from "./plan.ts";

interface ReportOptions {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly logger: Logger;
}

/** Differs from that of the operator's own records: see `isOwnRecord`. */
const fieldManager = "rookery-migration";

/** Reasons that require no action. */
const expected: ReadonlySet<string> = new Set([
  "AlreadyDeclared",
  "BeingDeleted",
  "WrittenByOperator",
]);

/** Reports migrations by events, and by an annotation because records have no status. */
export class MigrationReport {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  async outcome(record: ClusterctlRecord, outcome: MigrationOutcome): Promise<void> {
    const { logger, recorder } = this.#options;
    if (outcome.action === "Left") {
      const { reason, message } = outcome;
      logger.info("Left one of clusterctl's records", { reason, message });
      await (expected.has(reason) ? this.#settle(record) : this.#warn(record, reason, message));
      return;
    }
    const { provider, contract, recovered } = outcome;
    const along = recovered.notes.length > 0 ? `, with ${recovered.notes.join(", ")}` : "";
    const note = `took ${provider.spec?.version} over from clusterctl${along}; nothing that runs was changed`;
    recorder.event(provider, { type: "Normal", reason: "Adopted", note });
    for (const problem of recovered.problems) {
      recorder.event(provider, { type: "Warning", reason: "MigrationIncomplete", note: problem });
    }
    logger.info("Adopted a provider of clusterctl", {
      provider: formatObjectKey(objectKeyOf(provider)),
      contract,
    });
    await this.#settle(record);
  }

  async failure(record: ClusterctlRecord, error: unknown): Promise<void> {
    const isRefused = error instanceof Error && isForbidden(error);
    const why = messageOf(error);
    const way = isRefused
      ? "give the operator the roles of deploy/operator.yaml until the migration is done, or declare the provider by hand"
      : "it is tried again";
    await this.#warn(record, isRefused ? "NotAllowed" : "MigrationFailed", `${why}; ${way}`);
  }

  async #warn(record: ClusterctlRecord, reason: string, message: string): Promise<void> {
    const { recorder } = this.#options;
    recorder.event(record, { type: "Warning", reason, note: message });
    await this.#annotate(record, `${reason}: ${message}`);
  }

  #settle(record: ClusterctlRecord): Promise<void> {
    return this.#annotate(record, undefined);
  }

  async #annotate(record: ClusterctlRecord, text: string | undefined): Promise<void> {
    if (record.metadata.annotations?.[migrationAnnotation] === text) return;
    const patch = { metadata: { annotations: { [migrationAnnotation]: text ?? null } } };
    await this.#options.client
      .resource<ClusterctlRecord>(clusterctlProviders)
      .patch(objectKeyOf(record), { type: "merge", patch }, { fieldManager });
  }
}
