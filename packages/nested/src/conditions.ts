const paused = {
  Paused: "Somebody asked that nothing be done.",
  NotPaused: "Nobody did.",
} as const;

/** Of every component. */
const componentReady = {
  Ready: "The component serves.",
  WaitingForControlPlane: "No NestedControlPlane owns the component yet.",
  WaitingForCertificates: "Secrets that the pods need are not there yet.",
  WaitingForPods: "Too few pods are ready.",
  UnknownChannel: "There is no such channel.",
  PatchRefused: "A patch fits no object, or cannot be applied.",
  NotAllowed: "The spec says what the administrator of the manager does not allow.",
  ObjectTaken: "An object with the name of one of the component's belongs to somebody else.",
  ApplyRefused: "The API server refuses an object of the component.",
  VersionSkew: "The version must not run beside the others, or after the one before.",
  Deleting: "Objects of the component are still there.",
} as const;

/** Of components that an API server of the profile light does without. */
const notApplicable = {
  NotApplicable: "The API server's profile is light, which does without the component.",
} as const;

const scaledToZero = { ScaledToZero: "No pods are wanted." } as const;

const componentUpToDate = {
  UpToDate: "What runs is what the spec says.",
  RollingOut: "Pods are being brought to what the spec says.",
  ReadingCertificates: "Pods have not read the authorities yet that they are to trust.",
  RolledBack:
    "What the spec says never became ready; the last that was ready runs. The message names the cause.",
  RollOutStalled: "What the spec says does not become ready, and there is nothing to go back to.",
  WaitingForControlPlane: "No NestedControlPlane owns the component yet.",
  WaitingForCertificates: "Secrets that the pods need are not there yet.",
  UnknownChannel: "There is no such channel.",
  PatchRefused: "A patch fits no object, or cannot be applied.",
  NotAllowed:
    "The spec says what the administrator of the manager does not allow; what ran before runs on.",
  ObjectTaken: "An object with the name of one of the component's belongs to somebody else.",
  ApplyRefused: "The API server refuses an object of the component.",
  VersionSkew: "The version must not run beside the others, or after the one before.",
  Deleting: "Objects of the component are still there.",
} as const;

/**
 * Every condition of every kind, and every reason that it can have, with what it means. This is the
 * one place where they are listed: docs/controllers/nested*.md are checked against it.
 */
