package dev.sro.runtime.bundle;

import java.util.List;
import java.util.Optional;

/**
 * What a bundle is to be. Immutable.
 *
 * @param version of the bundle, as semver
 * @param update which bundles it comes after
 * @param channels of the package, the default one among them
 * @param defaultChannel one of them
 * @param openShift range of versions, such as {@code v4.18-v4.22}
 * @param minKubeVersion least version of Kubernetes, as semver
 * @param architectures that the operator's image is built for, as Go names them
 * @param namespace where consoles suggest to install it
 * @param createdAt date and time, ISO 8601
 * @param scorecardImage that has the tests
 * @param monitoring whether what watches the operator is in it
 */
record BundleSettings(
        String version,
        Update update,
        List<String> channels,
        String defaultChannel,
        Optional<String> openShift,
        String minKubeVersion,
        List<String> architectures,
        String namespace,
        Optional<String> createdAt,
        String scorecardImage,
        boolean monitoring) {

    BundleSettings {
        channels = List.copyOf(channels);
        architectures = List.copyOf(architectures);
    }

    /**
     * The place in the graph of updates.
     *
     * @param replaces name of the bundle that was the newest before
     * @param skips names of bundles that nobody is to have any more
     * @param skipRange versions that may be updated to this one at once
     */
    record Update(Optional<String> replaces, List<String> skips, Optional<String> skipRange) {
        Update {
            skips = List.copyOf(skips);
        }
    }
}
