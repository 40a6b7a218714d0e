import type { Job } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import { humanDuration } from "@rookery/kube";
import { containerColumns, selectorColumn } from "../apps/workload-columns.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";

export const jobColumns: readonly TableColumn[] = [
  nameColumn,
  column("Status", "string", statusOf),
  column("Completions", "string", completionsOf),
  column("Duration", "string", durationOf),
  ageColumn,
  ...containerColumns(({ spec }: Job) => spec?.template),
  selectorColumn(({ spec }: Job) => spec?.selector),
];

/** The first of them that is so. */
function statusOf(job: Job): string {
  const { metadata, status } = job;
  const has = (type: string) =>
    status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (metadata?.deletionTimestamp) return "Terminating";
  const others = ["Suspended", "FailureTarget", "SuccessCriteriaMet"];
  return others.find(has) ?? "Running";
}

function completionsOf({ spec = {}, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  const { completions, parallelism = 0 } = spec;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status = {} }: Job, now: Date): string {
  const { startTime, completionTime } = status;
  if (!startTime) return "";
  const end = completionTime ? Date.parse(completionTime) : now.getTime();
  return humanDuration(end - Date.parse(startTime));
}
