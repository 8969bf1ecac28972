package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.FIELD_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.KUBE_VERSION_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.KUBE_VERSION_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.NAME_FORM;
import static dev.sro.runtime.bundle.check.BundleRule.NAME_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.SKIP_RANGE_ALONE;
import static dev.sro.runtime.bundle.check.BundleRule.SKIP_RANGE_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.UPDATE_LOOP;
import static dev.sro.runtime.bundle.check.BundleRule.VERSION_INVALID;

import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a ClusterServiceVersion is called, and where it is in the graph of updates. Stateless. */
final class VersionRules {

    private static final String NUMBER = "(0|[1-9]\\d{0,8})";
    private static final String PART = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
    private static final String WHOLE = NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-" + PART + "(?:\\." + PART
            + ")*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?";

    /** Semantic versioning 2.0.0. */
    static final Pattern SEMVER = Pattern.compile(WHOLE);

    private static final Pattern BOUND = Pattern.compile("(?:>=|<=|>|<|=|==|!=|!)?" + WHOLE);

    /** A subdomain of DNS. */
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** Of label values, which some tools make of the name. */
    private static final int LONGEST = 63;

    private VersionRules() {}

    static void check(Bundle bundle, Bundle.Manifest manifest, Findings findings) {
        Map<String, Object> csv = manifest.object();
        String file = manifest.file();
        String api = ValueTrees.text(csv, "apiVersion");
        findings.addUnless(
                api.equals("operators.coreos.com/v1alpha1"),
                FIELD_MISSING,
                file + " apiVersion",
                "is \"" + api + "\"; it must be operators.coreos.com/v1alpha1");
        String name = manifest.name();
        String version = ValueTrees.text(csv, "spec", "version");
        name(bundle, file, name, version, findings);
        if (version.isEmpty()) {
            findings.add(VERSION_INVALID, file + " spec.version", "is missing");
        } else {
            findings.addUnless(
                    SEMVER.matcher(version).matches(),
                    VERSION_INVALID,
                    file + " spec.version",
                    "\"" + version + "\" is no semantic version such as 1.2.3");
        }
        kubernetes(file, ValueTrees.text(csv, "spec", "minKubeVersion"), findings);
        updates(file, csv, name, findings);
    }

    private static void name(Bundle bundle, String file, String name, String version, Findings findings) {
        String where = file + " metadata.name";
        if (name.isEmpty()) {
            findings.add(FIELD_MISSING, where, "is missing");
            return;
        }
        findings.addUnless(
                SUBDOMAIN.matcher(name).matches() && name.length() <= LONGEST,
                NAME_INVALID,
                where,
                "\"" + name + "\" is no name of at most 63 lower case letters, digits, dashes and dots");
        String expected = AnnotationRules.packageName(bundle) + ".v" + version;
        findings.addUnless(
                name.equals(expected),
                NAME_FORM,
                where,
                "is \"" + name + "\"; by package and spec.version it should be \"" + expected + "\"");
    }

    private static void kubernetes(String file, String version, Findings findings) {
        String where = file + " spec.minKubeVersion";
        if (version.isEmpty()) {
            findings.add(KUBE_VERSION_MISSING, where, "is missing; without it the bundle is installed anywhere");
        } else {
            findings.addUnless(
                    SEMVER.matcher(version).matches(),
                    KUBE_VERSION_INVALID,
                    where,
                    "\"" + version + "\" is no semantic version such as 1.28.0");
        }
    }

    private static void updates(String file, Map<String, Object> csv, String name, Findings findings) {
        String replaces = ValueTrees.text(csv, "spec", "replaces");
        Object skips = ValueTrees.get(csv, "spec", "skips");
        findings.addUnless(
                name.isEmpty() || !name.equals(replaces), UPDATE_LOOP, file + " spec.replaces", "is the bundle itself");
        findings.addUnless(
                !(skips instanceof List<?> list) || !list.contains(name),
                UPDATE_LOOP,
                file + " spec.skips",
                "has the bundle itself");
        String range = ValueTrees.text(csv, "metadata", "annotations", "olm.skipRange");
        if (range.isEmpty()) {
            return;
        }
        String where = file + " metadata.annotations.olm.skipRange";
        findings.addUnless(
                isRange(range), SKIP_RANGE_INVALID, where, "\"" + range + "\" is no range such as \">=1.0.0 <1.2.0\"");
        findings.addUnless(
                !replaces.isEmpty(),
                SKIP_RANGE_ALONE,
                where,
                "without spec.replaces, bundles before this one are in no channel any more; say which one it replaces");
    }

    private static boolean isRange(String range) {
        for (String alternative : range.split("\\|\\|", -1)) {
            String text = alternative.strip();
            if (text.isEmpty()) {
                return false;
            }
            for (String bound : text.split("\\s+", -1)) {
                if (!BOUND.matcher(bound).matches()) {
                    return false;
                }
            }
        }
        return true;
    }
}
