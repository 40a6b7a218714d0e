import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("./testdata/answers.json", import.meta.url);

/** What a real server answered, by suite and by the name of the case. */
export type Answers<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

export function recordedAnswers<T>(): Answers<T> {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Keeps a server's answers, so that they can be had without one. One case is one line. */
export function recordAnswers<T>(answers: Answers<T>): void {
  const suites = Object.entries(answers).map(([suite, cases]) => {
    const lines = Object.entries(cases).map(
      ([name, answer]) => `    ${JSON.stringify(name)}: ${JSON.stringify(answer)}`,
    );
    return `  ${JSON.stringify(suite)}: {\n${lines.join(",\n")}\n  }`;
  });
  writeFileSync(file, `{\n${suites.join(",\n")}\n}\n`);
}
