package dev.sro.core.driver;

import dev.sro.api.driver.ImageCandidate;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The Secrets that an operator reads for the drivers of a special resource, all of them in the namespace of its operands: what has to be
 * granted by name. Immutable.
 *
 * @param fetched logins, read when a registry is asked
 * @param watched what builds take in, so that a change of it is noticed
 */
public record SecretReads(SortedSet<String> fetched, SortedSet<String> watched) {

    /** None. */
    public static final SecretReads NONE = new SecretReads(new TreeSet<>(), new TreeSet<>());

    /** Copies. */
    public SecretReads {
        fetched = Collections.unmodifiableSortedSet(new TreeSet<>(fetched));
        watched = Collections.unmodifiableSortedSet(new TreeSet<>(watched));
    }

    /** What these requests may need, whichever of their images is taken in the end. */
    public static SecretReads of(Collection<DriverRequest> requests) {
        TreeSet<String> fetched = new TreeSet<>();
        TreeSet<String> watched = new TreeSet<>();
        for (DriverRequest request : requests) {
            fetched.addAll(request.pullSecrets());
            request.candidates().stream().map(ImageCandidate::pullSecrets).forEach(fetched::addAll);
            for (DriverRequest.Making making : request.makings().values()) {
                making.build().ifPresent(plan -> {
                    fetched.addAll(plan.pullSecrets());
                    watched.addAll(plan.secrets());
                });
                making.sign().ifPresent(plan -> {
                    // What is signed is looked up, unless it is built here.
                    plan.pushSecret().filter(name -> making.build().isEmpty()).ifPresent(fetched::add);
                    watched.add(plan.keySecret());
                    watched.add(plan.certSecret());
                });
            }
        }
        return new SecretReads(fetched, watched);
    }

    /** Whether there is nothing to grant. */
    public boolean isEmpty() {
        return fetched.isEmpty() && watched.isEmpty();
    }
}
