# What Node Feature Discovery installed, as far as the API server needs it.
kubectl apply -f - << 'CRD'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nodefeatures.nfd.k8s-sigs.io}
spec:
  group: nfd.k8s-sigs.io
  names: {kind: NodeFeature, plural: nodefeatures, singular: nodefeature, listKind: NodeFeatureList}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
CRD
kubectl wait --for=condition=Established crd/nodefeatures.nfd.k8s-sigs.io
kubectl apply --server-side -f samples/features.yaml
$ kubectl get nodefeatures -A -o yaml > features.yaml
prints 'rules card' ./sro features -f samples/rule.yaml -f features.yaml
cp samples/rule.yaml rule.yaml
prints 'rules card' $ kubectl get nodefeatures -A -o yaml | sro features -f rule.yaml -f -
prints simple-kmod $ kubectl get nodes -o yaml | sro plan -f special-resource.yaml --nodes -
kubectl delete -f samples/features.yaml
kubectl delete crd nodefeatures.nfd.k8s-sigs.io
