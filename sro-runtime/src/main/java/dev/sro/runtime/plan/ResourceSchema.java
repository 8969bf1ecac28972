package dev.sro.runtime.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.manifest.Yaml;
import dev.sro.core.model.Trees;
import dev.sro.runtime.InputException;
import dev.sro.testkit.schema.CustomSchema;
import dev.sro.testkit.schema.FieldError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Judges a special resource as an API server with our CustomResourceDefinition does. Immutable. */
final class ResourceSchema {

    private static final String CRD = "/META-INF/sro/crds/specialresources.sro.openshift.io.yaml";

    private final ObjectMapper mapper = new ObjectMapper();
    private final CustomSchema schema;

    private ResourceSchema(Map<String, Object> openApi) {
        this.schema = CustomSchema.compile(mapper.valueToTree(openApi));
    }

    /** Reads the definition that comes with the API. */
    static ResourceSchema load() {
        try (InputStream in = SpecialResource.class.getResourceAsStream(CRD)) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: " + CRD);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Trees.maps(Yaml.documents(CRD, text).get(0), "spec", "versions").stream()
                    .filter(version -> SpecialResource.VERSION.equals(version.get("name")))
                    .findFirst()
                    .map(version -> new ResourceSchema(Trees.map(version, "schema", "openAPIV3Schema")))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Checks a special resource.
     *
     * @return the fields that are not known, which an API server drops
     * @throws InputException if an API server would refuse it
     */
    List<String> check(Document document) {
        ObjectNode object = mapper.valueToTree(document.tree());
        List<String> unknown = schema.prune(object);
        List<FieldError> errors = schema.validate(object, null);
        if (!errors.isEmpty()) {
            throw new InputException(
                    document.where(),
                    errors.stream()
                            .map(error -> error.field() + ": " + error.message())
                            .collect(Collectors.joining("; ")));
        }
        return unknown;
    }
}
