package dev.sro.testkit.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.Trees;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltinValidationTest {
    private static List<String> faults(String group, String kind, String object, @Nullable String old) {
        ObjectNode before = old == null ? null : ready(group, kind, old);
        return BuiltinValidation.validate(group, "v1", kind, ready(group, kind, object), before).stream()
                .map(FieldError::toString)
                .toList();
    }

    private static ObjectNode ready(String group, String kind, String object) {
        ObjectNode out = Trees.object(object);
        BuiltinTypes.decode(BuiltinTypes.find(group, "v1", kind), out);
        BuiltinDefaults.apply(group, "v1", kind, out);
        return out;
    }

    private static String daemonSet(String podSpec) {
        return "{metadata:{name:'a'},spec:{selector:{matchLabels:{app:'a'}},template:{metadata:{labels:{app:'a'}},spec:"
                + podSpec + "}}}";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {containers:[]}                                     | spec.template.spec.containers: Required value
            {containers:[{image:'x'}]}                          | spec.template.spec.containers[0].name: Required value
            {containers:[{name:'c'}]}                           | spec.template.spec.containers[0].image: Required value
            {containers:[{name:'c',image:'x'},{name:'c',image:'x'}]} | spec.template.spec.containers[1].name: Duplicate value: "c"
            {containers:[{name:'c',image:'x',ports:[{name:'p'}]}]}   | spec.template.spec.containers[0].ports[0].containerPort: Required value
            {containers:[{name:'c',image:'x',ports:[{containerPort:70000}]}]} | spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive
            {containers:[{name:'c',image:'x',env:[{name:'A',value:'1',valueFrom:{fieldRef:{fieldPath:'metadata.name'}}}]}]} | spec.template.spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty
            {containers:[{name:'c',image:'x',volumeMounts:[{name:'v',mountPath:'/v'}]}]} | spec.template.spec.containers[0].volumeMounts[0].name: Not found: "v"
            {containers:[{name:'c',image:'x',resources:{requests:{cpu:'2'},limits:{cpu:'1'}}}]} | spec.template.spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
            {containers:[{name:'c',image:'x',resources:{requests:{'x.io/g':'1'}}}]} | spec.template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources
            {containers:[{name:'c',image:'x'}],volumes:[{name:'v',emptyDir:{},hostPath:{path:'/x'}}]} | spec.template.spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type
            {containers:[{name:'c',image:'x'}],restartPolicy:'Never'} | spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"
            """)
    void faultsOfAPodTemplateAreNamed(String podSpec, String fault) {
        assertThat(faults("apps", "DaemonSet", daemonSet(podSpec), null)).containsExactly(fault);
    }

    @Test
    void aSelectorMustMatchItsTemplateAndStay() {
        String other = daemonSet("{containers:[{name:'c',image:'x'}]}")
                .replace("matchLabels:{app:'a'}", "matchLabels:{app:'b'}");
        assertThat(faults("apps", "DaemonSet", other, daemonSet("{containers:[{name:'c',image:'x'}]}")))
                .containsExactly(
                        "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"b\"}}: field is immutable",
                        "spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template"
                                + " `labels`");
    }

    @Test
    void rolloutsMustBeAbleToMove() {
        String set = daemonSet("{containers:[{name:'c',image:'x'}]}");
        String stuck = set.replace("{selector:", "{updateStrategy:{rollingUpdate:{maxUnavailable:0}},selector:");
        assertThat(faults("apps", "DaemonSet", stuck, null))
                .containsExactly(
                        "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0");
        String both = set.replace(
                "{selector:", "{updateStrategy:{rollingUpdate:{maxUnavailable:'50%',maxSurge:1}},selector:");
        assertThat(faults("apps", "DaemonSet", both, null))
                .containsExactly("spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when"
                        + " maxUnavailable is non-zero");
    }

    @Test
    void whatIsImmutableStaysAsItIs() {
        assertThat(faults("", "ConfigMap", "{data:{k:'2'}}", "{immutable:true,data:{k:'1'}}"))
                .containsExactly(
                        "immutable: Forbidden: field is immutable when `immutable` is set",
                        "data: Forbidden: field is immutable when `immutable` is set");
        assertThat(faults("", "Secret", "{type:'x/y'}", "{}"))
                .containsExactly("type: Invalid value: \"x/y\": field is immutable");
        assertThat(faults(
                        "rbac.authorization.k8s.io",
                        "RoleBinding",
                        "{roleRef:{kind:'Role',name:'b'}}",
                        "{roleRef:{kind:'Role',name:'a'}}"))
                .containsExactly(
                        "roleRef: Invalid value: {\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":\"Role\","
                                + "\"Name\":\"b\"}: cannot change roleRef");
        String pod = "{spec:{containers:[{name:'c',image:'x'}]}}";
        assertThat(faults("", "Pod", pod.replace("'x'", "'y'"), pod)).isEmpty();
        assertThat(faults("", "Pod", pod.replace("{containers", "{hostNetwork:true,containers"), pod))
                .hasSize(1);
    }

    @Test
    void jobsNeedARestartPolicyAndKeepTheirTemplate() {
        String job = "{spec:{manualSelector:true,selector:{matchLabels:{a:'b'}},template:{metadata:{labels:{a:'b'}},"
                + "spec:{restartPolicy:'Never',containers:[{name:'c',image:'x'}]}}}}";
        assertThat(faults("batch", "Job", job, null)).isEmpty();
        assertThat(faults("batch", "Job", job.replace("restartPolicy:'Never',", ""), null))
                .containsExactly(
                        "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"");
        assertThat(faults("batch", "Job", job.replace("'x'", "'y'"), job))
                .singleElement()
                .asString()
                .startsWith("spec.template: Invalid value: ")
                .endsWith(": field is immutable");
    }

    @Test
    void keysOfConfigMapsAreChecked() {
        assertThat(faults("", "ConfigMap", "{data:{'bad key':'x','..':'y',k:'z'},binaryData:{k:'eA=='}}", null))
                .hasSize(3)
                .anyMatch(
                        f -> f.startsWith("data[bad key]: Invalid value: \"bad key\": a valid config key must consist"))
                .contains("data[..]: Invalid value: \"..\": must not be '..'")
                .contains("data[k]: Invalid value: \"k\": duplicate of key present in binaryData");
    }

    @Test
    void taintsAreUniqueByKeyAndEffect() {
        assertThat(faults(
                        "",
                        "Node",
                        "{spec:{taints:[{key:'a',effect:'NoSchedule'},{key:'a',effect:'NoSchedule'}]}}",
                        null))
                .containsExactly(
                        "metadata.taints[1]: Duplicate value: {\"Key\":\"a\",\"Value\":\"\",\"Effect\":\"NoSchedule\","
                                + "\"TimeAdded\":null}: taints must be unique by key and effect pair");
    }
}
