// An ordinary controller-runtime app: two versions of one kind, admission and conversion webhooks,
// children with owner references, a finalizer and leader election. It knows its own API group alone.
package main

import (
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	v1 "rookery.dev/proxy/test/app/v1"
	"rookery.dev/proxy/test/app/v1alpha1"
)

func main() {
	identity := flag.String("identity", "", "written to the status of each flock")
	namespace := flag.String("leader-election-namespace", "", "the pod's own unless given")
	health := flag.String("health-addr", ":8081", "")
	webhookHost := flag.String("webhook-host", "", "")
	webhookPort := flag.Int("webhook-port", 9443, "")
	certDir := flag.String("cert-dir", "", "")
	flag.Parse()
	ctrl.SetLogger(zap.New())

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))

	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                        scheme,
		LeaderElection:                true,
		LeaderElectionID:              "leader.aviary.example.com",
		LeaderElectionNamespace:       *namespace,
		LeaderElectionReleaseOnCancel: true,
		HealthProbeBindAddress:        *health,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: *webhookHost, Port: *webhookPort, CertDir: *certDir,
		}),
	})
	exitOn(err)
	exitOn(setupController(manager, *identity))
	exitOn(ctrl.NewWebhookManagedBy(manager).For(&v1.Flock{}).
		WithDefaulter(flockWebhook{}).WithValidator(flockWebhook{}).Complete())
	exitOn(manager.AddHealthzCheck("ping", healthz.Ping))
	exitOn(manager.AddReadyzCheck("webhooks", manager.GetWebhookServer().StartedChecker()))
	exitOn(manager.Start(ctrl.SetupSignalHandler()))
}

func exitOn(err error) {
	if err == nil {
		return
	}
	ctrl.Log.Error(err, "could not run")
	os.Exit(1)
}
