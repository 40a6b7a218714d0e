export interface Credential {
  /** The value of the authorization header. */
  readonly authorization?: string;
  /** In PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** Provides credentials that change over time. */
export interface CredentialSource {
  /** Rejects with CredentialError. */
  get(): Credential | Promise<Credential>;
  /**
   * Called after a 401: gets a new credential unless there is a newer one. Undefined if there is
   * none.
   */
  renew(refused: Credential): Promise<Credential | undefined>;
  /** Aborts running plugins. */
  close(): void;
}
