package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.UpgradeStatus;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.beans.BeanInfo;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a status need not be written. */
class StatusEqualityTest {

    @Test
    void anEmptyListSaysNoMoreThanNone() {
        SpecialResourceStatus absent = new SpecialResourceStatus();
        SpecialResourceStatus empty = new SpecialResourceStatus();
        empty.setConditions(List.of());
        empty.setManagedKinds(List.of());
        empty.setReadinessTaints(List.of());
        empty.setPartitionTaints(List.of());
        empty.setPools(List.of());
        empty.setStates(List.of());
        empty.setSamples(List.of());
        assertThat(absent).isNotEqualTo(empty);

        assertThat(StatusEquality.isSame(absent, empty)).isTrue();
    }

    @Test
    void everyOtherDifferenceCounts() throws Exception {
        KubernetesSerialization json = new KubernetesSerialization();
        BeanInfo bean = Introspector.getBeanInfo(SpecialResourceStatus.class);
        int compared = 0;
        for (PropertyDescriptor property : bean.getPropertyDescriptors()) {
            Object value = value(property);
            if (property.getWriteMethod() != null && value != null) {
                SpecialResourceStatus changed = new SpecialResourceStatus();
                property.getWriteMethod().invoke(changed, value);
                assertThat(StatusEquality.isSame(changed, new SpecialResourceStatus()))
                        .as(property.getName() + " " + json.asJson(changed))
                        .isFalse();
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(8);
    }

    private static @Nullable Object value(PropertyDescriptor property) {
        Class<?> type = property.getPropertyType();
        if (type == String.class) {
            return "x";
        }
        if (type == Long.class) {
            return 1L;
        }
        if (type == Integer.class) {
            return 1;
        }
        if (type == List.class) {
            return List.of("x");
        }
        if (type == UpgradeStatus.class) {
            UpgradeStatus upgrade = new UpgradeStatus();
            upgrade.setPhases(Map.of("done", 1));
            return upgrade;
        }
        return null;
    }
}
