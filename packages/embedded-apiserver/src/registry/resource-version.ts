import { FieldError, quote, type StatusError, statusError, timeoutError } from "@rookery/kube";
import { UnreadableVersionError } from "../errors.ts";

const maxUint64 = 2n ** 64n - 1n;
const tooLarge = "Too large resource version";

/** The revision that a client names; 0 for "" and "0". Throws an UnreadableVersionError. */
export function parseResourceVersion(text: string): number {
  if (text === "" || text === "0") return 0;
  const why = unreadable(text);
  if (why === undefined) return Number(text);
  const reason = `strconv.ParseUint: parsing ${quote(text)}: ${why}`;
  throw new UnreadableVersionError(text, reason);
}

function unreadable(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return "invalid syntax";
  return BigInt(text) > maxUint64 ? "value out of range" : undefined;
}

/** How Kubernetes names a resourceVersion that it can't read. */
export function describeUnreadable({ text, reason }: UnreadableVersionError): string {
  return String(FieldError.invalid("resourceVersion", text, reason));
}

/** A failure that Kubernetes has no reason for: a bare 500 with a message. */
export function unclassifiedError(message: string): StatusError {
  return statusError({ code: 500, reason: "", message });
}

/** A version that has not been reached: the client knows another server's. */
export function tooLargeResourceVersionError(
  asked: string,
  current: number,
  retryAfterSeconds = 1,
): StatusError {
  const why = `${tooLarge}: ${asked}, current: ${current}`;
  const { status } = timeoutError(why, retryAfterSeconds);
  const causes = [{ reason: "ResourceVersionTooLarge", message: tooLarge }];
  return statusError({
    code: 504,
    reason: "Timeout",
    message: status.message ?? "",
    details: { ...status.details, causes },
  });
}
