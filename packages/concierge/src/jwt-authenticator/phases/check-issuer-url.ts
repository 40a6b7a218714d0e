import type { Checked } from "../../authenticators/checklist.ts";
import { readHttpsUrl } from "../../authenticators/trust.ts";
import { CheckError } from "../../errors.ts";

const wellKnown = "/.well-known/openid-configuration";

/** Parses the URL of an issuer by the rules of OpenID Connect Discovery. Errors: CheckError. */
export function checkIssuerUrl(issuer: string): Checked<URL> {
  const url = readHttpsUrl(issuer, "spec.issuer", "InvalidIssuerURL");
  if (issuer.includes("?")) throw refused("QueryParams", issuer, "it must not have a query");
  if (issuer.includes("#")) throw refused("Fragment", issuer, "it must not have a fragment");
  if (url.pathname.endsWith(wellKnown)) {
    throw refused("WellKnownEndpoint", issuer, `leave "${wellKnown}" off: it is added`);
  }
  return { value: url, message: "issuer is a valid URL" };
}

/** The URL of the issuer's discovery document. */
export function discoveryUrl(issuer: URL): URL {
  return new URL(`${issuer.href.replace(/\/$/, "")}${wellKnown}`);
}

function refused(part: string, issuer: string, why: string): CheckError {
  const message = `could not use spec.issuer "${issuer}": ${why}`;
  return new CheckError(`InvalidIssuerURLContains${part}`, message);
}
