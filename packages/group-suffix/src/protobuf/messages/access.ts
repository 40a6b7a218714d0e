import { type Field, group, type KindTable, nameOf, nested, path } from "../message.ts";

const role = { 2: nested({ 2: group, 4: nameOf(3), 5: path }) };
const roleV1Alpha1 = { 2: nested({ 3: group, 5: nameOf(4), 6: path }) };

/** The groups in a review's spec (4) are those of the user. */
const accessReview: Readonly<Record<number, Field>> = {
  2: nested({ 1: nested({ 3: group, 7: nameOf(5) }), 2: nested({ 1: path }) }),
};

/** Kinds of authorization; roleRef and subjects contain no groups of apps. */
export const access: KindTable = {
  "rbac.authorization.k8s.io": {
    Role: role,
    ClusterRole: role,
    "v1alpha1 Role": roleV1Alpha1,
    "v1alpha1 ClusterRole": roleV1Alpha1,
  },
  "authorization.k8s.io": {
    SubjectAccessReview: accessReview,
    LocalSubjectAccessReview: accessReview,
    SelfSubjectAccessReview: accessReview,
    SelfSubjectRulesReview: {
      3: nested({ 1: nested({ 2: group, 4: nameOf(3) }), 2: nested({ 2: path }) }),
    },
  },
  "flowcontrol.apiserver.k8s.io": {
    FlowSchema: {
      2: nested({ 4: nested({ 2: nested({ 2: group }), 3: nested({ 6: path }) }) }),
    },
  },
};
