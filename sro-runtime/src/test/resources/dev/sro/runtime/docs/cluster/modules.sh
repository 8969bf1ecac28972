# What Kernel Module Management installed, as far as the API server needs it.
kubectl apply -f - << 'CRD'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: modules.kmm.sigs.x-k8s.io}
spec:
  group: kmm.sigs.x-k8s.io
  names: {kind: Module, plural: modules, singular: module, listKind: ModuleList}
  scope: Namespaced
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
CRD
kubectl wait --for=condition=Established crd/modules.kmm.sigs.x-k8s.io
kubectl create namespace acme
kubectl apply -f samples/modules.yaml
$ kubectl get modules.kmm.sigs.x-k8s.io -A -o yaml > modules.yaml
prints SpecialResource ./sro import modules.yaml
$ kubectl get modules.kmm.sigs.x-k8s.io -A -o yaml | sro import - > special-resources.yaml
prints SpecialResource cat special-resources.yaml
kubectl delete namespace acme
kubectl delete crd modules.kmm.sigs.x-k8s.io
