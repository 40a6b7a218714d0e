import { remoteText } from "@rookery/http";

/** Replaces secrets. */
export const redacted = "[redacted]";

const secretsInText: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, redacted],
  [/(\/\/[^\s/:@]+):[^\s/@]+@/g, `$1:${redacted}@`],
];

/**
 * Text of any origin that may be shown in a log, an event or a condition: without parts that look like secrets, without
 * control characters except line ends, and not longer than the limit.
 */
export function shownText(text: string, limit: number): string {
  // Twice the limit, so that a secret at the limit is recognized.
  const lines = redactText(text.slice(0, 2 * limit)).split("\n");
  const shown = lines.map((line) => remoteText(line, limit)).join("\n");
  const isWhole = text.length <= 2 * limit && shown.length <= limit;
  return isWhole ? shown : `${shown.slice(0, limit - 1)}…`;
}

function redactText(text: string): string {
  return secretsInText.reduce(
    (result, [pattern, replacement]) => result.replace(pattern, replacement),
    text,
  );
}
