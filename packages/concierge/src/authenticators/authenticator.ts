/** Whom a token stands for. */
export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Tells whose a token is. */
export interface TokenAuthenticator extends Disposable {
  /**
   * Errors: TokenRefusedError where the token is not to be trusted; OutboundError where a server
   * that has to be asked does not answer.
   */
  authenticate(token: string, signal: AbortSignal): Promise<UserInfo>;
}

/** What is longer can't be the token of a user; it is refused before anything looks into it. */
export const longestToken = 64 * 1024;
