package dev.sro.testkit.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltinsTest {
    private static final TypeSchema POD = BuiltinTypes.find("", "v1", "Pod");

    private static ObjectNode defaulted(String group, String kind, String object) {
        ObjectNode out = Trees.object(object);
        BuiltinTypes.decode(BuiltinTypes.find(group, "v1", kind), out);
        BuiltinDefaults.apply(group, "v1", kind, out);
        return out;
    }

    @Test
    void decodingNamesAndDropsUnknownFields() {
        ObjectNode pod = Trees.object("{metadata:{lbls:{}},spec:{containers:[{name:'c',bogus:1}]},extra:{}}");
        assertThat(BuiltinTypes.decode(POD, pod)).containsExactly("metadata.lbls", "spec.containers[0].bogus", "extra");
        assertThat(pod).isEqualTo(Trees.json("{metadata:{},spec:{containers:[{name:'c',resources:{}}]},status:{}}"));
    }

    @Test
    void decodingDropsNullsAndZerosThatTheApiLeavesOut() {
        ObjectNode pod = Trees.object("{metadata:{labels:{}},spec:{hostNetwork:false,nodeName:'',nodeSelector:null,"
                + "securityContext:{},containers:[{name:'c',env:[{name:'A',value:''}],args:[]}]}}");
        BuiltinTypes.decode(POD, pod);
        assertThat(pod.get("spec"))
                .isEqualTo(Trees.json("{securityContext:{},containers:[{name:'c',env:[{name:'A'}],resources:{}}]}"));
        assertThat(pod.get("metadata")).isEqualTo(Trees.json("{}"));
    }

    @Test
    void decodingKeepsZerosOfPointers() {
        ObjectNode deployment = Trees.object("{spec:{replicas:0,paused:false}}");
        BuiltinTypes.decode(BuiltinTypes.find("apps", "v1", "Deployment"), deployment);
        assertThat(deployment.at("/spec/replicas").asInt(-1)).isZero();
        assertThat(deployment.at("/spec").has("paused")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1024Mi, 1Gi",
        "1000m, 1",
        "0.5, 500m",
        "1Ki, 1Ki",
        "1500m, 1500m",
        "1000, 1k",
        "0, 0",
        "2Gi, 2Gi",
        "1.5Gi, 1536Mi",
        "100n, 100n",
        "1e3, 1e3",
        "12E, 12E",
        "512, 512",
        "-1000m, -1"
    })
    void quantitiesAreWrittenInCanonicalForm(String given, String canonical) {
        ObjectNode pod = Trees.object("{spec:{containers:[{name:'c',resources:{limits:{x:'" + given + "'}}}]}}");
        BuiltinTypes.decode(POD, pod);
        assertThat(pod.at("/spec/containers/0/resources/limits/x").asText()).isEqualTo(canonical);
    }

    @Test
    void aDaemonSetGetsTheDefaultsOfTheServer() {
        ObjectNode set = defaulted(
                "apps",
                "DaemonSet",
                "{spec:{template:{spec:{containers:[{name:'c',image:'x:1',ports:[{containerPort:80}]}]}}}}");
        assertThat(set.get("spec"))
                .isEqualTo(Trees.json("{template:{metadata:{},spec:{containers:[{name:'c',image:'x:1',"
                        + "ports:[{containerPort:80,protocol:'TCP'}],resources:{},"
                        + "terminationMessagePath:'/dev/termination-log',terminationMessagePolicy:'File',"
                        + "imagePullPolicy:'IfNotPresent'}],restartPolicy:'Always',terminationGracePeriodSeconds:30,"
                        + "dnsPolicy:'ClusterFirst',securityContext:{},schedulerName:'default-scheduler'}},"
                        + "updateStrategy:{type:'RollingUpdate',rollingUpdate:{maxUnavailable:1,maxSurge:0}},"
                        + "revisionHistoryLimit:10}"));
        assertThat(set.get("status"))
                .isEqualTo(Trees.json(
                        "{currentNumberScheduled:0,numberMisscheduled:0,desiredNumberScheduled:0,numberReady:0}"));
    }

    @ParameterizedTest
    @CsvSource({
        "img, Always",
        "img:latest, Always",
        "reg:5000/img, Always",
        "reg:5000/img:1, IfNotPresent",
        "img@sha256:ab, IfNotPresent"
    })
    void imagesWithoutATagAreAlwaysPulled(String image, String policy) {
        assertThat(PodDefaults.pullPolicy(image)).isEqualTo(policy);
    }

    @Test
    void limitsOfAPodAreItsRequests() {
        ObjectNode pod = defaulted(
                "", "Pod", "{spec:{containers:[{name:'c',resources:{limits:{cpu:'1',x:'2'},requests:{cpu:'500m'}}}]}}");
        assertThat(pod.at("/spec/containers/0/resources/requests")).isEqualTo(Trees.json("{cpu:'500m',x:'2'}"));
    }

    @Test
    void bindingsAndServicesGetTheirDefaults() {
        ObjectNode binding = defaulted(
                "rbac.authorization.k8s.io",
                "RoleBinding",
                "{roleRef:{kind:'Role',name:'r'},subjects:[{kind:'User',name:'u'},{kind:'ServiceAccount',name:'s'}]}");
        assertThat(binding.at("/roleRef/apiGroup").asText()).isEqualTo("rbac.authorization.k8s.io");
        assertThat(binding.at("/subjects/0/apiGroup").asText()).isEqualTo("rbac.authorization.k8s.io");
        assertThat(binding.at("/subjects/1").has("apiGroup")).isFalse();
        ObjectNode service = defaulted("", "Service", "{spec:{ports:[{port:80}]}}");
        assertThat(service.get("spec"))
                .isEqualTo(Trees.json("{ports:[{port:80,protocol:'TCP',targetPort:80}],sessionAffinity:'None',"
                        + "type:'ClusterIP',internalTrafficPolicy:'Cluster'}"));
    }

    @Test
    void defaultsAreIdempotent() {
        ObjectNode job = defaulted("batch", "Job", "{spec:{template:{spec:{containers:[{name:'c',image:'x'}]}}}}");
        ObjectNode again = job.deepCopy();
        BuiltinDefaults.apply("batch", "v1", "Job", again);
        assertThat(again).isEqualTo(job);
    }

    @Test
    void unknownKindsKeepEverythingButKnowMetadata() {
        TypeSchema type = BuiltinTypes.find("build.openshift.io", "v1", "BuildConfig");
        assertThat(BuiltinTypes.known("build.openshift.io", "v1", "BuildConfig"))
                .isFalse();
        ObjectNode build = Trees.object("{spec:{x:null},metadata:{name:'a'}}");
        assertThat(BuiltinTypes.decode(type, build)).isEmpty();
        assertThat(build.at("/metadata/name").asText()).isEqualTo("a");
        assertThat(type.entry("metadata")).isSameAs(BuiltinTypes.objectMeta());
    }
}
