import { readFileSync } from "node:fs";
import type { Answer } from "@rookery/testing";

export const recordedAnswersFile = new URL("testdata/registry-answers.json", import.meta.url);

/** What a real kube-apiserver answered, by scenario. */
export function recordedAnswers(): Readonly<Record<string, readonly Answer[]>> {
  return JSON.parse(readFileSync(recordedAnswersFile, "utf8"));
}
