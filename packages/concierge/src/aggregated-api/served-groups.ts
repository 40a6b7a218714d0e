import type {
  CreateRequest,
  UserInfo as RequestUser,
  ServedGroup,
  ServedResource,
} from "@rookery/apiserver";
import {
  FieldError,
  fieldPath,
  type KubeList,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { tokenCredentialRequests, whoAmIRequests } from "../names.ts";
import { tokenCredentialRequestSchema, whoAmIRequestSchema } from "./schemas.ts";
import {
  exchangeToken,
  type TokenCredentialRequest,
  type TokenExchangeDependencies,
} from "./token-credential-request.ts";

export interface ServedGroupsOptions extends TokenExchangeDependencies {
  /** The name of a default group in this instance. */
  readonly group: (group: string) => string;
}

/** The groups of the aggregated API, by their names in this instance. */
export function conciergeGroups(options: ServedGroupsOptions): readonly ServedGroup[] {
  const create = async ({ object, signal }: CreateRequest) => {
    const { spec = {} } = object as TokenCredentialRequest;
    return { status: await exchangeToken(spec, options, signal) };
  };
  return [
    served(tokenCredentialRequests, options, {
      schema: tokenCredentialRequestSchema,
      create,
      strategy: { validate: (object) => tokenProblems(object as TokenCredentialRequest) },
    }),
    served(whoAmIRequests, options, {
      schema: whoAmIRequestSchema,
      create: ({ user }) => ({ status: { kubernetesUserInfo: { user: encoded(user) } } }),
    }),
  ];
}

interface KindHandlers extends Pick<ServedResource, "schema" | "strategy"> {
  readonly create: (request: CreateRequest) => object | Promise<object>;
}

/** Requests are answered, never stored: lists are empty. */
function served(
  resource: Resource,
  { group }: ServedGroupsOptions,
  { schema, strategy, create }: KindHandlers,
): ServedGroup {
  const { version, kind, plural, singular, namespaced, categories = [] } = resource;
  const name = group(resource.group);
  const apiVersion = `${name}/${version}`;
  const answer = async (request: CreateRequest): Promise<KubeObject> => ({
    apiVersion,
    kind,
    metadata: {},
    // Never the spec of the request, which contains a token.
    spec: {},
    ...(await create(request)),
  });
  const list = (): KubeList => ({
    apiVersion,
    kind: `${kind}List`,
    metadata: { resourceVersion: "0" },
    items: [],
  });
  const handlers = { create: answer, list };
  const names = { plural, singular, kind, namespaced, categories };
  const resources = [{ ...names, schema, handlers, ...(strategy && { strategy }) }];
  return { name, versions: [{ name: version, resources }] };
}

function tokenProblems({ spec }: TokenCredentialRequest): FieldError[] {
  if (spec?.token) return [];
  return [FieldError.required(fieldPath("spec", "token", "value"), "token must be supplied")];
}

function encoded({ name, uid, groups, extra }: RequestUser): object {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}
