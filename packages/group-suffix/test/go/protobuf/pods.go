package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podList is a list as a busy cluster has it, its pods owned by objects of this apiVersion.
func podList(count int, owner string) []byte {
	list := corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "123456"}}
	for i := range count {
		list.Items = append(list.Items, pod(i, owner))
	}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	return encode(&list, protobufSerializer)
}

func pod(index int, owner string) corev1.Pod {
	created := metav1.NewTime(time.Unix(1700000000+int64(index), 0))
	yes := true
	name := fmt.Sprintf("worker-%d-6f5d8c7b9-x2x%d", index/10, index)
	return corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, GenerateName: "worker-6f5d8c7b9-", Namespace: fmt.Sprintf("team-%d", index%20),
			UID: types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", index)), ResourceVersion: fmt.Sprint(100000 + index),
			CreationTimestamp: created,
			Labels:            map[string]string{"app": "worker", "pod-template-hash": "6f5d8c7b9", "app.kubernetes.io/part-of": "nests"},
			Annotations:       map[string]string{"prometheus.io/scrape": "true", "cni.projectcalico.org/podIP": "10.0.0.1/32"},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: owner, Kind: "Nest", Name: "worker", UID: "00000000-0000-4000-8000-00000000aaaa", Controller: &yes, BlockOwnerDeletion: &yes,
			}},
			ManagedFields: []metav1.ManagedFieldsEntry{
				managed("nest-controller", "v1", "", created, metadataFields),
				managed("kubelet", "v1", "status", created, statusFields),
			},
		},
		Spec:   podSpec(index),
		Status: podStatus(created),
	}
}

func managed(manager, apiVersion, subresource string, at metav1.Time, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: apiVersion, Time: &at,
		FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)}, Subresource: subresource,
	}
}

const (
	metadataFields = `{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"00000000-0000-4000-8000-00000000aaaa\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"worker\"}":{".":{},"f:env":{".":{},"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}`
	statusFields   = `{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.0.0.1\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`
)

func podSpec(index int) corev1.PodSpec {
	limits := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("512Mi")}
	container := func(name string) corev1.Container {
		return corev1.Container{
			Name: name, Image: "registry.example.com/nests/" + name + ":v1.2.3", ImagePullPolicy: corev1.PullIfNotPresent,
			Args: []string{"--leader-elect", "--v=2"}, Resources: corev1.ResourceRequirements{Limits: limits, Requests: limits},
			Env:                    []corev1.EnvVar{{Name: "A", Value: "1"}, {Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}}},
			VolumeMounts:           []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config", ReadOnly: true}, {Name: "token", MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true}},
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}
	}
	return corev1.PodSpec{
		Containers: []corev1.Container{container("worker"), container("proxy")},
		Volumes: []corev1.Volume{
			{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "config"}}}},
			{Name: "token", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "token"}}},
		},
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, ServiceAccountName: "worker",
		NodeName: fmt.Sprintf("node-%d", index%100), SchedulerName: "default-scheduler",
		Tolerations: []corev1.Toleration{{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}},
	}
}

func podStatus(at metav1.Time) corev1.PodStatus {
	condition := func(what corev1.PodConditionType) corev1.PodCondition {
		return corev1.PodCondition{Type: what, Status: corev1.ConditionTrue, LastTransitionTime: at}
	}
	container := func(name string) corev1.ContainerStatus {
		return corev1.ContainerStatus{
			Name: name, Ready: true, Image: "registry.example.com/nests/" + name + ":v1.2.3",
			ImageID:     "registry.example.com/nests/" + name + "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
			ContainerID: "containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
			State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
		}
	}
	return corev1.PodStatus{
		Phase: corev1.PodRunning, HostIP: "192.0.2.1", PodIP: "10.0.0.1", PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}}, StartTime: &at, QOSClass: corev1.PodQOSGuaranteed,
		Conditions:        []corev1.PodCondition{condition(corev1.PodInitialized), condition(corev1.PodReady), condition(corev1.ContainersReady), condition(corev1.PodScheduled)},
		ContainerStatuses: []corev1.ContainerStatus{container("worker"), container("proxy")},
	}
}
