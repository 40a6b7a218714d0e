import type { HttpRequest, Interceptor } from "@rookery/http";
import type { Attributes, Authorizer, Decision } from "../authorization/authorizer.ts";
import { forbiddenByAuthorizer } from "../authorization/forbidden.ts";
import { AuthorizationError } from "../errors.ts";
import { requestInfoOf, userOf } from "../request/request-context.ts";

/** Lets through what the authorizer allows, and refuses the rest with 403. */
export function withAuthorization(authorize: Authorizer): Interceptor {
  return (next) => async (request) => {
    const attributes = { ...requestInfoOf(request), user: userOf(request) };
    await assertAllowed(authorize, attributes, request);
    return next(request);
  };
}

/** Throws a 403 where the authorizer does not allow it. */
export async function assertAllowed(
  authorize: Authorizer,
  attributes: Attributes,
  { signal }: HttpRequest,
): Promise<void> {
  const { decision, reason } = await decide(authorize, attributes, signal);
  if (decision !== "Allow") throw forbiddenByAuthorizer(attributes, reason);
}

/** What an authorizer throws is no Status for the client: it may be one of another server. */
async function decide(
  authorize: Authorizer,
  attributes: Attributes,
  signal: AbortSignal,
): Promise<Decision> {
  try {
    return await authorize(attributes, signal);
  } catch (cause) {
    throw new AuthorizationError({ cause });
  }
}
