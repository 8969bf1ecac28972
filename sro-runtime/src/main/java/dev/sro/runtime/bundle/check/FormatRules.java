package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.DOCKERFILE_DIFFERS;
import static dev.sro.runtime.bundle.check.BundleRule.DUPLICATE_OBJECT;
import static dev.sro.runtime.bundle.check.BundleRule.KIND_NOT_ALLOWED;
import static dev.sro.runtime.bundle.check.BundleRule.NEARLY_TOO_LARGE;
import static dev.sro.runtime.bundle.check.BundleRule.NOT_ONE_CSV;
import static dev.sro.runtime.bundle.check.BundleRule.NOT_ONE_OBJECT;
import static dev.sro.runtime.bundle.check.BundleRule.NOT_YAML;
import static dev.sro.runtime.bundle.check.BundleRule.NO_MANIFESTS;
import static dev.sro.runtime.bundle.check.BundleRule.NO_METADATA;
import static dev.sro.runtime.bundle.check.BundleRule.TOO_LARGE;

import dev.sro.core.model.ValueTrees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** Which files there are, and which objects are in them. Stateless. */
final class FormatRules {

    /** What the Operator Lifecycle Manager installs beside a deployment. */
    private static final Set<String> KINDS = Set.of(
            "ClusterServiceVersion",
            "CustomResourceDefinition",
            "ClusterRole",
            "ClusterRoleBinding",
            "Role",
            "RoleBinding",
            "Service",
            "ServiceAccount",
            "Secret",
            "ConfigMap",
            "PrometheusRule",
            "ServiceMonitor",
            "PodDisruptionBudget",
            "PriorityClass",
            "VerticalPodAutoscaler",
            "ConsoleYAMLSample",
            "ConsoleCLIDownload",
            "ConsoleLink",
            "ConsoleQuickStart");

    private static final String SERVICE_VERSION = ".clusterserviceversion.yaml";

    /** Compressed and in base64, as it has to fit into a ConfigMap. */
    private static final int LARGEST = 1 << 20;

    private static final int LARGE = LARGEST / 100 * 85;

    private FormatRules() {}

    static void check(Bundle bundle, Findings findings) {
        findings.addUnless(
                !bundle.manifests().isEmpty(), NO_MANIFESTS, Bundle.MANIFESTS, "there is no such folder with files");
        findings.addUnless(
                bundle.files().containsKey(Bundle.ANNOTATIONS),
                NO_METADATA,
                Bundle.ANNOTATIONS,
                "there is no such file");
        bundle.manifests().forEach(manifest -> file(manifest, findings));
        serviceVersion(bundle, findings);
        duplicates(bundle, findings);
        size(bundle, findings);
        dockerfile(bundle, findings);
    }

    private static void file(Bundle.Manifest manifest, Findings findings) {
        if (!manifest.fault().isEmpty()) {
            findings.add(NOT_YAML, manifest.file(), manifest.fault());
            return;
        }
        int count = manifest.documents().size();
        findings.addUnless(
                count == 1, NOT_ONE_OBJECT, manifest.file(), "has " + count + " objects; a file has exactly one");
        for (Map<String, Object> object : manifest.documents()) {
            String kind = ValueTrees.text(object, "kind");
            findings.addUnless(
                    KINDS.contains(kind),
                    KIND_NOT_ALLOWED,
                    manifest.file(),
                    "the kind \"" + kind
                            + "\" is not installed from bundles; let the operator make it, or leave it out");
        }
    }

    private static void serviceVersion(Bundle bundle, Findings findings) {
        int objects = bundle.ofKind("ClusterServiceVersion").size();
        findings.addUnless(
                objects == 1,
                NOT_ONE_CSV,
                Bundle.MANIFESTS,
                "has " + objects + " objects of kind ClusterServiceVersion; a bundle has exactly one");
        bundle.serviceVersion()
                .ifPresent(manifest -> findings.addUnless(
                        manifest.file().endsWith(SERVICE_VERSION),
                        NOT_ONE_CSV,
                        manifest.file(),
                        "has the ClusterServiceVersion; rename it to end with " + SERVICE_VERSION));
    }

    private static void duplicates(Bundle bundle, Findings findings) {
        Map<String, String> seen = new HashMap<>();
        for (Bundle.Manifest manifest : bundle.manifests()) {
            String other = seen.putIfAbsent(manifest.kind() + " " + manifest.name(), manifest.file());
            if (other != null && !manifest.kind().isEmpty()) {
                findings.add(
                        DUPLICATE_OBJECT,
                        manifest.file(),
                        manifest.kind() + " " + manifest.name() + " is in " + other + ", too; remove one");
            }
        }
    }

    private static void size(Bundle bundle, Findings findings) {
        int sum = 0;
        for (String text : bundle.files().values()) {
            sum += encoded(text);
        }
        String size = "compressed and in base64 it has " + (sum >> 10) + " KiB of at most " + (LARGEST >> 10);
        if (sum > LARGEST) {
            findings.add(TOO_LARGE, "bundle", size + "; shorten descriptions of CustomResourceDefinitions");
        } else if (sum >= LARGE) {
            findings.add(NEARLY_TOO_LARGE, "bundle", size);
        }
    }

    /** As the ConfigMap has it from which a bundle is installed: each file by itself. */
    private static int encoded(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream compressed = new GZIPOutputStream(out)) {
            compressed.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (out.size() + 2) / 3 * 4;
    }

    /** Whoever reads the image looks at its labels, whoever reads the files at annotations. */
    private static void dockerfile(Bundle bundle, Findings findings) {
        String text = bundle.files().get(Bundle.DOCKERFILE);
        if (text == null) {
            return;
        }
        Map<String, String> labels = new TreeMap<>();
        for (String line :
                text.lines().filter(line -> line.startsWith("LABEL ")).toList()) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                labels.put(
                        line.substring("LABEL ".length(), equals).strip(),
                        line.substring(equals + 1).strip().replaceAll("^\"|\"$", ""));
            }
        }
        bundle.annotations().forEach((key, value) -> {
            String label = labels.get(key);
            if (!String.valueOf(value).equals(label)) {
                findings.add(
                        DOCKERFILE_DIFFERS,
                        Bundle.DOCKERFILE,
                        "label " + key + (label == null ? " is missing" : " is \"" + label + "\"") + "; "
                                + Bundle.ANNOTATIONS + " has \"" + value + "\"");
            }
        });
        for (String folder : List.of("manifests/", "metadata/")) {
            findings.addUnless(
                    text.lines().anyMatch(line -> line.matches("(COPY|ADD) .*" + folder + " /" + folder + "?")),
                    DOCKERFILE_DIFFERS,
                    Bundle.DOCKERFILE,
                    "does not copy " + folder + " to /" + folder);
        }
    }
}
