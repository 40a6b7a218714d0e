/** The user of a token. */
export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Finds the user of a token. */
export interface TokenAuthenticator extends Disposable {
  /**
   * Errors: TokenRefusedError where the token is not to be trusted; OutboundError where a server
   * that has to be asked does not answer.
   */
  authenticate(token: string, signal: AbortSignal): Promise<UserInfo>;
}

/** A longer token is rejected before it is parsed. */
export const longestToken = 64 * 1024;
