$ sro slices publish --model A100-40GB --count 8 --node worker-1 | kubectl apply -f -
kubectl get resourceslices
$ kubectl get resourceslices -o yaml | sro slices audit -
$ sro slices claim --profile 1g.10gb --name notebook | kubectl apply -f -
kubectl get resourceclaims,resourceclaimtemplates -o name
prints worker-1 $ kubectl get resourceslices,resourceclaims,deviceclasses,pods,nodes -A -o yaml | sro slices status --from -
kubectl apply -k sro-runtime/install/kustomize
$ kubectl apply -k sro-runtime/install/kustomize/slices-allocator
kubectl get deployment -n special-resource-operator sro-slices-allocator
kubectl delete -k sro-runtime/install/kustomize/slices-allocator
$ kubectl apply -k sro-runtime/install/kustomize/slices-explainer
kubectl get deployment -n special-resource-operator sro-slices-explainer
kubectl delete -k sro-runtime/install/kustomize/slices-explainer
kubectl delete -k sro-runtime/install/kustomize
sro slices claim --profile 1g.10gb --name notebook | kubectl delete -f -
sro slices publish --model A100-40GB --count 8 --node worker-1 | kubectl delete -f -
