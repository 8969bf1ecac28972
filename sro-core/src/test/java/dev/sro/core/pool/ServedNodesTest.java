package dev.sro.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServedNodesTest {

    private static final ObservedNode NODE = Nodes.label(Nodes.node("n", Nodes.K1), "worker", "");

    @ParameterizedTest
    @CsvSource({
        "node-role.kubernetes.io/control-plane:NoSchedule,true",
        "node-role.kubernetes.io/master=x:NoExecute,true",
        "a=b:NoSchedule,true",
        "a=b:PreferNoSchedule,false",
        "a:PreferNoSchedule,false",
        "node.kubernetes.io/unschedulable:NoSchedule,false",
        "node.kubernetes.io/not-ready:NoExecute,false",
        "node.kubernetes.io/unreachable:NoExecute,false",
        "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute,true",
    })
    void taintsKeepPodsOffUnlessEveryDaemonSetToleratesThem(String taint, boolean off) {
        assertThat(ServedNodes.keepsPodsOff(Nodes.taint(NODE, taint).facts())).isEqualTo(off);
    }

    @ParameterizedTest(name = "{0} by {1} {2} {3} {4}: {5}")
    @CsvSource(
            emptyValue = "",
            value = {
                "card=x:NoSchedule,card,Exists,'','',true",
                "card=x:NoSchedule,card,Equal,x,'',true",
                "card=x:NoSchedule,card,'',x,NoSchedule,true",
                "card=x:NoSchedule,card,Equal,y,'',false",
                "card=x:NoSchedule,card,Exists,'',NoExecute,false",
                "card=x:NoExecute,'',Exists,'','',true",
                "card=x:NoExecute,'',Equal,'','',false",
                "card:NoSchedule,card,Equal,'','',true",
                "card=x:NoSchedule,other,Exists,'','',false",
            })
    void tolerationsAreThoseOfKubernetes(
            String taint, String key, String operator, String value, String effect, boolean tolerated) {
        Map<String, Object> toleration = new HashMap<>();
        Map.of("key", key, "operator", operator, "value", value, "effect", effect)
                .forEach((name, text) -> {
                    if (!text.isEmpty()) {
                        toleration.put(name, text);
                    }
                });
        assertThat(ServedNodes.keepsPodsOff(Nodes.taint(NODE, taint).facts(), List.of(toleration)))
                .isEqualTo(!tolerated);
    }

    @Test
    void selectorNeedsEveryLabelWithItsValue() {
        assertThat(ServedNodes.matches(NODE.facts(), Map.of())).isTrue();
        assertThat(ServedNodes.matches(NODE.facts(), Map.of("worker", ""))).isTrue();
        assertThat(ServedNodes.matches(NODE.facts(), Map.of("worker", "x"))).isFalse();
        assertThat(ServedNodes.matches(NODE.facts(), Map.of("worker", "", "other", "")))
                .isFalse();
    }
}
