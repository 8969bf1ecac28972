package dev.sro.core.driver;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidate.Kind;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.TaggedImages;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.DriverTags;
import dev.sro.core.driver.TagCatalogue.Use;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names for the images that a plugin says by rules. Stateless. */
public final class TaggedCandidates {

    private static final String FIELD = "spec.driver.";

    private TaggedCandidates() {}

    /**
     * The same with a name for each image of the pool; a tag that cannot be made is why there is none. What has names already stays as it
     * is.
     *
     * @param whose plugin, for messages
     * @param openShiftVersion empty elsewhere
     */
    public static ImageCandidates named(
            ImageCandidates images, TagCatalogue catalogue, String whose, Pool pool, String openShiftVersion) {
        if (images.tagged().isEmpty()) {
            return images;
        }
        TaggedImages rules = images.tagged().get();
        try {
            Map<String, Kind> kinds = new LinkedHashMap<>();
            for (Kind kind : rules.kinds()) {
                String reference = TagTemplates.image(catalogue, driver(rules), pool, openShiftVersion, use(kind));
                Kind known = kinds.putIfAbsent(reference, kind);
                if (known != null && (known == Kind.COMPILE_ON_NODE || kind == Kind.COMPILE_ON_NODE)) {
                    throw DriverException.invalid(
                            FIELD + "scheme",
                            "\"" + rules.scheme()
                                    + "\" gives an image with modules and one that compiles on the node the"
                                    + " same name " + reference);
                }
                if (known != null) {
                    kinds.put(reference, Kind.BUILD);
                }
            }
            ImageCandidates.Builder named = ImageCandidates.builder();
            kinds.forEach((reference, kind) -> named.addCandidates(candidate(rules, reference, kind)));
            return named.keepCurrentUntilAvailable(images.keepCurrentUntilAvailable())
                    .pollEvery(images.pollEvery())
                    .build();
        } catch (DriverException e) {
            String said = e.problem().message().replace(FIELD, "TaggedImages.");
            return ImageCandidates.none(Problem.vendor(e.problem().code(), whose + ": " + said));
        }
    }

    private static ImageCandidate candidate(TaggedImages rules, String reference, Kind kind) {
        return ImageCandidate.builder()
                .reference(reference)
                .kind(kind)
                .pullSecrets(rules.pullSecrets())
                .verifyKernel(rules.verifyKernel() && kind != Kind.COMPILE_ON_NODE)
                .security(rules.security())
                .build();
    }

    private static Use use(Kind kind) {
        return switch (kind) {
            case PREBUILT -> Use.PREBUILT;
            case BUILD -> Use.BUILD;
            case COMPILE_ON_NODE -> Use.COMPILE_ON_NODE;
        };
    }

    private static DriverSpec driver(TaggedImages rules) {
        DriverTags tags = new DriverTags();
        tags.setScheme(rules.scheme());
        DriverSpec driver = new DriverSpec();
        driver.setRepository(rules.repository());
        driver.setVersion(rules.version());
        driver.setBranch(rules.branch());
        driver.setTags(tags);
        return driver;
    }
}
