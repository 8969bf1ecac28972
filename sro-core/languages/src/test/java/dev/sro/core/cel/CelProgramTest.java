package dev.sro.core.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelProgramTest {

    private static final Map<String, Object> OBJECT = Map.of(
            "metadata", Map.of("namespace", "ns", "labels", Map.of("a-b", "c")),
            "spec", Map.of("replicas", 3L),
            "status", Map.of("phase", "Up", "items", List.of(1L, 2L), "text", "a".repeat(20_000)));

    private static boolean holds(String expression) {
        return CelProgram.condition(expression, Set.of("object")).holds(new HashMap<>(Map.of("object", OBJECT)));
    }

    private static CelException fault(String expression) {
        return Objects.requireNonNull(catchThrowableOfType(CelException.class, () -> holds(expression)), expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.status.phase == 'Up'",
                "object.metadata.labels['a-b'] == 'c' && object.metadata.namespace == 'ns'",
                "object.spec.replicas >= 3 && object.status.items.all(i, i < 3)",
                "!has(object.status.error)",
                "object.status.?ready.orValue(true)",
                "semver('1.10.0').isGreaterThan(semver('1.9.3')) && semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))",
                "semver('1.0.0-rc.2').compareTo(semver('1.0.0-rc.10')) == -1 && semver('2.3.4').minor() == 3",
                "isSemver('1.2.3+b') && !isSemver('1.2') && isSemver('v1.02', true) && !isSemver('x', true)",
                "strings.quote('a\"b') == '\"a\\\\\"b\"'",
                "isIP('::1') && !isIP('1.2.3') && !isIP('::ffff:1.2.3.4') && ip('127.0.0.1').isLoopback()",
                "ip('fd00:0:0:0:0:0:0:1') == ip('fd00::1') && string(ip('fd00:0::1')) == 'fd00::1'",
                "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && ip('::1').family() == 6",
                "ip('10.0.0.1').isGlobalUnicast() && !ip('224.0.0.1').isGlobalUnicast() && ip('::').isUnspecified()",
                "ip('fe80::1').isLinkLocalUnicast() && ip('224.0.0.1').isLinkLocalMulticast()",
                "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))",
                "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8')",
                "cidr('10.1.2.3/12').masked() == cidr('10.0.0.0/12') && cidr('10.1.2.3/12').ip() == ip('10.1.2.3')",
                "isCIDR('::/0') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/01')",
                "format.dns1123Label().validate('A').value()[0].startsWith('a lowercase RFC 1123 label')",
            })
    void holdsForTheObject(String expression) {
        assertThat(holds(expression)).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "object.status.phase ==|22|Syntax error: mismatched input '<EOF>'",
                "objekt.status.phase == 'Up'|0|undeclared reference to 'objekt'",
                "object.status.phase.tolower() == 'up'|27|undeclared reference to 'tolower'",
                "object.status.phase == 'Up|23|token recognition error",
                "1 + 2|0|of type int, not bool",
                "'a' + 1 == 'b'|4|found no matching overload for '_+_'",
                "null|0|of type null, not bool",
                "semver('1.2') == 1|-1|No Major.Minor.Patch elements found",
                "cel.bind(x, 1, x == 1)|8|undeclared reference",
                "size(|5|expecting {'[', '{', '(', ')', '.'",
                "size() == 1|-1|no such overload",
                "0xffffffffffffffffff == 1|0|invalid int literal",
                "object.status.error == ''|-1|no such key: error",
                "object.status.phase|-1|of type string, not bool",
                "object.status.phase.startsWith()|-1|no such overload",
                "object.status.phase.matches('(')|-1|error parsing regexp",
                "object.spec.replicas / 0 == 1|-1|division by zero",
            })
    void saysWhatIsWrongAndWhere(String expression, int position, String message) {
        CelException fault = fault(expression);
        assertThat(fault.text()).contains(message);
        if (position >= 0) {
            assertThat(fault.position()).isEqualTo(position);
        }
    }

    @Test
    void everyExpressionComesToAnEnd() {
        List<String> doubled = new ArrayList<>();
        String text = "object.status.text";
        for (int i = 0; i < 40; i++) {
            text = "optional.of(" + text + ").optMap(a, a + a).value()";
            doubled.add(text);
        }
        assertThat(fault("size(" + doubled.get(39) + ") > 0").text()).contains("cost limit");
        String loops = "object.status.text.split('')";
        assertThat(fault(loops + ".all(a, " + loops + ".all(b, " + loops + ".all(c, true)))")
                        .text())
                .contains("cost limit");
        assertThat(fault("object.status.text.matches('((a?){50}){20}b')").text())
                .contains("cost limit");
        assertThat(fault("(".repeat(300) + "true" + ")".repeat(300)).text()).contains("recursion limit exceeded: 250");
        assertThat(fault("!".repeat(300) + "true").text()).contains("recursion limit exceeded: 250");
        assertThat(fault("'" + "a".repeat(5_000) + "' == 'a'").text()).contains("more than 4096 characters");
        assertThat(fault("'%.999999999f'.format([1.0]) == ''").text()).contains("too large");
    }

    @Test
    void longChainsAreNoTrouble() {
        assertThat(holds("true" + " && true".repeat(500))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "abc|3",
                "a{3}|3",
                "(ab){2,10}|30",
                "(a{10}){10}|110",
                "[a{9}]\\{9}|4",
                "\\x{10000}\\p{Greek}|2",
                "a{1,}{2}|2",
            })
    void reckonsTheSizeOfARegularExpression(String regexp, int size) {
        assertThat(Re2.size(regexp)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a{1001}", "(a{100}){100}", "(a{900}){1}b{900}c{900}d{900}e{900}f{900}", "(", "a{2000000000}"})
    void refusesRegularExpressionsThatAreNoneOrTooLarge(String regexp) {
        assertThat(catchThrowableOfType(CelException.class, () -> Re2.compile(regexp)))
                .hasMessageStartingWith("error parsing regexp");
    }
}
