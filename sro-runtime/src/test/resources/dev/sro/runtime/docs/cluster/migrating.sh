# What the first version's operator installed, as far as the API server needs it.
kubectl delete crd specialresources.sro.openshift.io --ignore-not-found
kubectl apply -f - << 'CRD'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: specialresources.sro.openshift.io}
spec:
  group: sro.openshift.io
  names: {kind: SpecialResource, plural: specialresources, singular: specialresource, listKind: SpecialResourceList}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
CRD
kubectl wait --for=condition=Established crd/specialresources.sro.openshift.io
kubectl create namespace gpu-recipes
kubectl create deployment -n gpu-recipes special-resource-operator --image=registry.example.com/old --replicas=1
sed '/uid:/d; /resourceVersion:/d' samples/old.yaml | kubectl apply -f -
@ NAMESPACE=gpu-recipes NAME=special-resource-operator
$ kubectl -n NAMESPACE scale deployment NAME --replicas=0
prints '"replicas": 0' kubectl get deployment -n gpu-recipes -o json
$ kubectl get specialresources,configmaps -n NAMESPACE -o yaml > old.yaml
prints 'configMap' ./sro migrate old.yaml
$ kubectl get specialresources,configmaps -n NAMESPACE -o yaml | sro migrate - > special-resources.yaml
prints 'configMap' cat special-resources.yaml
kubectl delete namespace gpu-recipes
kubectl delete crd specialresources.sro.openshift.io
