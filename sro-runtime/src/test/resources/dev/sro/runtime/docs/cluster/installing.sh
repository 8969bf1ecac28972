# With kubectl, as the repository has it.
$ kubectl apply -k sro-runtime/install/kustomize
kubectl wait --for=condition=Established crd/specialresources.sro.openshift.io
kubectl get deployment,service,serviceaccount,networkpolicy,poddisruptionbudget -n special-resource-operator -o name
kubectl auth can-i patch nodes --as=system:serviceaccount:special-resource-operator:special-resource-operator
kubectl get clusterrole special-resource-operator-plugin-simple-kmod
fails kubectl get clusterrole special-resource-operator-plugin-nvidia-gpu
$ kubectl apply -k sro-runtime/install/kustomize/plugins/nvidia-gpu
kubectl get clusterrole special-resource-operator-plugin-nvidia-gpu
$ ./sro rbac -o yaml --plugins my-plugins | kubectl apply -f -
kubectl apply -f special-resource.yaml
prints simple-kmod kubectl get sr
$ kubectl delete specialresources --all
kubectl delete -k sro-runtime/install/kustomize/plugins/nvidia-gpu
$ kubectl delete -k sro-runtime/install/kustomize
fails kubectl get crd specialresources.sro.openshift.io

# With a namespace of one's own.
./sro manifests out --namespace accelerators --image registry.example.com/sro:0.1.0 --plugins my-plugins
$ kubectl apply -k out/kustomize
prints registry.example.com/sro:0.1.0 kubectl get deployment -n accelerators special-resource-operator -o yaml
kubectl delete -k out/kustomize
