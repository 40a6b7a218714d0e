/** Exchanges that are answered otherwise than by kube-apiserver, and why; docs/embedded.md says so too. */
export const explained: readonly (readonly [exchange: RegExp, why: string])[] = [
  [
    /(for who wants HTML|one as HTML|discovery as something else|watching .*: as YAML)$/,
    "answers are not written in Protobuf, so that it is not offered",
  ],
  [
    /^documents: an unknown method$/,
    "Node refuses methods that HTTP does not know before anyone is asked",
  ],
  [
    /^rights in a namespace: acting for a group alone$/,
    "a request that impersonates groups but no user is a bad one, not an error of the server",
  ],
  [
    /^aggregated roles: making the whole$/,
    "who sends an empty list is not told to manage it, as it is read as none",
  ],
  [
    /^updating a custom kind with a status: the status that is no status$/,
    "a status of another shape is refused with fewer causes",
  ],
];
