import { cronJobKind } from "./cron-job.ts";
import { jobKind } from "./job.ts";

export const batchKinds = [jobKind, cronJobKind];
