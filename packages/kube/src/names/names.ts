/** Without vowels and characters that look like one, so that no words appear. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const maxBaseLength = 63 - suffixLength;

/**
 * The name of an object with a generateName: the base, cut so that the name has at most 63
 * characters, and five random characters. `random` returns numbers from 0 up to, but not
 * including, 1.
 */
export function generateName(base: string, random: () => number = Math.random): string {
  let name = base.slice(0, maxBaseLength);
  for (let i = 0; i < suffixLength; i++) {
    name += alphabet.charAt(Math.floor(random() * alphabet.length));
  }
  return name;
}

/**
 * The form in which Kubernetes validates a generateName: a trailing dash and the character before
 * it become a letter, because a suffix follows.
 */
export function maskTrailingDash(base: string): string {
  return base.length > 1 && base.endsWith("-") ? `${base.slice(0, -2)}a` : base;
}
const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const qualifiedMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

interface Format {
  readonly maxBytes: number;
  readonly pattern: RegExp;
  readonly problem: string;
}

const dns1123Label = format(63, label, [
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  "my-name",
  "123-abc",
]);

const dns1123Subdomain = format(253, subdomain, [
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  "example.com",
]);

const dns1035Label = format(63, label1035, [
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "my-name",
  "abc-123",
]);

const labelValue = format(63, `(${qualified})?`, [
  `a valid label must be an empty string or ${qualifiedMessage.replace("must consist", "consist")}`,
  "MyValue",
  "my_value",
  "12345",
]);

const qualifiedName = format(63, qualified, [qualifiedMessage, "MyName", "my.name", "123-abc"]);

const encoder = new TextEncoder();

/** `words` are the message and its examples. */
function format(maxBytes: number, source: string, words: readonly [string, ...string[]]): Format {
  const [message, ...examples] = words;
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  const problem = `${message} (e.g. ${shown}regex used for validation is '${source}')`;
  return { maxBytes, pattern: new RegExp(`^${source}$`), problem };
}

/** A character has three bytes at most, so short strings need no encoding. */
function isTooLong(value: string, maxBytes: number): boolean {
  if (value.length * 3 <= maxBytes) return false;
  return value.length > maxBytes || encoder.encode(value).length > maxBytes;
}

function problemsOf(value: string, { maxBytes, pattern, problem }: Format): string[] {
  const problems = isTooLong(value, maxBytes) ? [tooLong(maxBytes)] : [];
  return pattern.test(value) ? problems : [...problems, problem];
}

function tooLong(maxBytes: number): string {
  return `must be no more than ${maxBytes} characters`;
}

/** The problems of a DNS label (RFC 1123), such as the name of a namespace. */
export function validateDns1123Label(value: string): string[] {
  const problems = problemsOf(value, dns1123Label);
  if (problems.length === 0) return problems;
  if (dns1123Label.pattern.test(value) || !dns1123Subdomain.pattern.test(value)) return problems;
  return [...problems.slice(0, -1), "must not contain dots"];
}

/** The problems of a DNS subdomain (RFC 1123), such as the names of most objects. */
export function validateDns1123Subdomain(value: string): string[] {
  return problemsOf(value, dns1123Subdomain);
}

/** The problems of a DNS label (RFC 1035), such as the name of a Service. */
export function validateDns1035Label(value: string): string[] {
  return problemsOf(value, dns1035Label);
}

/** The problems of a qualified name, such as a label key: `example.com/MyName`. */
export function validateQualifiedName(value: string): string[] {
  if (!value.includes("/")) return namePartProblems(value);
  const [first = "", second, ...rest] = value.split("/");
  if (rest.length > 0) {
    return [
      `a qualified name ${qualifiedName.problem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return [...prefixProblems(first), ...namePartProblems(second ?? "")];
}

function prefixProblems(prefix: string): string[] {
  const problems = prefix === "" ? ["must be non-empty"] : validateDns1123Subdomain(prefix);
  return problems.map((problem) => `prefix part ${problem}`);
}

function namePartProblems(name: string): string[] {
  if (qualifiedName.pattern.test(name) && !isTooLong(name, qualifiedName.maxBytes)) return [];
  const empty = name === "" ? ["must be non-empty"] : [];
  return [...empty, ...problemsOf(name, qualifiedName)].map((problem) => `name part ${problem}`);
}

export function validateLabelValue(value: string): string[] {
  return problemsOf(value, labelValue);
}

/** The problems of a name as a segment of a URL path. Kubernetes accepts "" here. */
export function validatePathSegmentName(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  if (!/[/%]/.test(name)) return [];
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}

export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The problems of an API group suffix. */
export function validateApiGroupSuffix(suffix: string): readonly string[] {
  const noDot = suffix.includes(".") ? [] : ["must contain '.'"];
  return [...noDot, ...validateDns1123Subdomain(suffix)];
}
