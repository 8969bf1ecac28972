package dev.sro.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When two values say the same. */
class ResourceValueTest {

    @ParameterizedTest
    @CsvSource({
        "SpecialResourceSpec, 10",
        "SpecialResourceStatus, 8",
        "SpecialResourceModuleSpec, 4",
        "SpecialResourceModuleStatus, 3",
        "PreflightValidationSpec, 3",
        "PreflightValidationStatus, 2",
        "UpgradeStatus, 4"
    })
    void whatIsEmptySaysNoMoreThanWhatIsAbsentAndEverythingElseDoes(String name, int atLeast) throws Exception {
        Class<?> type = Class.forName(ResourceValue.class.getPackageName() + "." + name);
        Object absent = type.getConstructor().newInstance();
        int compared = 0;
        for (PropertyDescriptor property : Introspector.getBeanInfo(type).getPropertyDescriptors()) {
            Object empty = empty(property.getPropertyType());
            if (property.getWriteMethod() == null || empty == null) {
                continue;
            }
            Object other = type.getConstructor().newInstance();
            property.getWriteMethod().invoke(other, empty);
            assertThat(other)
                    .as("%s.%s", name, property.getName())
                    .isEqualTo(absent)
                    .hasSameHashCodeAs(absent);
            property.getWriteMethod().invoke(other, full(property.getPropertyType()));
            assertThat(other).as("%s.%s", name, property.getName()).isNotEqualTo(absent);
            compared++;
        }
        assertThat(compared).isGreaterThanOrEqualTo(atLeast);
    }

    private static @Nullable Object empty(Class<?> type) {
        return type == String.class ? "" : type == List.class ? List.of() : type == Map.class ? Map.of() : null;
    }

    private static Object full(Class<?> type) {
        return type == String.class ? "x" : type == List.class ? List.of("x") : Map.of("x", "y");
    }
}
