kubectl apply -f definitions
kubectl apply -k sro-runtime/install/kustomize
$ kubectl apply -k sro-runtime/install/kustomize/monitoring
kubectl get servicemonitor,prometheusrule,configmap -n special-resource-operator
kubectl delete -k sro-runtime/install/kustomize/monitoring
kubectl delete -k sro-runtime/install/kustomize
kubectl delete -f definitions
