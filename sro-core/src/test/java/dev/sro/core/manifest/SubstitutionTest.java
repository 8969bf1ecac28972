package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.yaml.Yaml;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubstitutionTest {

    private static final Variables VALUES = Variables.of(Map.of(
            "name",
            "simple-kmod",
            "count",
            3,
            "flag",
            true,
            "list",
            List.of("a", "b"),
            "dotted.name",
            "whole",
            "unit",
            TimeUnit.SECONDS,
            "specialresource",
            Map.of("spec", Map.of("set", Map.of("kmods", List.of("x", "y"), "one", 1)))));

    private static @Nullable Object in(Object value) {
        return new Substitution("test", VALUES).in(Map.of("at", value)).get("at");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${name}|simple-kmod",
                "a-${name}-b|a-simple-kmod-b",
                "${name}${count}${flag}|simple-kmod3true",
                "${specialresource.spec.set.one}x|1x",
                "x${dotted.name}|xwhole",
                "x${unit}|xSECONDS",
                "$${name}|${name}",
                "a $${b} ${name}|a ${b} simple-kmod",
                "$${A:-$${B}}|${A:-${B}}",
                "$${A//{x,y}/z}|${A//{x,y}/z}",
                "$$${name}|$${name}",
                "$name $(name) {name} $|$name $(name) {name} $",
                "${unclosed|${unclosed",
            })
    void replacesPlaceholdersInStrings(String text, String result) {
        assertThat(in(text)).isEqualTo(result);
    }

    @Test
    void aStringThatIsOnePlaceholderTakesTheValueWithItsType() {
        assertThat(in("${count}")).isEqualTo(3);
        assertThat(in("${flag}")).isEqualTo(true);
        assertThat(in("${list}")).isEqualTo(List.of("a", "b"));
        assertThat(in("${specialresource.spec.set.kmods}")).isEqualTo(List.of("x", "y"));
        assertThat(in("${unit}")).isEqualTo("SECONDS");
    }

    @Test
    void aValueThatIsPutInIsTheTreesOwnToChange() {
        Object put = Objects.requireNonNull(in("${specialresource.spec}"));
        @SuppressWarnings("unchecked")
        Map<String, Object> map = (Map<String, Object>) put;
        map.put("more", 1);
        assertThat(in("${specialresource.spec}")).isNotEqualTo(put);
    }

    @Test
    void replacesInKeysListsAndNestedMaps() {
        assertThat(in(Map.of("${name}/x", List.of("${count}", Map.of("k", "${flag}y")))))
                .isEqualTo(Map.of("simple-kmod/x", List.of(3, Map.of("k", "truey"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"${nothing}", "x ${specialresource.spec.nothing}", "${name.sub}", "${}", "${ name }"})
    void aPlaceholderWithoutAValueNamesItself(String text) {
        assertThatThrownBy(() -> in(text))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("UndefinedVariable"))
                .hasMessageContaining(text.substring(text.indexOf("${")))
                .hasMessageContaining("test");
    }

    @Test
    void aListInTheMiddleOfAStringIsRefused() {
        assertThatThrownBy(() -> in("x-${list}"))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("InvalidManifest"))
                .hasMessageContaining("${list}");
    }

    @Test
    void aValueThatNoManifestCanHoldIsRefused() {
        Variables odd = Variables.of(Map.of("odd", new Object()));
        assertThatThrownBy(() -> new Substitution("test", odd).in(Map.of("at", "${odd}")))
                .isInstanceOf(RenderException.class)
                .hasMessageContaining("java.lang.Object");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a\nkind: Secret", "x: y", "*alias", "&anchor", "- item", "{a: b}", "${name}", "'", "\"", "#"})
    void aValueCannotChangeTheStructure(String evil) {
        Variables values = Variables.of(Map.of("v", evil));
        Map<String, Object> document = Yaml.documents("test", "kind: ConfigMap\ndata:\n  k: ${v}\n  l: a ${v}\n")
                .get(0);
        assertThat(new Substitution("test", values).in(document))
                .isEqualTo(Map.of("kind", "ConfigMap", "data", Map.of("k", evil, "l", "a " + evil)));
    }

    @Property(tries = 300)
    void alwaysEndsWithAResultOrAProblem(
            @ForAll @Chars({'$', '{', '}', 'a', '.'}) @StringLength(max = 20) String text) {
        try {
            assertThat(in(text)).isNotNull();
        } catch (RenderException e) {
            assertThat(e.problem().code()).isEqualTo("UndefinedVariable");
        }
    }

    @Test
    void aNameCannotBeGivenTwice() {
        assertThatThrownBy(() -> VALUES.and("plugin x", Map.of("name", "other")))
                .isInstanceOfSatisfying(
                        RenderException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("VariableRedefined"))
                .hasMessageContaining("plugin x");
    }
}
