package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ValueTreesTest {

    @Test
    void copyIsDeepReadOnlyAndWithoutNulls() {
        Map<String, Object> inner = new HashMap<>();
        inner.put("absent", null);
        List<Object> list = new ArrayList<>(List.of(inner));
        Map<String, Object> copy = ValueTrees.copy(Map.of("list", list, "n", 1));
        list.clear();
        assertThat(copy).isEqualTo(Map.of("list", List.of(Map.of()), "n", 1));
        assertThatThrownBy(() -> copy.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ValueTrees.maps(copy, "list").get(0).put("x", 1))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void digestDoesNotDependOnTheOrderOfKeys() {
        Map<String, Object> a = new LinkedHashMap<>();
        a.put("x", 1);
        a.put("y", List.of("p", "q"));
        Map<String, Object> b = new LinkedHashMap<>();
        b.put("y", List.of("p", "q"));
        b.put("x", 1);
        assertThat(ValueTrees.digest(a)).isEqualTo(ValueTrees.digest(b)).hasSize(16);
    }

    @Test
    void digestTellsStructureAndTypesApart() {
        assertThat(List.of(
                        ValueTrees.digest(Map.of("x", "1")),
                        ValueTrees.digest(Map.of("x", 1)),
                        ValueTrees.digest(Map.of("x", List.of("1"))),
                        ValueTrees.digest(Map.of("x", List.of("1", ""))),
                        ValueTrees.digest(Map.of("x", "s1:1,")),
                        ValueTrees.digest(Map.of("x", Map.of("1", ""))),
                        ValueTrees.digest(Map.of("x", true)),
                        ValueTrees.digest(Map.of("x", "true"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void editingAnObjectLeavesTheOriginalAlone() {
        KubeObject object = KubeObject.of(
                Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "a", "namespace", "n")));
        KubeObject edited = object.edit(
                tree -> ValueTrees.ensureMap(tree, "metadata", "labels").put("k", "v"));
        assertThat(edited.label("k")).contains("v");
        assertThat(object.label("k")).isEmpty();
        assertThat(object.ref()).hasToString("ConfigMap n/a").isEqualTo(edited.ref());
        assertThat(object.digest()).isNotEqualTo(edited.digest());
    }
}
