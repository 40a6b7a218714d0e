import { flagsOf, withFlag } from "./arguments.ts";
import type { Container } from "./component-shapes.ts";
import type { PlannedArguments } from "./manager-arguments.ts";

/** The default folder of a manager's certificate. */
const defaultCertDir = "/tmp/k8s-webhook-server/serving-certs";

/** The names of the container port of an address, by which probes and Services refer to it. */
const portNames: Readonly<Record<string, readonly string[]>> = {
  "manager.metrics.bindAddress": ["metrics", "diagnostics"],
  "manager.health.healthProbeBindAddress": ["healthz", "health"],
  "manager.webhook.port": ["webhook-server", "webhook"],
};

/** The container with its flags, and with the ports and the mount that depend on them. */
export function withArguments(container: Container, planned: PlannedArguments): Container {
  const before = flagsOf(container);
  const flagged = [...planned.flags].reduce(
    (changed, [name, value]) => withFlag(changed, name, value),
    container,
  );
  const certDirFlag = planned.fields.get("manager.webhook.certDir");
  const mounted =
    certDirFlag === undefined
      ? flagged
      : withMount(
          flagged,
          before.get(certDirFlag) || defaultCertDir,
          planned.flags.get(certDirFlag),
        );
  return Object.entries(portNames).reduce((changed, [field, names]) => {
    const flag = planned.fields.get(field);
    return flag === undefined ? changed : withPort(changed, names, planned.flags.get(flag));
  }, mounted);
}

function withPort(container: Container, names: readonly string[], address = ""): Container {
  const port = Number(/(\d+)$/.exec(address)?.[1] ?? 0);
  if (port === 0 || !container.ports) return container;
  const ports = container.ports.map((one) =>
    names.includes(one.name ?? "") ? { ...one, containerPort: port } : one,
  );
  return { ...container, ports };
}

function withMount(container: Container, from: string, to: string | undefined): Container {
  if (to === undefined || !container.volumeMounts) return container;
  const trimmed = from.replace(/\/$/, "");
  const volumeMounts = container.volumeMounts.map((mount) =>
    mount.mountPath?.replace(/\/$/, "") === trimmed ? { ...mount, mountPath: to } : mount,
  );
  return { ...container, volumeMounts };
}
