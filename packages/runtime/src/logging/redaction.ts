import { redacted, shownText } from "./shown-text.ts";

const deepest = 6;
/** Of a text, in characters, and of a list or an object, in its parts: a line stays one that is read. */
const longest = 2048;
const most = 100;

// By the end of a key: "bearerToken" holds one, "tokenFile" and "secretName" say where it is.
const secretKey =
  /(password|passphrase|token|secret|authorization|cookie|credentials?|kubeconfig|(private|client)[-_]?key)$/i;

/**
 * A value as it may stand in a log: without what looks like a secret, by its key or its form, and
 * without the contents of bytes. A Kubernetes object becomes its kind and name, as its contents are
 * long and may be secret.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return shownText(value, longest);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return shownText(value.message, longest);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= deepest) return "[…]";
  if (Array.isArray(value)) return redactList(value, depth);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return redact(value.toJSON(), depth + 1);
  }
  return redactObject(value, depth);
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  const shown = list.slice(0, most).map((item) => redact(item, depth + 1));
  return list.length > most ? [...shown, `and ${list.length - most} more`] : shown;
}

function redactObject(value: object, depth: number): unknown {
  const reference = kubernetesReference(value);
  if (reference !== undefined) return reference;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most)
      .map(([key, child]) => [
        shownText(key, longest),
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
