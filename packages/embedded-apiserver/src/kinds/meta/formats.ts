/** The problems of texts and numbers, with the messages of Kubernetes. */
const underscoredLabel = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const underscoredSubdomain = `${underscoredLabel}(\\.${underscoredLabel})*`;
const configMapKey = "[-._a-zA-Z0-9]+";
const configMapKeyPattern = new RegExp(`^${configMapKey}$`);
const headerName = "[-A-Za-z0-9]+";
const percent = "[0-9]+%";

/** Go: RegexError. */
export function regexProblem(message: string, format: string, examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${format}')`;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (e.g. ${shown}regex used for validation is '${format}')`;
}

function tooLong(value: string, max: number): string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} characters`] : [];
}

export function rangeProblem(min: number, max: number): string {
  return `must be between ${min} and ${max}, inclusive`;
}

export function validatePortName(name: string): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [
      !/^[-a-z0-9]+$/.test(name),
      "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    ],
    [!/[a-z]/.test(name), "must contain at least one letter (a-z)"],
    [name.includes("--"), "must not contain consecutive hyphens"],
    [name.startsWith("-") || name.endsWith("-"), "must not begin or end with a hyphen"],
  ];
  return [...tooLong(name, 15), ...rules.filter(([broken]) => broken).map(([, text]) => text)];
}

const configMapKeyProblem = regexProblem(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configMapKey,
  ["key.name", "KEY_NAME", "key-name"],
);

export function validateConfigMapKey(key: string): string[] {
  const problems = configMapKeyPattern.test(key) ? [] : [configMapKeyProblem];
  return [...tooLong(key, 253), ...problems, ...directoryProblems(key)];
}

/** The problems of file names that refer to another folder. */
function directoryProblems(value: string): string[] {
  if (value === ".") return ["must not be '.'"];
  if (value === "..") return ["must not be '..'"];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

export function validateEnvVarName(name: string): string[] {
  if (name === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]*$/.test(name)) return [];
  return [
    "a valid environment variable name must consist only of printable ASCII characters other than '='",
  ];
}

export function validateHeaderName(name: string): string[] {
  if (new RegExp(`^${headerName}$`).test(name)) return [];
  const message = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [regexProblem(message, headerName, ["X-Header-Name"])];
}

/** Like validateDns1123Subdomain, with underscores. */
export function validateUnderscoredSubdomain(value: string): string[] {
  const problem = regexProblem(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    underscoredSubdomain,
    ["example.com"],
  );
  const matches = new RegExp(`^${underscoredSubdomain}$`).test(value);
  return [...tooLong(value, 253), ...(matches ? [] : [problem])];
}

export function validatePercent(value: string): string[] {
  if (new RegExp(`^${percent}$`).test(value)) return [];
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return [regexProblem(message, percent, ["1%", "93%"])];
}
