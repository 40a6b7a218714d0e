import type { OciCredentials } from "./oci-authorization.ts";

interface DockerAuth {
  readonly username?: unknown;
  readonly password?: unknown;
  /** "user:password" in base64. */
  readonly auth?: unknown;
  readonly registrytoken?: unknown;
}

/**
 * The credentials of a `.dockerconfigjson` for an `oci://` URL: those of the longest entry with its host,
 * or its host and the start of its path. Undefined without one.
 */
export function dockerCredentials(text: string, ociUrl: string): OciCredentials | undefined {
  const { host, pathname } = URL.parse(ociUrl) ?? { host: "", pathname: "" };
  const place = `${host}${pathname}`;
  const entries = Object.entries(authsOf(text))
    .map(([key, auth]) => [placeOf(key), auth] as const)
    .filter(([key]) => key === place || (key !== "" && place.startsWith(`${key}/`)))
    .sort(([a], [b]) => b.length - a.length);
  const [found] = entries;
  return found && credentialsOf(Object(found[1]));
}

function authsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const { auths } = Object(JSON.parse(text)) as { readonly auths?: unknown };
    return Object(auths);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Tools write "registry.example", "https://registry.example/" and "https://registry.example/v1/" alike. */
function placeOf(key: string): string {
  return key
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "")
    .replace(/\/v[12]$/, "");
}

function credentialsOf({ username, password, auth, registrytoken }: DockerAuth): OciCredentials {
  if (typeof registrytoken === "string") return { accessToken: registrytoken };
  if (typeof username === "string" && typeof password === "string") return { username, password };
  const pair = typeof auth === "string" ? Buffer.from(auth, "base64").toString() : "";
  const colon = pair.indexOf(":");
  return colon < 0 ? {} : { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
