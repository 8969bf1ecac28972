package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.ANNOTATION_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.ANNOTATION_VALUE;
import static dev.sro.runtime.bundle.check.BundleRule.CHANNEL_NAME;
import static dev.sro.runtime.bundle.check.BundleRule.DEFAULT_CHANNEL_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.DEFAULT_CHANNEL_UNKNOWN;
import static dev.sro.runtime.bundle.check.BundleRule.KUBE_VERSION_TOO_NEW;
import static dev.sro.runtime.bundle.check.BundleRule.NOT_YAML;
import static dev.sro.runtime.bundle.check.BundleRule.OPENSHIFT_VERSIONS;

import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code metadata/annotations.yaml} says. Stateless. */
final class AnnotationRules {

    private static final String BUNDLE = "operators.operatorframework.io.bundle.";
    private static final String TEST = "operators.operatorframework.io.test.";
    private static final String OPENSHIFT = "com.redhat.openshift.versions";

    private static final Pattern CHANNEL = Pattern.compile("(candidate|fast|stable).*");

    /** {@code v4.18-v4.22}, {@code v4.18} and {@code =v4.18}; older bundles have lists, too. */
    private static final Pattern RANGE = Pattern.compile("=?v4\\.(\\d{1,2})|v4\\.(\\d{1,2})-v4\\.(\\d{1,2})");

    /** Kubernetes 1.31 is in OpenShift 4.18. */
    private static final int BETWEEN_MINORS = 13;

    private AnnotationRules() {}

    static void check(Bundle bundle, Findings findings) {
        String text = bundle.files().get(Bundle.ANNOTATIONS);
        if (text == null) {
            return;
        }
        String fault = Bundle.Manifest.of(Bundle.ANNOTATIONS, text).fault();
        if (!fault.isEmpty()) {
            findings.add(NOT_YAML, Bundle.ANNOTATIONS, fault);
            return;
        }
        Map<String, Object> annotations = bundle.annotations();
        fixed(annotations, BUNDLE + "mediatype.v1", "registry+v1", findings);
        fixed(annotations, BUNDLE + "manifests.v1", "manifests/", findings);
        fixed(annotations, BUNDLE + "metadata.v1", "metadata/", findings);
        for (String key : List.of(BUNDLE + "package.v1", BUNDLE + "channels.v1")) {
            findings.addUnless(
                    !text(annotations, key).isBlank(), ANNOTATION_MISSING, Bundle.ANNOTATIONS, key + " is missing");
        }
        channels(annotations, findings);
        tests(bundle, annotations, findings);
        openShift(bundle, text(annotations, OPENSHIFT), findings);
    }

    static String packageName(Bundle bundle) {
        return text(bundle.annotations(), BUNDLE + "package.v1");
    }

    private static String text(Map<String, Object> annotations, String key) {
        return ValueTrees.text(annotations, key);
    }

    private static void fixed(Map<String, Object> annotations, String key, String value, Findings findings) {
        String found = text(annotations, key);
        if (found.isEmpty()) {
            findings.add(ANNOTATION_MISSING, Bundle.ANNOTATIONS, key + " is missing; it is \"" + value + "\"");
        } else if (!found.equals(value)) {
            findings.add(
                    ANNOTATION_VALUE, Bundle.ANNOTATIONS, key + " is \"" + found + "\"; it must be \"" + value + "\"");
        }
    }

    private static void channels(Map<String, Object> annotations, Findings findings) {
        List<String> channels =
                List.of(text(annotations, BUNDLE + "channels.v1").split(",", -1));
        for (String channel : channels) {
            String name = channel.strip();
            if (name.isEmpty()) {
                findings.addUnless(
                        channels.size() == 1,
                        ANNOTATION_VALUE,
                        Bundle.ANNOTATIONS,
                        BUNDLE + "channels.v1 has an empty name");
            } else {
                findings.addUnless(
                        CHANNEL.matcher(name).matches(),
                        CHANNEL_NAME,
                        Bundle.ANNOTATIONS,
                        "the channel \"" + name + "\" should begin with candidate, fast or stable");
            }
        }
        String key = BUNDLE + "channel.default.v1";
        String standard = text(annotations, key);
        if (standard.isEmpty()) {
            findings.add(DEFAULT_CHANNEL_MISSING, Bundle.ANNOTATIONS, key + " is missing; say which one is offered");
        } else {
            findings.addUnless(
                    channels.stream().map(String::strip).anyMatch(standard::equals),
                    DEFAULT_CHANNEL_UNKNOWN,
                    Bundle.ANNOTATIONS,
                    key + " \"" + standard + "\" is none of the channels");
        }
    }

    private static void tests(Bundle bundle, Map<String, Object> annotations, Findings findings) {
        String folder = text(annotations, TEST + "config.v1");
        if (folder.isEmpty() && text(annotations, TEST + "mediatype.v1").isEmpty()) {
            return;
        }
        fixed(annotations, TEST + "mediatype.v1", "scorecard+v1", findings);
        String config = (folder.endsWith("/") ? folder : folder + "/") + "config.yaml";
        findings.addUnless(
                bundle.files().containsKey(config),
                ANNOTATION_VALUE,
                Bundle.ANNOTATIONS,
                TEST + "config.v1 is \"" + folder + "\"; there is no " + config);
    }

    private static void openShift(Bundle bundle, String range, Findings findings) {
        if (range.isEmpty()) {
            return;
        }
        Matcher matcher = RANGE.matcher(range);
        if (!matcher.matches()) {
            findings.add(
                    OPENSHIFT_VERSIONS,
                    Bundle.ANNOTATIONS,
                    OPENSHIFT + " \"" + range + "\" is none of v4.18, v4.18-v4.22 and =v4.18");
            return;
        }
        int first = Integer.parseInt(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        findings.addUnless(
                matcher.group(3) == null || first <= Integer.parseInt(matcher.group(3)),
                OPENSHIFT_VERSIONS,
                Bundle.ANNOTATIONS,
                OPENSHIFT + " \"" + range + "\" ends before it begins");
        int kubernetes = first + BETWEEN_MINORS;
        bundle.serviceVersion().ifPresent(manifest -> {
            String least = ValueTrees.text(manifest.object(), "spec", "minKubeVersion");
            Matcher version = VersionRules.SEMVER.matcher(least);
            findings.addUnless(
                    !version.matches()
                            || (Integer.parseInt(version.group(1)) == 1
                                    && Integer.parseInt(version.group(2)) <= kubernetes),
                    KUBE_VERSION_TOO_NEW,
                    manifest.file() + " spec.minKubeVersion",
                    least + " is more than OpenShift 4." + first + " has, which is 1." + kubernetes + "; " + OPENSHIFT
                            + " begins with it");
        });
    }
}
