import type { JWTAuthenticator } from "@rookery/api";
import type { Clock } from "@rookery/kube";
import type { MonotonicClock } from "@rookery/runtime";
import type { Trust } from "../authenticators/trust.ts";
import type { GetJson } from "./phases/discover.ts";

export interface JwtScope {
  readonly spec: JWTAuthenticator["spec"];
  readonly getJson: (trust: Trust) => GetJson;
  readonly clock: MonotonicClock;
  readonly now: Clock;
}
