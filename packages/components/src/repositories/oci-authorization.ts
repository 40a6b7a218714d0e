import { headerValue } from "@rookery/http";
import { FetchError } from "../errors.ts";
import { bearer, type Downloader } from "./downloader.ts";

/** The account of a user at a registry. */
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
 * The Authorization header for reading a repository: none, Basic, or a token of the token service, as
 * the registry demands. Throws FetchError.
 */
export async function authorizeOci(
  downloader: Downloader,
  question: OciQuestion,
): Promise<string | undefined> {
  const { registry, credentials, signal } = question;
  if (credentials.accessToken) return bearer(credentials.accessToken);
  const { status, headers } = await downloader.probe({ url: `${registry}/v2/`, signal });
  if (status !== 401) return undefined;
  const challenge = headerValue(headers, "www-authenticate") ?? "";
  if (/^basic\b/i.test(challenge)) return basic(credentials);
  if (/^bearer\b/i.test(challenge)) return requestToken(downloader, question, challenge);
  const why = "the registry asks for an unknown kind of authorization";
  throw new FetchError("Unauthorized", registry, why);
}

async function requestToken(downloader: Downloader, question: OciQuestion, challenge: string) {
  const { realm, service } = parseChallenge(challenge);
  const url = URL.parse(realm ?? "");
  if (!url) {
    throw new FetchError(
      "UnexpectedAnswer",
      question.registry,
      "the registry names no token service",
    );
  }
  if (service) url.searchParams.set("service", service);
  url.searchParams.set("scope", `repository:${question.repository}:pull`);
  const authorization = basic(question.credentials);
  const { value } = await downloader.object<{ token?: string; access_token?: string }>({
    url,
    authorization,
    signal: question.signal,
  });
  return bearer(value.token ?? value.access_token);
}

function parseChallenge(challenge: string): Readonly<Record<string, string | undefined>> {
  const parameters = challenge.matchAll(/(\w+)="([^"]*)"/g);
  return Object.fromEntries(Array.from(parameters, ([, name = "", value]) => [name, value]));
}

function basic({ username, password }: OciCredentials): string | undefined {
  if (username === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
