package dev.sro.runtime.plan;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.model.Code;
import dev.sro.core.model.Codec;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What the special resources come to that others have made for them first: they are planned with these. Stateless. */
final class DependencyPreviews {

    private DependencyPreviews() {}

    /** Those asked for, each behind what it needs and what is to be made or changed for it. */
    static List<PreviewedResource> with(
            List<PreviewedResource> asked, Codec codec, Function<SpecialResource, PreviewedResource> preview) {
        Set<String> seen = new HashSet<>();
        asked.forEach(previewed -> seen.add(previewed.name()));
        List<PreviewedResource> all = new ArrayList<>();
        asked.forEach(previewed -> add(previewed, codec, preview, seen, all));
        return all;
    }

    private static void add(
            PreviewedResource previewed,
            Codec codec,
            Function<SpecialResource, PreviewedResource> preview,
            Set<String> seen,
            List<PreviewedResource> all) {
        for (Write write : previewed.preview().plan().writes()) {
            if (write instanceof Write.Apply apply
                    && apply.state().equals(Dependency.STATE)
                    && seen.add(apply.ref().name())) {
                SpecialResource needed = codec.fromTree(apply.object().tree(), SpecialResource.class);
                if (needed.getMetadata().getUid() == null) {
                    needed.getMetadata().setUid(SpecialResources.NO_UID);
                }
                add(preview.apply(needed), codec, preview, seen, all);
            }
        }
        all.add(previewed);
    }

    /** Whether the charts of dependencies are on their way, so that what they come to will be known soon. */
    static boolean arePending(Preview preview) {
        return preview.plan().states().stream().anyMatch(state -> Code.CHART_PENDING.is(state.outcome()));
    }
}
