/**
 * The version of all of Rookery's own providers. Their metadata.yaml and the operator's table of
 * flags have to know it, which tests of the `install` and `manager` commands check.
 */
export const releaseVersion = "v0.3.0";
