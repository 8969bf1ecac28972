package dev.sro.core.engine.driver;

import dev.sro.api.Outcome;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.BuildRecord;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSources;
import dev.sro.core.build.BuildStep;
import dev.sro.core.build.BuiltImages;
import dev.sro.core.build.BuiltImages.Entry;
import dev.sro.core.build.ImageGarbage;
import dev.sro.core.build.PoolBuild;
import dev.sro.core.build.StreamTag;
import dev.sro.core.driver.DriverRequest;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.background.ImageFindings;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccounts;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out which of the images that SRO built nobody needs any more. An image is needed while a pool wants it, a node of any special
 * resource runs it or may go back to it, or a preflight is about its kernel. What it remembers only saves time. Thread-safe.
 */
public final class ImageCollection {

    /** After a push, the status of an image stream may take a moment to show the tag. */
    private static final Duration SETTLED = Duration.ofMinutes(15);

    /** Whether anybody else needs an image is looked at this often: what others name is not heard of. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);

    /** Where an image was found to be in use: as long as that object does not change, it is. */
    private record Use(ObjectRef ref, String resourceVersion) {}

    private final ClusterReader reader;
    private final RecipeAccounts accounts;
    private final BuildSources sources;
    private final BuildSettings settings;
    private final ConcurrentHashMap<String, Use> uses = new ConcurrentHashMap<>();

    ImageCollection(ClusterReader reader, BuildSources sources, BuildSettings settings, RecipeAccounts accounts) {
        this.accounts = accounts;
        this.reader = reader;
        this.sources = sources;
        this.settings = settings;
    }

    /**
     * What came of it for one special resource.
     *
     * @param images to be recorded
     * @param writes that delete tags of image streams
     * @param warnings of what could not be deleted
     * @param wakeUp when to look again; {@link Instant#MAX} for never
     */
    public record Collected(BuiltImages images, List<Write> writes, List<String> warnings, Instant wakeUp) {
        /** Nothing is known, or nothing is to be done. */
        static Collected unchanged(BuiltImages images) {
            return new Collected(images, List.of(), List.of(), Instant.MAX);
        }

        public static final Collected NOTHING = new Collected(BuiltImages.NONE, List.of(), List.of(), Instant.MAX);

        public Collected {
            writes = List.copyOf(writes);
            warnings = List.copyOf(warnings);
        }
    }

    /** What is recorded now. */
    BuiltImages recorded(String specialResource) {
        return BuiltImages.in(reader.owned(specialResource).values());
    }

    /**
     * Decides.
     *
     * @param requests what pools ask for
     * @param drivers what they have
     * @param builds those that exist
     * @param records how far these are
     */
    Collected collect(
            String specialResource,
            String namespace,
            Map<String, DriverRequest> requests,
            Map<String, PoolDriver> drivers,
            Collection<PoolBuild> builds,
            List<BuildRecord> records,
            DriverLookups known,
            Instant now) {
        BuiltImages recorded = recorded(specialResource);
        List<Entry> pushed = pushed(builds, records);
        if (recorded.entries().isEmpty() && pushed.isEmpty()) {
            return Collected.NOTHING;
        }
        Map<String, RegistryProbe.Finding> removed = known.images().removals();
        Set<String> wanted = wanted(requests, drivers);
        Set<String> awaited = sources.awaitedKernels();
        ImageGarbage.Decision decision = ImageGarbage.decide(
                new ImageGarbage.Facts(
                        recorded,
                        pushed,
                        gone(recorded, removed, now),
                        entry -> isWanted(entry, wanted) || awaited.contains(entry.kernel()) || isNamed(entry.image())),
                settings.garbage(),
                now);
        List<Write> writes = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        boolean requestsKnown = requests.values().stream().allMatch(DriverRequest::known);
        if (!decision.doomed().isEmpty() && requestsKnown && isSeen() && !isRollingOut()) {
            for (Entry entry : decision.doomed()) {
                entry.streamTag()
                        .ifPresentOrElse(
                                tag -> writes.addAll(delete(tag, known, warnings, now)),
                                () -> remove(entry, namespace, wanted, known, warnings));
            }
        }
        uses.keySet().removeIf(image -> unknown(image, decision.images()));
        boolean others = decision.images().entries().values().stream().anyMatch(entry -> !isWanted(entry, wanted));
        Instant again = decision.doomed().isEmpty()
                ? others ? now.plus(LOOK_AGAIN) : Instant.MAX
                : now.plus(ImageFindings.RETRY_REMOVAL);
        return new Collected(
                decision.images(), writes, warnings, again.isBefore(decision.wakeUp()) ? again : decision.wakeUp());
    }

    private static boolean isWanted(Entry entry, Set<String> wanted) {
        return wanted.stream().anyMatch(name -> isOf(name, entry.image()));
    }

    private boolean unknown(String image, BuiltImages images) {
        return !images.entries().containsKey(image)
                && reader.specialResources().stream()
                        .noneMatch(other -> recorded(other.getMetadata().getName())
                                .entries()
                                .containsKey(image));
    }

    private static List<Entry> pushed(Collection<PoolBuild> builds, List<BuildRecord> records) {
        Map<String, BuildRecord> byHash = new HashMap<>();
        records.stream()
                .filter(record -> record.phase() == BuildRecord.Phase.DONE)
                .forEach(record -> byHash.put(record.hash() + "/" + record.attempt(), record));
        List<Entry> pushed = new ArrayList<>();
        for (PoolBuild build : builds) {
            for (PoolBuild.Run run : build.runs()) {
                BuildRecord record = byHash.get(run.step().hash() + "/" + run.attempt());
                if (record != null) {
                    pushed.add(Entry.of(run.step(), record.ended()));
                }
            }
        }
        return pushed;
    }

