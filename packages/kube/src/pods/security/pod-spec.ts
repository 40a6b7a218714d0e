/** The fields of a pod spec that the Pod Security Standards check. */
export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly securityContext?: PodSecurityContext;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly os?: { readonly name?: string };
}

export interface Container {
  readonly name?: string;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly livenessProbe?: HostHandler;
  readonly readinessProbe?: HostHandler;
  readonly startupProbe?: HostHandler;
  readonly lifecycle?: { readonly postStart?: HostHandler; readonly preStop?: HostHandler };
  readonly securityContext?: ContainerSecurityContext;
}

/** A name, and one field named after the volume type. */
export interface Volume {
  readonly name?: string;
  readonly hostPath?: object;
}

export interface SELinuxOptions {
  readonly type?: string;
  readonly user?: string;
  readonly role?: string;
}

interface HostHandler {
  readonly httpGet?: { readonly host?: string };
  readonly tcpSocket?: { readonly host?: string };
}

interface SharedSecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seccompProfile?: { readonly type?: string };
  readonly appArmorProfile?: { readonly type?: string };
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: { readonly hostProcess?: boolean };
}

interface PodSecurityContext extends SharedSecurityContext {
  readonly sysctls?: readonly { readonly name?: string }[];
}

interface ContainerSecurityContext extends SharedSecurityContext {
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
}
