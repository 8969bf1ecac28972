package dev.sro.testkit.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelInterpreter;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelTypeCheck;
import dev.sro.testkit.merge.Trees;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelTest {
    private static final JsonNode SELF = Trees.json("{x:3,n:1.5,name:'a,b',l:['ab','ac'],m:{k:'v','a-b':'w'},"
            + "o:[{n:'p',v:1},{n:'q',v:2}],'a-b':1,namespace:'ns',no:null}");

    private static @Nullable Object value(String expression) {
        SchemaNode schema =
                SchemaNode.read(Trees.json("{type:'object',properties:{'a-b':{},namespace:{},x:{},n:{},name:{},"
                        + "l:{},m:{type:'object',additionalProperties:{}},o:{},no:{}}}"));
        Map<String, @Nullable Object> variables = new HashMap<>();
        variables.put("self", CelJson.convert(schema, SELF));
        return new CelInterpreter(variables).value(CelParser.parse(expression));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "self.x == 3 && self.x + 4 * 2 == 11 && -self.x == -3 && 7 / 2 == 3 && -7 % 3 == -1",
                "self.x < 3.5 && self.n <= 2 && 1 == 1.0 && dyn(1) != 'a'",
                "1 + 2 == 4 ? false : 'a' + 'b' == 'ab'",
                "has(self.x) && !has(self.y) && has(self.m.k) && has(self.no)",
                "self.no == null && type(self.x) == int",
                "self.l.all(q, q.startsWith('a')) && self.l.exists(q, q.endsWith('c')) && self.l.exists_one(q, q =="
                        + " 'ab')",
                "self.l.map(q, q.size()) == [2, 2] && self.l.filter(q, q != 'ab') == ['ac']",
                "self.l.map(q, q == 'ab', q + '!') == ['ab!']",
                "self.o.all(a, self.o.exists_one(b, a.n == b.n))",
                "self.m.all(k, self.m[k].size() == 1) && 'k' in self.m && !('v' in self.m) && 'ab' in self.l",
                "self.m['a-b'] == 'w' && self.a__dash__b == 1 && self.__namespace__ == 'ns'",
                "self.l.all(i, v, i < 2 && v.contains('a'))",
                "self.name.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && 'abc'.substring(1) == 'bc'",
                "'a.b'.replace('.', '') == 'ab' && ' a '.trim() == 'a' && 'Ab'.lowerAscii() == 'ab' &&"
                        + " 'abab'.lastIndexOf('a') == 2",
                "'abc'.matches('^a.c$') && 'x12y'.find('[0-9]+') == '12' && 'a1b2'.findAll('[0-9]') == ['1', '2']",
                "[1, 2].isSorted() && [1, 2].sum() == 3 && [3, 1].min() == 1 && ['a', 'b'].indexOf('b') == 1",
                "int('5') == 5 && string(5) == '5' && double('1.5') == 1.5 && bool('true')",
                "duration('1h30m').getMinutes() == 90 && duration('90s') == duration('1m30s')",
                "timestamp('2024-01-02T03:04:05Z').getFullYear() == 2024 &&"
                        + " timestamp('2024-01-02T00:00:00Z').getDayOfWeek() == 2",
                "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')",
                "self.?y.orValue(7) == 7 && self.?x.hasValue() && self.?m.?k.value() == 'v' &&"
                        + " !self.m[?'zz'].hasValue()",
                "self.?x.optMap(v, v + 1).orValue(0) == 4 && optional.none().orValue(1) == 1 &&"
                        + " optional.of(2).hasValue()",
                "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').compareTo(quantity('0.5')) == 0",
                "isQuantity('1Ki') && !isQuantity('x') && isURL('https://a.b/c') && url('https://a.b:8/c').getPort()"
                        + " == '8'",
                "sets.contains(['a', 'b'], ['a']) && sets.equivalent([1, 2], [2, 1]) && !sets.intersects(['a'], ['b'])",
                "'%s has %d'.format(['x', 2]) == 'x has 2' && '%.2f'.format([1.5]) == '1.50'",
                "!format.uuid().validate('01234567-89ab-cdef-0123-456789abcdef').hasValue() &&"
                        + " format.uuid().validate('x').hasValue() && format.dns1123Label().validate('A').hasValue() &&"
                        + " !format.named('labelValue').value().validate('').hasValue() &&"
                        + " !format.named('nope').hasValue() && format.date().validate('2026-13-01').hasValue()",
                "(self.y == 1 || true) && !(self.y == 1 && false)",
                "{'a': 1, 'b': [2]}.b[0] == 2 && size({'a': 1}) == 1",
                "r'\\d' == '\\\\d' && \"it's\" == 'it\\'s' && '\\u0041' == 'A'",
                "'''a'b''' == \"a'b\" // a comment",
            })
    void expressionsHold(String expression) {
        assertThat(value(expression)).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        self.y                         | no such key: y
        self.l[2]                      | index out of bounds: 2
        self.m['zz']                   | no such key: zz
        1 / 0                          | division by zero
        1 % 0                          | modulus by zero
        9223372036854775807 + 1        | integer overflow
        self.x + 'a'                   | no such overload
        self.x < 'a'                   | no such overload
        'a'.nope()                     | no such overload
        self.x ? 1 : 2                 | no such overload
        duration('x')                  | time: invalid duration "x"
        optional.none().value()        | optional.none() dereference
        """)
    void faultsAtRunTimeHaveTheLanguagesText(String expression, String message) {
        assertThatThrownBy(() -> value(expression)).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        self.x >          | 8  | Syntax error: mismatched input '<EOF>'
        self.y > 1        | 4  | undefined field 'y'
        foo > 1           | 0  | undeclared reference to 'foo'
        self.frob()       | 9  | undeclared reference to 'frob'
        self.x == 'a'     | 7  | found no matching overload for '_==_' applied to '(int, string)'
        self.x + 'a'      | 7  | found no matching overload for '_+_' applied to '(int, string)'
        self.l.all(a, 1)  | 14 | found no matching overload for 'all' applied to '(int)'
        self.s.t          | 6  | type 'string' does not support field selection
        """)
    void mistakesAreFoundBeforeRunning(String expression, int position, String message) {
        SchemaNode schema =
                SchemaNode.read(Trees.json("{type:'object',properties:{x:{type:'integer'},s:{type:'string'},"
                        + "l:{type:'array',items:{type:'string'}}}}"));
        assertThatThrownBy(() ->
                        CelTypeCheck.check(CelParser.parse(expression), Map.of("self", CelSchemas.convert(schema))))
                .isInstanceOfSatisfying(CelException.class, e -> {
                    assertThat(e.text()).startsWith(message);
                    assertThat(e.position()).isEqualTo(position);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "self.x.startsWith('a')",
                "self.any.b.c == 1",
                "self.s in ['a']",
                "self.l.map(a, a + 'x')[0] == 'ax'"
            })
    void whatCannotBeKnownPasses(String expression) {
        SchemaNode schema =
                SchemaNode.read(Trees.json("{type:'object',properties:{x:{'x-kubernetes-int-or-string':true},"
                        + "s:{type:'string'},any:{'x-kubernetes-preserve-unknown-fields':true},"
                        + "l:{type:'array',items:{type:'string'}}}}"));
        assertThat(CelTypeCheck.check(CelParser.parse(expression), Map.of("self", CelSchemas.convert(schema))))
                .isNotNull();
    }
}