export const reasons = {
  NestedControlPlane: {
    ComponentsFound: {
      Found: "All components that are needed are there and belong to the control plane.",
      WaitingForOwner: "No Cluster owns the control plane yet.",
      ReferencesMissing:
        "The spec has no version and does not name all components that are needed.",
      WaitingForDefaults:
        "A component is about to be created for the version, or anew after it was deleted.",
      ComponentMissing: "A component that the spec names is not there.",
      ComponentOwnedByOther: "A component belongs to somebody else.",
      ComponentForbidden: "The manager may not read or own an object of the kind of a component.",
    },
    ComponentsCreated: {
      Created: "Components that could not be created before are there. Unset where nothing failed.",
    },
    CertificatesAvailable: {
      Available: "All certificates are there and valid.",
      SecretNotLabelled: "A Secret that somebody made does not say that it is for the Cluster.",
      SecretInvalid: "A Secret has no tls.crt or tls.key, or they are none.",
      KeyMismatch: "The key of a Secret is not that of its certificate.",
      NotAnAuthority: "The certificate of a Secret may not sign others.",
      CertificateExpired: "A certificate has expired.",
      CertificateNotYetValid: "A certificate is not valid yet.",
      CertificateUnsuitable: "A certificate is not for what it is used for.",
      AuthorityMissing: "The Secret of an authority that tenants rely on was deleted.",
      UntrustedCertificate: "A certificate that somebody supplied is not signed by its authority.",
    },
    AuthoritiesCurrent: {
      Current: "No authority is due to be replaced.",
      Rotating: "An authority is being replaced by another one, and both are trusted.",
      RotationBlocked: "An authority is due, and somebody has to replace it.",
      WaitingForCertificates: "Certificates have to be right first.",
    },
    EndpointAvailable: {
      Available: "It is known where the API server is reached.",
      WaitingForEndpoint: "The API server's component has not said yet where it is reached.",
      NotAllowed: "The manager is not allowed to connect to the host of a foreign API server.",
    },
    KubeconfigAvailable: {
      Available: "The controllers' kubeconfig fits endpoint and authority.",
      KubeconfigInvalid: "The kubeconfig belongs to somebody else and cannot be used.",
      WaitingForEndpoint: "There is no endpoint yet that it could name.",
      WaitingForCertificates: "There is no authority yet that could sign it.",
    },
    UserKubeconfigAvailable: {
      Available: "The kubeconfig for people fits endpoint and authority.",
      KubeconfigInvalid: "The Secret of its name belongs to somebody else.",
      WaitingForEndpoint: "There is no endpoint yet that it could name.",
      WaitingForCertificates: "There is no authority yet that could sign it.",
    },
    Initialized: {
      Initialized: "The API server has answered, and kube-system/kubeadm-config is uploaded.",
      WaitingForAPIServer: "The API server does not answer yet.",
      UploadFailed: "The API server did not take kube-system/kubeadm-config.",
    },
    Available: {
      Available: "The API server answers, and all components are ready.",
      WaitingForAPIServer: "The API server does not answer.",
      ComponentsNotReady: "A component is not ready.",
    },
    Ready: {
      Ready: "The control plane serves as its spec says.",
    },
    Paused: paused,
    Deleting: {
      WaitingForComponents: "Components are still there; they go in the order of their dependence.",
    },
  },
  NestedCluster: {
    Ready: {
      Ready: "It is known where the API server of the cluster is reached.",
      WaitingForOwner: "No Cluster owns the object yet.",
      WaitingForControlPlane: "The control plane of the Cluster is not there yet.",
      WaitingForEndpoint: "The control plane does not know its endpoint yet.",
      ControlPlaneMissing: "Neither the Cluster nor the object names a control plane.",
    },
    Paused: paused,
  },
  NestedEtcd: {
    Ready: {
      ...componentReady,
      QuorumLost: "Too few members are there to agree on anything.",
      WaitingForAPIServer:
        "The API server, whose profile says whether there is an etcd, is not there.",
      ...notApplicable,
    },
    UpToDate: {
      ...componentUpToDate,
      ChangingMembers: "Members are being added, replaced or removed.",
      StorageUnchangeable: "The spec asks for other volumes than the members were made with.",
      WaitingForAPIServer:
        "The API server, whose profile says whether there is an etcd, is not there.",
      ...notApplicable,
    },
    Paused: paused,
  },
  NestedAPIServer: {
    Ready: {
      ...componentReady,
      ...scaledToZero,
      WaitingForEtcd: "There is no etcd yet that it could use.",
      VersionNotAvailable: "The profile light does not come in that version.",
    },
    UpToDate: {
      ...componentUpToDate,
      WaitingForEtcd: "etcd has to run the version that it is to run first.",
      VersionNotAvailable: "The profile light does not come in that version.",
    },
    EndpointAvailable: {
      Available: "It is known where the API server is reached.",
      WaitingForAddress: "The Service has no address yet.",
      HostMissing: "A Service of type NodePort needs spec.service.host.",
    },
    Paused: paused,
  },
  NestedControllerManager: {
    Ready: {
      ...componentReady,
      ...scaledToZero,
      WaitingForAPIServer: "There is no API server yet that it could use.",
      ...notApplicable,
    },
    UpToDate: {
      ...componentUpToDate,
      WaitingForAPIServer: "The API server has to run the version that it is to run first.",
      ...notApplicable,
    },
    Paused: paused,
  },
} as const satisfies Record<string, Record<string, Readonly<Record<string, string>>>>;

type NestedKind = keyof typeof reasons;

/** The types of condition that a kind has. */
export type ConditionTypeOf<Kind extends NestedKind> = keyof (typeof reasons)[Kind] & string;

type KeyOfEach<T> = T extends unknown ? keyof T & string : never;

/** Every reason of a kind; Ready has those of the condition that it follows, too. */
export type ReasonOf<Kind extends NestedKind> = KeyOfEach<
  (typeof reasons)[Kind][ConditionTypeOf<Kind>]
>;
