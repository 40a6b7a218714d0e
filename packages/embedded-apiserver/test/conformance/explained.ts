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
  [
    /^bad input: Protobuf of a custom kind$/,
    "kube-apiserver fails on it and closes the connection; here it is refused",
  ],
  [
    /^bad input: Protobuf with a field of another type$/,
    "which field it is is not told: names of fields in Go are not known",
  ],
  [
    /^numbers in YAML: (1\.5|1e21|\d{19,20}) in an apply( that is JSON)?$/,
    "what is no integer is refused as in a body; Go refuses it in other words, or makes another number of it",
  ],
  [/^bad input: YAML of ten thousand lists$/, "a thousand are too many here"],
  [
    /^bad input: (a header with a space in its name|chunks that are none)$/,
    "Node reads HTTP, and does not tell what is wrong with it",
  ],
  [
    /^bad input: a path with bytes that are no UTF-8$/,
    "such bytes are told as characters that nobody knows",
  ],
];