    /** Images that pools ask for or have, in any order of preference, and what those are made from. */
    private static Set<String> wanted(Map<String, DriverRequest> requests, Map<String, PoolDriver> drivers) {
        Set<String> wanted = new TreeSet<>();
        for (DriverRequest request : requests.values()) {
            request.candidates().stream().map(ImageCandidate::reference).forEach(wanted::add);
            request.makings().values().forEach(making -> {
                making.build().ifPresent(plan -> wanted.add(plan.pushTo()));
                making.sign().ifPresent(plan -> {
                    wanted.add(plan.unsignedImage());
                    wanted.add(plan.signedImage());
                });
            });
        }
        for (PoolDriver driver : drivers.values()) {
            wanted.add(driver.record());
            driver.choice().image().ifPresent(wanted::add);
        }
        return wanted;
    }

    /** By its tag, or by its tag and its digest. */
    private static boolean isOf(String name, String image) {
        return name.equals(image) || name.startsWith(image + "@");
    }

    /** Whether any object of any special resource names it: a workload, a worker pod, what an upgrade may go back to. */
    private boolean isNamed(String image) {
        Use use = uses.get(image);
        if (use != null && isStill(use)) {
            return true;
        }
        uses.remove(image);
        for (SpecialResource resource : reader.specialResources()) {
            for (KubeObject object :
                    reader.owned(resource.getMetadata().getName()).values()) {
                if (object.annotation(BuildStep.INPUTS).isEmpty()
                        && object.annotation(MetadataKeys.BUILT_IMAGES).isEmpty()
                        && String.valueOf(object.tree()).contains(image)) {
                    uses.put(image, new Use(object.ref(), version(object)));
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isStill(Use use) {
        return reader.specialResources().stream()
                .map(resource -> reader.owned(resource.getMetadata().getName()).get(use.ref()))
                .anyMatch(object -> object != null && version(object).equals(use.resourceVersion()));
    }

    private static String version(KubeObject object) {
        return ValueTrees.text(object.tree(), "metadata", "resourceVersion");
    }

    /** Whether all that may name an image is seen. */
    private boolean isSeen() {
        return reader.specialResources().stream().allMatch(this::isSeen);
    }

    private boolean isSeen(SpecialResource resource) {
        return resource.getStatus() == null
                || reader
                        .watch(Sight.of(resource, accounts)
                                .managed(resource.getStatus())
                                .build())
                        .values()
                        .stream()
                        .noneMatch(Outcome.Waiting.class::isInstance);
    }

    /** Whether any node may still run what a workload said before: its pods are not all of the present template. */
    private boolean isRollingOut() {
        return reader.specialResources().stream()
                .flatMap(resource -> reader.owned(resource.getMetadata().getName()).values().stream())
                .filter(object -> object.ref().kind().equals("DaemonSet"))
                .anyMatch(object -> {
                    Map<String, Object> status = object.map("status");
                    return ValueTrees.number(status, "updatedNumberScheduled", 0)
                                    < ValueTrees.number(status, "currentNumberScheduled", 0)
                            || ValueTrees.number(status, "observedGeneration", 0)
                                    < ValueTrees.number(object.map("metadata"), "generation", 0);
                });
    }

    private Set<String> gone(BuiltImages recorded, Map<String, RegistryProbe.Finding> removed, Instant now) {
        Set<String> gone = new HashSet<>();
        removed.forEach((image, finding) -> {
            if (finding.kind() == RegistryProbe.Kind.MISSING) {
                gone.add(image);
            }
        });
        for (Entry entry : recorded.entries().values()) {
            boolean settled = entry.pushed().plus(SETTLED).isBefore(now);
            entry.streamTag()
                    .filter(tag -> settled && entry.unused().isPresent() && !isThere(tag))
                    .ifPresent(tag -> gone.add(entry.image()));
        }
        return gone;
    }

    /** An image stream that is not seen says nothing. */
    private boolean isThere(StreamTag tag) {
        ObjectRef ref = new ObjectRef("image.openshift.io/v1", "ImageStream", tag.namespace(), tag.stream());
        return reader.specialResources().stream()
                .map(resource -> reader.owned(resource.getMetadata().getName()).get(ref))
                .filter(stream -> stream != null)
                .findFirst()
                .map(stream -> stream.maps("status", "tags").stream()
                        .anyMatch(there -> tag.tag().equals(there.get("tag"))))
                .orElse(true);
    }

    private static List<Write> delete(StreamTag tag, DriverLookups known, List<String> warnings, Instant now) {
        ObjectRef ref = new ObjectRef(
                "image.openshift.io/v1", "ImageStreamTag", tag.namespace(), tag.stream() + ":" + tag.tag());
        var failure = known.failures().current().get(ref);
        if (failure != null) {
            warnings.add("an image that nobody needs could not be deleted: "
                    + failure.problem().message());
            if (now.isBefore(failure.retryAt())) {
                return List.of();
            }
        }
        return List.of(new Write.Delete(ref, "", false, "", "", "nobody needs this image any more"));
    }

    private static void remove(
            Entry entry, String namespace, Set<String> wanted, DriverLookups known, List<String> warnings) {
        RegistryProbe.Query query = new RegistryProbe.Query(
                entry.image(),
                "",
                Optional.empty(),
                entry.security(),
                namespace,
                entry.secret().stream().toList());
        RegistryProbe.Finding finding = known.images().remove(query, wanted);
        if (finding.kind() != RegistryProbe.Kind.UNREAD && finding.kind() != RegistryProbe.Kind.MISSING) {
            warnings.add("an image that nobody needs could not be deleted: " + finding.message());
        }
    }
}
