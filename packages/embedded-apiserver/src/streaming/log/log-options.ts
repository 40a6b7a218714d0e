import type { LogOptions } from "@rookery/apiserver";
import {
  badRequestError,
  booleanOption,
  FieldError,
  fieldPath,
  formatTime,
  invalidError,
  optionalInteger,
  ParseError,
  parseTime,
} from "@rookery/kube";

/** What the query says, with the container's name or "". Throws as kube-apiserver refuses it. */
export function readLogOptions(
  query: URLSearchParams,
  pod: string,
): LogOptions & { readonly container: string } {
  const numbers = {
    sinceSeconds: optionalInteger(query, "sinceSeconds"),
    tailLines: optionalInteger(query, "tailLines"),
    limitBytes: optionalInteger(query, "limitBytes"),
  };
  const sinceTime = readTime(query.get("sinceTime"));
  const problems = problemsOf({ ...numbers, sinceTime, hasStream: query.has("stream") });
  if (problems.length > 0) throw invalidError({ group: "", kind: "PodLogOptions" }, pod, problems);
  const said = Object.entries({ ...numbers, sinceTime }).filter(([, value]) => value !== undefined);
  return {
    container: query.get("container") ?? "",
    follow: booleanOption(query, "follow"),
    previous: booleanOption(query, "previous"),
    timestamps: booleanOption(query, "timestamps"),
    ...Object.fromEntries(said),
  };
}

/** An empty one is the beginning of all times, as Go has it. */
function readTime(text: string | null): string | undefined {
  if (text === null) return undefined;
  if (text === "" || text === "null") return "0001-01-01T00:00:00Z";
  try {
    return formatTime(parseTime(text));
  } catch (error) {
    if (error instanceof ParseError) throw badRequestError(error.reason);
    throw error;
  }
}

interface Said {
  readonly sinceSeconds: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceTime: string | undefined;
  readonly hasStream: boolean;
}

function problemsOf({ tailLines, limitBytes, sinceSeconds, sinceTime, hasStream }: Said) {
  const positive = (name: string, value: number | undefined) =>
    value !== undefined && value < 1
      ? [FieldError.invalid(fieldPath(name), value, "must be greater than 0")]
      : [];
  const both = sinceSeconds !== undefined && sinceTime !== undefined;
  return [
    ...(tailLines !== undefined && tailLines < 0
      ? [FieldError.invalid(fieldPath("tailLines"), tailLines, negative)]
      : []),
    ...positive("limitBytes", limitBytes),
    ...(both ? [FieldError.forbidden(fieldPath(""), atMostOne)] : []),
    ...(both ? [] : positive("sinceSeconds", sinceSeconds)),
    ...(hasStream ? [FieldError.forbidden(fieldPath("stream"), "may not be specified")] : []),
  ];
}

const negative = "must be greater than or equal to 0";
const atMostOne = "at most one of `sinceTime` or `sinceSeconds` may be specified";
