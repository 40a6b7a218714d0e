import type { HttpRequest } from "@rookery/http";
import { isStream } from "../long-running.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What a request does, in the words of kube-apiserver's metrics; few words, whatever clients send. */
export function requestVerb(request: HttpRequest): string {
  if (request.headers.upgrade !== undefined) return "CONNECT";
  if (isStream(request)) return "WATCH";
  if (!methods.has(request.method)) return "OTHER";
  return request.method === "GET" && isCollection(request.path) ? "LIST" : request.method;
}

/** Whether a path ends with a resource: /api/v1/pods, /apis/g/v1/namespaces/n/widgets. */
function isCollection(path: string): boolean {
  const [, root, ...rest] = path.split("/");
  const inVersion = rest.slice(root === "api" ? 1 : 2);
  if (root !== "api" && root !== "apis") return false;
  const inNamespace = inVersion[0] === "namespaces" && inVersion.length > 2;
  return (inNamespace ? inVersion.slice(2) : inVersion).length === 1;
}
