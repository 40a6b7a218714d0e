package main

import (
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// typedPerSecond decodes, renames the metadata of every object, and encodes, again and again, for so long of
// the processor's time.
func typedPerSecond(body []byte, duration time.Duration) float64 {
	rounds := 0
	began := processorTime()
	for processorTime()-began < duration {
		object, err := decode(body)
		utilruntime.Must(err)
		renameMetadata(object)
		encode(object, protobufSerializer)
		rounds++
	}
	return float64(rounds) / (processorTime() - began).Seconds()
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	utilruntime.Must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func renameMetadata(object runtime.Object) {
	if meta.IsListType(object) {
		utilruntime.Must(meta.EachListItem(object, func(item runtime.Object) error {
			renameMetadata(item)
			return nil
		}))
		return
	}
	accessor, err := meta.Accessor(object)
	utilruntime.Must(err)
	owners := accessor.GetOwnerReferences()
	for i := range owners {
		owners[i].APIVersion = swapAPIVersion(owners[i].APIVersion)
	}
	accessor.SetOwnerReferences(owners)
	managers := accessor.GetManagedFields()
	for i := range managers {
		managers[i].APIVersion = swapAPIVersion(managers[i].APIVersion)
	}
	accessor.SetManagedFields(managers)
}
