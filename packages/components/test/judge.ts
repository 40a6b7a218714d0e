import { runCommand } from "@rookery/testing";
import { goProgram } from "./go-programs.ts";

/** A question to the real clusterctl's code; see go/judge/main.go. */
export interface Question {
  readonly ask: "replace" | "inspect" | "yaml" | "providers" | "render" | "time";
  readonly text?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly images?: string;
  readonly name?: string;
  readonly type?: string;
  readonly version?: string;
  readonly namespace?: string;
}

export interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** What clusterctl answers, one for each question. */
export async function askClusterctl(questions: readonly Question[]): Promise<readonly Answer[]> {
  const stdin = JSON.stringify(questions);
  return JSON.parse(await runCommand(await goProgram("judge"), [], { stdin })) as Answer[];
}
