package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.core.manifest.RenderException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeConditionTest {

    private static final NodeCondition CONDITION = new NodeCondition(
            List.of(Map.of("vendor.example/uvm", "yes", "a", "")), List.of(Map.of("old", "true", "zone", "b")));

    @Test
    void aTextMeansTheSameWhenItIsReadAgain() {
        assertThat(CONDITION.text()).isEqualTo("+a=,vendor.example/uvm=yes;-old=true,zone=b");
        assertThat(NodeCondition.of(CONDITION.text())).isEqualTo(CONDITION);
        assertThat(NodeCondition.of("")).isEqualTo(NodeCondition.ALWAYS);
        assertThat(NodeCondition.of("nonsense;;")).isEqualTo(NodeCondition.ALWAYS);
    }

    @Test
    void matchesNodesByAllAndNone() {
        assertThat(CONDITION.matches(Map.of("vendor.example/uvm", "yes", "a", "", "old", "true")))
                .isTrue();
        assertThat(CONDITION.matches(Map.of("vendor.example/uvm", "yes"))).isFalse();
        assertThat(CONDITION.matches(Map.of("vendor.example/uvm", "yes", "a", "", "old", "true", "zone", "b")))
                .isFalse();
    }

    @Test
    void anAffinityHasATermForEachWayNotToMatch() {
        assertThat(CONDITION.affinityTerms()).hasSize(2);
        assertThat(CONDITION.affinityTerms().get(1).toString())
                .contains("key=a, operator=In", "key=zone, operator=NotIn, values=[b]")
                .doesNotContain("old");
    }

    @Test
    void everyNodeIsMeantByOneSetAtMost() {
        LoadPlan plan = LoadPlan.of(
                KernelModule.of("base"), only("uvm", Map.of("uvm", "yes")), only("peer", Map.of("rdma", "yes")));

        Map<NodeCondition, List<KernelModule>> sets = ModuleSets.divide(plan);

        assertThat(sets).hasSize(4);
        assertThat(names(sets, Map.of())).containsExactly("base");
        assertThat(names(sets, Map.of("uvm", "yes"))).containsExactly("base", "uvm");
        assertThat(names(sets, Map.of("rdma", "yes", "uvm", "no"))).containsExactly("base", "peer");
        assertThat(names(sets, Map.of("rdma", "yes", "uvm", "yes"))).containsExactly("base", "uvm", "peer");
    }

    @Test
    void nodesWithoutAModuleAreLeftAlone() {
        assertThat(ModuleSets.divide(LoadPlan.of(only("uvm", Map.of("uvm", "yes")))))
                .hasSize(1);
    }

    @Test
    void tooManySelectionsAreRefused() {
        LoadPlan plan = LoadPlan.of(
                only("a", Map.of("a", "")),
                only("b", Map.of("b", "")),
                only("c", Map.of("c", "")),
                only("d", Map.of("d", "")));

        assertThatThrownBy(() -> ModuleSets.divide(plan))
                .isInstanceOf(RenderException.class)
                .hasMessageContaining("PoolKeyProvider");
    }

    private static KernelModule only(String name, Map<String, String> labels) {
        return KernelModule.builder().name(name).onlyOnNodesWith(labels).build();
    }

    private static List<String> names(Map<NodeCondition, List<KernelModule>> sets, Map<String, String> labels) {
        return sets.entrySet().stream()
                .filter(set -> set.getKey().matches(labels))
                .flatMap(set -> set.getValue().stream())
                .map(KernelModule::name)
                .toList();
    }
}
