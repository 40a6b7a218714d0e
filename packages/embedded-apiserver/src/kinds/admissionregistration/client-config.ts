import { X509Certificate } from "node:crypto";
import type { WebhookClientConfig, WebhookServiceReference } from "@rookery/api";
import { validateDns1123Subdomain } from "@rookery/kube";
import { parseUrl } from "@rookery/schema";
import { format, inRange } from "../meta/checks.ts";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import type { Rule } from "../meta/rules.ts";

const form = "; desired format: https://host[/path]";

/** Go: ValidateWebhookURL. */
const webhookUrl: Rule<string> = (url, field) => {
  const problem = urlProblem(url);
  if (problem !== undefined) {
    field.required(`url must be a valid URL: ${problem}${form}`);
    return;
  }
  const { scheme, host, query } = parseUrl(url);
  const user = /^[^/?#]*\/\/([^/?#]*)@/.exec(url)?.[1];
  const fragment = url.includes("#") ? url.slice(url.indexOf("#") + 1) : "";
  const https = "'https' is the only allowed URL scheme";
  if (scheme !== "https") field.invalid(scheme, `${https}${form}`);
  if (host === "") field.invalid(host, `host must be specified${form}`);
  if (user !== undefined) field.invalid(user, "user information is not permitted in the URL");
  if (fragment !== "") field.invalid(fragment, "fragments are not permitted in the URL");
  if (query !== "") field.invalid(query, "query parameters are not permitted in the URL");
};

function urlProblem(url: string): string | undefined {
  try {
    parseUrl(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const servicePath = format((text) => {
  if (text === "" || text === "/") return [];
  if (text === "//") return ["segment[0] may not be empty"];
  const steps = text.slice(1).replace(/\/$/, "").split("/");
  const problems = steps.flatMap((step, i) =>
    step === ""
      ? [`segment[${i}] may not be empty`]
      : validateDns1123Subdomain(step).map((problem) => `segment[${i}]: ${problem}`),
  );
  return text.startsWith("/") ? problems : ["must start with a '/'", ...problems];
});

const needed = required();
const servicePort = inRange(1, 65_535, "port is not valid: must be between 1 and 65535, inclusive");

/** Go: ValidateWebhookService. Kubernetes swaps the paths of the name and the namespace. */
function webhookService(service: WebhookServiceReference, field: Field): void {
  needed(service.namespace, field.child("name"));
  needed(service.name, field.child("namespace"));
  servicePort(service.port ?? 443, field.child("port"));
  servicePath(service.path ?? "", field.child("path"));
}

/** The problem of a CA bundle in base64; undefined for a valid one. */
export function caBundleProblem(base64: string): string | undefined {
  const text = Buffer.from(base64, "base64").toString("latin1");
  const blocks = [...text.matchAll(pemBlock)];
  const certificates = blocks.filter(([, label]) => label === "CERTIFICATE");
  if (certificates.some(([block]) => parses(block))) return undefined;
  const [broken] = certificates;
  const why = broken
    ? "failed to parse certificate: x509: malformed certificate"
    : blocks.length > 0 && text.slice(lastEnd(blocks)).trim() === ""
      ? "no valid certificate authority data seen"
      : "unable to parse bytes as PEM block";
  return `unable to load root certificates: ${why}`;
}

const pemBlock = /-----BEGIN ([^-]+)-----\r?\n[\s\S]*?-----END \1-----/g;

function lastEnd(blocks: readonly RegExpExecArray[]): number {
  const last = blocks.at(-1);
  return last ? last.index + last[0].length : 0;
}

function parses(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

export const validCaBundle: Rule<string> = (caBundle, field) => {
  const problem = caBundleProblem(caBundle);
  if (problem !== undefined) field.invalid(caBundle, problem);
};

/** The address of a webhook: either a URL or a Service. */
export function clientConfig({ url, service }: WebhookClientConfig, field: Field): void {
  const hasUrl = (url ?? undefined) !== undefined;
  if (hasUrl === Boolean(service)) field.required("exactly one of url or service is required");
  else if (service) webhookService(service, field.child("service"));
  else webhookUrl(url ?? "", field.child("url"));
}
