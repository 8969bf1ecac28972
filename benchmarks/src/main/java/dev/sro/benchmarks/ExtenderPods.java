package dev.sro.benchmarks;

import dev.sro.core.placement.SliceDemand;
import dev.sro.core.placement.extender.PodDemands;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a scheduler sends of pods with one slice, and what they ask for, as whoever watches them knows it. Not thread-safe. */
final class ExtenderPods implements PodDemands {
    /** Of a pod as the scheduler has it: what a controller and the API server have filled in, without who owns which field. */
    private static final String POD = """
            {"metadata":{"name":"POD","generateName":"train-7d9c5b8f6-","namespace":"ns","uid":"POD","resourceVersion":"48211","creationTimestamp":\
            "2026-11-26T10:00:00Z","labels":{"app":"train","pod-template-hash":"7d9c5b8f6"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",\
            "name":"train-7d9c5b8f6","uid":"5a1f3f0e-6d0b-4d0e-9f0c-5f7a3f1b2c4d","controller":true,"blockOwnerDeletion":true}]},"spec":{"volumes":[{"name":\
            "kube-api-access-x7k2p","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":\
            "kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1",\
            "fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":[{"name":"main","image":"registry.example.com/train:1","command":\
            ["python3","-m","train"],"env":[{"name":"EPOCHS","value":"40"}],"resources":{"limits":{"cpu":"4","memory":"16Gi","nvidia.com/mig-PROFILE":"1"},\
            "requests":{"cpu":"4","memory":"16Gi","nvidia.com/mig-PROFILE":"1"}},"volumeMounts":[{"name":"kube-api-access-x7k2p","readOnly":true,\
            "mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",\
            "imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":\
            "default","serviceAccount":"default","securityContext":{},"schedulerName":"sro-slices","tolerations":[{"key":"node.kubernetes.io/not-ready",\
            "operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute",\
            "tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":{"phase":"Pending",\
            "qosClass":"Guaranteed"}}""";

    private final Map<String, SliceDemand> byUid = new HashMap<>();

    /** The pod's name is its uid. */
    String json(SliceDemand demand) {
        byUid.clear();
        byUid.put(demand.uid(), demand);
        return POD.replace("POD", demand.pod())
                .replace("PROFILE", demand.profiles().get(0));
    }

    /** A request about nodes whose names are this array of JSON. */
    static byte[] request(String pod, String names) {
        return ("{\"Pod\":" + pod + ",\"Nodes\":null,\"NodeNames\":" + names + "}").getBytes(StandardCharsets.UTF_8);
    }

    static String array(List<String> names) {
        return "[\"" + String.join("\",\"", names) + "\"]";
    }

    @Override
    public Optional<SliceDemand> known(String uid, String version) {
        return Optional.ofNullable(byUid.get(uid));
    }

    @Override
    public Optional<SliceDemand> read(String json) {
        throw new IllegalStateException("every pod is watched");
    }
}
