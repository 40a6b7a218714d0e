import { headerValue } from "@rookery/http";
import { FetchError } from "../errors.ts";
import type { Downloader } from "./downloader.ts";

/** What a registry knows a user by. */
export interface OciCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A token that the registry itself issued; it is sent as it is. */
  readonly accessToken?: string | undefined;
}

interface OciQuestion {
  readonly registry: string;
  readonly repository: string;
  readonly credentials: OciCredentials;
  readonly signal: AbortSignal | undefined;
}

/**
 * The Authorization header to read a repository with, by what the registry asks for: nothing, Basic,
 * or a token of its token service. Throws FetchError.
 */
export async function authorizeOci(
  downloader: Downloader,
  question: OciQuestion,
): Promise<string | undefined> {
  const { registry, credentials, signal } = question;
  if (credentials.accessToken) return `Bearer ${credentials.accessToken}`;
  const { status, headers } = await downloader.probe({ url: `${registry}/v2/`, signal });
  if (status !== 401) return undefined;
  const challenge = headerValue(headers, "www-authenticate") ?? "";
  if (/^basic\b/i.test(challenge)) return basic(credentials);
  if (/^bearer\b/i.test(challenge)) return requestToken(downloader, question, challenge);
  const why = "the registry asks for an authorization that is not known here";
  throw new FetchError("Unauthorized", registry, { why });
}

async function requestToken(downloader: Downloader, question: OciQuestion, challenge: string) {
  const { realm, service } = parseChallenge(challenge);
  const url = URL.parse(realm ?? "");
  if (!url) {
    const why = "the registry names no token service";
    throw new FetchError("UnexpectedAnswer", question.registry, { why });
  }
  if (service) url.searchParams.set("service", service);
  url.searchParams.set("scope", `repository:${question.repository}:pull`);
  const authorization = basic(question.credentials);
  const { value } = await downloader.object<{ token?: string; access_token?: string }>({
    url,
    authorization,
    signal: question.signal,
  });
  const token = value.token ?? value.access_token;
  return token === undefined ? undefined : `Bearer ${token}`;
}

function parseChallenge(challenge: string): Readonly<Record<string, string | undefined>> {
  const parameters = challenge.matchAll(/(\w+)="([^"]*)"/g);
  return Object.fromEntries(Array.from(parameters, ([, name = "", value]) => [name, value]));
}

function basic({ username, password }: OciCredentials): string | undefined {
  if (username === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
