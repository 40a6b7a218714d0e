/** What a client shows to prove who it is. */
export interface Credential {
  /** The value of the authorization header. */
  readonly authorization?: string;
  /** In PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** Gives credentials that change with time. */
export interface CredentialSource {
  /** The current credential. Rejects with CredentialError where there is none. */
  get(): Credential | Promise<Credential>;
  /**
   * Called after the server refused a credential: gets a new one, unless there is a newer one
   * already. Resolves to undefined where no other is to be had.
   */
  renew(refused: Credential): Promise<Credential | undefined>;
  /** Ends what is under way. */
  close(): void;
}
