import { credentialIssuer, jwtAuthenticator, resourceOf, webhookAuthenticator } from "@rookery/api";
import { builtInResources } from "@rookery/kube";

/** Everything goes by its default name: a client with renamed groups makes it that of the instance. */
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
