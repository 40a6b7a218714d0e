import { credentialIssuer, jwtAuthenticator, resourceOf, webhookAuthenticator } from "@rookery/api";
import { builtInResources } from "@rookery/kube";

/** With the default groups, which the client renames. */
export const jwtAuthenticators = resourceOf(jwtAuthenticator, "v1alpha1");
export const webhookAuthenticators = resourceOf(webhookAuthenticator, "v1alpha1");
export const credentialIssuers = resourceOf(credentialIssuer, "v1alpha1");

export const {
  apiServices,
  certificateSigningRequests,
  configMaps,
  secrets,
  subjectAccessReviews,
  tokenReviews,
} = builtInResources;
