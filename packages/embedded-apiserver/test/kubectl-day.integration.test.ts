import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  CommandFailedError,
  type Kubernetes,
  ownOptions,
  realOptions,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { day, type Typed } from "./kubectl-day.ts";

interface Printed {
  readonly out: string;
  readonly failed: boolean;
}

describe("kubectl's working day, on a real API server and on the embedded one", () => {
  let real: Kubernetes;
  let own: Kubernetes;

  before(async () => {
    [real, own] = await Promise.all([startKubernetes(realOptions), startKubernetes(ownOptions)]);
  });
  after(async () => {
    await Promise.all([real, own].map((kubernetes) => kubernetes?.[Symbol.asyncDispose]()));
  });

  for (const [index, typed] of day.entries()) {
    it(`${index}: kubectl ${typed.command}`, async () => {
      const [expected, actual] = await Promise.all([run(typed, real), run(typed, own)]);
      assert.equal(actual.failed, expected.failed, actual.out);
      if (!typed.loose) assert.equal(actual.out, expected.out);
    });
  }
});

async function run(typed: Typed, kubernetes: Kubernetes): Promise<Printed> {
  const { until } = typed;
  if (until === undefined) return runOnce(typed, kubernetes);
  return waitFor(
    async () => {
      const printed = await runOnce(typed, kubernetes);
      return until.test(printed.out) ? printed : undefined;
    },
    { what: `kubectl ${typed.command}` },
  );
}

async function runOnce({ command, stdin }: Typed, kubernetes: Kubernetes): Promise<Printed> {
  const args = command.split(" ").map((word) => word.replaceAll("{ns}", "day"));
  try {
    const out = await kubernetes.kubectl(args, stdin === undefined ? {} : { stdin });
    return { out: normalized(out), failed: false };
  } catch (error) {
    if (!(error instanceof CommandFailedError)) throw error;
    return { out: normalized(error.stderr), failed: true };
  }
}

/** Without what no two clusters, or two moments, have in common. */
function normalized(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{uid}")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "{time}")
      .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]+ \+0000/g, "{time}")
      .replace(/(resourceVersion"?: "?)\d+/g, "$1{version}")
      .replace(/127\.0\.0\.1:\d+/g, "{address}")
      .replace(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g, "{certificate}")
      .replace(/\/tmp\/\S+/g, "{file}")
      .replace(
        /"(major|minor|gitVersion|gitCommit|gitTreeState|buildDate|goVersion|compiler|platform)": "[^"]*"/g,
        '"$1": ""',
      )
      // Kinds that the embedded server does not have: docs/embedded.md.
      .replace("\nNo resource quota.\n\nNo LimitRange resource.\n", "")
      // As wide as the longest age below.
      .replace(/\bAGE +/g, "AGE ")
      .replace(/\b(\d+m\d+s|\d+[sm])\b +/g, "{age} ")
      .replace(/\b(\d+m\d+s|\d+[sm])$/gm, "{age}")
  );
}
