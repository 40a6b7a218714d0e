import type { ProviderIdentity } from "../../src/providers/provider.ts";
import { type OpenOptions, openRepository } from "../../src/repositories/open-repository.ts";
import { lookupIn } from "../../src/variables/variables.ts";
import { type FakePage, fakeWeb } from "./fake-web.ts";

export const aws: ProviderIdentity = { kind: "InfrastructureProvider", name: "aws" };
export const files = { components: "kind: X\n", metadata: "kind: Metadata\n" };

/** A repository over a web that is a table of URLs. */
export function open(
  pages: Readonly<Record<string, FakePage>>,
  options: Partial<OpenOptions> & { url?: string; values?: Record<string, string> } = {},
) {
  const { url, values = {}, ...rest } = options;
  const { downloader, requests } = fakeWeb(pages);
  const fetchConfig = url === undefined ? undefined : { url };
  const variables = lookupIn(values);
  const repository = openRepository({ provider: aws, fetchConfig, variables, downloader, ...rest });
  return { repository, requests };
}
