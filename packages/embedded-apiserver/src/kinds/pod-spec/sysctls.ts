import type { PodSpec } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const format = `^(${segment}[\\./])*${segment}$`;
const maxLength = 253;
const ipcPrefixes = ["kernel.shm", "kernel.msg", "fs.mqueue."];

/** Settings of the kernel, of which those of the host's namespaces may not be set. */
export function validateSysctls(spec: PodSpec, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (spec.securityContext?.sysctls ?? []).flatMap(({ name = "" }, i) => {
    const at = path.index(i).child("name");
    const problems = [...validateName(name, seen, at), ...validateNamespace(name, spec, at)];
    seen.add(name);
    return problems;
  });
}

function validateName(name: string, seen: ReadonlySet<string>, path: FieldPath): FieldError[] {
  if (name === "") return [FieldError.required(path, "")];
  if (name.length > maxLength || !new RegExp(format).test(name)) {
    const detail = `must have at most ${maxLength} characters and match regex ${format}`;
    return [FieldError.invalid(path, name, detail)];
  }
  return seen.has(name) ? [FieldError.duplicate(path, name)] : [];
}

function validateNamespace(
  name: string,
  { hostNetwork, hostIPC }: PodSpec,
  path: FieldPath,
): FieldError[] {
  const dotted = name.replaceAll("/", ".");
  if (hostNetwork === true && dotted.startsWith("net.")) {
    return [FieldError.invalid(path, name, "may not be specified when 'hostNetwork' is true")];
  }
  const isIpc = dotted === "kernel.sem" || ipcPrefixes.some((prefix) => dotted.startsWith(prefix));
  if (hostIPC !== true || !isIpc) return [];
  return [FieldError.invalid(path, name, "may not be specified when 'hostIPC' is true")];
}
