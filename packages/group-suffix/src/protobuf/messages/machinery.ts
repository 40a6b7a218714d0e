import {
  apiVersion,
  embedded,
  group,
  type KindTable,
  nameOf,
  nested,
  of,
  text,
} from "../message.ts";
import { objectMeta, objectMetaNamed } from "./metadata.ts";

const groupVersion = nested({ 1: apiVersion });
const apiGroup = { 1: group, 2: groupVersion, 3: groupVersion };

const groupKind = nested({ 1: group });
const subresource = nested({ 2: groupKind, 3: groupKind });
const resource = nested({ 2: groupKind, 8: subresource });

/** Options have no fields to rename. */
const none = { 1: undefined };

const status = {
  ...none,
  3: text,
  5: nested({ 1: nameOf(3), 2: group, 4: nested({ 2: text }) }),
};

/** Discovery, Statuses, generic lists, and representations of other kinds. */
export const machinery: KindTable = {
  "": {
    Status: status,
    APIGroup: apiGroup,
    APIGroupList: { 1: nested(apiGroup) },
    APIResourceList: { 1: apiVersion, 2: nested({ 8: group }) },
    APIVersions: none,
    List: { ...none, 2: embedded },
    NodeProxyOptions: none,
    PodAttachOptions: none,
    PodExecOptions: none,
    PodLogOptions: none,
    PodPortForwardOptions: none,
    PodProxyOptions: none,
    ServiceProxyOptions: none,
  },
  "apidiscovery.k8s.io": {
    APIGroupDiscovery: {
      1: of(objectMetaNamed("group")),
      2: nested({ 2: resource }),
    },
  },
  "meta.k8s.io": {
    "v1beta1 PartialObjectMetadataList": { 1: nested({ 1: of(objectMeta) }) },
    Status: status,
    TableOptions: none,
  },
};

/** These kinds exist in every group. */
export const optionKinds: ReadonlySet<string> = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
]);
