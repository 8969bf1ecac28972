package dev.sro.core.build;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.model.Code;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the driver toolkit of a kernel: of all images of all tags of OpenShift's image stream, the one that says that it has this
 * kernel. Pure and stateless.
 */
public final class Toolkits {

    /** Kernels with larger pages, whose files the toolkit of the plain kernel has. */
    private static final String LARGE_PAGES = "+64k";

    private static final int SHOWN = 10;

    private Toolkits() {}

    /**
     * An image of the stream, as far as it is known.
     *
     * @param tag its tag in the stream
     * @param image by digest
     * @param release what it says of itself; empty while it is not read, or cannot be
     * @param fault why it cannot be read; empty while it is not read, or when it is
     */
    public record ToolkitImage(String tag, String image, Optional<ToolkitRelease> release, String fault) {
        boolean pending() {
            return release.isEmpty() && fault.isEmpty();
        }
    }

    /**
     * The answer for a pool.
     *
     * @param image of the toolkit; empty when there is none, or none yet
     * @param obstacle why: Waiting while images are read, Failed when none matches; empty when there is one
     */
    public record Answer(Optional<String> image, Optional<Outcome> obstacle) {}

    /**
     * The toolkit for a pool. One that is known to match is taken at once, whatever is still to be read.
     *
     * @param all the images of the stream for the architecture of the pool; of equal ones the last tag counts
     */
    public static Answer match(List<ToolkitImage> all, Pool pool, Instant now) {
        Optional<String> found = all.stream()
                .filter(known ->
                        known.release().filter(release -> isFor(release, pool)).isPresent())
                .max(Comparator.comparing((ToolkitImage known) -> known.tag().equals("latest") ? "" : known.tag())
                        .thenComparing(ToolkitImage::image))
                .map(ToolkitImage::image);
        if (found.isPresent()) {
            return new Answer(found, Optional.empty());
        }
        long pending = all.stream().filter(ToolkitImage::pending).count();
        return new Answer(
                Optional.empty(),
                Optional.of(
                        pending > 0
                                ? Outcome.waiting(
                                        "DriverToolkitPending",
                                        now,
                                        pending + " of " + all.size()
                                                + " driver toolkits are being read to find that of kernel "
                                                + pool.kernel())
                                : Outcome.failed(missing(all, pool))));
    }

    private static boolean isFor(ToolkitRelease release, Pool pool) {
        String kernel = ToolkitRelease.whole(pool.kernel().raw(), pool.architecture());
        String plain =
                kernel.endsWith(LARGE_PAGES) ? kernel.substring(0, kernel.length() - LARGE_PAGES.length()) : kernel;
        return List.of(release.kernel(), release.realTimeKernel()).contains(kernel)
                || release.kernel().equals(plain);
    }

    private static Problem missing(List<ToolkitImage> all, Pool pool) {
        if (all.isEmpty()) {
            return new Problem(
                    Code.DRIVER_TOOLKIT_MISSING.text(),
                    "the build for pool " + pool.name() + " wants the driver toolkit of kernel " + pool.kernel()
                            + ", but the cluster has no image stream openshift/driver-toolkit, or none that SRO may"
                            + " read; name a base image",
                    Problem.Owner.PLATFORM,
                    true);
        }
        List<String> seen = new ArrayList<>();
        all.stream()
                .sorted(Comparator.comparing(ToolkitImage::tag))
                .limit(SHOWN)
                .forEach(known -> seen.add(describe(known)));
        if (all.size() > SHOWN) {
            seen.add((all.size() - SHOWN) + " more");
        }
        return new Problem(
                Code.DRIVER_TOOLKIT_MISSING.text(),
                "no driver toolkit is for kernel " + pool.kernel() + " of pool " + pool.name() + "; seen were "
                        + String.join(", ", seen)
                        + ". Import the toolkit of the nodes' release into image stream openshift/driver-toolkit, or"
                        + " name a base image",
                Problem.Owner.PLATFORM,
                true);
    }

    private static String describe(ToolkitImage known) {
        return known.tag() + " ("
                + known.release()
                        .map(release -> release.kernel()
                                + (release.realTimeKernel().isEmpty() ? "" : ", real-time " + release.realTimeKernel()))
                        .orElse("not readable: " + known.fault())
                + ")";
    }
}
