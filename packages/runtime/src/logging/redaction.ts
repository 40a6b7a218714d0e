const deepest = 6;
const redacted = "[redacted]";

// By the end of a key: "bearerToken" holds one, "tokenFile" and "secretName" say where it is.
const secretKey =
  /(password|passphrase|token|secret|authorization|cookie|credentials?|kubeconfig|(private|client)[-_]?key)$/i;

const secretsInText: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, redacted],
  [/(\/\/[^\s/:@]+):[^\s/@]+@/g, `$1:${redacted}@`],
];

/**
 * A value as it may stand in a log: without what looks like a secret, by its key or its form, and
 * without the contents of bytes. A Kubernetes object becomes its kind and name, as its contents are
 * long and may be secret.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return redactText(value.message);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= deepest) return "[…]";
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return redact(value.toJSON(), depth + 1);
  }
  return redactObject(value, depth);
}

/** Text without private keys, tokens and passwords. */
export function redactText(text: string): string {
  return secretsInText.reduce(
    (result, [pattern, replacement]) => result.replace(pattern, replacement),
    text,
  );
}

function redactObject(value: object, depth: number): unknown {
  const reference = kubernetesReference(value);
  if (reference !== undefined) return reference;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      secretKey.test(key) && child !== undefined ? redacted : redact(child, depth + 1),
    ]),
  );
}

function kubernetesReference(value: object): object | undefined {
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const { namespace, name } = metadata as Record<string, unknown>;
  return { apiVersion, kind, namespace, name };
}
