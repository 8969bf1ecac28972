package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.ANNOTATION_CASE;
import static dev.sro.runtime.bundle.check.BundleRule.CAPABILITIES;
import static dev.sro.runtime.bundle.check.BundleRule.CATALOGUE_TEXT_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.CATEGORIES;
import static dev.sro.runtime.bundle.check.BundleRule.CREATED_AT;
import static dev.sro.runtime.bundle.check.BundleRule.DESCRIPTION_SHORT;
import static dev.sro.runtime.bundle.check.BundleRule.DISPLAY_NAME;
import static dev.sro.runtime.bundle.check.BundleRule.FEATURE_VALUE;
import static dev.sro.runtime.bundle.check.BundleRule.FIELD_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.ICON_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.ICON_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.LINK_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.LINK_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.MAINTAINER_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.MAINTAINER_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.PLATFORM_LABEL;
import static dev.sro.runtime.bundle.check.BundleRule.PROPERTIES_ANNOTATION;
import static dev.sro.runtime.bundle.check.BundleRule.PROVIDER;
import static dev.sro.runtime.bundle.check.BundleRule.PROVIDER_SHORT;

import dev.sro.core.model.ValueTrees;
import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What catalogues show of a bundle, and filter by. Stateless. */
final class CatalogueRules {

    private static final Pattern MAIL = Pattern.compile("[^@\\s]+@[^@\\s]+\\.[^@\\s.]+");
    private static final Pattern URL = Pattern.compile("https?://[^\\s/]+(/\\S*)?");

    private static final Set<String> MEDIA_TYPES = Set.of("image/png", "image/jpeg", "image/gif", "image/svg+xml");

    private static final List<String> CAPABILITY_LEVELS =
            List.of("Basic Install", "Seamless Upgrades", "Full Lifecycle", "Deep Insights", "Auto Pilot");

    private static final Set<String> CATEGORY_NAMES = Set.of(
            "AI/Machine Learning",
            "Application Runtime",
            "Big Data",
            "Cloud Provider",
            "Developer Tools",
            "Database",
            "Integration & Delivery",
            "Logging & Tracing",
            "Monitoring",
            "Modernization & Migration",
            "Networking",
            "OpenShift Optional",
            "Security",
            "Storage",
            "Streaming & Messaging",
            "Observability",
            "Drivers and plugins");

    /** Annotations whose key some tools read only when it is written like this. */
    private static final List<String> CASES = List.of(
            "olm.skipRange", "olm.operatorGroup", "olm.operatorNamespace", "olm.targetNamespaces", "olm.providedAPIs");

    /** Annotations that catalogues show, and how long they are at least. */
    private static final Map<String, Integer> TEXTS = Map.of(
            "capabilities",
            1,
            "categories",
            1,
            "containerImage",
            1,
            "createdAt",
            1,
            "repository",
            1,
            "support",
            3,
            "description",
            10);

    private static final String FEATURES = "features.operators.openshift.io/";

    private static final int SHORTEST_NAME = 3;
    private static final int LONGEST_NAME = 50;
    private static final int SHORTEST_DESCRIPTION = 20;

    private CatalogueRules() {}

    static void check(Bundle.Manifest manifest, Findings findings) {
        Map<String, Object> csv = manifest.object();
        texts(manifest.file(), csv, findings);
        people(manifest.file(), csv, findings);
        icon(manifest.file() + " spec.icon", csv, findings);
        annotations(
                manifest.file() + " metadata.annotations", ValueTrees.map(csv, "metadata", "annotations"), findings);
        ValueTrees.map(csv, "metadata", "labels")
                .forEach((key, value) -> findings.addUnless(
                        !key.matches("operatorframework\\.io/(arch|os)\\..*") || "supported".equals(value),
                        PLATFORM_LABEL,
                        manifest.file() + " metadata.labels",
                        key + " is \"" + value + "\"; it must be \"supported\", or not be there"));
    }

    private static void texts(String file, Map<String, Object> csv, Findings findings) {
        String name = ValueTrees.text(csv, "spec", "displayName");
        if (name.isEmpty()) {
            findings.add(FIELD_MISSING, file + " spec.displayName", "is missing");
        } else {
            findings.addUnless(
                    name.length() >= SHORTEST_NAME && name.length() <= LONGEST_NAME,
                    DISPLAY_NAME,
                    file + " spec.displayName",
                    "\"" + name + "\" should have 3 to 50 characters");
        }
        findings.addUnless(
                ValueTrees.text(csv, "spec", "description").strip().length() >= SHORTEST_DESCRIPTION,
                DESCRIPTION_SHORT,
                file + " spec.description",
                "should have at least 20 characters");
        findings.addUnless(
                ValueTrees.get(csv, "spec", "keywords") instanceof List<?> list && !list.isEmpty(),
                CATALOGUE_TEXT_MISSING,
                file + " spec.keywords",
                "is missing");
        String provider = ValueTrees.text(csv, "spec", "provider", "name").strip();
        if (provider.isEmpty()) {
            findings.add(PROVIDER, file + " spec.provider.name", "is missing");
        } else {
            findings.addUnless(
                    provider.length() >= SHORTEST_NAME,
                    PROVIDER_SHORT,
                    file + " spec.provider.name",
                    "\"" + provider + "\" should have at least 3 characters");
        }
    }

