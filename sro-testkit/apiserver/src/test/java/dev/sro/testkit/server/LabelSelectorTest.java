package dev.sro.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1 | {\"a\":\"1\"} | true",
                "a==1,b!=2 | {\"a\":\"1\"} | true",
                "a==1,b!=2 | {\"a\":\"1\",\"b\":\"2\"} | false",
                "a in (1,2) | {\"a\":\"2\"} | true",
                "a in (1,2) | {\"a\":\"3\"} | false",
                "a notin (1) | {} | true",
                "a | {\"a\":\"\"} | true",
                "!a | {} | true",
                "!a | {\"a\":\"x\"} | false",
                "a>1 | {\"a\":\"2\"} | true",
                "a<1 | {\"a\":\"2\"} | false",
                "a>1 | {\"a\":\"x\"} | false",
                "a= | {\"a\":\"\"} | true",
                "a in (,x) | {\"a\":\"\"} | true",
            })
    void matchesAsTheApiDoes(String selector, String labels, boolean expected) throws Exception {
        JsonNode node = JSON.readTree(labels);
        assertThat(LabelSelector.parse(selector).matches(node)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "x in (1 | unable to parse requirement: found '', expected: ',' or ')'",
                "x=bad value! | found 'value', expected: ',' or 'end of string'",
                "x=1=2 | found '=', expected: ',' or 'end of string'",
                ",, | found ',', expected: !, identifier, or 'end of string'",
                "x in ( | unable to parse requirement: found '', expected: ',', ')' or identifier",
            })
    void refusesBadSyntaxWithTheServersOwnText(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"matchLabels\":{\"a\":\"1\"}} | {\"a\":\"1\"} | true",
                "{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"NotIn\",\"values\":[\"1\"]}]} | {\"a\":\"1\"} |"
                        + " false",
                "{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Exists\"}]} | {} | false",
                "{} | {} | true",
            })
    void readsTheObjectForm(String selector, String labels, boolean expected) throws Exception {
        LabelSelector parsed = LabelSelector.of(JSON.readTree(selector));
        assertThat(parsed.matches(JSON.readTree(labels))).isEqualTo(expected);
    }
}
