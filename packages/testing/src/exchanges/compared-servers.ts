/** The embedded one, with the controllers that change nothing of what is compared. */
export const ownOptions = { flavour: "embedded", apiServerArgs: ["--no-workloads"] } as const;

/** A real one with the same controllers. */
export const realOptions = {
  flavour: "kube-apiserver",
  private: true,
  controllerManagerArgs: [
    "--controllers=garbage-collector-controller,namespace-controller,serviceaccount-controller,serviceaccount-token-controller,root-ca-certificate-publisher-controller,clusterrole-aggregation-controller,certificatesigningrequest-signing-controller,certificatesigningrequest-approving-controller,endpoints-controller,endpointslice-controller,endpointslice-mirroring-controller,persistentvolume-binder-controller,persistentvolume-protection-controller,persistentvolumeclaim-protection-controller,ephemeral-volume-controller,disruption-controller",
  ],
} as const;
