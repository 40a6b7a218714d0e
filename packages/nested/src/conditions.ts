const paused = {
  Paused: "The Cluster or the object is paused, or the object was moved: nothing is done.",
  NotPaused: "The object is reconciled.",
} as const;

/** Reasons of both conditions of every component. */
const blocked = {
  WaitingForControlPlane: "No NestedControlPlane owns the component yet.",
  WaitingForCertificates: "Secrets that the pods need do not exist yet.",
} as const;

const specRejected = {
  UnknownChannel: "`spec.channel` is not a known channel.",
  PatchRefused: "A patch matches no object, or cannot be applied.",
} as const;

const objectsRejected = {
  ObjectTaken: "An object with a name that the component needs belongs to another owner.",
  ApplyRefused: "The API server rejects an object of the component.",
  VersionSkew:
    "The version is not supported together with the versions of the other components, or after the former version.",
  Deleting: "Objects of the component still exist.",
} as const;

const componentReady = {
  Ready: "The component serves requests.",
  ...blocked,
  WaitingForPods: "Too few pods are ready.",
  ...specRejected,
  NotAllowed: "The spec has fields that the administrator of the manager does not allow.",
  ...objectsRejected,
} as const;

const notApplicable = {
  NotApplicable: "The API server has the profile light, which does not need the component.",
} as const;

const scaledToZero = { ScaledToZero: "`spec.replicas` is 0." } as const;

const componentUpToDate = {
  UpToDate: "The pods run what the spec says.",
  RollingOut: "Pods are being replaced to match the spec.",
  ReadingCertificates: "Pods have not read the new authorities yet.",
  RolledBack:
    "Pods with the present spec never became ready; the last revision that was ready runs. The message names the cause.",
  RollOutStalled:
    "Pods with the present spec do not become ready, and there is no former revision to roll back to.",
  ...blocked,
  ...specRejected,
  NotAllowed:
    "The spec has fields that the administrator of the manager does not allow; the former pods keep running.",
  ...objectsRejected,
} as const;

