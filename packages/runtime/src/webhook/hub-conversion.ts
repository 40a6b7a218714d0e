import type { GroupKind, KubeObject } from "@rookery/kube";
import { ConversionError } from "../errors.ts";
import type { Conversion } from "./conversion-webhook.ts";

/** How one version is written as the hub's, and back. */
interface Spoke {
  toHub(object: KubeObject): KubeObject;
  fromHub(object: KubeObject): KubeObject;
}

export interface HubConversionOptions extends GroupKind {
  /** The version that all others are converted to and from, such as "v1beta2". */
  readonly hub: string;
  readonly spokes: Readonly<Record<string, Spoke>>;
}

/** The conversion of a kind with one version in the middle, as controller-runtime has it. */
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
