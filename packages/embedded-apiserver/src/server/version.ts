import type { VersionInfo } from "@rookery/apiserver";

/**
 * The emulated Kubernetes version. "+rookery" is build metadata, which version comparisons ignore.
 */
export const localVersion: VersionInfo = {
  major: "1",
  minor: "34",
  emulationMajor: "1",
  emulationMinor: "34",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "33",
  gitVersion: "v1.34.4+rookery",
  gitCommit: "",
  gitTreeState: "",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
};
