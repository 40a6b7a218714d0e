import { job } from "./objects.ts";
import type { Scenes } from "./scenes.ts";
import type { Anything, World } from "./world.ts";

async function ends(world: World, name: string, type: "Complete" | "Failed"): Promise<void> {
  await world.until("jobs", name, ({ status }) =>
    status.conditions?.some((each: Anything) => each.type === type && each.status === "True"),
  );
}

/** A time that has just passed, every hour, so that the next one is far. */
const passed = new Date(Date.now() - 5 * 60_000);

export const jobScenes: Scenes = {
  "a Job runs until enough pods have succeeded": async (world) => {
    await world.create("jobs", job("work", "succeed:1", { parallelism: 2, completions: 3 }));
    await ends(world, "work", "Complete");
    await world.snapshot();
  },

  "a Job fails when its pods have failed too often": async (world) => {
    await world.create("jobs", job("work", "fail:1", { backoffLimit: 1 }));
    await ends(world, "work", "Failed");
    await world.snapshot();
  },

  "a Job fails when it takes too long": async (world) => {
    const spec = { parallelism: 2, completions: 2, activeDeadlineSeconds: 2 };
    await world.create("jobs", job("work", "good:1", spec));
    await ends(world, "work", "Failed");
    await world.untilList("pods", (pods) => pods.length === 0);
    await world.snapshot();
  },

  "an indexed Job has a pod for each index": async (world) => {
    const spec = { completionMode: "Indexed", completions: 4, parallelism: 4 };
    await world.create("jobs", job("work", "succeed:1", spec));
    await ends(world, "work", "Complete");
    await world.snapshot();
  },

  "an indexed Job whose indexes fail, each by a limit of its own": async (world) => {
    const spec = {
      completionMode: "Indexed",
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 0,
      maxFailedIndexes: 2,
    };
    await world.create("jobs", job("work", "fail:1", spec));
    await ends(world, "work", "Failed");
    await world.snapshot();
  },

  "an indexed Job succeeds by its policy": async (world) => {
    const spec = {
      completionMode: "Indexed",
      completions: 5,
      parallelism: 1,
      successPolicy: { rules: [{ succeededIndexes: "0-1" }] },
    };
    await world.create("jobs", job("work", "succeed:1", spec));
    await ends(world, "work", "Complete");
    await world.snapshot();
  },

  "a Job is suspended and goes on": async (world) => {
    await world.create("jobs", job("work", "good:1", { suspend: true, parallelism: 2 }));
    await world.until("jobs", "work", ({ status }) => status.conditions?.length === 1);
    await world.snapshot();
    await world.patch("jobs", "work", { spec: { suspend: false } });
    await world.until("jobs", "work", ({ status }) => status.ready === 2);
    await world.snapshot();
    await world.patch("jobs", "work", { spec: { suspend: true } });
    await world.untilList("pods", (pods) => pods.length === 0);
    await world.snapshot();
  },

  "a Job fails at once by its policy for failures": async (world) => {
    const onExitCodes = { operator: "In", values: [3] };
    const spec = { podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes }] } };
    await world.create("jobs", job("work", "fail:1", spec));
    await ends(world, "work", "Failed");
    await world.snapshot();
  },

  "a finished Job goes when its time is over": async (world) => {
    await world.create("jobs", job("work", "succeed:1", { ttlSecondsAfterFinished: 1 }));
    await world.untilList("pods", (pods) => pods.length === 1);
    await world.untilList("jobs", (jobs) => jobs.length === 0);
    await world.untilList("pods", (pods) => pods.length === 0);
    await world.snapshot();
  },

  "a CronJob makes a job at its time": async (world) => {
    const { metadata: _, ...template } = job("", "succeed:1") as Anything;
    const spec = {
      schedule: `${passed.getMinutes()} * * * *`,
      concurrencyPolicy: "Forbid",
      timeZone: "Europe/Berlin",
    };
    await world.create("cronjobs", {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "daily" },
      spec: { ...spec, suspend: true, jobTemplate: { spec: template.spec } },
    });
    const lastScheduleTime = new Date(passed.getTime() - 5 * 60_000)
      .toISOString()
      .replace(/\.\d+/, "");
    const path = `${world.path("cronjobs", "daily")}/status`;
    await world.request("PATCH", path, { status: { lastScheduleTime } });
    await world.patch("cronjobs", "daily", { spec: { suspend: false } });
    await world.until("cronjobs", "daily", ({ status }) => status.lastSuccessfulTime !== undefined);
    await world.patch("cronjobs", "daily", { spec: { suspend: true } });
    await world.snapshot();
  },
};
