package dev.sro.testkit.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdValidationTest {
    private static final String AT = "spec.validation.openAPIV3Schema";

    private static ObjectNode definition(String spec) {
        ObjectNode crd = Trees.object("{metadata:{name:'widgets.x.io'},spec:{group:'x.io',scope:'Namespaced',"
                + "names:{plural:'widgets',kind:'Widget'},versions:[{name:'v1',served:true,storage:true,schema:"
                + "{openAPIV3Schema:" + spec + "}}]}}");
        BuiltinDefaults.apply("apiextensions.k8s.io", "v1", "CustomResourceDefinition", crd);
        return crd;
    }

    private static ObjectNode property(String schema) {
        return definition("{type:'object',properties:{spec:{type:'object',properties:{p:" + schema + "}}}}");
    }

    @Test
    void aSoundDefinitionGetsItsDefaults() {
        ObjectNode crd = property("{type:'string'}");
        assertThat(CrdValidation.validate(crd, null)).isEmpty();
        assertThat(crd.at("/spec/names/singular").asText()).isEqualTo("widget");
        assertThat(crd.at("/spec/names/listKind").asText()).isEqualTo("WidgetList");
        assertThat(crd.at("/spec/conversion/strategy").asText()).isEqualTo("None");
        assertThat(crd.at("/status/storedVersions")).isEqualTo(Trees.json("['v1']"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type:'array'}                                           | .items: Required value: must be specified
            {nullable:true}                                          | .type: Required value: must not be empty for specified object fields
            {type:'array',uniqueItems:true,items:{type:'string'}}    | .uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic
            {type:'object',properties:{a:{type:'string'}},additionalProperties:{type:'string'}} | .additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive
            {type:'array','x-kubernetes-list-type':'map',items:{type:'object'}} | .x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map
            {type:'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],items:{type:'object',properties:{n:{type:'string'}}}} | .items.properties[n].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property
            {type:'array','x-kubernetes-list-type':'set',items:{type:'object'}} | .items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set
            {type:'object','x-kubernetes-embedded-resource':true}    | .properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields
            {type:'integer','x-kubernetes-validations':[{rule:''}]}  | .x-kubernetes-validations[0].rule: Required value: rule is not specified
            """)
    void faultsOfASchemaAreNamedWithTheirPath(String schema, String error) {
        assertThat(CrdValidation.validate(property(schema), null))
                .extracting(FieldError::toString)
                .containsExactly(AT + ".properties[spec].properties[p]" + error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            self.y > 1  | compilation failed: ERROR: <input>:1:5: undefined field 'y'; # self.y > 1; # ....^
            self.x      | cel expression must evaluate to a bool
            """)
    void rulesAreReadWhenTheDefinitionIsMade(String rule, String detail) {
        ObjectNode crd = property(
                "{type:'object',properties:{x:{type:'integer'}},'x-kubernetes-validations':[{rule:'" + rule + "'}]}");
        assertThat(CrdValidation.validate(crd, null))
                .singleElement()
                .satisfies(e -> assertThat(e.field())
                        .isEqualTo(AT + ".properties[spec].properties[p].x-kubernetes-validations[0].rule"))
                .satisfies(e -> assertThat(e.message())
                        .isEqualTo("Invalid value: {\"Rule\":\"" + rule.replace(">", "\\u003e")
                                + "\",\"Message\":\"\",\"MessageExpression\":\"\","
                                + "\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: "
                                + detail.replace("; # ", "\n | ")));
    }

    @Test
    void metadataMayOnlyRestrictTheName() {
        assertThat(CrdValidation.validate(
                        definition(
                                "{type:'object',properties:{metadata:{type:'object',properties:{name:{type:'string'}}}}}"),
                        null))
                .isEmpty();
        assertThat(CrdValidation.validate(
                        definition(
                                "{type:'object',properties:{metadata:{type:'object',properties:{labels:{type:'object'}}}}}"),
                        null))
                .extracting(FieldError::field)
                .containsExactly(AT + ".properties[metadata]");
    }

    @Test
    void namesGroupAndScopeAreChecked() {
        ObjectNode crd = property("{type:'string'}");
        ((ObjectNode) crd.get("spec")).put("group", "Bad_Group").remove("scope");
        ((ObjectNode) crd.at("/spec/names")).put("kind", "widget kind");
        assertThat(CrdValidation.validate(crd, null))
                .extracting(FieldError::field)
                .containsExactlyInAnyOrder("metadata.name", "spec.names.kind", "spec.scope", "spec.group");
    }

    @Test
    void exactlyOneVersionIsStored() {
        ObjectNode crd = property("{type:'string'}");
        ObjectNode second = crd.at("/spec/versions/0").deepCopy();
        second.put("name", "v2");
        ((ArrayNode) crd.at("/spec/versions")).add(second);
        assertThat(CrdValidation.validate(crd, null))
                .extracting(e -> e.field() + e.message().substring(e.message().lastIndexOf(": ")))
                .containsExactly(
                        "spec.versions: must have exactly one version marked as storage version",
                        "status.storedVersions: must have the storage version v2");
    }
}
