/**
 * The reporter of every tier: a verbose tier shows each test as it ends, a quiet one only what
 * failed or was skipped. Where tests are selected by their names, files without such a test are left out. The tally goes to the file that ROOKERY_TALLY names, with the words on what
 * failed: whoever reads only the end of a long run has to find them there.
 */
import { writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { EventData } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

type Passed = EventData.TestPass;
type Failed = EventData.TestFail;

const isNamed = process.env.ROOKERY_REPORT === "named";
const verbose = isNamed || process.env.ROOKERY_REPORT === "verbose";
const failures: string[] = [];
const tally = { passed: 0, failed: 0, skipped: 0, failures };

// biome-ignore lint/style/noDefaultExport: node --test-reporter takes the default export
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type === "test:stdout" || event.type === "test:stderr") yield event.data.message;
    if (event.type === "test:pass") yield passed(event.data);
    if (event.type === "test:fail") yield failed(event.data);
  }
  const file = process.env.ROOKERY_TALLY;
  if (file) writeFileSync(file, JSON.stringify(tally));
}

function passed(test: Passed): string {
  // There are no further events of a skipped suite.
  if (test.skip !== undefined && test.skip !== false) {
    tally.skipped += 1;
    return `skip ${title(test)}${test.skip === true ? "" : `: ${test.skip}`}\n`;
  }
  if (test.details.type === "suite") return "";
  // Node reports a file as a test if its process ended before any test.
  if (test.file && resolve(test.name) === test.file) {
    if (isNamed) return "";
    return failure(test, "its process ended before any of its tests");
  }
  tally.passed += 1;
  return verbose ? `ok   ${title(test)}\n` : "";
}

/** Whether a suite failed only because of a child, which has been reported. */
function failed(test: Failed): string {
  const error = test.details.error;
  if ("failureType" in error && error.failureType === "subtestsFailed") return "";
  return failure(test, inspect(error.cause ?? error, { colors: process.stdout.isTTY }));
}

function failure(test: Passed | Failed, cause: string): string {
  const words = `FAIL ${title(test)}\n${cause.replaceAll(/^/gm, "     ")}\n`;
  tally.failed += 1;
  failures.push(words);
  return words;
}

function title(test: Passed | Failed): string {
  const file = test.file ? `${relative(process.cwd(), test.file)}: ` : "";
  return `${file}${test.name} (${Math.round(test.details.duration_ms)} ms)`;
}
