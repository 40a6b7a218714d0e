import { CheckError } from "../../errors.ts";

/** Reads the URL of a webhook. Errors: CheckError. */
export function checkEndpoint(endpoint: string): { value: URL; message: string } {
  const url = URL.parse(endpoint);
  if (url === null) throw refused("InvalidEndpointURL", endpoint, "it is not a URL");
  if (url.protocol !== "https:") {
    throw refused("InvalidEndpointURLScheme", endpoint, 'its scheme must be "https"');
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("InvalidEndpointURL", url.origin, "it must not hold a user or a password");
  }
  return { value: url, message: "spec.endpoint is a valid URL" };
}

function refused(reason: string, endpoint: string, why: string): CheckError {
  return new CheckError(reason, `could not use spec.endpoint "${endpoint}": ${why}`);
}
