package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.API_WITHOUT_DESCRIPTION;
import static dev.sro.runtime.bundle.check.BundleRule.API_WITHOUT_RESOURCES;
import static dev.sro.runtime.bundle.check.BundleRule.CRD_NOT_OWNED;
import static dev.sro.runtime.bundle.check.BundleRule.FIELD_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.OWNED_WITHOUT_CRD;

import dev.sro.core.model.ValueTrees;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kinds that a bundle owns, and their definitions. Stateless. */
final class ApiRules {

    private static final String OWNED = " spec.customresourcedefinitions.owned";

    private ApiRules() {}

    /** Entries of owned kinds. */
    static List<Map<String, Object>> owned(Map<String, Object> csv) {
        return ValueTrees.maps(csv, "spec", "customresourcedefinitions", "owned");
    }

    static void check(Bundle bundle, Bundle.Manifest manifest, Findings findings) {
        List<Bundle.Manifest> definitions = bundle.ofKind("CustomResourceDefinition");
        definitions.forEach(definition -> DefinitionRules.check(definition, findings));
        Set<String> defined = new HashSet<>();
        definitions.forEach(definition -> ValueTrees.maps(definition.object(), "spec", "versions")
                .forEach(version -> defined.add(definition.name() + "/" + version.get("name"))));
        Set<String> names = new HashSet<>();
        Set<String> twice = new HashSet<>();
        for (Map<String, Object> entry : owned(manifest.object())) {
            String name = ValueTrees.text(entry, "name");
            String key = name + "/" + ValueTrees.text(entry, "version");
            String where = manifest.file() + OWNED + "[" + key + "]";
            names.add(name);
            for (String field : List.of("name", "version", "kind", "displayName")) {
                findings.addUnless(
                        !ValueTrees.text(entry, field).isEmpty(), FIELD_MISSING, where, field + " is missing");
            }
            findings.addUnless(
                    defined.contains(key),
                    OWNED_WITHOUT_CRD,
                    where,
                    "no CustomResourceDefinition in the bundle has this name and version");
            findings.addUnless(twice.add(key), OWNED_WITHOUT_CRD, where, "is there twice; remove one");
            findings.addUnless(
                    !ValueTrees.text(entry, "description").isBlank(),
                    API_WITHOUT_DESCRIPTION,
                    where,
                    "has no description");
            findings.addUnless(
                    !ValueTrees.maps(entry, "resources").isEmpty(),
                    API_WITHOUT_RESOURCES,
                    where,
                    "names no resources that such an object has");
            descriptors(where, entry, findings);
        }
        definitions.forEach(definition -> findings.addUnless(
                names.contains(definition.name()),
                CRD_NOT_OWNED,
                definition.file(),
                "the ClusterServiceVersion does not own " + definition.name()));
    }

    private static void descriptors(String where, Map<String, Object> entry, Findings findings) {
        for (String part : List.of("specDescriptors", "statusDescriptors")) {
            for (Map<String, Object> descriptor : ValueTrees.maps(entry, part)) {
                findings.addUnless(
                        !ValueTrees.text(descriptor, "path").isEmpty(),
                        FIELD_MISSING,
                        where + "." + part,
                        "has a descriptor without path");
            }
        }
    }
}
