import type { Resource } from "@rookery/kube";

/** The name of the account, Deployment, Service and Lease of every concierge. */
export const conciergeName = "rookery-concierge";

/** The default API groups. */
export const authenticationGroup = "authentication.concierge.pinniped.dev";
export const configGroup = "config.concierge.pinniped.dev";
export const loginGroup = "login.concierge.pinniped.dev";
export const identityGroup = "identity.concierge.pinniped.dev";

export const tokenCredentialRequests: Resource = {
  group: loginGroup,
  version: "v1alpha1",
  kind: "TokenCredentialRequest",
  plural: "tokencredentialrequests",
  singular: "tokencredentialrequest",
  categories: ["pinniped"],
  namespaced: false,
};

export const whoAmIRequests: Resource = {
  group: identityGroup,
  version: "v1alpha1",
  kind: "WhoAmIRequest",
  plural: "whoamirequests",
  singular: "whoamirequest",
  categories: ["pinniped"],
  namespaced: false,
};
