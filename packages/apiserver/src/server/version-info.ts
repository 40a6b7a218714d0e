/** The response of /version. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** The emulated version, and the oldest that can be emulated. */
  readonly emulationMajor?: string;
  readonly emulationMinor?: string;
  readonly minCompatibilityMajor?: string;
  readonly minCompatibilityMinor?: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The emulated Kubernetes version. */
export const defaultVersion: VersionInfo = {
  major: "1",
  minor: "34",
  gitVersion: "v1.34.4",
  gitCommit: "",
  gitTreeState: "",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
};
