import { ComponentError } from "../errors.ts";
import type { Component } from "../names.ts";

interface Channel {
  readonly kubernetes: string;
  readonly etcd: string;
}

/** The versions of each channel. Releases of Rookery may change them. */
const channels: Readonly<Record<string, Channel>> = {
  stable: { kubernetes: "v1.34.4", etcd: "3.6.8" },
  "1.34": { kubernetes: "v1.34.4", etcd: "3.6.8" },
  "1.33": { kubernetes: "v1.33.13", etcd: "3.6.8" },
  "1.32": { kubernetes: "v1.32.13", etcd: "3.6.8" },
};

const defaultChannel = "stable";

interface Versioned {
  readonly version?: string;
  readonly channel?: string;
}

/** The version of a component's image, such as "3.6.8". Errors: ComponentError. */
export function desiredVersion(component: Component, { version, channel }: Versioned): string {
  const plain = (version || channelVersion(component, channel)).replace(/^v/, "");
  return component === "etcd" ? plain : `v${plain}`;
}

function channelVersion(component: Component, name = defaultChannel): string {
  const channel = Object.hasOwn(channels, name) ? channels[name] : undefined;
  if (channel) return component === "etcd" ? channel.etcd : channel.kubernetes;
  throw new ComponentError(
    "UnknownChannel",
    `there is no channel ${JSON.stringify(name)}; spec.channel is one of ${Object.keys(channels).join(", ")}, or spec.version names a version`,
  );
}