/** All conditions and reasons of every kind; a test compares docs/controllers/nested*.md. */
export const reasons = {
  NestedControlPlane: {
    ComponentsFound: {
      Found: "All required components exist and belong to the control plane.",
      WaitingForOwner: "No Cluster owns the control plane yet.",
      ReferencesMissing: "The spec has no version and does not name all required components.",
      WaitingForDefaults:
        "A component is about to be created for the version, or again after it was deleted.",
      ComponentMissing: "A component that the spec names does not exist.",
      ComponentOwnedByOther: "A component belongs to another owner.",
      ComponentForbidden: "The manager may not read or own an object of the kind of a component.",
    },
    ComponentsCreated: {
      Created: "Components that could not be created before exist now. Unset if nothing failed.",
    },
    CertificatesAvailable: {
      Available: "All certificates exist and are valid.",
      SecretNotLabelled: "A supplied Secret has no label with the name of the Cluster.",
      SecretInvalid: "A Secret has no valid tls.crt or tls.key.",
      KeyMismatch: "The key of a Secret does not match its certificate.",
      NotAnAuthority: "The certificate of a Secret is not a CA certificate.",
      CertificateExpired: "A certificate has expired.",
      CertificateNotYetValid: "A certificate is not valid yet.",
      CertificateUnsuitable: "A certificate lacks a usage, a name or an address that it needs.",
      AuthorityMissing: "The Secret of an authority that is in use was deleted.",
      UntrustedCertificate: "A supplied certificate is not signed by its authority.",
    },
    AuthoritiesCurrent: {
      Current: "No authority is due for replacement.",
      Rotating: "An authority is being replaced by another one, and both are trusted.",
      RotationBlocked: "An authority is due for replacement, and its owner has to replace it.",
      WaitingForCertificates: "The certificates have to be valid first.",
    },
    EndpointAvailable: {
      Available: "The endpoint of the API server is known.",
      WaitingForEndpoint: "The component of the API server has no endpoint in its status yet.",
      NotAllowed: "The manager is not allowed to connect to the host of a foreign API server.",
    },
    KubeconfigAvailable: {
      Available: "The controllers' kubeconfig matches the endpoint and the authority.",
      KubeconfigInvalid: "The kubeconfig belongs to another owner and cannot be used.",
      WaitingForEndpoint: "The endpoint is not known yet.",
      WaitingForCertificates: "The authority does not exist yet.",
    },
    UserKubeconfigAvailable: {
      Available: "The kubeconfig for people matches the endpoint and the authority.",
      KubeconfigInvalid: "The Secret with its name belongs to another owner.",
      WaitingForEndpoint: "The endpoint is not known yet.",
      WaitingForCertificates: "The authority does not exist yet.",
    },
    Initialized: {
      Initialized: "The API server has answered, and kube-system/kubeadm-config is uploaded.",
      WaitingForAPIServer: "The API server does not answer yet.",
      UploadFailed: "The API server rejected kube-system/kubeadm-config.",
    },
    Available: {
      Available: "The API server answers, and all components are ready.",
      WaitingForAPIServer: "The API server does not answer.",
      ComponentsNotReady: "A component is not ready.",
    },
    Ready: {
      Ready: "The control plane serves requests and matches its spec.",
    },
    Paused: paused,
    Deleting: {
      WaitingForComponents:
        "Components still exist; they are removed in the reverse order of their start.",
    },
  },
  NestedCluster: {
    Ready: {
      Ready: "The endpoint of the cluster's API server is known.",
      WaitingForOwner: "No Cluster owns the object yet.",
      WaitingForControlPlane: "The control plane of the Cluster does not exist yet.",
      WaitingForEndpoint: "The control plane does not know its endpoint yet.",
      ControlPlaneMissing: "Neither the Cluster nor the object names a control plane.",
    },
    Paused: paused,
  },
  NestedEtcd: {
    Ready: {
      ...componentReady,
      QuorumLost: "Too few members are left for a quorum.",
      WaitingForAPIServer:
        "The API server, whose profile decides whether etcd is needed, does not exist yet.",
      ...notApplicable,
    },
    UpToDate: {
      ...componentUpToDate,
      ChangingMembers: "Members are being added, replaced or removed.",
      StorageUnchangeable: "The spec has other volumes than the members were created with.",
      WaitingForAPIServer:
        "The API server, whose profile decides whether etcd is needed, does not exist yet.",
      ...notApplicable,
    },
    Paused: paused,
  },
  NestedAPIServer: {
    Ready: {
      ...componentReady,
      ...scaledToZero,
      WaitingForEtcd: "No addresses of etcd are known yet.",
      VersionNotAvailable: "The profile light does not support the version.",
    },
    UpToDate: {
      ...componentUpToDate,
      WaitingForEtcd: "etcd has to reach its version first.",
      VersionNotAvailable: "The profile light does not support the version.",
    },
    EndpointAvailable: {
      Available: "The endpoint of the API server is known.",
      WaitingForAddress: "The Service has no address yet.",
      HostMissing: "A Service of type NodePort needs spec.service.host.",
    },
    Paused: paused,
  },
  NestedControllerManager: {
    Ready: {
      ...componentReady,
      ...scaledToZero,
      WaitingForAPIServer: "The API server does not exist yet, or does not serve requests.",
      ...notApplicable,
    },
    UpToDate: {
      ...componentUpToDate,
      WaitingForAPIServer: "The API server has to reach its version first.",
      ...notApplicable,
    },
    Paused: paused,
  },
} as const satisfies Record<string, Record<string, Readonly<Record<string, string>>>>;

type NestedKind = keyof typeof reasons;

export type ConditionTypeOf<Kind extends NestedKind> = keyof (typeof reasons)[Kind] & string;

type KeyOfEach<T> = T extends unknown ? keyof T & string : never;

/** The reasons of a kind; Ready has those of the condition that it follows, too. */
export type ReasonOf<Kind extends NestedKind> = KeyOfEach<
  (typeof reasons)[Kind][ConditionTypeOf<Kind>]
>;
