package dev.sro.testkit.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.Trees;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomSchemaTest {
    private static CustomSchema spec(String schema) {
        return CustomSchema.compile(Trees.json("{type:'object',properties:{spec:" + schema + ",status:{type:'object',"
                + "properties:{n:{type:'integer'}}}}}"));
    }

    private static ObjectNode object(String spec) {
        return Trees.object("{apiVersion:'x.io/v1',kind:'X',metadata:{name:'a'},spec:" + spec + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type:'integer'}                       | 'x'    | Invalid value: "string": spec.v in body must be of type integer: "string"
            {type:'string'}                        | 1      | Invalid value: "integer": spec.v in body must be of type string: "integer"
            {type:'object'}                        | []     | Invalid value: "array": spec.v in body must be of type object: "array"
            {type:'boolean'}                       | 'true' | Invalid value: "string": spec.v in body must be of type boolean: "string"
            {'x-kubernetes-int-or-string':true}    | 1.5    | Invalid value: "number": spec.v in body must be of type integer,string: "number"
            {type:'string',enum:['a','b']}         | 'z'    | Unsupported value: "z": supported values: "a", "b"
            {type:'string',pattern:'^a+$'}         | 'b'    | Invalid value: "b": spec.v in body should match '^a+$'
            {type:'string',minLength:2}            | 'x'    | Invalid value: "x": spec.v in body should be at least 2 chars long
            {type:'string',maxLength:3}            | 'xxxx' | Too long: may not be more than 3 bytes
            {type:'string',format:'date-time'}     | 'x'    | Invalid value: "x": spec.v in body must be of type date-time: "x"
            {type:'string',format:'ipv4'}          | '1.2'  | Invalid value: "1.2": spec.v in body must be of type ipv4: "1.2"
            {type:'string',format:'duration'}      | 'x'    | Invalid value: "x": spec.v in body must be of type duration: "x"
            {type:'integer',maximum:10}            | 11     | Invalid value: 11: spec.v in body should be less than or equal to 10
            {type:'integer',minimum:5}             | 4      | Invalid value: 4: spec.v in body should be greater than or equal to 5
            {type:'number',maximum:1,exclusiveMaximum:true} | 1 | Invalid value: 1: spec.v in body should be less than 1
            {type:'integer',multipleOf:3}          | 4      | Invalid value: 4: spec.v in body should be a multiple of 3
            {type:'array',minItems:1,items:{type:'string'}} | [] | Invalid value: 0: spec.v in body should have at least 1 items
            {type:'array',maxItems:1,items:{type:'string'}} | ['a','b'] | Too many: 2: must have at most 1 item
            {type:'object',maxProperties:1,additionalProperties:{type:'string'}} | {a:'1',b:'2'} | Too many: 2: must have at most 1 item
            """)
    void eachKindOfFaultHasTheServersText(String schema, String value, String message) {
        CustomSchema custom = spec("{type:'object',properties:{v:" + schema + "}}");
        assertThat(custom.validate(object("{v:" + value + "}"), null))
                .singleElement()
                .satisfies(e -> assertThat(e.message()).isEqualTo(message))
                .satisfies(e -> assertThat(e.field()).isEqualTo("spec.v"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type:'integer'}                       | 2.0
            {type:'number'}                        | 2
            {'x-kubernetes-int-or-string':true}    | '50%'
            {type:'string',nullable:true}          | null
            {type:'string',format:'uuid'}          | '11111111-2222-3333-4444-555555555555'
            {type:'string',format:'unknown'}       | 'x'
            {type:'integer',anyOf:[{minimum:10},{maximum:2}]} | 1
            {type:'integer',oneOf:[{minimum:5},{maximum:2}]}  | 7
            {type:'string',not:{enum:['bad']}}     | 'good'
            """)
    void fittingValuesAreAccepted(String schema, String value) {
        CustomSchema custom = spec("{type:'object',properties:{v:" + schema + "}}");
        assertThat(custom.validate(object("{v:" + value + "}"), null)).isEmpty();
    }

    @Test
    void combinatorsSayWhichOfThemFailed() {
        CustomSchema custom = spec("{type:'object',properties:{v:{type:'integer',anyOf:[{minimum:10},{maximum:2}]},"
                + "w:{type:'integer',oneOf:[{minimum:5},{maximum:7}]},x:{type:'string',not:{enum:['bad']}}}}");
        assertThat(custom.validate(object("{v:5,w:6,x:'bad'}"), null))
                .extracting(FieldError::toString)
                .containsExactlyInAnyOrder(
                        "<nil>: Invalid value: \"\": \"spec.v\" must validate at least one schema (anyOf)",
                        "spec.v: Invalid value: 5: spec.v in body should be greater than or equal to 10",
                        "<nil>: Invalid value: \"\": \"spec.w\" must validate one and only one schema (oneOf). Found 2 valid"
                                + " alternatives",
                        "<nil>: Invalid value: \"\": \"spec.x\" must not validate the schema (not)");
    }

    @Test
    void missingFieldsAreNamedInOrder() {
        CustomSchema custom =
                spec("{type:'object',required:['b','a'],properties:{a:{type:'string'},b:{type:'string'}}}");
        assertThat(custom.validate(object("{}"), null))
                .extracting(FieldError::toString)
                .containsExactly("spec.a: Required value", "spec.b: Required value");
    }

    @Test
    void unknownFieldsArePrunedAndNamed() {
        CustomSchema custom = spec("{type:'object',properties:{n:{type:'integer'},"
                + "free:{type:'object','x-kubernetes-preserve-unknown-fields':true,properties:{k:{type:'object',"
                + "properties:{in:{type:'string'}}}}}}}");
        ObjectNode object = object("{n:1,bogus:2,free:{any:{x:1},k:{in:'y',out:'z'}}}");
        object.put("top", 1);
        assertThat(custom.prune(object)).containsExactly("spec.bogus", "spec.free.k.out", "top");
        assertThat(object).isEqualTo(object("{n:1,free:{any:{x:1},k:{in:'y'}}}"));
    }

    @Test
    void defaultsFillWhatIsMissingInWhatIsThere() {
        CustomSchema custom = spec("{type:'object',properties:{mode:{type:'string',default:'a'},"
                + "nested:{type:'object',default:{},properties:{x:{type:'integer',default:5}}},"
                + "keep:{type:'string',nullable:true,default:'d'},"
                + "list:{type:'array',items:{type:'object',properties:{p:{type:'string',default:'q'}}}}}}");
        ObjectNode object = object("{mode:null,keep:null,list:[{},{p:'r'}]}");
        custom.prune(object);
        custom.applyDefaults(object);
        assertThat(object.get("spec"))
                .isEqualTo(Trees.json("{mode:'a',keep:null,list:[{p:'q'},{p:'r'}],nested:{x:5}}"));
    }

    @Test
    void nullsOfFieldsThatMayNotBeNullAreDropped() {
        CustomSchema custom = spec("{type:'object',properties:{a:{type:'string'},b:{type:'string',nullable:true}}}");
        ObjectNode object = object("{a:null,b:null}");
        assertThat(custom.prune(object)).isEmpty();
        assertThat(object.get("spec")).isEqualTo(Trees.json("{b:null}"));
    }

    @Test
    void anUnchangedValueIsNotHeldAgainstAnUpdate() {
        CustomSchema custom = spec("{type:'object',properties:{a:{type:'integer',maximum:10},b:{type:'integer'}}}");
        ObjectNode stored = object("{a:50,b:1}");
        assertThat(custom.validate(object("{a:50,b:2}"), stored)).isEmpty();
        assertThat(custom.validate(object("{a:51,b:1}"), stored)).hasSize(1);
    }

    @Test
    void statusFaultsAreNamedFromTheStatus() {
        CustomSchema custom = spec("{type:'object',required:['must']}");
        ObjectNode object = object("{}");
        object.putObject("status").put("n", "x");
        assertThat(custom.validateStatus(object, null, new ArrayList<>()))
                .containsExactly(new FieldError(
                        "FieldValueTypeInvalid",
                        "Invalid value: \"string\": n in body must be of type integer: \"string\"",
                        "status.n"));
    }

    @Test
    void embeddedObjectsMustSayWhatTheyAre() {
        CustomSchema custom = spec("{type:'object',properties:{o:{type:'object','x-kubernetes-embedded-resource':true,"
                + "'x-kubernetes-preserve-unknown-fields':true}}}");
        assertThat(custom.validate(object("{o:{}}"), null))
                .extracting(FieldError::toString)
                .containsExactly("spec.o.apiVersion: Required value", "spec.o.kind: Required value");
        assertThat(custom.validate(object("{o:{apiVersion:'v1',kind:'Pod'}}"), null))
                .isEmpty();
    }

    @Test
    void itemsOfSetsAndMapsMustDiffer() {
        CustomSchema custom = spec("{type:'object',properties:{s:{type:'array','x-kubernetes-list-type':'set',"
                + "items:{type:'string'}},m:{type:'array','x-kubernetes-list-type':'map',"
                + "'x-kubernetes-list-map-keys':['k'],items:{type:'object',properties:{k:{type:'string'}}}}}}");
        assertThat(custom.validate(object("{s:['a','a'],m:[{k:'x'},{k:'x'}]}"), null))
                .extracting(FieldError::toString)
                .containsExactly("spec.s[1]: Duplicate value: \"a\"", "spec.m[1]: Duplicate value: {\"k\":\"x\"}");
    }

    @Test
    void rulesReportWhereAndHowTheySay() {
        CustomSchema custom = spec("{type:'object',properties:{a:{type:'integer'},b:{type:'integer'}},"
                + "'x-kubernetes-validations':[{rule:'self.a < 5'},"
                + "{rule:'self.b < 5',reason:'FieldValueForbidden',fieldPath:'.b',message:'too much'},"
                + "{rule:'self.c < 5',message:'broken'}]}");
        assertThat(custom.validate(object("{a:9,b:9}"), null))
                .extracting(FieldError::toString)
                .containsExactly(
                        "spec: Invalid value: failed rule: self.a < 5",
                        "spec.b: Forbidden: too much",
                        "spec: Invalid value: \"object\": no such key: c evaluating rule: broken");
    }

    @Test
    void transitionRulesRunOnlyWhenThereIsAnOldValue() {
        CustomSchema custom = spec("{type:'object',properties:{a:{type:'integer','x-kubernetes-validations':"
                + "[{rule:'self >= oldSelf',messageExpression:'\"not below \" + string(oldSelf)'}]}}}");
        assertThat(custom.validate(object("{a:5}"), null)).isEmpty();
        assertThat(custom.validate(object("{a:5}"), object("{}"))).isEmpty();
        assertThat(custom.validate(object("{a:6}"), object("{a:5}"))).isEmpty();
        assertThat(custom.validate(object("{a:4}"), object("{a:5}")))
                .extracting(FieldError::toString)
                .containsExactly("spec.a: Invalid value: 4: not below 5");
    }

    @Test
    void anOptionalOldValueIsEmptyOnCreate() {
        CustomSchema custom = spec("{type:'object','x-kubernetes-validations':[{rule:"
                + "'!oldSelf.hasValue() || oldSelf.value().a == self.a',optionalOldSelf:true,message:'fixed'}],"
                + "properties:{a:{type:'integer'}}}");
        assertThat(custom.validate(object("{a:5}"), null)).isEmpty();
        assertThat(custom.validate(object("{a:6}"), object("{a:5}"))).hasSize(1);
    }

    @Test
    void rulesAreNotRunOnBrokenObjects() {
        CustomSchema custom = spec("{type:'object',required:['a'],properties:{a:{type:'integer'}},"
                + "'x-kubernetes-validations':[{rule:'self.a < 5'}]}");
        List<FieldError> errors = custom.validate(object("{}"), null);
        assertThat(errors).hasSize(2);
        assertThat(errors.get(1).message()).startsWith("Invalid value: null: some validation rules were not checked");
    }
}
