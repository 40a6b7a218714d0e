import type { JWTAuthenticator } from "@rookery/api";
import type { Controller } from "@rookery/runtime";
import {
  type AuthenticatorParts,
  createAuthenticatorControllers,
} from "../authenticators/controllers.ts";
import type { AuthenticatorRegistry } from "../authenticators/registry.ts";
import { jwtAuthenticators } from "../resources.ts";
import { checkJwtAuthenticator } from "./check.ts";
import type { JwtDependencies } from "./scope.ts";

export interface JwtControllerOptions extends JwtDependencies {
  readonly registry: AuthenticatorRegistry;
  readonly concurrency: number;
}

/** Examines JWTAuthenticators and their issuers. */
export function createJwtAuthenticatorControllers(
  parts: AuthenticatorParts,
  { registry, concurrency, ...dependencies }: JwtControllerOptions,
): readonly Controller[] {
  return createAuthenticatorControllers<JWTAuthenticator>(
    {
      resource: jwtAuthenticators,
      registry,
      concurrency,
      check: ({ spec }, signal) => checkJwtAuthenticator({ spec, ...dependencies }, signal),
    },
    parts,
  );
}
