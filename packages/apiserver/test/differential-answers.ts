import { readFileSync, writeFileSync } from "node:fs";
import type { Handler } from "@rookery/http";
import { ask } from "./asking.ts";
import { serverOf } from "./differential-kinds.ts";
import { builtInRows, customRows, forbiddenRows, type Row } from "./differential-rows.ts";

/** What clients look at in an answer. */
export interface Refusal {
  readonly status: number;
  readonly contentType?: string;
  readonly warning?: string | readonly string[];
  readonly body: unknown;
}

export function refusalOf(answer: { status: number; headers: object; body: unknown }): Refusal {
  const { status, headers, body } = answer;
  const { warning, "content-type": contentType } = headers as Record<string, string | undefined>;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  // Protobuf is served by kube-apiserver alone.
  const said = text.replaceAll(", application/vnd.kubernetes.protobuf", "");
  return {
    status,
    ...(contentType !== undefined && { contentType }),
    ...(warning !== undefined && { warning }),
    body: typeof body === "string" ? said : JSON.parse(said),
  };
}

/** Rows that are asked in the same way. */
export interface Suite {
  readonly rows: Readonly<Record<string, Row>>;
  readonly handler: () => Handler;
  /** Whether who asks may do nothing. */
  readonly powerless?: boolean;
}

export const suites: Readonly<Record<string, Suite>> = {
  "a custom kind": { rows: customRows, handler: serverOf },
  "a kind that is built in": { rows: builtInRows, handler: serverOf },
  "who may not": {
    rows: forbiddenRows,
    handler: () => serverOf({ authorize: () => ({ decision: "NoOpinion" }) }),
    powerless: true,
  },
};

export function methodOf({ method, body }: Row): string {
  return method ?? (body === undefined ? "GET" : "POST");
}

/** What this server answers to a row. */
export async function ownRefusal(row: Row, handler: Handler): Promise<Refusal> {
  const { path, headers, body } = row;
  const answer = await ask(handler, path, {
    method: methodOf(row),
    headers: { accept: "application/json", "user-agent": "rookery", ...headers },
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
  return refusalOf(answer);
}

type Answers = Readonly<Record<string, Readonly<Record<string, Refusal>>>>;

const file = new URL("./testdata/refusals.json", import.meta.url);

/** What a real kube-apiserver answered, by suite and sentence. */
export function recordedRefusals(): Answers {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Keeps a server's answers, so that they can be had without one. One row is one line. */
export function recordRefusals(answers: Answers): void {
  const lines = Object.entries(answers).map(([suite, rows]) => {
    const each = Object.entries(rows).map(
      ([sentence, refusal]) => `    ${JSON.stringify(sentence)}: ${JSON.stringify(refusal)}`,
    );
    return `  ${JSON.stringify(suite)}: {\n${each.join(",\n")}\n  }`;
  });
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
