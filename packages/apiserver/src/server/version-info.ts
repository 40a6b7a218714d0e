/** The answer to /version. Fields that speak of Go are there because clients expect them. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** The version whose features are served, and the oldest that it can be told to serve. */
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

/** The Kubernetes that this library behaves like. */
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
