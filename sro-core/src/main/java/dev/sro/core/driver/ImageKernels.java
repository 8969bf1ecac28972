package dev.sro.core.driver;

import dev.sro.api.KernelVersion;
import dev.sro.core.image.ToolkitRelease;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * For which kernels an image has modules, as far as its files say. Immutable.
 *
 * @param release of the driver toolkit that it was built from; empty where no file says it
 * @param folders kernels of which there is a folder with modules
 * @param compiled kernels that modules in the folder of the kernel in question were compiled for; empty where none could be read
 * @param elsewhere kernels that modules outside of such folders were compiled for
 */
record ImageKernels(
        Optional<ToolkitRelease> release,
        SortedSet<String> folders,
        SortedSet<String> compiled,
        SortedSet<String> elsewhere) {

    /** Whether the driver toolkit was for the kernel. */
    static boolean isFor(Optional<ToolkitRelease> release, KernelVersion kernel, String architecture) {
        String wanted = ToolkitRelease.whole(kernel.raw(), architecture);
        return release.filter(found -> wanted.equals(found.kernel()) || wanted.equals(found.realTimeKernel()))
                .isPresent();
    }

    /** How folders name a kernel. */
    static SortedSet<String> names(KernelVersion kernel) {
        SortedSet<String> names = new TreeSet<>();
        names.add(kernel.raw());
        names.add(KernelNames.matched(kernel));
        return names;
    }

    /** Why there are no modules for a kernel that the toolkit was not for; empty when there are. */
    Optional<String> mismatch(KernelVersion kernel) {
        SortedSet<String> names = names(kernel);
        boolean folder = names.stream().anyMatch(folders::contains);
        if (folder && !compiled.isEmpty() && names.stream().noneMatch(compiled::contains)) {
            return Optional.of("its modules in lib/modules/" + kernel + " were compiled for "
                    + String.join(", ", compiled) + ", as their vermagic says; build them against the headers of "
                    + kernel);
        }
        if (folder || names.stream().anyMatch(elsewhere::contains)) {
            return Optional.empty();
        }
        SortedSet<String> found = new TreeSet<>(folders);
        found.addAll(elsewhere);
        String others = found.isEmpty() ? release.map(ToolkitRelease::kernel).orElse("") : String.join(", ", found);
        return Optional.of(
                others.isEmpty()
                        ? "it has no modules for any kernel"
                        : "it is for kernel " + others + " and not for " + kernel);
    }
}
