$ ./sro crd | kubectl apply -f -
kubectl wait --for=condition=Established crd/specialresources.sro.openshift.io
kubectl apply -f special-resource.yaml
$ kubectl get sr
$ kubectl get sr simple-kmod -o yaml
$ kubectl get nodes -o yaml > nodes.yaml
prints simple-kmod ./sro plan -f special-resource.yaml --nodes nodes.yaml
kubectl label node $NODE specialresource.openshift.io/state-simple-kmod-2000=Ready
prints Ready $ kubectl get nodes -L specialresource.openshift.io/state-simple-kmod-2000
@ NAME=simple-kmod
$ kubectl annotate specialresource NAME sro.dev/abandon-claims=gpu.nvidia.com
prints gpu.nvidia.com kubectl get sr simple-kmod -o yaml
@ NODE=$NODE
$ kubectl label node NODE nvidia.com/gpu.exposure=slices --overwrite
prints slices kubectl get node $NODE --show-labels
kubectl create namespace simple-kmod
kubectl create secret generic -n simple-kmod sh.helm.release.v1.simple-kmod.v1
kubectl annotate secret -n simple-kmod sh.helm.release.v1.simple-kmod.v1 sro.dev/hooks=done
$ kubectl annotate secret -n simple-kmod sh.helm.release.v1.simple-kmod.v1 sro.dev/hooks-
fails grep done <(kubectl get secret -n simple-kmod -o yaml)
kubectl create serviceaccount -n simple-kmod prometheus
@ NAMESPACE=simple-kmod NAME=prometheus
$ kubectl create clusterrole sro-metrics --verb=get --non-resource-url=/metrics
fails kubectl auth can-i get /metrics --as=system:serviceaccount:simple-kmod:prometheus
$ kubectl create clusterrolebinding sro-metrics --clusterrole=sro-metrics --serviceaccount=NAMESPACE:NAME
kubectl auth can-i get /metrics --as=system:serviceaccount:simple-kmod:prometheus
kubectl delete clusterrole,clusterrolebinding sro-metrics
kubectl delete namespace simple-kmod
kubectl delete sr simple-kmod
./sro crd | kubectl delete -f -
