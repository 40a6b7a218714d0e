import { unclassifiedError } from "@rookery/apiserver";
import { FieldError, quote, type StatusError, statusError, timeoutError } from "@rookery/kube";

const maxUint64 = 2n ** 64n - 1n;
const tooLarge = "Too large resource version";

/**
 * The revision that a client names; 0 for "" and "0". Throws what `refuse` returns for an invalid one,
 * whose detail has Go's wording.
 */
export function parseResourceVersion(
  text: string,
  refuse: (problem: FieldError) => StatusError,
): number {
  if (text === "" || text === "0") return 0;
  const why = parseProblem(text);
  if (why === undefined) return Number(text);
  const detail = `strconv.ParseUint: parsing ${quote(text)}: ${why}`;
  throw refuse(FieldError.invalid("resourceVersion", text, detail));
}

function parseProblem(text: string): string | undefined {
  if (!/^\d+$/.test(text)) return "invalid syntax";
  return BigInt(text) > maxUint64 ? "value out of range" : undefined;
}

/** The revision that a get or a watch names. */
export function parseReadVersion(text: string): number {
  return parseResourceVersion(text, (problem) => unclassifiedError(String(problem)));
}

/** A version that this server has not reached: the client took it from another server. */
export function tooLargeResourceVersionError(
  requested: string,
  current: number,
  retryAfterSeconds = 1,
): StatusError {
  const why = `${tooLarge}: ${requested}, current: ${current}`;
  const { status } = timeoutError(why, retryAfterSeconds);
  const causes = [{ reason: "ResourceVersionTooLarge", message: tooLarge }];
  return statusError({
    code: 504,
    reason: "Timeout",
    message: status.message ?? "",
    details: { ...status.details, causes },
  });
}
