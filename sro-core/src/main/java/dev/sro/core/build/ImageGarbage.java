package dev.sro.core.build;

import dev.sro.core.build.BuiltImages.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which images that SRO built are deleted: those that nobody needs, but for the last ones of them, and not before some
 * time has passed. Pure and stateless.
 */
public final class ImageGarbage {

    private ImageGarbage() {}

    /** From where images are deleted. */
    public enum Reach {
        /** From nowhere. */
        NOWHERE,
        /** From OpenShift's own registry. */
        OPENSHIFT,
        /** From every registry. */
        EVERYWHERE
    }

    /**
     * How much stays.
     *
     * @param reach from where images are deleted
     * @param keep how many that nobody needs stay, those that were needed last
     * @param after how long nobody must have needed an image
     */
    public record Policy(Reach reach, int keep, Duration after) {
        /** Checks the numbers. */
        public Policy {
            if (keep < 0 || after.isNegative()) {
                throw new IllegalArgumentException(
                        "ImageGarbage.Policy: keep " + keep + " and after " + after + " must not be negative");
            }
        }

        boolean covers(Entry entry) {
            return reach == Reach.EVERYWHERE
                    || (reach == Reach.OPENSHIFT && entry.streamTag().isPresent());
        }
    }

    /**
     * What is known of images now.
     *
     * @param recorded what was built
     * @param pushed what builds that are still there have pushed
     * @param gone images that are there no more
     * @param used whether somebody needs an image
     */
    public record Facts(
            BuiltImages recorded, Collection<Entry> pushed, Collection<String> gone, Predicate<Entry> used) {}

    /**
     * What is to be done.
     *
     * @param images what is to be recorded
     * @param doomed what is to be deleted; it stays recorded until it is gone
     * @param wakeUp when the next one may be deleted; {@link Instant#MAX} for never
     */
    public record Decision(BuiltImages images, List<Entry> doomed, Instant wakeUp) {
        /** Copies. */
        public Decision {
            doomed = List.copyOf(doomed);
        }
    }

    /** The decision. */
    public static Decision decide(Facts facts, Policy policy, Instant now) {
        Instant second = now.truncatedTo(ChronoUnit.SECONDS);
        BuiltImages images = facts.recorded()
                .without(facts.gone())
                .with(facts.pushed().stream()
                        .filter(entry -> !facts.gone().contains(entry.image()))
                        .toList())
                .each(entry -> entry.unusedSince(
                        facts.used().test(entry)
                                ? Optional.empty()
                                : Optional.of(entry.unused().orElse(second))));
        List<Entry> unused = images.entries().values().stream()
                .filter(entry -> entry.unused().isPresent() && policy.covers(entry))
                .sorted(Comparator.comparing((Entry entry) -> entry.unused().orElse(Instant.MIN))
                        .thenComparing(Entry::pushed)
                        .thenComparing(Entry::image)
                        .reversed())
                .skip(policy.keep())
                .toList();
        List<Entry> doomed = new ArrayList<>();
        Instant wakeUp = Instant.MAX;
        for (Entry entry : unused) {
            Instant due = entry.unused().orElse(second).plus(policy.after());
            if (!due.isAfter(now)) {
                doomed.add(entry);
            } else if (due.isBefore(wakeUp)) {
                wakeUp = due;
            }
        }
        return new Decision(images, doomed, wakeUp);
    }
}
