import type { GroupKind, KubeObject } from "@rookery/kube";
import { ConversionError } from "../errors.ts";
import type { Conversion } from "./conversion-webhook.ts";

/** Converts one version to the hub version, and back. */
interface Spoke {
  toHub(object: KubeObject): KubeObject;
  fromHub(object: KubeObject): KubeObject;
}

export interface HubConversionOptions extends GroupKind {
  /** The version to and from which all others are converted, such as "v1beta2". */
  readonly hub: string;
  readonly spokes: Readonly<Record<string, Spoke>>;
}

/** The conversion of a kind by one hub version, as in controller-runtime. */
export function hubConversion(options: HubConversionOptions): Conversion {
  const { group, kind, hub } = options;
  const spokes = new Map(Object.entries(options.spokes));
  const spoke = (version: string): Spoke => {
    const found = spokes.get(version);
    if (found) return found;
    throw new ConversionError(`${kind} ${version}`, `it has ${[hub, ...spokes.keys()].join(", ")}`);
  };
  const versionOf = ({ apiVersion }: KubeObject) => apiVersion.slice(group.length + 1);
  return {
    group,
    kind,
    convert(object, desiredVersion) {
      const version = versionOf(object);
      const inHub = version === hub ? object : spoke(version).toHub(object);
      return desiredVersion === hub ? inHub : spoke(desiredVersion).fromHub(inHub);
    },
  };
}
