package dev.sro.runtime.bundle.check;

import java.util.List;
import java.util.Set;

/**
 * Checks bundles as the tools do that catalogues are made with, without them and without a cluster: the validators of operator-sdk,
 * what the scorecard and the pipelines of catalogues read out of files. Stateless.
 */
public final class BundleCheck {

    private BundleCheck() {}

    /**
     * All that is wrong.
     *
     * @param requireDigests whether an image without digest is an error
     * @return empty for a bundle that is good
     */
    public static List<BundleFinding> run(Bundle bundle, boolean requireDigests) {
        Findings findings = new Findings(requireDigests ? Set.of(BundleRule.IMAGE_WITHOUT_DIGEST) : Set.of());
        FormatRules.check(bundle, findings);
        AnnotationRules.check(bundle, findings);
        ObjectRules.check(bundle, findings);
        ScorecardRules.check(bundle, findings);
        bundle.serviceVersion().ifPresent(manifest -> {
            VersionRules.check(bundle, manifest, findings);
            InstallRules.check(bundle, manifest, findings);
            WebhookRules.check(bundle, manifest, findings);
            ApiRules.check(bundle, manifest, findings);
            ExampleRules.check(bundle, manifest, findings);
            ImageRules.check(manifest, findings);
            CatalogueRules.check(manifest, findings);
        });
        return findings.all();
    }
}