    private static void people(String file, Map<String, Object> csv, Findings findings) {
        List<Map<String, Object>> maintainers = ValueTrees.maps(csv, "spec", "maintainers");
        findings.addUnless(
                !maintainers.isEmpty(), MAINTAINER_MISSING, file + " spec.maintainers", "catalogues want at least one");
        for (Map<String, Object> maintainer : maintainers) {
            String mail = ValueTrees.text(maintainer, "email");
            findings.addUnless(
                    !ValueTrees.text(maintainer, "name").isBlank()
                            && MAIL.matcher(mail).matches(),
                    MAINTAINER_INVALID,
                    file + " spec.maintainers",
                    "\"" + ValueTrees.text(maintainer, "name") + "\" <" + mail + "> needs name and email address");
        }
        List<Map<String, Object>> links = ValueTrees.maps(csv, "spec", "links");
        findings.addUnless(!links.isEmpty(), LINK_MISSING, file + " spec.links", "catalogues want at least one");
        for (Map<String, Object> link : links) {
            String url = ValueTrees.text(link, "url");
            findings.addUnless(
                    !ValueTrees.text(link, "name").isBlank() && URL.matcher(url).matches(),
                    LINK_INVALID,
                    file + " spec.links",
                    "\"" + ValueTrees.text(link, "name") + "\" \"" + url + "\" needs name and url");
        }
    }

    private static void icon(String where, Map<String, Object> csv, Findings findings) {
        List<Map<String, Object>> icons = ValueTrees.maps(csv, "spec", "icon");
        if (icons.isEmpty()) {
            findings.add(ICON_MISSING, where, "is missing");
            return;
        }
        findings.addUnless(icons.size() == 1, ICON_INVALID, where, "has " + icons.size() + " icons; give one");
        for (Map<String, Object> icon : icons) {
            String type = ValueTrees.text(icon, "mediatype");
            findings.addUnless(
                    MEDIA_TYPES.contains(type),
                    ICON_INVALID,
                    where,
                    "mediatype \"" + type + "\" is none of "
                            + MEDIA_TYPES.stream().sorted().toList());
            findings.addUnless(
                    isBase64(ValueTrees.text(icon, "base64data")), ICON_INVALID, where, "base64data is not base64");
        }
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void annotations(String where, Map<String, Object> annotations, Findings findings) {
        TEXTS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(text -> findings.addUnless(
                        ValueTrees.text(annotations, text.getKey()).strip().length() >= text.getValue(),
                        CATALOGUE_TEXT_MISSING,
                        where + "." + text.getKey(),
                        "catalogues want it"
                                + (text.getValue() == 1 ? "" : ", with at least " + text.getValue() + " characters")));
        String level = ValueTrees.text(annotations, "capabilities");
        findings.addUnless(
                !annotations.containsKey("capabilities") || CAPABILITY_LEVELS.contains(level),
                CAPABILITIES,
                where + ".capabilities",
                "\"" + level + "\" is none of " + String.join(", ", CAPABILITY_LEVELS));
        String categories = ValueTrees.text(annotations, "categories");
        for (String category : annotations.containsKey("categories") ? categories.split(",", -1) : new String[0]) {
            findings.addUnless(
                    CATEGORY_NAMES.contains(category.strip()),
                    CATEGORIES,
                    where + ".categories",
                    "\"" + category.strip() + "\" is none of "
                            + CATEGORY_NAMES.stream().sorted().toList());
        }
        String created = ValueTrees.text(annotations, "createdAt");
        findings.addUnless(
                created.isEmpty() || isTime(created),
                CREATED_AT,
                where + ".createdAt",
                "\"" + created + "\" is no date and time such as 2026-01-31T12:00:00Z");
        annotations.forEach((key, value) -> key(where, key, String.valueOf(value), findings));
    }

    private static void key(String where, String key, String value, Findings findings) {
        findings.addUnless(
                !key.startsWith(FEATURES) || value.equals("true") || value.equals("false"),
                FEATURE_VALUE,
                where + "." + key,
                "\"" + value + "\" must be \"true\" or \"false\"");
        for (String right : CASES) {
            findings.addUnless(
                    key.equals(right) || !key.equalsIgnoreCase(right),
                    ANNOTATION_CASE,
                    where + "." + key,
                    "must be written " + right);
        }
        findings.addUnless(
                !key.equals("olm.properties"),
                PROPERTIES_ANNOTATION,
                where + "." + key,
                "belongs into metadata/properties.yaml");
    }

    /** A date, with or without a time. */
    private static boolean isTime(String text) {
        String time = text.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) (\\d)", "$1T$2");
        DateTimeFormatter format = time.contains("T") ? DateTimeFormatter.ISO_DATE_TIME : DateTimeFormatter.ISO_DATE;
        try {
            format.parse(time);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
