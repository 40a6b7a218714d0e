export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

export interface TokenAuthenticator extends Disposable {
  /** Errors: TokenRefusedError for an invalid token; OutboundError if a server does not answer. */
  authenticate(token: string, signal: AbortSignal): Promise<UserInfo>;
}

/** A longer token is rejected before it is parsed. */
export const longestToken = 64 * 1024;
