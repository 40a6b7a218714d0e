import { longestToken, type TokenAuthenticator } from "../../authenticators/authenticator.ts";
import { OutboundError, TokenRefusedError } from "../../errors.ts";
import type { WebhookConnection } from "../../outbound/webhook-connection.ts";
import {
  type TokenReviewVersion,
  tokenReview,
  tokenReviewVersions,
  userFromReview,
} from "./token-review.ts";

/** How servers say that they do not read what was sent. */
const notUnderstood: readonly number[] = [400, 404, 406, 415, 422];

/** Lets a webhook say whose tokens are. Speaks v1, or v1beta1 where the webhook reads no other. */
export function createWebhookClient(url: URL, connection: WebhookConnection): TokenAuthenticator {
  let versions = tokenReviewVersions;
  const ask = async (token: string, signal: AbortSignal): Promise<unknown> => {
    let status = 0;
    for (const version of versions) {
      const answer = await connection.post(tokenReview(token, version), signal);
      status = answer.status;
      if (isSuccess(status)) versions = preferring(version);
      if (isSuccess(status)) return answer.body;
      if (!notUnderstood.includes(status)) break;
    }
    throw new OutboundError({ method: "POST", url: url.href }, `the webhook answered ${status}`);
  };
  return {
    async authenticate(token, signal) {
      if (token.length > longestToken) throw new TokenRefusedError("it is too long");
      return userFromReview(await ask(token, signal));
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function preferring(version: TokenReviewVersion): readonly TokenReviewVersion[] {
  return [version, ...tokenReviewVersions.filter((other) => other !== version)];
}
