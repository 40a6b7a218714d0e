package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	v1 "rookery.dev/proxy/test/app/v1"
)

const finalizer = "aviary.example.com/farewell"

type flockReconciler struct {
	client.Client
	events   record.EventRecorder
	identity string
}

func setupController(manager ctrl.Manager, identity string) error {
	reconciler := &flockReconciler{manager.GetClient(), manager.GetEventRecorderFor("aviary"), identity}
	return ctrl.NewControllerManagedBy(manager).
		For(&v1.Flock{}).
		Owns(&corev1.ConfigMap{}).
		Complete(reconciler)
}

func (r *flockReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	flock := &v1.Flock{}
	if err := r.Get(ctx, request.NamespacedName, flock); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !flock.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.sayFarewell(ctx, flock)
	}
	if controllerutil.AddFinalizer(flock, finalizer) {
		return ctrl.Result{}, r.Update(ctx, flock)
	}
	for i := int32(0); flock.Spec.Birds != nil && i < *flock.Spec.Birds; i++ {
		if err := r.ensureBird(ctx, flock, fmt.Sprintf("%s-%s-%d", flock.Name, r.identity, i)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, r.count(ctx, flock)
}

func (r *flockReconciler) ensureBird(ctx context.Context, flock *v1.Flock, name string) error {
	bird := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: flock.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, bird, func() error {
		return controllerutil.SetControllerReference(flock, bird, r.Scheme())
	})
	return err
}

func (r *flockReconciler) count(ctx context.Context, flock *v1.Flock) error {
	birds := &corev1.ConfigMapList{}
	if err := r.List(ctx, birds, client.InNamespace(flock.Namespace)); err != nil {
		return err
	}
	flocks := &v1.FlockList{}
	if err := r.List(ctx, flocks); err != nil {
		return err
	}
	status := v1.FlockStatus{By: r.identity, Seen: int32(len(flocks.Items))}
	for i := range birds.Items {
		if metav1.IsControlledBy(&birds.Items[i], flock) {
			status.Birds++
		}
	}
	if status == flock.Status {
		return nil
	}
	original := flock.DeepCopyObject().(*v1.Flock)
	flock.Status = status
	if err := r.Status().Patch(ctx, flock, client.MergeFrom(original)); err != nil {
		return err
	}
	r.events.Eventf(flock, corev1.EventTypeNormal, "Counted", "there are %d birds", status.Birds)
	return nil
}

func (r *flockReconciler) sayFarewell(ctx context.Context, flock *v1.Flock) error {
	if !controllerutil.ContainsFinalizer(flock, finalizer) {
		return nil
	}
	farewell := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: flock.Name + "-farewell", Namespace: flock.Namespace},
		Data:       map[string]string{"by": r.identity},
	}
	if err := r.Create(ctx, farewell); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	controllerutil.RemoveFinalizer(flock, finalizer)
	return r.Update(ctx, flock)
}
