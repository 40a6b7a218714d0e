import type { JWTAuthenticator } from "@rookery/api";
import type { Clock } from "@rookery/kube";
import type { MonotonicClock } from "@rookery/runtime";
import type { Trust } from "../authenticators/trust.ts";
import type { GetJson } from "./phases/discover.ts";

/** What a JWTAuthenticator is checked with. */
export interface JwtDependencies {
  readonly getJson: (trust: Trust) => GetJson;
  readonly clock: MonotonicClock;
  readonly now: Clock;
}

/** What one check needs, made anew for each. */
export interface JwtScope extends JwtDependencies {
  readonly spec: JWTAuthenticator["spec"];
}
