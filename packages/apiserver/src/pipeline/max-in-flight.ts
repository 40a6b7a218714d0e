import type { Interceptor } from "@rookery/http";
import { tooManyRequestsError } from "@rookery/kube";
import { requestInfoOf, userKey } from "../request/request-context.ts";
import { systemUsers } from "../request/user.ts";
import { isLongRunning } from "./timeout.ts";

export interface MaxInFlightOptions {
  /** Concurrent reading requests. */
  readonly readOnly: number;
  /** Concurrent writing requests. */
  readonly mutating: number;
  /** Concurrent requests of anonymous clients; unlimited by default. */
  readonly anonymous?: number;
}

const readOnlyVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Rejects excess requests with 429, except those of system:masters. */
export function withMaxInFlight(limits: MaxInFlightOptions): Interceptor {
  const inFlight = { readOnly: 0, mutating: 0, anonymous: 0 };
  return (next) => async (request) => {
    const info = requestInfoOf(request);
    if (isLongRunning(info)) return next(request);
    const kind = readOnlyVerbs.has(info.verb) ? "readOnly" : "mutating";
    const { name, groups = [] } = request.context.get(userKey) ?? {};
    const counted =
      name === systemUsers.anonymous ? ([kind, "anonymous"] as const) : ([kind] as const);
    const isFull = counted.some(
      (each) => inFlight[each] >= (limits[each] ?? Number.POSITIVE_INFINITY),
    );
    if (isFull && !groups.includes(systemUsers.privilegedGroup)) {
      throw tooManyRequestsError("Too many requests, please try again later.", 1);
    }
    for (const each of counted) inFlight[each] += 1;
    try {
      return await next(request);
    } finally {
      for (const each of counted) inFlight[each] -= 1;
    }
  };
}
