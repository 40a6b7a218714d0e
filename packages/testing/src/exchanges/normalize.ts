import { parse } from "yaml";
import type { Answer } from "./exchange.ts";

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----(\\n)?/g;
const address = /127\.0\.0\.1:\d+/g;
/** A resource version inside of a text. */
const version = /(in record \(|resourceVersion\\*"?: ?\\*")\d+/g;
const thumbprint = /X509SHA256=[0-9a-f]+/g;
/** As a cell of a Table says it. */
const age = /"\d+s"/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Answers with what no two servers have in common called by names: uids and resource versions in
 * the order in which a scenario saw them, times, namespaces, generated suffixes and page tokens.
 */
export function normalize(answers: readonly Answer[], namespace: string): Answer[] {
  const names = new Names();
  return answers.map(withoutStyle).map((answer) => {
    const text = JSON.stringify(
      answer,
      function replace(this: object, key: string, value: unknown) {
        return named(key, value, { names, holder: this });
      },
    );
    const plain = text
      .replaceAll(namespace, "{ns}")
      .replace(uid, (found) => names.of("uid", found))
      .replace(certificate, "{certificate}")
      .replace(address, "{address}")
      .replace(thumbprint, "{thumbprint}")
      .replace(version, "$1{version}")
      .replace(age, '"{age}"')
      .replace(time, "{time}");
    return JSON.parse(plain) as Answer;
  });
}

/** How YAML is quoted and folded says nothing. */
function withoutStyle(answer: Answer): Answer {
  const isYaml = answer.contentType === "application/yaml" && typeof answer.body === "string";
  return isYaml ? { ...answer, body: parse(answer.body as string) } : answer;
}

function named(
  key: string,
  value: unknown,
  { names, holder }: { names: Names; holder: object },
): unknown {
  if (key === "resourceVersion" && typeof value === "string" && value !== "") {
    // That of a list or a bookmark is the store's, which others write to.
    return "uid" in holder ? names.of("resourceVersion", value) : "{version}";
  }
  if (key === "storageVersionHash") return undefined;
  // Discovery lists custom kinds in the order in which they came.
  if (key === "resources" && "groupVersion" in holder) return (value as unknown[]).toSorted(byText);
  if (key === "continue" && typeof value === "string" && value !== "") return "{continue}";
  if (key === "name" && typeof value === "string")
    return value.replace(/(-gen-)[a-z0-9]{5}$/, "$1{random}");
  if (key === "managedFields" && Array.isArray(value)) return value.toSorted(byText);
  if (key === "fieldsV1" && typeof value === "object" && value !== null) return sorted(value);
  return value;
}

/** Entries of one time come in the order of their managers; those of different times do not matter. */
function byText(a: unknown, b: unknown): number {
  return textOf(a) < textOf(b) ? -1 : 1;
}

/** Whatever the order of the fields: custom kinds have theirs by name. */
function textOf(value: unknown): string {
  const ordered = typeof value === "object" && value !== null ? sorted(value) : value;
  return JSON.stringify(ordered, (key, each) => (key === "time" ? undefined : each));
}

function sorted(value: object): unknown {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

class Names {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  of(what: string, value: string): string {
    const key = `${what} ${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    const name = `{${what} ${count}}`;
    this.#known.set(key, name);
    return name;
  }
}
