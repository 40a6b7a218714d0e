import type { Row } from "../kind-differential.ts";
import { template } from "./workload-kinds-rows.ts";

type Rows = Readonly<Record<string, Row>>;

const pods = template({ restartPolicy: "OnFailure" }, {});
const valid = { schedule: "*/5 * * * *", jobTemplate: { spec: { template: pods } } };
const made = (spec: object): Row => ({ object: { spec: { ...valid, ...spec } } });
const changed = (spec: object): Row => ({ ...made(spec), old: { spec: valid } });
const job = (spec: object): Row => made({ jobTemplate: { spec: { template: pods, ...spec } } });

const schedules = [
  "0 0 * * *",
  "@daily",
  "@every 1h30m",
  "@every",
  "@every soon",
  "@often",
  "* * * *",
  "* * * * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * 32 * *",
  "* * * 13 *",
  "* * * 0 *",
  "* * * * 7",
  "a * * * *",
  "1-2-3 * * * *",
  "1/2/3 * * * *",
  "5-1 * * * *",
  "*/0 * * * *",
  "*/x * * * *",
  "-1 * * * *",
  "1,2,,3 * * * *",
  ", * * * *",
  "? ? ? ? ?",
  "0 0 1 jan-DEC mon,TUE",
  "0 0 1 foo mon",
  "1-99 * * * *",
  "99999999999999999999 * * * *",
  "0\t0 * * *",
  "   ",
  "TZ=Europe/Berlin 0 0 * * *",
  "CRON_TZ=Nowhere/City 0 0 * * *",
];

const zones = [
  "Europe/Berlin",
  "UTC",
  "Etc/GMT+5",
  "US/Pacific",
  "Local",
  "local",
  "",
  "europe/berlin",
  "Nowhere/City",
  "Europe//Berlin",
  "../Berlin",
  "-Europe",
  "+0100",
  "Europe/Abcdefghijklmnop",
  "EST",
  "GMT",
];

export const cronJobRows: Rows = {
  "a small one": made({}),
  "no spec": { object: {} },
  "all fields": made({
    concurrencyPolicy: "Forbid",
    suspend: true,
    startingDeadlineSeconds: 10,
    successfulJobsHistoryLimit: 0,
    failedJobsHistoryLimit: 0,
    timeZone: "Europe/Berlin",
  }),
  "no schedule": made({ schedule: "" }),
  ...Object.fromEntries(
    schedules.map((schedule) => [`schedule "${schedule}"`, made({ schedule })]),
  ),
  ...Object.fromEntries(zones.map((timeZone) => [`time zone "${timeZone}"`, made({ timeZone })])),
  "an unknown concurrency": made({ concurrencyPolicy: "Sometimes" }),
  "negative numbers": made({
    startingDeadlineSeconds: -1,
    successfulJobsHistoryLimit: -1,
    failedJobsHistoryLimit: -1,
  }),
  "a job with numbers": job({ completions: 3, parallelism: -1, podReplacementPolicy: "Failed" }),
  "a job with a selector": job({ selector: { matchLabels: { a: "b" } }, manualSelector: true }),
  "a job of pods that start again": job({ template: template() }),
  "a job with a failure policy": job({
    template: template({ restartPolicy: "Never" }, {}),
    podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "A" }] }] },
  }),
  "a job with labels": made({
    jobTemplate: { metadata: { labels: { a: "b" } }, spec: { template: pods } },
  }),
  "a name with 52 characters": { object: { spec: valid, metadata: { name: "n".repeat(52) } } },
  "a name that is too long": { object: { spec: valid, metadata: { name: "n".repeat(53) } } },
  "a name that is none of hosts": { object: { spec: valid, metadata: { name: "with.dots" } } },
  "a changed schedule": changed({ schedule: "@hourly" }),
  "a schedule with a zone": changed({ schedule: "TZ=UTC 0 0 * * *" }),
  "nothing changed": changed({}),
  "a written status": {
    object: {
      spec: valid,
      status: { lastScheduleTime: "2026-01-01T00:00:00Z", active: [{ name: "j" }] },
    },
    old: { spec: valid },
    status: true,
  },
};
