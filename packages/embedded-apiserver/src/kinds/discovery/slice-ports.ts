import type { EndpointSlicePort } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Label } from "@rookery/kube";
import { invalidEach, validateLabelName, validateSupported } from "../meta/field-rules.ts";

const maxPorts = 20000;
const protocols = ["SCTP", "TCP", "UDP"];

/** Ports of which each has a name of its own, one perhaps an empty one. */
export function validateSlicePorts(
  ports: readonly EndpointSlicePort[],
  path: FieldPath,
): FieldError[] {
  if (ports.length > maxPorts) return [FieldError.tooMany(path, ports.length, maxPorts)];
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const { name = "" } = port;
    const isRepeated = seen.has(name);
    seen.add(name);
    return validatePort(port, path.index(i), isRepeated);
  });
}

function validatePort(
  { name = "", protocol = "", appProtocol }: EndpointSlicePort,
  path: FieldPath,
  isRepeated: boolean,
): FieldError[] {
  const namePath = path.child("name");
  return [
    ...(name === "" ? [] : invalidEach(name, validateDns1123Label(name), namePath)),
    ...(isRepeated ? [FieldError.duplicate(namePath, name)] : []),
    ...validateSupported(protocol, protocols, path.child("protocol")),
    ...(appProtocol === undefined ? [] : validateLabelName(appProtocol, path.child("appProtocol"))),
  ];
}
