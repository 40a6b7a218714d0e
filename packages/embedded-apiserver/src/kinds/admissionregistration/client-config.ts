import { X509Certificate } from "node:crypto";
import type { WebhookClientConfig, WebhookServiceReference } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Subdomain } from "@rookery/kube";
import { parseUrl } from "@rookery/schema";

const form = "; desired format: https://host[/path]";

/** Problems of a webhook's URL, in kube-apiserver's words. */
function validateWebhookUrl(url: string, path: FieldPath): FieldError[] {
  const problem = urlProblem(url);
  if (problem !== undefined) {
    return [FieldError.required(path, `url must be a valid URL: ${problem}${form}`)];
  }
  const { scheme, host, query } = parseUrl(url);
  const user = /^[^/?#]*\/\/([^/?#]*)@/.exec(url)?.[1];
  const fragment = url.includes("#") ? url.slice(url.indexOf("#") + 1) : "";
  const https = "'https' is the only allowed URL scheme";
  const refused: (FieldError | false)[] = [
    scheme !== "https" && FieldError.invalid(path, scheme, `${https}${form}`),
    host === "" && FieldError.invalid(path, host, `host must be specified${form}`),
    user !== undefined &&
      FieldError.invalid(path, user, "user information is not permitted in the URL"),
    fragment !== "" && FieldError.invalid(path, fragment, "fragments are not permitted in the URL"),
    query !== "" &&
      FieldError.invalid(path, query, "query parameters are not permitted in the URL"),
  ];
  return refused.filter((error) => error !== false);
}

function urlProblem(url: string): string | undefined {
  try {
    parseUrl(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Problems of a reference to a Service. Kubernetes takes its name for its namespace here and the
 * other way round: where one is missing, the other is asked for.
 */
function validateWebhookService(service: WebhookServiceReference, path: FieldPath): FieldError[] {
  const { name, namespace, port = 443 } = service;
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65535;
  const range = "port is not valid: must be between 1 and 65535, inclusive";
  return [
    ...(namespace ? [] : [FieldError.required(path.child("name"), "")]),
    ...(name ? [] : [FieldError.required(path.child("namespace"), "")]),
    ...(isPort ? [] : [FieldError.invalid(path.child("port"), port, range)]),
    ...validateServicePath(service.path, path.child("path")),
  ];
}

function validateServicePath(text: string | undefined | null, path: FieldPath): FieldError[] {
  if (!text || text === "/") return [];
  const empty = (index: number) =>
    FieldError.invalid(path, text, `segment[${index}] may not be empty`);
  if (text === "//") return [empty(0)];
  const rooted = text.startsWith("/")
    ? []
    : [FieldError.invalid(path, text, "must start with a '/'")];
  const steps = text.slice(1).replace(/\/$/, "").split("/");
  const problems = steps.flatMap((step, index) =>
    step === ""
      ? [empty(index)]
      : validateDns1123Subdomain(step).map((problem) =>
          FieldError.invalid(path, text, `segment[${index}]: ${problem}`),
        ),
  );
  return [...rooted, ...problems];
}

/** What is wrong with authorities in PEM (as base64, as objects have it); undefined where nothing is. */
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

/** Problems of the authorities that a webhook is trusted by. */
export function validateCaBundle(caBundle: string, path: FieldPath): FieldError[] {
  const problem = caBundleProblem(caBundle);
  return problem === undefined ? [] : [FieldError.invalid(path, caBundle, problem)];
}

/** Problems of where a webhook lies: exactly one of a URL and a Service says so. */
export function validateClientConfig(config: WebhookClientConfig, path: FieldPath): FieldError[] {
  const { url, service } = config;
  const hasUrl = (url ?? undefined) !== undefined;
  if (hasUrl === Boolean(service)) {
    return [FieldError.required(path, "exactly one of url or service is required")];
  }
  if (service) return validateWebhookService(service, path.child("service"));
  return validateWebhookUrl(url ?? "", path.child("url"));
}
