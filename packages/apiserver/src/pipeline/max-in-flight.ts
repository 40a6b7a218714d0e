import type { Interceptor } from "@rookery/http";
import { tooManyRequestsError } from "@rookery/kube";
import { requestInfoOf, userKey } from "../request/request-context.ts";
import { systemUsers } from "../request/user.ts";
import { isLongRunning } from "./timeout.ts";

export interface MaxInFlightOptions {
  /** Requests that only read, at a time. */
  readonly readOnly: number;
  /** Requests that change something, at a time. */
  readonly mutating: number;
  /** Requests of any kind by clients without a credential; as many as of others where not given. */
  readonly anonymous?: number;
}

const readOnlyVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** Refuses with 429 what is too much at a time; who is in system:masters always gets an answer. */
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
