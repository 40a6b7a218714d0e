/** What a source may cost at most. */
export interface DownloadLimits {
  /** Of one answer, after decompression. */
  readonly bytes: number;
  /** For one download with all its redirects. */
  readonly milliseconds: number;
  readonly redirects: number;
}

/** Real components files have up to 3 MB; GitHub redirects once. */
export const defaultLimits: DownloadLimits = {
  bytes: 32 * 1024 * 1024,
  milliseconds: 60_000,
  redirects: 5,
};
