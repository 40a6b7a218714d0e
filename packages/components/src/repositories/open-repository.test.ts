import assert from "node:assert/strict";
import { test } from "node:test";
import { aws, open } from "../../test/repositories/open.ts";
import type { OpenOptions } from "./open-repository.ts";

const github = "https://github.com/kubernetes-sigs/cluster-api-provider-aws/releases";
const selector = { matchLabels: { "provider-components": "aws" } };

const refusedConfigs: Record<
  string,
  readonly [Partial<OpenOptions> & { url?: string }, string, RegExp]
> = {
  "both a URL and a selector": [
    { fetchConfig: { url: github, selector } },
    "InvalidFetchConfig",
    /exactly one/,
  ],
  "neither a URL nor a selector": [{ fetchConfig: {} }, "InvalidFetchConfig", /exactly one/],
  "a name that nobody knows": [
    { provider: { ...aws, name: "myazure" } },
    "UnknownProvider",
    /set spec.fetchConfig/,
  ],
  "text that is no URL": [{ url: "nonsense" }, "InvalidFetchConfig", /it is no URL/],
  http: [{ url: "http://x.example/releases" }, "InvalidFetchConfig", /only https, oci and file/],
  "a password in the URL": [
    { url: "https://u:hidden@x.example/releases" },
    "InvalidFetchConfig",
    /x.example\/releases: it holds a user/,
  ],
  "a GitHub page that is not releases": [
    { url: "https://github.com/a/b/tree/main" },
    "InvalidFetchConfig",
    /\/releases/,
  ],
  "a GitLab page that is no package": [
    { url: "https://g.example/api/v4/projects/1/jobs" },
    "InvalidFetchConfig",
    /generic/,
  ],
  "a server's root": [{ url: "https://x.example/" }, "InvalidFetchConfig", /ends neither in/],
  "a folder of another provider": [
    { url: "/x/infrastructure-gcp/v1.0.0/c.yaml" },
    "InvalidFetchConfig",
    /infrastructure-aws/,
  ],
  "an OCI URL without a repository": [
    { url: "oci://registry.example" },
    "InvalidFetchConfig",
    /oci:\/\/\{registry\}/,
  ],
};
for (const [sentence, [options, reason, message]] of Object.entries(refusedConfigs)) {
  test(`${sentence} is refused as a fetch configuration`, () => {
    assert.throws(
      () => open({}, options),
      (error: Error & { reason?: string }) => {
        assert.equal(error.reason, reason);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      },
    );
  });
}
