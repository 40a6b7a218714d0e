/** A problem of the YAML reader. */
export interface YamlProblem {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [start: number, end: number];
}

/** The line of an error, from 0. Go's scanner and parser count differently. */
interface Place {
  readonly line: number;
  readonly by: "scanner" | "parser";
}

interface Rule {
  readonly matches: RegExp;
  readonly says: (text: string, problem: YamlProblem) => string;
  readonly at: (text: string, problems: readonly YamlProblem[]) => Place;
}

/** Problems in the wording of Go's YAML reader; others keep their wording. */
const rules: readonly Rule[] = [
  {
    matches: /end with a [\]}]/,
    says: (text, { message, pos }) => {
      const close = message.includes("]") ? "]" : "}";
      const isAtEnd = text.slice(pos[0]).trim() === "";
      const isOpen = isAtEnd && /[[{,:]\s*$/.test(text.slice(0, pos[0]));
      return isOpen ? noContent : `did not find expected ',' or '${close}'`;
    },
    at: (text) => ({ line: endLine(text), by: "parser" }),
  },
  {
    matches: /Nested mappings|Implicit keys need to be on a single line/,
    says: () => "mapping values are not allowed in this context",
    at: (text, problems) =>
      scanner(
        text,
        problems.reduce((last, { pos }) => Math.max(last, pos[1] - 1), 0),
      ),
  },
  {
    matches: /Tabs are not allowed as indentation/,
    says: (text, { pos }) => {
      // At the start of a value, a tab is an invalid token.
      const isValue = lineAt(text, pos[0]) === 0 || text.slice(0, pos[0]).trimEnd().endsWith(":");
      return isValue ? noToken : "found a tab character that violates indentation";
    },
    at: atStart("scanner"),
  },
  {
    matches: /Missing closing ["']/,
    says: () => "found unexpected end of stream",
    at: (text) => scanner(text, text.length),
  },
  { matches: /Plain value cannot start/, says: () => noToken, at: atStart("scanner") },
  { matches: /Unexpected flow-\w+-end token/, says: () => noContent, at: atStart("parser") },
  {
    matches: /Unexpected scalar at node end/,
    says: (text) => `did not find expected ${text.startsWith("-") ? "'-' indicator" : "key"}`,
    at: atStart("parser"),
  },
  {
    matches: /Implicit map keys need to be followed/,
    says: () => "could not find expected ':'",
    at: (text) => ({ line: endLine(text), by: "scanner" }),
  },
  {
    matches: /Missing , or : between flow map items/,
    says: () => "did not find expected ',' or '}'",
    at: atStart("parser"),
  },
  {
    matches: /Invalid escape sequence/,
    says: () => "found unknown escape character",
    at: atStart("scanner"),
  },
  {
    matches: /Block scalar header includes extra/,
    says: () => "did not find expected comment or line break",
    at: atStart("scanner"),
  },
];

const noContent = "did not find expected node content";
const noToken = "found character that cannot start any token";

/** Describes a YAML error like Kubernetes, since clients compare messages. */
export function describeYamlError(text: string, problems: readonly YamlProblem[]): string {
  const [problem] = problems;
  if (problem === undefined) return "yaml: unreadable";
  const rule = rules.find(({ matches }) => matches.test(problem.message));
  if (rule === undefined)
    return `yaml: ${linePrefix(scanner(text, problem.pos[0]))}${own(problem)}`;
  return `yaml: ${linePrefix(rule.at(text, problems))}${rule.says(text, problem)}`;
}

function own({ message }: YamlProblem): string {
  const [reason = ""] = message.split(/ at line \d+/);
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

/** Go omits the first line's number. */
function linePrefix({ line, by }: Place): string {
  return line === 0 ? "" : `line ${by === "scanner" ? line + 1 : line}: `;
}

function atStart(by: Place["by"]): Rule["at"] {
  return (text, [problem]) => ({ line: lineAt(text, problem?.pos[0] ?? 0), by });
}

function scanner(text: string, offset: number): Place {
  return { line: lineAt(text, offset), by: "scanner" };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

/** The line after the last one. */
function endLine(text: string): number {
  return lineAt(text.endsWith("\n") ? text : `${text}\n`, text.length + 1);
}
