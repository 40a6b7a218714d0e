import { CheckError } from "../../errors.ts";

const wellKnown = "/.well-known/openid-configuration";

/** Reads the URL of an issuer, as OpenID Connect discovery allows it. Errors: CheckError. */
export function checkIssuerUrl(issuer: string): { value: URL; message: string } {
  const url = URL.parse(issuer);
  if (url === null) throw refused("InvalidIssuerURL", issuer, "it is not a URL");
  if (url.protocol !== "https:") {
    throw refused("InvalidIssuerURLScheme", issuer, 'its scheme must be "https"');
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("InvalidIssuerURL", url.origin, "it must not hold a user or a password");
  }
  if (issuer.includes("?")) {
    throw refused("InvalidIssuerURLContainsQueryParams", issuer, "it must not have a query");
  }
  if (issuer.includes("#")) {
    throw refused("InvalidIssuerURLContainsFragment", issuer, "it must not have a fragment");
  }
  if (url.pathname.endsWith(wellKnown)) {
    const why = `leave "${wellKnown}" off: it is added`;
    throw refused("InvalidIssuerURLContainsWellKnownEndpoint", issuer, why);
  }
  return { value: url, message: "issuer is a valid URL" };
}

/** Where an issuer describes itself. */
export function discoveryUrl(issuer: URL): URL {
  return new URL(`${issuer.href.replace(/\/$/, "")}${wellKnown}`);
}

function refused(reason: string, issuer: string, why: string): CheckError {
  return new CheckError(reason, `could not use spec.issuer "${issuer}": ${why}`);
}
