kubectl apply -f definitions
$ helm install sro sro-runtime/install/helm/special-resource-operator -n special-resource-operator --create-namespace --set image.repository=registry.example.com/sro
prints registry.example.com/sro: kubectl get deployment -n special-resource-operator special-resource-operator -o yaml
fails kubectl get clusterrole special-resource-operator-plugin-nvidia-gpu
$ helm upgrade sro sro-runtime/install/helm/special-resource-operator -n special-resource-operator --reuse-values --set 'plugins={nvidia-gpu,solarflare-onload}'
kubectl get clusterrole special-resource-operator-plugin-nvidia-gpu special-resource-operator-plugin-solarflare-onload
prints registry.example.com/sro: kubectl get deployment -n special-resource-operator special-resource-operator -o yaml
$ helm upgrade sro sro-runtime/install/helm/special-resource-operator -n special-resource-operator --reuse-values --set monitoring.enabled=true --set monitoring.labels.release=kube-prometheus-stack
prints kube-prometheus-stack kubectl get servicemonitor,prometheusrule -n special-resource-operator -o yaml
$ helm upgrade sro sro-runtime/install/helm/special-resource-operator -n special-resource-operator --reuse-values --set 'networkPolicy.egressPorts[0].port=3128' --set 'extraEnv[0].name=HTTPS_PROXY' --set 'extraEnv[0].value=http://proxy.example.com:3128'
prints 3128 kubectl get networkpolicy -n special-resource-operator -o yaml
prints http://proxy.example.com:3128 kubectl get deployment -n special-resource-operator special-resource-operator -o yaml
$ helm upgrade sro sro-runtime/install/helm/special-resource-operator -n special-resource-operator --reuse-values --set webhook.enabled=true --set webhook.annotations=service\\.beta\\.openshift\\.io/inject-cabundle=true --set-string 'webhook.serviceAnnotations.service\.beta\.openshift\.io/serving-cert-secret-name=special-resource-operator-webhook'
prints serving-cert-secret-name kubectl get service -n special-resource-operator -o yaml
prints inject-cabundle kubectl get deployment -n special-resource-operator special-resource-operator -o yaml
helm uninstall sro -n special-resource-operator --wait
kubectl delete namespace special-resource-operator
kubectl delete crd specialresources.sro.openshift.io preflightvalidations.sro.openshift.io specialresourcemodules.sro.openshift.io
kubectl delete -f definitions
