// Prints how many add-get-done cycles a second client-go's typed work queue makes: the peer of
// queue.bench.ts, with the same requests in the same order.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"k8s.io/client-go/util/workqueue"
)

type request struct {
	Namespace string
	Name      string
}

func main() {
	cycles, objects, waiting := argument(1), argument(2), argument(3)
	requests := make([]request, objects)
	for i := range requests {
		requests[i] = request{Namespace: fmt.Sprintf("namespace-%d", i%100), Name: fmt.Sprintf("object-%d", i)}
	}
	queue := workqueue.NewTyped[request]()
	for i := range waiting {
		queue.Add(requests[i])
	}
	began := time.Now()
	for i := range cycles {
		queue.Add(requests[(waiting+i)%objects])
		item, _ := queue.Get()
		queue.Done(item)
	}
	fmt.Println(float64(cycles) / time.Since(began).Seconds())
}

func argument(index int) int {
	value, err := strconv.Atoi(os.Args[index])
	if err != nil {
		panic(err)
	}
	return value
}
