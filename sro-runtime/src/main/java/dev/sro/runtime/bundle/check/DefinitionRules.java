package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.CRD_INVALID;

import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** CustomResourceDefinitions, as far as an API server refuses them for what is not in their schemas. Stateless. */
final class DefinitionRules {

    private static final String API_VERSION = "apiextensions.k8s.io/v1";
    private static final Set<String> SCOPES = Set.of("Cluster", "Namespaced");

    /** A label of DNS that begins with a letter; kinds may have capitals. */
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?", Pattern.CASE_INSENSITIVE);

    private DefinitionRules() {}

    static void check(Bundle.Manifest definition, Findings findings) {
        Map<String, Object> tree = definition.object();
        ask(
                definition,
                findings,
                API_VERSION.equals(tree.get("apiVersion")),
                "apiVersion must be \"" + API_VERSION + "\"");
        String expected =
                ValueTrees.text(tree, "spec", "names", "plural") + "." + ValueTrees.text(tree, "spec", "group");
        ask(
                definition,
                findings,
                definition.name().equals(expected),
                "metadata.name must be \"" + expected + "\", of plural and group");
        String scope = ValueTrees.text(tree, "spec", "scope");
        ask(
                definition,
                findings,
                SCOPES.contains(scope),
                "spec.scope is \"" + scope + "\"; it must be Cluster or Namespaced");
        names(definition, ValueTrees.map(tree, "spec", "names"), findings);
        List<Map<String, Object>> versions = ValueTrees.maps(tree, "spec", "versions");
        ask(
                definition,
                findings,
                versions.stream()
                                .filter(version -> Boolean.TRUE.equals(version.get("storage")))
                                .count()
                        == 1,
                "spec.versions must have exactly one with storage: true");
        versions.forEach(version -> version(definition, version, findings));
    }

    private static void names(Bundle.Manifest definition, Map<String, Object> names, Findings findings) {
        for (String field : List.of("plural", "kind", "singular", "listKind")) {
            // What may be left out is made of the kind.
            boolean needed = field.equals("plural") || field.equals("kind");
            if (needed || names.containsKey(field)) {
                name(definition, field, names.get(field), findings);
            }
        }
        if (names.get("shortNames") instanceof List<?> shortNames) {
            shortNames.forEach(name -> name(definition, "shortNames", name, findings));
        }
    }

    private static void name(Bundle.Manifest definition, String field, @Nullable Object name, Findings findings) {
        String text = name instanceof String given ? given : "";
        boolean small = field.equals("kind") || field.equals("listKind") || text.equals(text.toLowerCase(Locale.ROOT));
        ask(
                definition,
                findings,
                small && NAME.matcher(text).matches(),
                "spec.names." + field + " is \"" + text
                        + "\"; it must be letters, digits and dashes, beginning with a letter, and only kinds have capitals");
    }

    private static void version(Bundle.Manifest definition, Map<String, Object> version, Findings findings) {
        String where = "version " + version.get("name");
        ask(
                definition,
                findings,
                !ValueTrees.map(version, "schema", "openAPIV3Schema").isEmpty(),
                where + " has no schema");
        for (Map<String, Object> column : ValueTrees.maps(version, "additionalPrinterColumns")) {
            for (String field : List.of("name", "type", "jsonPath")) {
                ask(
                        definition,
                        findings,
                        !ValueTrees.text(column, field).isEmpty(),
                        where + " has a printer column without " + field);
            }
        }
    }

    private static void ask(Bundle.Manifest definition, Findings findings, boolean good, String otherwise) {
        findings.addUnless(good, CRD_INVALID, definition.file(), otherwise);
    }
}
