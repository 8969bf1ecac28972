package dev.sro.core.pool;

import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.core.model.Fnv1a64;
import dev.sro.core.model.MetadataKeys;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;

/** Names and suffixes of pools: functions of the pool's key alone, so that no other pool can change them. Stateless. */
public final class PoolNames {

    private static final int MAX_LABEL = 63;

    /**
     * Systems that SRO's own formula names as they are. No two of them may share versions and kernel strings: RHEL shares
     * both with RHEL CoreOS, so it is not among them.
     */
    private static final Set<String> PLAIN_OS = Set.of("rhcos", "ubuntu");

    /** Where kernel strings have underscores by custom; anywhere else, one tells kernels apart. */
    private static final Pattern USUAL_UNDERSCORES = Pattern.compile("\\.el\\d+_\\d+|x86_64$");

    /** How kernel strings spell the architectures of Kubernetes. */
    private static final Map<String, String> KERNEL_ARCH =
            Map.of("amd64", "x86_64", "arm64", "aarch64", "ppc64le", "ppc64le", "s390x", "s390x");

    private PoolNames() {}

    /**
     * SRO's suffix of kernel-affine objects: FNV-1a of {@code <os version>-<kernel>}, underscores of the kernel
     * replaced by dashes. What that formula cannot tell apart (another distribution, another architecture with the
     * same kernel string, a plugin's own key) is added to the text, and only then.
     */
    static String affinityHash(KernelVersion kernel, OsRelease os, String arch, SortedMap<String, String> key) {
        StringBuilder text =
                new StringBuilder(os.version()).append('-').append(kernel.raw().replace('_', '-'));
        if (USUAL_UNDERSCORES.matcher(kernel.raw()).replaceAll("").indexOf('_') >= 0) {
            text.append('-').append(kernel.raw());
        }
        if (!PLAIN_OS.contains(os.id())) {
            text.append('-').append(os.id());
        }
        if (!arch.equals("amd64") && !namesArch(kernel, arch)) {
            text.append('-').append(arch);
        }
        // The length, so that no value can imitate a further name.
        key.forEach((name, value) -> text.append('-')
                .append(name)
                .append('=')
                .append(value.length())
                .append(':')
                .append(value));
        return Fnv1a64.hex(text.toString());
    }

    /** The suffix for an operating system version and a kernel, as the Special Resource Operator computed it. */
    public static String affinityHash(String osVersion, String kernel) {
        return Fnv1a64.hex(osVersion + "-" + kernel.replace('_', '-'));
    }

    /** A name that a person recognises and a label can hold. */
    static String name(KernelVersion kernel, OsRelease os, String arch, SortedMap<String, String> key) {
        StringBuilder text = new StringBuilder(os.toString()).append('-').append(kernel.normalized());
        if (!namesArch(kernel, arch)) {
            text.append('-').append(arch);
        }
        key.forEach((name, value) -> text.append('-').append(value));
        if (!key.isEmpty() || !kernel.normalized().equals(kernel.raw())) {
            // Two kernels or keys may differ only in characters that a label cannot hold.
            text.append('-').append(affinityHash(kernel, os, arch, key));
        }
        return MetadataKeys.fit(new KernelVersion(text.toString()).normalized(), MAX_LABEL);
    }

    /** Whether the kernel string says for which architecture it is; if not, its label fits nodes of several. */
    public static boolean kernelNamesArchitecture(Pool pool) {
        return namesArch(pool.kernel(), pool.architecture());
    }

    private static boolean namesArch(KernelVersion kernel, String arch) {
        return kernel.raw().endsWith(KERNEL_ARCH.getOrDefault(arch, arch));
    }
}
