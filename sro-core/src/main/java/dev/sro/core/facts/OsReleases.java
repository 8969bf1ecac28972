package dev.sro.core.facts;

import dev.sro.api.OsRelease;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the operating system from what a node says of itself: the labels of Node Feature Discovery where they are, and
 * otherwise the kubelet's {@code osImage}. Stateless.
 */
public final class OsReleases {

    private static final String NFD = "feature.node.kubernetes.io/system-os_release.";

    /** RHEL CoreOS build numbers: OpenShift version, RHEL version, then a time stamp of 12 digits and a counter. */
    private static final Pattern RHCOS = Pattern.compile("(\\d)(\\d+)\\.(\\d)(\\d+)\\.(\\d{12})-\\d+");

    /** Since OpenShift 4.19 they begin with the RHEL version instead, and the date has 8 digits. */
    private static final Pattern RHCOS_BY_RHEL = Pattern.compile("Linux CoreOS (\\d+\\.\\d+)\\.\\d{8}-\\d+");

    private static final Pattern SERVICE_PACK = Pattern.compile("(\\d+) SP(\\d+)");

    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");

    /** How distributions begin their pretty name, which the kubelet reports, and their id; the first match counts. */
    private static final List<Map.Entry<String, String>> PRETTY_NAMES = List.of(
            Map.entry("Ubuntu", "ubuntu"),
            Map.entry("Debian", "debian"),
            Map.entry("Red Hat Enterprise Linux", "rhel"),
            Map.entry("CentOS", "centos"),
            Map.entry("Rocky", "rocky"),
            Map.entry("AlmaLinux", "almalinux"),
            Map.entry("Oracle Linux", "ol"),
            Map.entry("Fedora", "fedora"),
            Map.entry("SUSE Linux Enterprise Micro", "sle-micro"),
            Map.entry("SUSE Linux Enterprise", "sles"),
            Map.entry("openSUSE Leap", "opensuse-leap"),
            Map.entry("openSUSE Tumbleweed", "opensuse-tumbleweed"),
            Map.entry("Flatcar", "flatcar"),
            Map.entry("Talos", "talos"),
            Map.entry("Amazon Linux", "amzn"),
            Map.entry("Garden Linux", "gardenlinux"),
            Map.entry("Bottlerocket", "bottlerocket"),
            Map.entry("Container-Optimized OS", "cos"));

    /** As the Special Resource Operator had it: up to OpenShift 4.8. */
    private static final Map<String, String> RHEL_OF_OPENSHIFT = Map.of(
            "4.1", "8.0", "4.2", "8.0", "4.3", "8.0", "4.4", "8.1", "4.5", "8.2", "4.6", "8.2", "4.7", "8.3", "4.8",
            "8.4");

    private OsReleases() {}

    /**
     * A RHEL CoreOS build, taken apart.
     *
     * @param openShift {@code 4.10}
     * @param rhel {@code 8.4}
     */
    record RhcosBuild(String openShift, String rhel) {}

    /** The build number in an {@code osImage} of RHEL CoreOS, or empty. */
    static Optional<RhcosBuild> rhcosBuild(String osImage) {
        Matcher matcher = RHCOS.matcher(osImage);
        if (!matcher.find()) {
            return Optional.empty();
        }
        return Optional.of(
                new RhcosBuild(matcher.group(1) + "." + matcher.group(2), matcher.group(3) + "." + matcher.group(4)));
    }

    /** The RHEL version in a build number of RHEL CoreOS such as {@code 410.84.202201102104-0}; empty if it is none. */
    public static Optional<String> rhelOfBuild(String build) {
        return Optional.of(rhelInRhcos("Linux CoreOS " + build)).filter(version -> !version.isEmpty());
    }

    /** The RHEL version in an {@code osImage} of RHEL CoreOS; empty for every other system. */
    private static String rhelInRhcos(String osImage) {
        Matcher byRhel = RHCOS_BY_RHEL.matcher(osImage);
        return byRhel.find()
                ? byRhel.group(1)
                : rhcosBuild(osImage).map(RhcosBuild::rhel).orElse("");
    }

    /**
     * The release of a node with this {@code osImage} and these labels. Whether Node Feature Discovery has labelled the
     * node (yet) makes no difference for the systems known here: its pool must not change when the labels come or go.
     */
    public static OsRelease parse(String osImage, Map<String, String> labels) {
        String rhel = rhelInRhcos(osImage);
        String nfdId = labels.getOrDefault(NFD + "ID", "");
        if (!nfdId.isEmpty()) {
            // Drivers for RHEL CoreOS are built for the RHEL in it, not for the OpenShift release.
            String version = labels.getOrDefault(NFD + "RHEL_VERSION", rhel);
            if (version.isEmpty() && nfdId.equals("rhcos")) {
                version = rhelInLabels(labels);
            }
            if (version.isEmpty()) {
                version = labels.getOrDefault(NFD + "VERSION_ID", "");
            }
            return new OsRelease(nfdId, version.isEmpty() ? version(osImage, nfdId) : version);
        }
        if (!rhel.isEmpty()) {
            return new OsRelease("rhcos", rhel);
        }
        String id = PRETTY_NAMES.stream()
                .filter(name -> osImage.startsWith(name.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> firstWord(osImage));
        return new OsRelease(id, version(osImage, id));
    }

    /** RHEL CoreOS did not always name its RHEL: then the build does, or the OpenShift release that it is of; empty if neither. */
    private static String rhelInLabels(Map<String, String> labels) {
        return rhelOfBuild(labels.getOrDefault(NFD + "OSTREE_VERSION", ""))
                .orElseGet(() -> RHEL_OF_OPENSHIFT.getOrDefault(labels.getOrDefault(NFD + "VERSION_ID", ""), ""));
    }

    /** The version as os-release has it in VERSION_ID; pretty names say more or say it otherwise. */
    private static String version(String osImage, String id) {
        Matcher servicePack = SERVICE_PACK.matcher(osImage);
        if (id.equals("sles") && servicePack.find()) {
            return servicePack.group(1) + "." + servicePack.group(2);
        }
        Matcher matcher = VERSION.matcher(osImage);
        if (!matcher.find()) {
            return "";
        }
        String[] parts = matcher.group().split("\\.", -1);
        return switch (id) {
            case "ubuntu" -> parts.length > 2 ? parts[0] + "." + parts[1] : matcher.group();
            case "fedora", "amzn" -> parts[0];
            default -> matcher.group();
        };
    }

    private static String firstWord(String osImage) {
        String word = osImage.strip().split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
        String id = word.replaceAll("[^a-z0-9_.-]", "");
        return id.isEmpty() ? "unknown" : id;
    }
}
